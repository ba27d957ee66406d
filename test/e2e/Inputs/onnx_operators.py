"""Compiles ONNX models of single operators, runs them, and compares what they give with NumPy, for symc-onnx-operators.test.

usage: onnx_operators.py SYMC | --write FOLDER (the models alone, of at most 4,000 bytes)
"""
import os
import subprocess
import sys

import numpy as np

from onnx_bytes import graph, model, node, opset, tensor, value_info

rng = np.random.default_rng(47)
failed = count = 0
f16, f32, f64, i64, u64 = np.float16, np.float32, np.float64, np.int64, np.uint64


def check(what, nodes, inputs, wanted, held=(), domain="", version=28, atol=0.0, rtol=0.0, words=(), types=None, generated=False, steps=None):
    """inputs, wanted: {name: array}; held: {name: array} of initializers. Without tolerances bits are compared. generated: no
    step runs reference code. steps: how many there are."""
    global failed, count
    count += 1
    infos = [value_info(name, x.dtype.name, x.shape) for name, x in inputs.items()]
    outs = [value_info(name, y.dtype.name, None) for name, y in wanted.items()]
    content = model(nodes, infos, outs, [tensor(name, x) for name, x in dict(held).items()], version,
                    [opset(5 if domain == "ai.onnx.ml" and version >= 22 else 3, domain)] if domain else [])
    if sys.argv[1] == "--write":
        if len(content) <= 4000:
            with open(os.path.join(sys.argv[2], "operator-%d" % count), "wb") as file:
                file.write(content)
        return
    with open("model.onnx", "wb") as file:
        file.write(content)
    commands = [[sys.argv[1], "model.onnx", "--target-cpu", "native", "-o", "net", *(["--report"] if generated or steps else []), *words], ["./net"]]
    for name, x in inputs.items():
        np.save(name + ".npy", x)
        commands[1] += ["--input", "%s=%s.npy" % (name, name)]
    for name in wanted:
        commands[1] += ["--output", "%s=%s.out.npy" % (name, name)]
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            failed += 1
            print("%s: status %d of %s:\n%s" % (what, run.returncode, command[0], run.stderr))
            return
        if generated and "call symc_ref" in run.stdout:
            failed += 1
            print("%s: reference code:\n%s" % (what, run.stdout))
        if steps and command[0] != "./net" and "\nsteps %d," % steps not in run.stdout:
            failed += 1
            print("%s: other than %d steps:\n%s" % (what, steps, run.stdout))
    for name, y in wanted.items():
        got = np.load(name + ".out.npy")
        if got.dtype != y.dtype or got.shape != y.shape or not np.allclose(got, y, rtol=rtol, atol=atol, equal_nan=True):
            failed += 1
            print("%s: output %s is %s %s:\n%s\nwanted %s %s:\n%s" % (what, name, got.dtype, got.shape, got, y.dtype, y.shape, y))


# Linear interpolation of lines, volumes and single axes, half pixels and corners: axis after axis, as images are interpolated.
def along(x, axis, to, corners):
    size = x.shape[axis]
    at = np.arange(to) * ((size - 1) / max(to - 1, 1)) if corners else np.maximum((np.arange(to) + 0.5) * (size / to) - 0.5, 0)
    low = np.minimum(at.astype(int), size - 1)
    high, part = np.minimum(low + 1, size - 1), at - low
    part = part.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return np.take(x, low, axis) * (1 - part) + np.take(x, high, axis) * part


for shape, sizes in (((2, 3, 7), (2, 3, 18)), ((2, 3, 4, 5, 6), (2, 3, 8, 5, 6)), ((1, 3, 4, 5, 6), (1, 3, 7, 9, 11)), ((2, 3, 4, 5, 6), (2, 3, 8, 10, 6)),
                     ((2, 5, 4, 6), (2, 8, 4, 6)), ((2, 5, 4, 6), (2, 10, 8, 6)), ((9, 4), (5, 7)), ((8,), (4,))):
    for corners in (False, True):
        x = rng.standard_normal(shape).astype(f32)
        y = x.astype(f64)
        for axis, to in enumerate(sizes):
            y = along(y, axis, to, corners)
        check("linear, %s to %s" % (shape, sizes), [node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear",
                                                         coordinate_transformation_mode="align_corners" if corners else "half_pixel")],
              {"x": x}, {"y": y.astype(f32)}, {"sizes": np.array(sizes, i64)}, atol=3e-6, generated=True)

