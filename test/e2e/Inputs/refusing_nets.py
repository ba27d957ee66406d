"""Writes nets whose kernels refuse values, NAME-symbol.json, their shapes where they are of refused_values.py, NAME, and inputs."""
import json

import numpy as np


def write(name, variables, nodes):
    all_nodes = [{"op": "null", "name": each, "inputs": []} for each in variables]
    for op, node, inputs, attrs in nodes:
        all_nodes.append({"op": op, "name": node, "inputs": [[i, 0, 0] for i in inputs], "attrs": attrs})
    with open(name + "-symbol.json", "w", encoding="utf-8") as file:
        json.dump({"nodes": all_nodes, "arg_nodes": list(range(len(variables))), "heads": [[len(all_nodes) - 1, 0, 0]]}, file)


def save(name, **arrays):
    np.savez(name + ".npz", **{key: np.array(value, "float32") for key, value in arrays.items()})


raises = {"mode": "raise", "axis": "0"}
write("net", ["data", "first", "second"], [("take", "one", [0, 1], raises), ("take", "two", [0, 2], raises),
                                           ("elemwise_add", "sum", [3, 4], {})])
data = np.arange(6).reshape(2, 3)
save("inside", data=data, first=[0, 1], second=[1, 1])
save("first", data=data, first=[0, 7], second=[1, 1])
save("second", data=data, first=[0, 1], second=[-5, 1])

write("steps", ["data", "first"], [("take", "one", [0, 1], raises), ("_linalg_inverse", "inverse", [2], {})])
save("singular", data=np.ones((2, 2)), first=[0, 1])
save("outside", data=np.ones((2, 2)), first=[0, 2])

write("last", ["data", "sequence_length"], [("SequenceLast", "last", [0, 1], {"use_sequence_length": "True"})])
write("align", ["data", "rois"], [("_contrib_ROIAlign", "align", [0, 1],
                                   {"pooled_size": "(2,2)", "spatial_scale": "1", "aligned": "True"})])
for name, shapes in (("last", "data=3,2,1 sequence_length=2"), ("align", "data=1,1,4,4 rois=2,5")):
    with open(name, "w", encoding="utf-8") as file:
        file.write(" ".join("--shape " + shape for shape in shapes.split()))
