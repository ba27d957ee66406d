"""What a script needs of its Python: a sentence that names the environment instead of a missing module.

    needs.modules("mxnet", "numpy")

Imports nothing itself, so that it costs nothing where all is there.
"""
import importlib.util
import os
import sys

# Of a module: what to call it, and how to get a Python that has it.
ORACLE = ("tools/scripts/make-oracle-env DIR makes one", "mxnet")
PEERS = ("tools/scripts/make-oracle-env DIR makes one", "peers")
PYTHONS = {  # of several that are missing the first has the way
    "gluoncv": ("GluonCV", "tools/bench/compare_zoo makes one", None),
    "mxnet": ("MXNet 1.9.1",) + ORACLE,
    "onnx": ("ONNX",) + ORACLE,
    "onnxruntime": ("ONNX Runtime",) + PEERS,
    "openvino": ("OpenVINO",) + PEERS,
    "numpy": ("NumPy", "python3 -m pip install numpy, or Debian's python3-numpy", None),
}


def sentence(script, missing):
    """What to print where modules are missing."""
    names = [PYTHONS[name][0] for name in missing]
    way, folder = next(PYTHONS[name][1:] for name in PYTHONS if name in missing)
    return "%s needs a Python with %s: %s%s" % (script, " and ".join(names), way,
                                                "; run it with DIR/%s/bin/python" % folder if folder else "")


def modules(*names):
    """Ends the program with status 2 and that sentence if one of the modules is missing."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        print(sentence(os.path.basename(sys.argv[0]), missing), file=sys.stderr)
        sys.exit(2)
