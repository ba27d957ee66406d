"""onnx_large.py write: many.onnx, a chain of 100,000 nodes, and wide.onnx, three matrices of 1 GiB each in a file that is sparse on disk.
onnx_large.py below MB COMMAND...: runs the command, whose peak of memory has to stay below."""
import resource
import subprocess
import sys

import numpy as np

from onnx_bytes import external, model, node, tensor, value_info

NODES, SIDE, MATRICES = 100000, 16384, 3


def write():
    shape = lambda name, extents: [value_info(name, "float32", extents)]
    names = ["x"] + ["v%d" % i for i in range(1, NODES)] + ["y"]
    chain = [node("Add" if i % 2 else "Mul", [names[i], "c%d" % (i % 7)], [names[i + 1]]) for i in range(NODES)]
    with open("many.onnx", "wb") as file:
        file.write(model(chain, shape("x", [4]), shape("y", [4]), [tensor("c%d" % i, np.full(4, 1 + (i - 3) / 1024, "f4")) for i in range(7)]))
    value = np.ones(4, "f4")
    np.save("x.npy", value)
    for i in range(NODES):
        constant = np.float32(1 + (i % 7 - 3) / 1024)
        value = value + constant if i % 2 else value * constant
    np.save("wanted.npy", value)
    names = ["x", "a", "b", "y"]
    with open("wide.bin", "wb") as file:
        file.truncate(MATRICES * SIDE * SIDE * 4)
    with open("wide.onnx", "wb") as file:
        file.write(model([node("MatMul", [names[i], "w%d" % i], [names[i + 1]]) for i in range(MATRICES)], shape("x", [1, SIDE]), shape("y", [1, SIDE]),
                         [external("w%d" % i, "float32", [SIDE, SIDE], "wide.bin", i * SIDE * SIDE * 4) for i in range(MATRICES)]))


if sys.argv[1] == "write":
    write()
else:
    status = subprocess.run(sys.argv[3:]).returncode
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print("peak %d MB" % peak)
    sys.exit(status or peak >= int(sys.argv[2]))
