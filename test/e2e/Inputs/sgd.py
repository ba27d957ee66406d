"""Writes sgd-symbol.json and sgd.params: a step of sgd_mom_update on four weights, whose
momentum is an auxiliary state that begins with 1, 2, 3, 4. `sgd.py FOLDER f2` stores it as
float16."""
import json
import os
import struct
import sys

NAMES = ("weight", "grad", "mom")
nodes = [{"op": "null", "name": name, "inputs": []} for name in NAMES]
nodes.append({"op": "sgd_mom_update", "name": "step", "attrs": {"lr": "0.5", "momentum": "0.5"},
              "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]})
folder = sys.argv[1]
with open(os.path.join(folder, "sgd-symbol.json"), "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]]}, file)
key = b"aux:mom"
code, number = ("e", 2) if "f2" in sys.argv[2:] else ("f", 0)
array = struct.pack("<IiIqiii4" + code, 0xF993FAC9, 0, 1, 4, 1, 0, number, 1, 2, 3, 4)
with open(os.path.join(folder, "sgd.params"), "wb") as file:
    file.write(struct.pack("<QQQ", 0x112, 0, 1) + array + struct.pack("<QQ", 1, len(key)) + key)
for name in ("weight", "grad"):
    with open(os.path.join(folder, name + ".bin"), "wb") as file:
        file.write(struct.pack("<4f", *([1] * 4 if name == "grad" else [10] * 4)))
