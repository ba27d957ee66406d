"""A network of two layers with a loss as a symbol file, or its part up to an output.

usage: exclusive_or.py FILE [OUTPUT]
"""
import json
import sys


def node(op, name, inputs, **attrs):
    return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": [[i, 0, 0] for i in inputs]}


variables = ["data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias", "softmax_label"]
nodes = [node("null", name, []) for name in variables[:3]]
nodes += [node("FullyConnected", "fc1", [0, 1, 2], num_hidden=8), node("Activation", "tanh1", [3], act_type="tanh")]
head = 4
if len(sys.argv) == 2:
    nodes += [node("null", name, []) for name in variables[3:]]
    nodes += [node("FullyConnected", "fc2", [4, 5, 6], num_hidden=2), node("SoftmaxOutput", "softmax", [8, 7])]
    head = 9
graph = {"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"],
         "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
with open(sys.argv[1], "w") as file:
    json.dump(graph, file)