# Norms of rows: a factor and a sum of each element are the norm's own, others are steps behind it.
x = rng.standard_normal((2, 3, 4, 5)).astype(f32)
for axis, factors, sums, steps in ((-1, (5,), (5,), 1), (2, (4, 5), (4, 5), 1), (-1, (5,), None, 1), (2, (5,), (4, 1), None), (-1, (1,), (1, 5), None)):
    axes = tuple(range(axis % 4, 4))
    parts = {name: rng.standard_normal(shape).astype(f32) for name, shape in (("w", factors), ("b", sums)) if shape}
    centred = x.astype(f64) - x.astype(f64).mean(axes, keepdims=True)
    y = centred / np.sqrt((centred ** 2).mean(axes, keepdims=True) + 1e-5) * parts["w"] + parts.get("b", 0)
    check("norm of rows, axis %d, %s, %s" % (axis, factors, sums), [node("LayerNormalization", ["x", *parts], ["y"], axis=axis)], {"x": x},
          {"y": y.astype(f32)}, parts, atol=1e-5, generated=True, steps=steps)

# Fourier transforms, of lengths whose factors are 2, 3, 4 and 5 and of others: errors of some places of a float.
def pairs(z, dtype):
    return np.stack((z.real, z.imag), -1).astype(dtype)


for length in (1, 2, 3, 4, 5, 8, 12, 30, 45, 400, 1024, 7, 66):
    for dtype, near in ((f32, 2e-6), (f64, 4e-15)):
        if dtype == f64 and length not in (30, 400, 7):
            continue
        z = rng.standard_normal((2, length)) + 1j * rng.standard_normal((2, length))
        x, r = pairs(z, dtype), z.real[..., None].astype(dtype)
        spectrum = np.fft.rfft(r[..., 0].astype(f64))
        size = np.sqrt(length) * 4
        check("dft %d" % length,
              [node("DFT", ["x"], ["y"]), node("DFT", ["x"], ["b"], inverse=1), node("DFT", ["r"], ["h"], onesided=1), node("DFT", ["r"], ["w"])],
              {"x": x, "r": r},
              {"y": pairs(np.fft.fft(x[..., 0].astype(f64) + 1j * x[..., 1]), dtype), "b": pairs(np.fft.ifft(x[..., 0].astype(f64) + 1j * x[..., 1]), dtype),
               "h": pairs(spectrum, dtype), "w": pairs(np.fft.fft(r[..., 0].astype(f64)), dtype)}, atol=near * size)
        check("inverse dft of half a spectrum, %d" % length, [node("DFT", ["x", "n"], ["y"], inverse=1, onesided=1)], {"x": pairs(spectrum, dtype)},
              {"y": r}, {"n": np.array(length, i64)}, atol=near * 8)
x = rng.standard_normal((3, 7, 2)).astype(f32)
z = x[..., 0].astype(f64) + 1j * x[..., 1]
check("dft along axis 0, cut and filled", [node("DFT", ["x", "two", "axis"], ["y"]), node("DFT", ["x", "five", "axis"], ["v"])], {"x": x},
      {"y": pairs(np.fft.fft(z, 2, 0), f32), "v": pairs(np.fft.fft(z, 5, 0), f32)},
      {"axis": np.array(0, i64), "two": np.array(2, i64), "five": np.array(5, i64)}, atol=1e-5)
x, w = rng.standard_normal((2, 100)).astype(f32), np.hanning(40).astype(f32)
frames = np.stack([x[:, i:i + 40] for i in range(0, 61, 10)], 1) * w
check("stft", [node("STFT", ["x", "hop", "w"], ["y"])], {"x": x}, {"y": pairs(np.fft.rfft(frames.astype(f64)), f32)}, {"hop": np.array(10, i64), "w": w}, atol=1e-5)

