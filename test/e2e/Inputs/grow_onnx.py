"""Attention over keys and values that are inputs and outputs, as exporters write a decoder, for symc-grow.test: of as many
heads as queries (decoder.onnx), and of half as many, which the graph repeats (shared.onnx).

usage: grow_onnx.py write | check FOLDER FIRST LAST [shared]
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
    write_shared(past)
    for name, first, last in (("prompt", 0, 3), ("step", 3, 4), ("end", 4, 5)):
        np.save(name + ".npy", x[:, :, first:last])
        mask = np.zeros((1, last), np.float32)
        mask[0, 0] = -np.inf  # the first position is left out
        np.save(name + "_mask.npy", mask)


def write_shared(past):
    """Unsqueeze, Expand and Reshape make four heads of two; their shape follows from the values'."""
    nodes = [node("Concat", [name, "x"], [out], axis=2) for name, out in zip(names, present)]
    nodes += [node("Shape", ["present_key"], ["shape"]), node("Slice", ["shape", "two", "four"], ["matrix"]),
              node("Concat", ["repeats", "matrix"], ["wide"], axis=0), node("Concat", ["heads", "matrix"], ["all"], axis=0)]
    for name, out in zip(("keys", "values"), present):
        nodes += [node("Unsqueeze", [out, "two"], [name + "_one"]), node("Expand", [name + "_one", "wide"], [name + "_wide"]),
                  node("Reshape", [name + "_wide", "all"], [name])]
    nodes += [node("Concat", ["x", "x"], ["queries"], axis=1), node("Transpose", ["keys"], ["columns"], perm=[0, 1, 3, 2]),
              node("MatMul", ["queries", "columns"], ["scores"]), node("Softmax", ["scores"], ["shares"], axis=-1),
              node("MatMul", ["shares", "values"], ["y"])]
    outputs = [value_info("y", "float32", [1, 4, None, 8])] + [value_info(name, "float32", [1, 2, None, 8]) for name in present]
    numbers = {"two": [2], "four": [4], "repeats": [1, 2, 2], "heads": [1, 4]}
    with open("shared.onnx", "wb") as file:
        file.write(model(nodes, [value_info("x", "float32", [1, 2, "length", 8]), *past], outputs,
                         [tensor(name, np.array(each, np.int64)) for name, each in numbers.items()]))


def check(folder, first, last, kind=""):
    rows = keys = x[:, :, :last]
    queries = x[:, :, first:last]
    if kind == "shared":
        queries, keys = np.concatenate([queries, queries], 1), rows.repeat(2, 1)
    scores = queries @ keys.transpose(0, 1, 3, 2)
    if kind != "shared":
        scores[..., 0] = -np.inf
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    np.testing.assert_allclose(np.load(folder + "/y.npy"), shares / shares.sum(-1, keepdims=True) @ keys, 1e-5, 1e-6)
    for name in names:
        np.testing.assert_array_equal(np.load("%s/aux/%s.npy" % (folder, name)), rows)


if sys.argv[1] == "write":
    write()
else:
    check(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])
