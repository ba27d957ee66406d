"""many_weights.py N: a symbol of N layers, whose weights are w0, w1, ..."""
import json
import sys

nodes = [{"op": "null", "name": "data", "inputs": []}]
last = 0
for i in range(int(sys.argv[1])):
    nodes.append({"op": "null", "name": "w%d" % i, "inputs": []})
    nodes.append({"op": "FullyConnected", "name": "layer%d" % i, "inputs": [[last, 0, 0], [len(nodes) - 1, 0, 0]],
                  "attrs": {"num_hidden": "4", "no_bias": "True"}})
    last = len(nodes) - 1
arguments = [i for i, node in enumerate(nodes) if node["op"] == "null"]
print(json.dumps({"nodes": nodes, "arg_nodes": arguments, "heads": [[last, 0, 0]]}))
