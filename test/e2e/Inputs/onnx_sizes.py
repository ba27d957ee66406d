"""Compiles ONNX models whose sizes a run chooses, runs each at several sizes, and compares what it gives with NumPy, for symc-onnx-sizes.test.

usage: onnx_sizes.py SYMC
"""
import subprocess
import sys

import numpy as np

from onnx_bytes import model, node, tensor, value_info

rng = np.random.default_rng(47)
failed = count = 0
f32, i64 = np.float32, np.int64


def check(what, nodes, shapes, sizes, runs, function, held=(), refused=None):
    """shapes: {input: extents}; runs: a list of {size: value}; function: of the arrays by name, the output y. refused: part of the message
    of each run."""
    global failed
    with open("model.onnx", "wb") as file:
        file.write(model(nodes, [value_info(name, "float32", extents) for name, extents in shapes.items()], [value_info("y", "float32", None)],
                         [tensor(name, array) for name, array in dict(held).items()]))
    words = [word for size in sizes for word in ("--size", size)]
    run = subprocess.run([sys.argv[1], "model.onnx", "--target-cpu", "native", *words, "-o", "net"], capture_output=True, text=True)
    for given in runs if run.returncode == 0 else [{}]:
        count_one()
        command = ["./net", "--output", "y=y.npy"]
        arrays = {}
        for name, extents in shapes.items() if given else ():
            arrays[name] = rng.standard_normal([given.get(extent, extent) for extent in extents]).astype(f32)
            np.save(name + ".npy", arrays[name])
            command += ["--input", "%s=%s.npy" % (name, name)]
        if run.returncode == 0:
            ran = subprocess.run(command, capture_output=True, text=True)
        if run.returncode or (ran.returncode and not (refused and refused in ran.stderr)) or (refused and not ran.returncode):
            failed += 1
            print("%s at %s: %s" % (what, given, run.stderr or ran.stderr or "no error"))
        elif not refused:
            got, wanted = np.load("y.npy"), function(**arrays)
            if got.shape != wanted.shape or not np.allclose(got, wanted, atol=1e-5):
                failed += 1
                print("%s at %s: y is %s:\n%s\nwanted %s:\n%s" % (what, given, got.shape, got, wanted.shape, wanted))


def count_one():
    global count
    count += 1


def extent(of, axis, name):
    """Nodes: the extent as a vector of one element."""
    return [node("Shape", [of], [name], start=axis, end=axis + 1)]


table = rng.standard_normal((8, 3)).astype(f32)
numbers = {"table": table, "zero": np.array([0], i64), "one": np.array([1], i64), "two": np.array([2], i64), "minus": np.array([-1], i64)}
N = [{"n": 1}, {"n": 3}, {"n": 6}]

# Positions: a table up to a size, from a number on, behind others, and its last rows.
check("up to a size", extent("x", 0, "n") + [node("Slice", ["table", "zero", "n"], ["p"]), node("Add", ["x", "p"], ["y"])], {"x": ["n", 3]},
      ["n=1..8"], N, lambda x: x + table[:len(x)], numbers)
check("from a number on", extent("x", 0, "n") + [node("Add", ["n", "two"], ["e"]), node("Slice", ["table", "two", "e"], ["p"]),
                                                  node("Add", ["x", "p"], ["y"])], {"x": ["n", 3]},
      ["n=1..6"], N, lambda x: x + table[2:len(x) + 2], numbers)
behind = extent("x", 0, "n") + extent("past", 0, "b") + [node("Add", ["b", "n"], ["e"]), node("Slice", ["table", "b", "e"], ["p"]),
                                                          node("Add", ["x", "p"], ["y"])]
check("behind others", behind, {"x": ["n", 3], "past": ["b", 1]}, ["n=1..6", "b=1..6"],
      [{"n": 1, "b": 6}, {"n": 3, "b": 5}, {"n": 6, "b": 2}], lambda x, past: x + table[len(past):len(past) + len(x)], numbers)
check("behind the table", behind, {"x": ["n", 3], "past": ["b", 1]}, ["n=1..6", "b=1..6"], [{"n": 6, "b": 3}],
      None, numbers, refused="node 'Slice:p': the slice of axis 0 goes from 3 to 9 of 8 (n is 6, b is 3)")