# Softmax of halves is rounded where the function is that ONNX defines it as.
x = rng.standard_normal((4, 33)).astype(f16)
exps = np.exp((x - x.max(1, keepdims=True)).astype(f32)).astype(f16)
total = exps.astype(f32).sum(1, keepdims=True).astype(f16)
check("softmax of halves", [node("Softmax", ["x"], ["y"])], {"x": x}, {"y": (exps.astype(f32) / total.astype(f32)).astype(f16)}, rtol=1.1e-3)

# The greatest elements of integers from 2^63 on.
x = np.array([[3, 2**63, 2**64 - 1, 0, 2**63 - 1, 2**63 + 5]], u64)
check("topk of uint64", [node("TopK", ["x", "k"], ["y", "i"]), node("TopK", ["x", "k"], ["z", "j"], largest=0)], {"x": x},
      {"y": np.sort(x)[:, ::-1][:, :4].copy(), "i": np.array([[2, 5, 1, 4]], i64), "z": np.sort(x)[:, :4].copy(), "j": np.array([[3, 0, 4, 1]], i64)},
      {"k": np.array([4], i64)})

# A sequence with empty parts; an optional value that is a tensor.
x = rng.standard_normal((4, 3)).astype(f32)
check("empty parts", [node("SplitToSequence", ["x", "sizes"], ["s"]), node("SequenceLength", ["s"], ["n"]), node("ConcatFromSequence", ["s"], ["y"], axis=0),
                      node("SequenceAt", ["s", "one"], ["p"])], {"x": x}, {"n": np.array(3, i64), "y": x, "p": np.zeros((0, 3), f32)},
      {"sizes": np.array([1, 0, 3], i64), "one": np.array(1, i64)})
check("an optional value", [node("OptionalGetElement", ["x"], ["o"]), node("Relu", ["o"], ["y"])], {"x": x}, {"y": np.maximum(x, 0)})

# Range as the loop that defines it, with numbers that are known.
body = graph([node("Identity", ["c"], ["d"]), node("Add", ["p", "step"], ["q"]), node("Identity", ["p"], ["r"])],
             [value_info("i", "int64", []), value_info("c", "bool", []), value_info("p", "float32", [])],
             [value_info("d", "bool", []), value_info("q", "float32", []), value_info("r", "float32", [])])
check("range by a loop", [node("Sub", ["limit", "start"], ["a"]), node("Div", ["a", "step"], ["b"]), node("Ceil", ["b"], ["e"]), node("Relu", ["e"], ["f"]),
                          node("Cast", ["f"], ["n"], to=7), node("Cast", ["f"], ["c"], to=9), node("Loop", ["n", "c", "start"], ["last", "y"], body=body)],
      {}, {"y": np.array([1, 3.5, 6], f32), "last": np.array(8.5, f32)}, {"start": np.array(1, f32), "limit": np.array(7, f32), "step": np.array(2.5, f32)})

# A deformable convolution with more groups of offsets than filters: offsets of whole pixels move the taps.
x, w = rng.standard_normal((1, 4, 3, 3)).astype(f32), rng.standard_normal((3, 4, 2, 2)).astype(f32)
bias = np.array([1, -2, 3], f32)
offset = np.zeros((1, 2 * 2 * 4, 2, 2), f32)
offset[:, 8:] = 1  # the second group's taps, a row further down and a column further right
moved = np.zeros((1, 4, 4, 4), f32)
moved[:, :2, :3, :3] = x[:, :2]
moved[:, 2:, :2, :2] = x[:, 2:, 1:, 1:]
y = np.stack([np.stack([np.tensordot(moved[:, :, i:i + 2, j:j + 2], w, ([1, 2, 3], [1, 2, 3])) for j in range(2)], -1) for i in range(2)], -2) + bias[:, None, None]
check("offsets of groups", [node("DeformConv", ["x", "w", "o", "b"], ["y"], kernel_shape=[2, 2], offset_group=2, pads=[0, 0, 0, 0])],
      {"x": x, "o": offset}, {"y": y}, {"w": w, "b": bias}, atol=1e-5)
