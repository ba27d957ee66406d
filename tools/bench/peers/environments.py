"""The Python environments of the peers: found where a flag names them, else made.

MXNet 1.9.1 and its exporter need a Python of their own (3.11, NumPy 1.23); the
other peers share one. A wheel that the index does not have is replaced by the
newest of its name, and the versions that were found are printed.
"""
import os
import shutil
import subprocess
import sys

OPENVINO = "2026.4.1"
MXNET = ["numpy==1.23.5", "mxnet==1.9.1", "onnx==1.13.1", "protobuf<4", "pillow", "requests"]


def find_python311():
    for candidate in (os.environ.get("PYTHON", ""), "python3.11", sys.executable):
        path = candidate and shutil.which(candidate)
        if path and subprocess.run([path, "-c", "import sys; sys.exit(sys.version_info[:2] != (3, 11))"]).returncode == 0:
            return path
    raise RuntimeError("no Python 3.11 found, which MXNet's last wheel needs; set PYTHON to one")


def make(folder, packages, python=sys.executable):
    subprocess.run([python, "-m", "venv", folder], check=True)
    install(folder, packages)


def install(folder, packages):
    subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check"]
                   + packages, check=True)


def prepare(folder):
    """Makes FOLDER/mxnet and FOLDER/peers where they are missing; returns their Pythons."""
    mxnet, peers = os.path.join(folder, "mxnet"), os.path.join(folder, "peers")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(mxnet, "bin", "python")):
        make(mxnet, MXNET, find_python311())
    if not os.path.exists(os.path.join(peers, "bin", "python")):
        make(peers, ["numpy", "onnx", "onnxruntime"])
        try:
            install(peers, ["openvino==" + OPENVINO])
        except subprocess.CalledProcessError:
            install(peers, ["openvino"])
    return os.path.join(mxnet, "bin", "python"), os.path.join(peers, "bin", "python")


def version(python, package):
    program = "import importlib.metadata as m; print(m.version(%r))" % package
    found = subprocess.run([python, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return found.stdout.strip() if found.returncode == 0 else "missing"


def versions(mxnet_python, peers_python):
    return {"mxnet": version(mxnet_python, "mxnet"), "onnxruntime": version(peers_python, "onnxruntime"),
            "openvino": version(peers_python, "openvino")}
