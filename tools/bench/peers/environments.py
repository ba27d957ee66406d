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

# For compare_zoo: its model zoo, and the versions of what it needs that go with MXNet's NumPy.
GLUONCV = MXNET + ["gluoncv==0.10.5.post0", "pandas<2.1", "scipy<1.12", "opencv-python<4.9"]


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


def prepare(folder, packages=MXNET):
    """Makes FOLDER/mxnet (with `packages`) and FOLDER/peers where they are missing; returns their Pythons."""
    mxnet, peers = os.path.join(folder, "mxnet"), os.path.join(folder, "peers")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(mxnet, "bin", "python")):
        make(mxnet, packages, find_python311())
    if not os.path.exists(os.path.join(peers, "bin", "python")):
        make(peers, ["numpy", "onnx", "onnxruntime"])
        try:
            install(peers, ["openvino==" + OPENVINO])
        except subprocess.CalledProcessError:
            install(peers, ["openvino"])
    return os.path.join(mxnet, "bin", "python"), os.path.join(peers, "bin", "python")


def enter(mxnet, peers):
    """Runs the program again in the peers' Python, which has NumPy, unless it is there already."""
    if not os.environ.get("COMPARE_INSIDE"):
        os.environ["COMPARE_INSIDE"] = "1"
        os.execv(peers, [peers, os.path.abspath(sys.argv[0])] + sys.argv[1:] + ["--mxnet-python", mxnet, "--peers-python", peers])


def version(python, package):
    program = "import importlib.metadata as m; print(m.version(%r))" % package
    found = subprocess.run([python, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return found.stdout.strip() if found.returncode == 0 else "missing"


def versions(mxnet_python, peers_python):
    return {"mxnet": version(mxnet_python, "mxnet"), "onnxruntime": version(peers_python, "onnxruntime"),
            "openvino": version(peers_python, "openvino")}