y = np.stack([np.stack([np.tensordot(x[:, :2, i:i + 2, j:j + 2], w[:, :2], ([1, 2, 3], [1, 2, 3])) for j in range(2)], -1) for i in range(2)], -2)
x2, w2 = np.concatenate([x[:, :2]] * 2, 1), np.concatenate([w[:, :2]] * 2)
check("offsets of groups in groups", [node("DeformConv", ["x", "w", "o"], ["y"], kernel_shape=[2, 2], group=2, offset_group=4, pads=[0, 0, 0, 0])],
      {"x": x2, "o": np.zeros((1, 2 * 4 * 4, 2, 2), f32)}, {"y": np.concatenate([y, y], 1)}, {"w": w2}, atol=1e-5)

# Regions whose windows have the greatest part of a pixel: points in the middle of pixels, and between them.
x = rng.uniform(1, 2, (1, 2, 6, 6)).astype(f32)
check("greatest of a region", [node("RoiAlign", ["x", "rois", "b"], ["y"], mode="max", output_height=1, output_width=1, sampling_ratio=2,
                                    coordinate_transformation_mode="output_half_pixel")],
      {"x": x, "rois": np.array([[-1, -1, 3, 3], [0.5, -1, 4.5, 3]], f32)},
      {"y": np.stack([x[0, :, 0:3:2, 0:3:2].max((1, 2)), 0.5 * x[0, :, 0:3:2, 1:5].max((1, 2))])[..., None, None]}, {"b": np.zeros(2, i64)}, rtol=1e-6)

# Trees: one that a Python walks too, as a regressor of ai.onnx.ml 3 and as an ensemble of 5, with missing values and sets.
x = rng.standard_normal((40, 3)).astype(f32)
x[3, 1] = x[7, 0] = np.nan
x[11, 2] = 2
modes, features, splits = [0, 3, 1, 4], [0, 1, 2, 2], [0.25, -0.5, 0.75, 2.0]
yes, no, missing = [1, 2, -1, -3], [3, -2, -4, -1], [0, 1, 0, 0]
weights = np.array([[1, 0], [0.5, -3], [2, 4], [-8, 0.125]], f32)


def leaf(row, at):
    while at >= 0:
        v, s = row[features[at]], splits[at]
        at = yes[at] if (missing[at] if np.isnan(v) else [v <= s, v < s, v >= s, v > s, v == s][modes[at]]) else no[at]
    return -1 - at


roots = [0, 2, 3]
votes = np.stack([[weights[leaf(row, root)] for root in roots] for row in x])
tree = dict(nodes_featureids=features, nodes_splits=tensor("", np.array(splits, f32)), nodes_modes=tensor("", np.array(modes, np.uint8)),
            nodes_truenodeids=[1, 2, 0, 2], nodes_trueleafs=[0, 0, 1, 1], nodes_falsenodeids=[3, 1, 3, 0], nodes_falseleafs=[0, 1, 1, 1],
            nodes_missing_value_tracks_true=missing, tree_roots=roots, leaf_targetids=[0] * 4, leaf_weights=tensor("", weights[:, 0].copy()))
for how, fold in enumerate((np.mean, np.sum, np.min, np.max)):
    check("an ensemble, %s" % fold.__name__, [node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", aggregate_function=how, n_targets=1, **tree)], {"x": x},
          {"y": fold(votes[:, :, :1], axis=1)}, domain="ai.onnx.ml", rtol=1e-6)
names = {0: "BRANCH_LEQ", 1: "BRANCH_LT", 2: "BRANCH_GTE", 3: "BRANCH_GT", 4: "BRANCH_EQ"}
rows = []  # tree, node, mode, feature, value, yes, no, missing; targets: tree, node, target, weight
targets = []
for number, root in enumerate(roots):
    work, order = [root], [root]
    while work:
        at = work.pop()
        if at >= 0:
            for next in (yes[at], no[at]):
                order.append(next)
                work.append(next)
    place = {}
    for at in order:
        place.setdefault(at, len(place))
    for at in place:
        if at >= 0:
            rows.append((number, place[at], names[modes[at]], features[at], splits[at], place[yes[at]], place[no[at]], missing[at]))
        else:
            rows.append((number, place[at], "LEAF", 0, 0.0, 0, 0, 0))
            targets += [(number, place[at], t, float(weights[-1 - at, t])) for t in (0, 1)]
listed = lambda i, of=rows: [each[i] for each in of]
shared = dict(nodes_treeids=listed(0), nodes_nodeids=listed(1), nodes_modes=listed(2), nodes_featureids=listed(3), nodes_values=listed(4),
              nodes_truenodeids=listed(5), nodes_falsenodeids=listed(6), nodes_missing_value_tracks_true=listed(7))
regressor = dict(shared, target_treeids=listed(0, targets), target_nodeids=listed(1, targets), target_ids=listed(2, targets), target_weights=listed(3, targets))
base = np.array([10, -1], f32)
total = votes.sum(1) + base
for transform, fn in (("NONE", lambda v: v), ("LOGISTIC", lambda v: 1 / (1 + np.exp(-v))), ("SOFTMAX", lambda v: np.exp(v) / np.exp(v).sum(1, keepdims=True))):
    check("a regressor, %s" % transform, [node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=2, base_values=[10.0, -1.0],
                                               post_transform=transform, **regressor)], {"x": x}, {"y": fn(total).astype(f32)},
          domain="ai.onnx.ml", version=21, rtol=2e-6)