check("the last rows", extent("x", 0, "n") + [node("Neg", ["n"], ["b"]), node("Slice", ["table", "b", "big"], ["p"]), node("Add", ["x", "p"], ["y"])],
      {"x": ["n", 3]}, ["n=1..8"], N, lambda x: x + table[-len(x):], dict(numbers, big=np.array([np.iinfo(i64).max])))
check("what lies behind a part", extent("past", 0, "b") + [node("Concat", ["past", "x"], ["all"], axis=0), node("Slice", ["all", "b", "big"], ["y"])],
      {"x": ["n", 3], "past": ["b", 3]}, ["n=1..6", "b=1..6"], [{"n": 1, "b": 6}, {"n": 3, "b": 5}], lambda x, past: x,
      dict(numbers, big=np.array([np.iinfo(i64).max])))

# Shapes that are computed: the first places of a shape, by the least number there is, and what Expand keeps.
check("all but the last extents", [node("Shape", ["x"], ["s"]), node("Slice", ["s", "least", "minus"], ["lead"]), node("Concat", ["lead", "two", "minus"], ["t"], axis=0),
                                   node("Reshape", ["x", "t"], ["r"]), node("ReduceSum", ["r", "minus"], ["y"], keepdims=0)],
      {"x": ["n", 3, 4]}, ["n=1..6"], N, lambda x: x.reshape(-1, 3, 2, 2).sum(-1), dict(numbers, least=np.array([np.iinfo(i64).min])))
check("an extent that is kept", extent("x", 0, "n") + [
    node("Concat", ["n", "one", "minus"], ["t"], axis=0), node("Equal", ["t", "minus"], ["open"]), node("ConstantOfShape", ["three"], ["ones"], value=tensor("v", np.array([1], i64))),
    node("Where", ["open", "ones", "t"], ["e"]), node("Expand", ["row", "e"], ["c"]), node("Concat", ["c", "x"], ["y"], axis=1)],
      {"x": ["n", 2, 3]}, ["n=1..6"], N, lambda x: np.concatenate([np.broadcast_to(table[:1], (len(x), 1, 3)), x], 1),
      dict(numbers, three=np.array([3], i64), row=table[:1].reshape(1, 1, 3)))

# Planes of open extents: triangles, an image that is a list of pixels and an image again, halves of halves.
for upper, fn in ((1, np.triu), (0, np.tril)):
    check("a triangle", [node("Trilu", ["x", "k"], ["y"], upper=upper)], {"x": [2, "n", "m"]}, ["n=1..6", "m=1..6"],
          [{"n": 1, "m": 5}, {"n": 4, "m": 4}, {"n": 6, "m": 2}], lambda x, fn=fn: fn(x, 1), {"k": np.array(1, i64)})
check("pixels", extent("x", 2, "h") + extent("x", 3, "w") + [
    node("Reshape", ["x", "flat"], ["p"]), node("Transpose", ["p"], ["q"], perm=[0, 2, 1]), node("Add", ["q", "row"], ["r"]),
    node("Transpose", ["r"], ["u"], perm=[0, 2, 1]), node("Concat", ["zero", "three", "h", "w"], ["t"], axis=0), node("Reshape", ["u", "t"], ["y"])],
      {"x": ["n", 3, "h", "w"]}, ["n=1..2", "h=1..6", "w=1..6"], [{"n": 1, "h": 5, "w": 2}, {"n": 2, "h": 6, "w": 6}],
      lambda x: x + table[:1].reshape(3, 1, 1), dict(numbers, three=np.array([3], i64), flat=np.array([0, 3, -1], i64), row=table[0]))
half = [node("MaxPool", ["x"], ["a"], kernel_shape=[1, 1], strides=[2, 2]), node("MaxPool", ["a"], ["b"], kernel_shape=[1, 1], strides=[2, 2])]
quarter = [n for axis, name in ((2, "h"), (3, "w")) for n in extent("x", axis, name) + [
    node("Sub", [name, "one"], [name + "1"]), node("Div", [name + "1", "four"], [name + "4"]), node("Add", [name + "4", "one"], [name + "5"])]]
