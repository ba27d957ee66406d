"""Writes a net whose backward reads a parameter behind its gradient, gamma of a layer normalisation of 20,000 values:
updates_net.py FILE [sorted]. `sorted`: the first layer's weights are sorted, whose gradient a reference kernel computes."""
import json
import sys

nodes = []


def node(op, name, inputs=(), **attrs):
    nodes.append({"op": op, "name": name, "attrs": {key: str(value) for key, value in attrs.items()},
                  "inputs": [[each, 0, 0] for each in inputs]})
    return len(nodes) - 1


def variables(*names):
    return [node("null", name) for name in names]


first, bias = variables("data", "fc0_bias")
if "sorted" in sys.argv:
    weight = node("sort", "sorted", [node("null", "fc0_weight", __shape__="(20000, 7)")])
else:
    weight = node("null", "fc0_weight")
data = node("FullyConnected", "fc0", [first, weight, bias], num_hidden=20000)
data = node("LayerNorm", "norm", [data] + variables("norm_gamma", "norm_beta"))
data = node("FullyConnected", "fc", [data] + variables("fc_weight", "fc_bias"), num_hidden=5)
head = node("SoftmaxOutput", "softmax", [data] + variables("softmax_label"))
with open(sys.argv[1], "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"],
               "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}, file)
