"""Writes networks whose rows a run chooses: range_nets.py DIR."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts", "lib"))
import json

import ndarray_file
import numpy as np


def symbol(nodes):
    """A file of these nodes, (op, name, attributes, inputs by name); the last one is the head."""
    places = {name: i for i, (_, name, _, _) in enumerate(nodes)}
    return {"nodes": [{"op": op, "name": name, "attrs": {key: str(value) for key, value in attributes.items()},
                       "inputs": [[places[each], 0, 0] for each in inputs]} for op, name, attributes, inputs in nodes],
            "arg_nodes": [i for i, node in enumerate(nodes) if node[0] == "null"], "heads": [[len(nodes) - 1, 0, 0]],
            "attrs": {"mxnet_version": ["int", 10901]}}


def variables(*names):
    return [("null", name, {}, []) for name in names]


NETS = {
    "convolution": variables("data", "conv_weight", "conv_bias", "bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var", "fc_weight", "fc_bias",
                             "softmax_label") + [
        ("Convolution", "conv", {"kernel": "(3, 3)", "num_filter": 6, "pad": "(1, 1)"}, ["data", "conv_weight", "conv_bias"]),
        ("BatchNorm", "bn", {"fix_gamma": False}, ["conv", "bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var"]),
        ("Activation", "relu", {"act_type": "relu"}, ["bn"]),
        ("Pooling", "pool", {"kernel": "(2, 2)", "stride": "(2, 2)", "pool_type": "max"}, ["relu"]),
        ("FullyConnected", "fc", {"num_hidden": 5}, ["pool", "fc_weight", "fc_bias"]),
        ("SoftmaxOutput", "softmax", {"normalization": "batch"}, ["fc", "softmax_label"])],
    "sort": variables("data") + [("sort", "sorted", {"axis": 0}, ["data"])],
    "flat": variables("data") + [("Reshape", "flat", {"shape": "(-1,)"}, ["data"])],
}


def main():
    folder = sys.argv[1]
    os.makedirs(folder)
    for name, nodes in NETS.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(symbol(nodes), file)
    random = np.random.RandomState(5)
    arrays = {"arg:conv_weight": random.randn(6, 3, 3, 3), "arg:conv_bias": random.randn(6), "arg:bn_gamma": random.rand(6) + 0.5,
              "arg:bn_beta": random.randn(6), "aux:bn_moving_mean": random.randn(6), "aux:bn_moving_var": random.rand(6) + 0.5,
              "arg:fc_weight": random.randn(5, 96), "arg:fc_bias": random.randn(5)}
    ndarray_file.save(os.path.join(folder, "convolution.params"), {key: value.astype("float32") for key, value in arrays.items()})
    np.save("9.npy", np.zeros((9, 3, 8, 8), "float32"))
    np.save("l9.npy", np.zeros(9, "float32"))


main()
