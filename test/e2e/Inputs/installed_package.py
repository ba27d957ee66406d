"""Composes, compiles and runs a small network by an installed package, and tells which files of it and of LLVM it has
in use: none of another place than the package's may be."""
import ctypes
import importlib.metadata
import os
import subprocess

import numpy as np
import symc
from symc import compiler

HERE = os.path.dirname(os.path.abspath(symc.__file__))
# In a process of Python, its own libffi and another package's libzstd may be the ones in use.
OURS = ("libLLVM", "libMLIR", "libsymc", "libffi", "libzstd")

data = symc.sym.Variable("data")
net = symc.sym.Activation(symc.sym.FullyConnected(data, num_hidden=2, name="fc"), act_type="relu")
print("shape of fc_weight:", net.infer_shape(data=(1, 3))[0][1])
values = {"fc_weight": np.arange(6, dtype="float32").reshape(2, 3) - 3, "fc_bias": np.array([10, 20], "float32")}
with symc.compile(net, values, {"data": (1, 3)}) as model:
    print("answer:", model(np.array([[1, 2, 3]], "float32")).tolist())


class Request(ctypes.Structure):  # symc_request
    _fields_ = [("struct_bytes", ctypes.c_size_t), ("symbol", ctypes.c_uint64), ("json", ctypes.c_char_p),
                ("json_bytes", ctypes.c_size_t), ("between", ctypes.c_void_p * 12), ("option_count", ctypes.c_size_t),
                ("options", ctypes.POINTER(ctypes.c_char_p)), ("progress", ctypes.c_void_p * 2)]


# The package's library finds the package's runtime.
text, options = net.tojson().encode(), [b"--random-weights", b"--shape", b"data=1,3"]
request = Request(ctypes.sizeof(Request), 0, text, len(text), option_count=3, options=(ctypes.c_char_p * 3)(*options))
library, compiled = ctypes.CDLL(os.path.join(HERE, "lib", "libsymc.so.0")), (ctypes.c_void_p * 3)()
library.symc_compiler_error.restype = ctypes.c_char_p
print("bytes:", library.symc_compile_bytes(ctypes.byref(request), ctypes.byref(compiled)),
      library.symc_compiler_error().decode(), ctypes.string_at(compiled[0], 4))
net.save("net-symbol.json")
subprocess.run([compiler.program(), "net-symbol.json", "--random-weights", "--shape", "data=1,3", "-o", "net"],
               check=True)
print("program:", subprocess.run(["./net", "--bench", "1"], stdout=subprocess.DEVNULL, check=False).returncode)

with open("/proc/self/maps", encoding="utf-8") as file:
    mapped = {line.split()[-1] for line in file if "/" in line}
loaded = subprocess.run(["/usr/bin/ldd", compiler.program()], stdout=subprocess.PIPE, text=True, check=True).stdout
used = {path for path in mapped if os.path.basename(path).startswith(OURS[:3])}
used |= {line.split(" => ")[1].split()[0] for line in loaded.splitlines() if line.strip().startswith(OURS)}
print("from elsewhere:", sorted(path for path in map(os.path.realpath, used) if not path.startswith(HERE + os.sep)))
print("versions agree:", importlib.metadata.version("symc") == symc.__version__)
print("needed:", sorted({os.path.basename(path) for path in used}))
