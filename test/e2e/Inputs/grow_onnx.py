"""Attention over keys and values that are inputs and outputs, as exporters write a decoder, for symc-grow.test.

usage: grow_onnx.py write | check FOLDER FIRST LAST
"""
import sys

import numpy as np

from onnx_bytes import model, node, tensor, value_info

x = np.random.default_rng(1).standard_normal((1, 2, 5, 8)).astype(np.float32)
names = ("past_key", "past_value")
present = ["present_key", "present_value"]


def write():
    past = [value_info(name, "float32", [1, 2, "past_length", 8]) for name in names]
    nodes = [node("Concat", [name, "x"], [out], axis=-2) for name, out in zip(names, present)]
    nodes += [node("Transpose", ["present_key"], ["columns"], perm=[0, 1, 3, 2]), node("MatMul", ["x", "columns"], ["scores"]),
              node("Unsqueeze", ["mask", "axes"], ["wide"]), node("Add", ["scores", "wide"], ["masked"]),
              node("Softmax", ["masked"], ["shares"], axis=-1), node("MatMul", ["shares", "present_value"], ["y"])]
    outputs = [value_info(name, "float32", [1, 2, None, 8]) for name in ["y"] + present]
    with open("decoder.onnx", "wb") as file:
        file.write(model(nodes, [value_info("mask", "float32", [1, "total_length"]), *past,
                                 value_info("x", "float32", [1, 2, "length", 8])], outputs,
                         [tensor("axes", np.array([1, 2], np.int64))]))
    for name, first, last in (("prompt", 0, 3), ("step", 3, 4), ("end", 4, 5)):
        np.save(name + ".npy", x[:, :, first:last])
        mask = np.zeros((1, last), np.float32)
        mask[0, 0] = -np.inf  # the first position is left out
        np.save(name + "_mask.npy", mask)


def check(folder, first, last):
    rows = x[:, :, :last]
    scores = x[:, :, first:last] @ rows.transpose(0, 1, 3, 2)
    scores[..., 0] = -np.inf
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    np.testing.assert_allclose(np.load(folder + "/y.npy"), shares / shares.sum(-1, keepdims=True) @ rows, 1e-5, 1e-6)
    for name in names:
        np.testing.assert_array_equal(np.load("%s/aux/%s.npy" % (folder, name)), rows)


if sys.argv[1] == "write":
    write()
else:
    check(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