check("halves of halves", half + quarter + [node("Concat", ["zero", "two", "three", "h5", "w5"], ["t"], axis=0), node("Reshape", ["b", "t"], ["c"]),
                                            node("ReduceSum", ["c", "one"], ["y"], keepdims=0)],
      {"x": ["n", 6, "h", "w"]}, ["n=1..2", "h=1..9", "w=1..9"], [{"n": 1, "h": 1, "w": 9}, {"n": 2, "h": 8, "w": 5}],
      lambda x: x[:, :, ::4, ::4].reshape(len(x), 2, 3, -(-x.shape[2] // 4), -(-x.shape[3] // 4)).sum(1), dict(numbers, three=np.array([3], i64), four=np.array([4], i64)))

# Elements of each row at places that are computed, as positions look up the types of tokens.
chosen = [node("Mul", ["x", "ten"], ["a"]), node("Abs", ["a"], ["b"]), node("Cast", ["b"], ["c"], to=7), node("Mod", ["c", "four"], ["i"]),
          node("GatherElements", ["d", "i"], ["y"], "pick", axis=1)]
held = {"ten": np.array([10], f32), "four": np.array([4], i64)}
check("elements of rows", chosen, {"x": ["n", "k"], "d": ["n", 4]}, ["n=1..5", "k=1..9"], [{"n": 1, "k": 9}, {"n": 5, "k": 3}],
      lambda x, d: np.take_along_axis(d, np.abs(x * f32(10)).astype(i64) % 4, 1), held)
check("elements of rows that are not there", chosen, {"x": ["n", "k"], "d": ["m", 4]}, ["n=1..5", "k=1..9", "m=1..5"], [{"n": 5, "k": 3, "m": 4}], None, held,
      refused="node 'pick': its indices have the shape [5, 3] for data of [4, 4]")

# Images in sizes that a run chooses.
def half_pixels(x, rows, columns):
    for axis, to in ((2, rows), (3, columns)):
        n = x.shape[axis]
        at = np.clip((np.arange(to) + 0.5) * n / to - 0.5, 0, n - 1)
        low = np.floor(at).astype(int)
        ratio = (at - low).reshape((-1,) + (1,) * (3 - axis))
        x = x.take(low, axis) * (1 - ratio) + x.take(np.minimum(low + 1, n - 1), axis) * ratio
    return x.astype(f32)


image = {"x": ["n", 2, "h", "w"], "like": ["n", 5, "r", "c"]}
bilinear = extent("like", 2, "r") + extent("like", 3, "c") + extent("x", 0, "b") + [
    node("Concat", ["b", "two", "r", "c"], ["sizes"], axis=0), node("Resize", ["x", "", "", "sizes"], ["y"], "resize", mode="linear")]
check("an image as large as another", bilinear, image, ["n=1..2", "h=1..6", "w=1..6", "r=1..9", "c=2..9"],
      [{"n": 1, "h": 3, "w": 5, "r": 9, "c": 4}, {"n": 2, "h": 6, "w": 1, "r": 2, "c": 7}], lambda x, like: half_pixels(x, *like.shape[2:]), numbers)
check("an image of one row", bilinear, image, ["n=1..2", "h=1..6", "w=1..6", "r=1..9", "c=2..9"], [{"n": 1, "h": 3, "w": 5, "r": 1, "c": 4}], None, numbers,
      refused="the image has an extent of 1 along axis 2, needs at least 2")
check("a batch of images", extent("x", 0, "b") + [node("Concat", ["b", "two", "five", "five"], ["sizes"], axis=0), node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear")],
      {"x": ["n", 2, 4, 3]}, ["n=1..3"], [{"n": 1}, {"n": 3}], lambda x: half_pixels(x, 5, 5), dict(numbers, five=np.array([5], i64)))

# Names of one extent: equal, or refused.
renamed = extent("b", 0, "m") + [node("Concat", ["m", "two", "minus"], ["s"], axis=0), node("Reshape", ["a", "s"], ["r"], "split"), node("MatMul", ["r", "b"], ["y"])]
for runs, refused in ([{"n": 3, "m": 3}, {"n": 1, "m": 1}], None), ([{"n": 2, "m": 3}], "node 'split': the extents 2 and 3 are not the same (n is 2, m is 3)"):
    check("a batch of two names", renamed, {"a": ["n", 6], "b": ["m", 3, 4]}, ["n=1..4", "m=1..4"], runs, lambda a, b: a.reshape(-1, 2, 3) @ b, numbers, refused)
product = [node("MatMul", ["a", "b"], ["y"])]
shapes = {"a": ["n", 2, "k"], "b": ["m", "l", 3]}
check("a product", product, shapes, ["n=1..4", "m=1..4", "k=1..6", "l=1..6"], [{"n": 2, "m": 2, "k": 5, "l": 5}, {"n": 1, "m": 1, "k": 1, "l": 1}],
      lambda a, b: a @ b)
check("a product that is none", product, shapes, ["n=1..4", "m=1..4", "k=1..6", "l=1..6"], [{"n": 2, "m": 2, "k": 5, "l": 4}], None,
      refused="which are not the same number of elements")

# A state of zeros for as many sequences as there are.
w, r = (rng.standard_normal((1, 15, k)).astype(f32) / 2 for k in (3, 5))


def gru(x):
    h = np.zeros((x.shape[1], 5), f32)
    sigmoid = lambda v: 1 / (1 + np.exp(-v))
    for step in x:
        a, b = step @ w[0].T, h @ r[0].T
        z, s = sigmoid(a[:, :5] + b[:, :5]), sigmoid(a[:, 5:10] + b[:, 5:10])
        h = (1 - z) * np.tanh(a[:, 10:] + s * b[:, 10:]) + z * h
    return h[None]


check("a state of zeros", extent("x", 1, "n") + [node("Concat", ["one", "n", "five"], ["s"], axis=0), node("ConstantOfShape", ["s"], ["h"]),
                                                 node("GRU", ["x", "w", "r", "", "", "h"], ["", "y"], hidden_size=5, linear_before_reset=1)],
      {"x": ["t", "n", 3]}, ["n=1..6", "t=1..4"], [{"n": 1, "t": 4}, {"n": 6, "t": 2}], gru, dict(numbers, five=np.array([5], i64), w=w, r=r))


# Layers both ways over sequences that have lengths, one of them none: their ends hold the states, what lies behind is not read.
def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def step(kind, x, h, c, w, r, b):
    size = h.shape[-1]
    parts = lambda v: [v[:, i:i + size] for i in range(0, v.shape[1], size)]
    if kind == "RNN":
        return np.tanh(x @ w.T + h @ r.T + b.sum(0)), c
    if kind == "GRU":
        (az, ar, ah), (bz, br, bh) = parts(x @ w.T + b[0]), parts(h @ r.T + b[1])
        z = sigmoid(az + bz)
        return (1 - z) * np.tanh(ah + sigmoid(ar + br) * bh) + z * h, c
    i, o, f, g = parts(x @ w.T + h @ r.T + b.sum(0))
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def sequences(kind, x, w, r, b, h0, c0, lengths):
    y, last = np.zeros((x.shape[0], 2, x.shape[1], h0.shape[-1]), f32), [h0.copy(), c0.copy()]
    for n, length in enumerate(lengths):
        for d in range(2):
            h, c = h0[d, n:n + 1], c0[d, n:n + 1]
            for t in range(length) if d == 0 else reversed(range(length)):
                h, c = step(kind, x[t, n:n + 1], h, c, w[d], r[d], b[d].reshape(2, -1))
                y[t, d, n] = h
            last[0][d, n], last[1][d, n] = h, c
    return np.concatenate([v.ravel() for v in [y, *last][:3 if kind == "LSTM" else 2]])


lengths = np.array([2, 4, 0, 1], np.int32)
h0, c0 = (rng.standard_normal((2, 4, 5)).astype(f32) for _ in "hc")
for kind, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
    for features in (3, 31):
        w, r, b = ((rng.standard_normal(s) / 2).astype(f32) for s in ((2, gates * 5, features), (2, gates * 5, 5), (2, gates * 10)))
        outputs = ["a", "b", "c"][:3 if kind == "LSTM" else 2]
        check("%s of %d features over sequences with lengths" % (kind, features),
              [node(kind, ["x", "w", "r", "bias", "lengths", "h0"] + ["c0"] * (kind == "LSTM"), outputs, hidden_size=5, direction="bidirectional",
                    **({"linear_before_reset": 1} if kind == "GRU" else {}))] + [node("Reshape", [name, "minus"], [name + "1"]) for name in outputs] +
              [node("Concat", [name + "1" for name in outputs], ["y"], axis=0)],
              {"x": ["t", 4, features]}, ["t=4..6"], [{"t": 4}, {"t": 6}], lambda x, k=kind, w=w, r=r, b=b: sequences(k, x, w, r, b, h0, c0, lengths),
              dict(numbers, w=w, r=r, bias=b, lengths=lengths, h0=h0, c0=c0))
print("%d runs, %d differ" % (count, failed))
