"""A linear regression as a symbol file, with rows for it: NumPy's archive whose label is called target.

usage: regression.py SYMBOL ARCHIVE
"""
import json
import sys

import numpy as np

variables = ["data", "fc_weight", "fc_bias", "target"]
nodes = [{"op": "null", "name": name, "inputs": []} for name in variables]
nodes.insert(3, {"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "attrs": {"num_hidden": "2"}})
nodes.append({"op": "LinearRegressionOutput", "name": "out", "inputs": [[3, 0, 0], [4, 0, 0]]})
with open(sys.argv[1], "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": [0, 1, 2, 4], "heads": [[5, 0, 0]]}, file)
rows = np.random.default_rng(1).standard_normal((203, 3)).astype("float32")
np.savez_compressed(sys.argv[2], data=rows, target=rows @ np.float32([[1, -2], [0.5, 3], [2, 0]]) + np.float32([0.25, -1]))
