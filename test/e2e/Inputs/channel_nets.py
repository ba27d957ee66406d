"""Writes 30 nets whose channels are no whole blocks: channel_nets.py write FOLDER; names and data shapes go to stdout.

Of 3, 17, 20, 33 and 50 channels: layers behind each other, in groups, with channels last, two layers of one weight, strides
and a pooling, and fully connected layers.
"""
import json
import os
import sys

CHANNELS, KINDS = (3, 17, 20, 33, 50), ("plain", "groups", "last", "tied", "strided", "dense")


def build(kind, channels):
    nodes = []

    def node(op, name, inputs=(), **attrs):
        nodes.append({"op": op, "name": name, "attrs": {key: str(value) for key, value in attrs.items()},
                      "inputs": [[each, 0, 0] for each in inputs]})
        return len(nodes) - 1

    def variable(name):
        return node("null", name)

    def conv(name, data, weight=None, stride=1, groups=1, **more):
        weight = variable(name + "_weight") if weight is None else weight
        return node("Convolution", name, [data, weight, variable(name + "_bias")], kernel=(3, 3), pad=(1, 1), stride=(stride, stride),
                    num_filter=channels, num_group=groups, **more)

    def act(data, kind):
        return node("Activation", "%s%d" % (kind, data), [data], act_type=kind)

    data = variable("data")
    if kind == "dense":
        for i in range(2):
            layer = node("FullyConnected", "fc%d" % i, [data, variable("fc%d_weight" % i), variable("fc%d_bias" % i)], num_hidden=channels)
            data = act(layer, "tanh")
    elif kind == "tied":
        weight = variable("shared_weight")
        data = act(conv("conv1", act(conv("conv0", data, weight), "tanh"), weight), "tanh")
    else:
        divisors = [d for d in range(2, channels + 1) if channels % d == 0]
        data = act(conv("conv0", data, **({"layout": "NHWC"} if kind == "last" else {})), "relu")
        if kind == "strided":
            data = node("Pooling", "pool", [data], kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
        data = conv("conv1", data, stride=2 if kind == "strided" else 1, groups=divisors[0] if kind == "groups" else 1,
                    **({"layout": "NHWC"} if kind == "last" else {}))
        norm = [variable("norm_" + each) for each in ("gamma", "beta", "moving_mean", "moving_var")]
        data = act(node("BatchNorm", "norm", [data] + norm, fix_gamma=False, axis=3 if kind == "last" else 1), "sigmoid")
    data = node("FullyConnected", "fc", [data, variable("fc_weight"), variable("fc_bias")], num_hidden=5)
    head = node("SoftmaxOutput", "softmax", [data, variable("softmax_label")])
    return {"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"], "heads": [[head, 0, 0]],
            "attrs": {"mxnet_version": ["int", 10901]}}


def shape(kind, channels):
    if kind == "dense":
        return (6, 19)
    return (6, 9, 10, channels) if kind == "last" else (6, channels, 9, 10)


def main():
    for kind in KINDS:
        for channels in CHANNELS:
            name = "%s%d" % (kind, channels)
            with open(os.path.join(sys.argv[2], name + ".json"), "w") as file:
                json.dump(build(kind, channels), file)
            print(name, ",".join(map(str, shape(kind, channels))))


if __name__ == "__main__":
    main()
