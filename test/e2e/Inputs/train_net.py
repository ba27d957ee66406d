"""A small net with a loss as a symbol file: a convolution and a fully connected layer with a BatchNorm between, whose
moving statistics change or (`global`) do not; `words`: an Embedding and a fully connected layer; `square`: a loss of operators;
`shaped`: a parameter that an operator of no layer reads and whose shape is in the file.

usage: train_net.py FILE [global|words|square|shaped|plain]
"""
import json
import sys

nodes, kind = [], sys.argv[2] if len(sys.argv) > 2 else ""


def node(op, name, inputs=(), **attrs):
    nodes.append({"op": op, "name": name, "attrs": {key: str(value) for key, value in attrs.items()},
                  "inputs": [[each, 0, 0] for each in inputs]})
    return len(nodes) - 1


def variable(name, **attrs):
    return node("null", name, **attrs)


if kind == "square":
    head = variable("data")
elif kind == "shaped":
    head = node("broadcast_mul", "scaled", [variable("data"), variable("factor_weight", __shape__="(1, 3)")])
elif kind == "words":
    head = node("Embedding", "words", [variable("data"), variable("words_weight")], input_dim=50, output_dim=6)
    head = node("Flatten", "flat", [head])
else:
    head = node("Convolution", "conv", [variable("data"), variable("conv_weight"), variable("conv_bias")], kernel=(3, 3),
                num_filter=4, pad=(1, 1))
    norm = [variable("norm_" + each) for each in ("gamma", "beta", "moving_mean", "moving_var")]
    head = node("BatchNorm", "norm", [head] + norm, fix_gamma=False, eps=1e-3, use_global_stats=kind == "global")
    head = node("Activation", "relu", [head], act_type="relu")
head = node("FullyConnected", "fc", [head, variable("fc_weight", __lr_mult__="0.5"), variable("fc_bias", __wd_mult__="2")],
            num_hidden=5)
if kind == "square":
    head = node("elemwise_sub", "distance", [head, variable("label")])
    head = node("MakeLoss", "loss", [node("mean", "mean", [node("square", "square", [head])])])
elif kind != "plain":
    head = node("SoftmaxOutput", "softmax", [head, variable("softmax_label")])
with open(sys.argv[1], "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"],
               "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}, file)
