"""Nets of training that --recompute makes smaller, and what it leaves as it is.

usage: recompute_net.py write | arenas LIMIT REPORT... | same DIR DIR
"""
import json
import os
import re
import sys


def node(op, name, inputs, mirror=False, **attrs):
    found = {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": [[i, 0, 0] for i in inputs]}
    if mirror:
        found["attrs"]["__force_mirroring__"] = "True"
    return found


def save(path, nodes, head):
    nodes = [{"op": "null", "name": each, "inputs": []} if isinstance(each, str) else each for each in nodes]
    graph = {"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"],
             "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    with open(path, "w") as file:
        json.dump(graph, file)


def chain(path, length, mirror=False):
    """Activations one behind the other, Dropout among them."""
    nodes = ["x"]
    for i in range(length):
        op, attrs = [("tanh", {}), ("exp", {}), ("Dropout", {"p": 0.25}), ("sin", {})][i % 4]
        nodes.append(node(op, "n%d" % i, [i], mirror=mirror and i % 4 == 0, **attrs))
    save(path, nodes, length)


def layers(path):
    """Convolutions with batch normalisation, an activation and Dropout, a pooling and a loss."""
    nodes = ["x", "label"]
    def add(op, name, *inputs, **attrs):
        nodes.append(node(op, name, inputs, **attrs))
        return len(nodes) - 1
    def variable(name):
        nodes.append(name)
        return len(nodes) - 1
    value = 0
    for i in range(3):
        conv = add("Convolution", "c%d" % i, value, variable("c%d_weight" % i), kernel="(3, 3)", pad="(1, 1)", num_filter=16,
                   no_bias=True)
        states = [variable("b%d_%s" % (i, name)) for name in ("gamma", "beta", "moving_mean", "moving_var")]
        norm = add("BatchNorm", "b%d" % i, conv, *states, fix_gamma=False)
        value = add("Dropout", "d%d" % i, add("Activation", "a%d" % i, norm, act_type="relu"), p=0.3)
    pooled = add("Pooling", "pool", value, kernel="(2, 2)", stride="(2, 2)", pool_type="max")
    dense = add("FullyConnected", "fc", pooled, variable("fc_weight"), variable("fc_bias"), num_hidden=5)
    save(path, nodes, add("SoftmaxOutput", "loss", dense, 1))


def arenas(limit, reports):
    """Each report's arena is at most `limit`, and less than that without."""
    for path in reports:
        with open(path) as file:
            text = file.read()
        count, arena, without = map(int, re.search(r"computed again: (\d+) nodes, largest arena (\d+) bytes, (\d+) without", text).groups())
        assert count > 0 and arena <= limit < without, (path, count, arena, without)


def same(one, other):
    paths = [os.path.relpath(os.path.join(root, name), one) for root, _, names in os.walk(one) for name in names]
    assert len(paths) > 1
    for path in paths:
        with open(os.path.join(one, path), "rb") as a, open(os.path.join(other, path), "rb") as b:
            assert a.read() == b.read(), path


def main():
    if sys.argv[1] == "write":
        chain("chain.json", 16)
        chain("mirror.json", 16, mirror=True)
        layers("layers.json")
    elif sys.argv[1] == "arenas":
        arenas(int(sys.argv[2]), sys.argv[3:])
    else:
        same(*sys.argv[2:])


if __name__ == "__main__":
    main()