sets = dict(tree, nodes_modes=tensor("", np.array([0, 6, 1, 6], np.uint8)), membership_values=tensor("", np.array([7, x[5, 1], x[6, 1], np.nan, 2, 9, np.nan], f32)),
            nodes_missing_value_tracks_true=[0] * 4)
modes[1] = modes[3] = 4


def walk(row, at):
    while at >= 0:
        v = row[features[at]]
        holds = v <= 0.25 if at == 0 else v in (7, x[5, 1], x[6, 1]) if at == 1 else v < 0.75 if at == 2 else v in (2, 9)
        at = yes[at] if holds else no[at]
    return weights[-1 - at, 0]


check("sets of an ensemble", [node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, **sets)], {"x": x},
      {"y": np.array([[sum(walk(row, root) for root in roots)] for row in x], f32)}, domain="ai.onnx.ml", rtol=1e-6)
# Rows of features.
x = rng.standard_normal((5, 3)).astype(f32)
x[2] = 0
check("a scaler", [node("Scaler", ["x"], ["y"], domain="ai.onnx.ml", offset=[0.5, 1.0, -1.0], scale=[2.0])], {"x": x},
      {"y": (x - np.array([0.5, 1, -1], f32)) * f32(2)}, domain="ai.onnx.ml", version=21, rtol=1e-6)
for norm, by in (("MAX", x.max(1)), ("L1", abs(x).sum(1)), ("L2", np.sqrt((x * x).sum(1)))):
    check("a normalizer, %s" % norm, [node("Normalizer", ["x"], ["y"], domain="ai.onnx.ml", norm=norm)], {"x": x},
          {"y": x / np.where(by == 0, f32(1), by)[:, None]}, domain="ai.onnx.ml", version=21, rtol=2e-6)
factors = np.array([[1, -2, 0.5], [0.25, 3, -1]], f32)
check("a linear regressor", [node("LinearRegressor", ["x"], ["y"], domain="ai.onnx.ml", targets=2, coefficients=factors.ravel().tolist(), intercepts=[1.0, -1.0])],
      {"x": x}, {"y": x @ factors.T + np.array([1, -1], f32)}, domain="ai.onnx.ml", version=21, atol=2e-6)
whole = rng.integers(-4, 5, (5, 2))
check("a vector of features", [node("FeatureVectorizer", ["x", "w"], ["y"], domain="ai.onnx.ml", inputdimensions=[3, 2])], {"x": x, "w": whole},
      {"y": np.concatenate([x, whole.astype(f32)], 1)}, domain="ai.onnx.ml", version=21)
check("an imputer of zeros", [node("Imputer", ["x"], ["y"], domain="ai.onnx.ml", imputed_value_floats=[7.0, 8.0, 9.0])], {"x": x},
      {"y": np.where(x == 0, np.array([7, 8, 9], f32), x)}, domain="ai.onnx.ml", version=21)
missing = x.copy()
missing[1, 1] = np.nan
check("an imputer of no numbers", [node("Imputer", ["x"], ["y"], domain="ai.onnx.ml", imputed_value_floats=[7.0], replaced_value_float=float("nan"))], {"x": missing},
      {"y": np.where(np.isnan(missing), f32(7), missing)}, domain="ai.onnx.ml", version=21)
print("%d operators, %d differ" % (count, failed))
