"""A decoder of two layers whose keys and values grow, and the same in NumPy.

usage: grow_decoder.py write FOLDER
       grow_decoder.py run PROGRAM PIECE,PIECE,... FOLDER     pieces of the ten positions, one run each
       grow_decoder.py check FOLDER TOLERANCE                 what the last run left, beside NumPy
       grow_decoder.py same FOLDER FOLDER                     with the same bits

`write` writes decoder-symbol.json, decoder.params and data.npy. A run takes data [S, 16] and positions [S]: a query sees the
keys up to its own position. The variable WIDTH: elements of a head.
"""
import json
import math
import os
import subprocess
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts", "lib"))
import ndarray_file  # noqa: E402

HEADS, WIDTH, LAYERS, LENGTH = 2, int(os.environ.get("WIDTH", 8)), 2, 10
CHANNELS = HEADS * WIDTH
STATES = ["past_%s%d" % (kind, i) for i in range(LAYERS) for kind in ("key", "value")]


class Graph:
    def __init__(self):
        self.nodes = []

    def add(self, op, name, *inputs, **attrs):
        self.nodes.append({"op": op, "name": name, "inputs": [[i, 0, 0] for i in inputs],
                           "attrs": {key: str(value) for key, value in attrs.items()}})
        return len(self.nodes) - 1

    def variable(self, name):
        return self.add("null", name)

    def dense(self, name, data, units):
        return self.add("FullyConnected", name, data, self.variable(name + "_weight"), self.variable(name + "_bias"),
                        num_hidden=units, flatten=False)

    def save(self, path, heads):
        arguments = [i for i, node in enumerate(self.nodes) if node["op"] == "null"]
        with open(path, "w") as file:
            json.dump({"nodes": self.nodes, "arg_nodes": arguments, "heads": [[head, 0, 0] for head in heads],
                       "attrs": {"mxnet_version": ["int", 10901]}}, file)


def write(folder):
    g = Graph()
    data, positions = g.variable("data"), g.variable("positions")
    row = g.add("expand_dims", "query_positions", positions, axis=1)
    heads, value = [], data
    for i in range(LAYERS):
        def name(text):
            return text + str(i)
        split = g.add("transpose", name("split"), g.add("Reshape", name("heads"), g.dense(name("qkv"), value, 3 * CHANNELS),
                                                        shape=(0, 3, HEADS, WIDTH)), axes=(1, 2, 0, 3))
        parts = [g.add("Reshape", name(text), g.add("slice_axis", name(text + "_part"), split, axis=0, begin=k, end=k + 1),
                       shape=(-3, 0, 0)) for k, text in enumerate(("query", "new_key", "new_value"))]
        key, val = (g.add("Concat", name(text), g.variable(name("past_" + text)), part, dim=1, num_args=2)
                    for text, part in zip(("key", "value"), parts[1:]))
        heads += [key, val]
        scores = g.add("_mul_scalar", name("scaled"), g.add("batch_dot", name("scores"), parts[0], key, transpose_b=True),
                       scalar=1 / math.sqrt(WIDTH))
        column = g.add("expand_dims", name("key_positions"), g.add("_contrib_arange_like", name("range"), key, axis=1), axis=0)
        seen = g.add("broadcast_like", name("seen"), g.add("expand_dims", name("mask"), g.add(
            "broadcast_lesser_equal", name("before"), column, row), axis=0), scores)
        far = g.add("_mul_scalar", name("far"), g.add("ones_like", name("ones"), scores), scalar=-1e9)
        shares = g.add("softmax", name("shares"), g.add("where", name("masked"), seen, scores, far))
        context = g.add("Reshape", name("joined"), g.add("transpose", name("rows"), g.add(
            "batch_dot", name("context"), shares, val), axes=(1, 0, 2)), shape=(0, -1))
        value = g.add("elemwise_add", name("sum"), value, g.dense(name("out"), context, CHANNELS))
        hidden = g.add("Activation", name("relu"), g.dense(name("fc"), value, 2 * CHANNELS), act_type="relu")
        value = g.add("elemwise_add", name("layer"), value, g.dense(name("down"), hidden, CHANNELS))
    g.save(os.path.join(folder, "decoder-symbol.json"), [value, *heads])
    rng = np.random.default_rng(3)
    shapes = {"qkv": (3 * CHANNELS, CHANNELS), "out": (CHANNELS, CHANNELS), "fc": (2 * CHANNELS, CHANNELS),
              "down": (CHANNELS, 2 * CHANNELS)}
    params = {}
    for i in range(LAYERS):
        for name, shape in shapes.items():
            params["arg:%s%d_weight" % (name, i)] = rng.normal(0, 0.3, shape).astype("f")
            params["arg:%s%d_bias" % (name, i)] = rng.normal(0, 0.1, shape[0]).astype("f")
    ndarray_file.save(os.path.join(folder, "decoder.params"), params)
    np.save(os.path.join(folder, "data.npy"), rng.normal(0, 1, (LENGTH, CHANNELS)).astype("f"))


