#!/usr/bin/env python3
"""Writes the symbols of a face program's four nets, without weights: MTCNN's pnet, rnet and onet, and a net that makes a
vector of 128 numbers of a face. They have the form of trained ones, few channels, and outputs of these names: prob (no face,
face), shift (of the box's corners, in its width and height), points, face.

usage: draw_networks.py FOLDER
"""
import json
import os
import sys


class Net:
    """A symbol file in the making; an entry is the number of a node."""

    def __init__(self):
        self.nodes = []
        self.last = self.variable("data")

    def variable(self, name):
        self.nodes.append({"op": "null", "name": name, "inputs": []})
        return len(self.nodes) - 1

    def add(self, op, name, inputs, weights=(), **attributes):
        inputs = list(inputs) + [self.variable("%s_%s" % (name, weight)) for weight in weights]
        self.nodes.append({"op": op, "name": name, "inputs": [[each, 0, 0] for each in inputs],
                           "attrs": {key: str(value) for key, value in attributes.items()}})
        return len(self.nodes) - 1

    def convolution(self, name, channels, kernel, stride=1, data=None):
        return self.add("Convolution", name, [self.last if data is None else data], ("weight", "bias"), num_filter=channels,
                        kernel=(kernel, kernel), stride=(stride, stride))

    def layer(self, number, channels, kernel, stride=1):
        convolution = self.convolution("conv%d" % number, channels, kernel, stride)
        self.last = self.add("LeakyReLU", "prelu%d" % number, [convolution], ("gamma",), act_type="prelu")
        return self

    def pool(self, number, kernel):
        self.last = self.add("Pooling", "pool%d" % number, [self.last], pool_type="max", kernel=(kernel, kernel),
                             stride=(2, 2), pooling_convention="full")
        return self

    def dense(self, name, outputs, data=None):
        return self.add("FullyConnected", name, [self.last if data is None else data], ("weight", "bias"),
                        num_hidden=outputs)

    def save(self, folder, name, heads):
        variables = [i for i, node in enumerate(self.nodes) if node["op"] == "null"]
        with open(os.path.join(folder, name + "-symbol.json"), "w", encoding="utf-8") as file:
            json.dump({"nodes": self.nodes, "arg_nodes": variables, "heads": [[head, 0, 0] for head in heads]}, file, indent=1)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    pnet = Net().layer(1, 10, 3).pool(1, 2).layer(2, 16, 3).layer(3, 32, 3)
    prob = pnet.add("SoftmaxActivation", "prob", [pnet.convolution("conv4_1", 2, 1)], mode="channel")
    pnet.save(folder, "pnet", [prob, pnet.convolution("shift", 4, 1)])

    rnet = Net().layer(1, 28, 3).pool(1, 3).layer(2, 48, 3).pool(2, 3).layer(3, 64, 2)
    rnet.last = rnet.add("LeakyReLU", "prelu4", [rnet.dense("fc4", 128)], ("gamma",), act_type="prelu")
    prob = rnet.add("softmax", "prob", [rnet.dense("fc5", 2)])
    rnet.save(folder, "rnet", [prob, rnet.dense("shift", 4)])

    onet = Net().layer(1, 32, 3).pool(1, 3).layer(2, 64, 3).pool(2, 3).layer(3, 64, 3).pool(3, 2).layer(4, 128, 2)
    onet.last = onet.add("LeakyReLU", "prelu5", [onet.dense("fc5", 256)], ("gamma",), act_type="prelu")
    prob = onet.add("softmax", "prob", [onet.dense("fc6", 2)])
    onet.save(folder, "onet", [prob, onet.dense("shift", 4), onet.dense("points", 10)])

    embed = Net().layer(1, 16, 3, 2).layer(2, 32, 3, 2).layer(3, 64, 3, 2).layer(4, 64, 3, 2)
    pooled = embed.add("Pooling", "pool", [embed.last], pool_type="avg", kernel=(1, 1), global_pool=True)
    embed.save(folder, "embed", [embed.add("L2Normalization", "face", [embed.dense("fc", 128, pooled)])])


if __name__ == "__main__":
    main()
