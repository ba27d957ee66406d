"""vanished.py net: writes net-symbol.json and net-0000.params, a layer of eight inputs whose weights are
2^-70. vanished.py FILE VALUE: whether the four numbers of an .npy are that power of two, or 0."""
import json
import struct
import sys

if len(sys.argv) == 2:
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
             {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "4", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]}]
    with open(sys.argv[1] + "-symbol.json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}, file)
    with open(sys.argv[1] + "-0000.params", "wb") as file:
        file.write(struct.pack("<QQQIii2qiii32fQQ5s", 0x112, 0, 1, 0xF993FACA, 0, 2, 4, 8, 1, 0, 0, *[2.0 ** -70] * 32, 1, 5, b"arg:w"))
else:
    with open(sys.argv[1], "rb") as file:
        data = file.read()[-16:]  # behind the header of an .npy
    expected = 0.0 if sys.argv[2] == "0" else 2.0 ** int(sys.argv[2])
    found = struct.unpack("<%df" % (len(data) // 4), data)
    sys.exit(0 if found == (expected,) * 4 else "expected %g, got %s" % (expected, found))