def expected():
    """The output of all positions, and the states behind them, in float64."""
    params = {name[4:]: value.astype("d") for name, value in ndarray_file.load("decoder.params").items()}
    value, found = np.load("data.npy").astype("d"), {}
    n = len(value)

    def dense(name, data):
        return data @ params[name + "_weight"].T + params[name + "_bias"]
    for i in range(LAYERS):
        query, key, val = dense("qkv%d" % i, value).reshape(n, 3, HEADS, WIDTH).transpose(1, 2, 0, 3)
        found["past_key%d" % i], found["past_value%d" % i] = key, val
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH)
        scores[:, np.arange(n)[None, :] > np.arange(n)[:, None]] = -np.inf
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        value = value + dense("out%d" % i, (shares @ val).transpose(1, 0, 2).reshape(n, -1))
        value = value + dense("down%d" % i, np.maximum(dense("fc%d" % i, value), 0))
    found["output"] = value
    return found


def run(program, pieces, folder):
    """Runs pieces of the positions one after the other, each from the states of the last one."""
    os.makedirs(folder, exist_ok=True)
    data, at, rows, states = np.load("data.npy"), 0, [], []
    for piece in map(int, pieces.split(",")):
        np.save(os.path.join(folder, "piece.npy"), data[at:at + piece])
        np.save(os.path.join(folder, "positions.npy"), np.arange(at, at + piece, dtype="f"))
        subprocess.run([*program.split(), "--input", "data=%s/piece.npy" % folder, "--input",
                        "positions=%s/positions.npy" % folder, *states, "--output-dir", folder], check=True)
        states = [word for name in STATES for word in ("--state", "%s=%s/aux/%s.npy" % (name, folder, name))]
        rows.append(np.load(os.path.join(folder, "layer1_output.npy")))
        at += piece
    np.save(os.path.join(folder, "layer1_output.npy"), np.concatenate(rows))


def check(folder, tolerance):
    for name, value in expected().items():
        path = "layer1_output.npy" if name == "output" else "aux/%s.npy" % name
        got = np.load(os.path.join(folder, path))
        if name == "output":
            value = value[:len(got)]
        else:
            value = value[:, :got.shape[1]]
        error = np.abs(got - value).max() / np.abs(value).max() if got.shape == value.shape else np.inf
        if not error < float(tolerance):
            sys.exit("%s: %s of shape %s, error %g" % (folder, name, got.shape, error))


def same(one, other):
    for path in ["layer1_output.npy"] + ["aux/%s.npy" % name for name in STATES]:
        a, b = (np.load(os.path.join(folder, path)) for folder in (one, other))
        if a.shape != b.shape or a.tobytes() != b.tobytes():
            sys.exit("%s of %s and %s differ" % (path, one, other))


if __name__ == "__main__":
    {"write": write, "run": run, "check": check, "same": same}[sys.argv[1]](*sys.argv[2:])
