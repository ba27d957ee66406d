"""Writes small ONNX models and their inputs into the current folder, for symc-onnx.test."""
import numpy as np

from onnx_bytes import data, external, function, model, node, number, opset, real, tensor, value_info


def write(name, content):
    with open(name + ".onnx", "wb") as file:
        file.write(content)


rng = np.random.default_rng(0)
f32, i64 = np.float32, np.int64
one = lambda shape: [value_info("x", "float32", shape)]
out = lambda shape: [value_info("y", "float32", shape)]
weight = rng.standard_normal((4, 3, 3, 3)).astype(f32)
bias = rng.standard_normal(4).astype(f32)
np.save("x.npy", rng.standard_normal((2, 3, 6, 5)).astype(f32))
np.save("row.npy", rng.standard_normal((2, 3)).astype(f32))

# A layer with unequal padding, an activation, a pooling: names with ':' and '/'.
write("layers", model(
    [node("Conv", ["serving_default_input:0", "w", "b"], ["/conv/out"], "/conv", pads=[0, 1, 1, 1], kernel_shape=[3, 3]),
     node("Relu", ["/conv/out"], ["r"]),
     node("AveragePool", ["r"], ["/pool/y:0"], "/pool", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)],
    [value_info("serving_default_input:0", "float32", ["batch", 3, 6, 5])],
    [value_info("/pool/y:0", "float32", ["batch", 4, None, None])], [tensor("w", weight), tensor("b", bias, raw=False)]))

# A shape that follows from a size, and one that follows from a value.
write("shapes", model(
    [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"], axis=0), node("Concat", ["n", "rest"], ["t"], axis=0),
     node("Reshape", ["x", "t"], ["y"])],
    one(["batch", 3, 6, 5]), out(["batch", 90]), [tensor("zero", np.array([0], i64)), tensor("rest", np.array([-1], i64), raw=False)]))
write("asked", model([node("Reshape", ["x", "shape"], ["y"], "r")],
                     one([2, 3]) + [value_info("shape", "int64", [2])], out([None, None])))
np.save("shape.npy", np.array([3, -1], i64))

# The model's own function, called twice, with an attribute of the call.
leaky = node("LeakyRelu", ["a"], ["b"])
leaky = leaky + data(5, data(1, "alpha") + data(21, "slope") + number(20, 1))
scaled = function("Scaled", "own", ["a"], ["c"], [leaky, node("Neg", ["b"], ["c"])])
scaled += data(6, "slope")
slope = lambda value: data(5, data(1, "slope") + real(2, value) + number(20, 1))
write("functions", model([node("Scaled", ["x"], ["h"], domain="own") + slope(0.5),
                          node("Scaled", ["h"], ["y"], domain="own") + slope(0.25)],
                         one([2, 3]), out([2, 3]), opsets=[opset(1, "own")], functions=[scaled]))

# External data: two tensors of one file.
with open("weights.bin", "wb") as file:
    file.write(b"pad." + np.array([1, 2, 3], f32).tobytes() + np.array([4, 5, 6], f32).tobytes())
write("external", model([node("Mul", ["x", "m"], ["h"]), node("Add", ["h", "a"], ["y"])], one([2, 3]), out([2, 3]),
                        [external("m", "float32", [3], "weights.bin", 4, 12), external("a", "float32", [3], "weights.bin", 16)]))

# The largest of no elements.
write("none", model([node("ReduceMax", ["x"], ["y"], keepdims=0)], one([2, 0]), out([])))
np.save("none.npy", np.zeros((2, 0), f32))

# Remainders, as Python has them and as C has them: signs, zeros, infinities, no numbers.
write("remainders", model([node("Mod", ["x", "d"], ["y"]), node("Mod", ["x", "d"], ["z"], fmod=1)],
                          one([13, 1]) + [value_info("d", "float32", [13])],
                          out([13, 13]) + [value_info("z", "float32", [13, 13])], version=28))
ends = np.array([0, -0.0, 1, -1, 3, -3, 5.5, -5.5, 2, -2, np.inf, -np.inf, np.nan], f32)
np.save("ends.npy", ends)
np.save("column.npy", ends.reshape(13, 1))

# Attention whose scores a table of truths hides.
allowed = np.tril(np.ones((5, 5), bool))
attended = rng.standard_normal((1, 2, 5, 8)).astype(f32)
np.save("attended.npy", attended)
write("hidden", model([node("Transpose", ["x"], ["k"], perm=[0, 1, 3, 2]), node("MatMul", ["x", "k"], ["s"]),
                       node("Where", ["allowed", "s", "low"], ["m"]), node("Softmax", ["m"], ["p"]), node("MatMul", ["p", "x"], ["y"])],
                      one([1, 2, 5, 8]), out([1, 2, 5, 8]), [tensor("allowed", allowed), tensor("low", np.array(-np.inf, f32))]))

# A pooling of dilated windows.
write("dilated", model([node("AveragePool", ["x"], ["y"], "spread", kernel_shape=[2, 2], dilations=[2, 3])], one([2, 3, 6, 5]), out([2, 3, 4, 2])))

# Maps that are halved and doubled again meet those that they come from: sizes that are odd leave other extents.
pyramid = rng.standard_normal((1, 3, 4, 6)).astype(f32)
doubled = pyramid.reshape(1, 3, 2, 2, 3, 2).mean((3, 5)).repeat(2, 2).repeat(2, 3)
np.save("even.npy", pyramid)
np.save("odd.npy", pyramid[:, :, :, :5])
np.save("low.npy", pyramid[:, :, :2])
write("pyramid", model(
    [node("AveragePool", ["x"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
     node("Resize", ["p", "", "twice"], ["u"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
     node("Add", ["x", "u"], ["s"], "add"), node("Greater", ["x", "u"], ["g"]), node("Where", ["g", "u", "x"], ["l"]),
     node("Concat", ["s", "u", "l"], ["y"], axis=1)],
    one([1, 3, "height", "width"]), out([1, 9, None, None]), [tensor("twice", np.array([1, 1, 2, 2], f32))]))

# A filter that the model gives as one value.
write("filled", model([node("ConstantOfShape", ["s"], ["w"], value=tensor("", np.array([0.5], f32))),
                       node("Conv", ["x", "w"], ["y"], "layer", kernel_shape=[1, 1])],
                      one([2, 96, 3, 4]), out([2, 64, 3, 4]), [tensor("s", np.array([64, 96, 1, 1], i64))]))
wide = rng.standard_normal((2, 96, 3, 4)).astype(f32)
np.save("wide.npy", wide)

# A batch of rows by one matrix, of an open batch.
matrix = rng.standard_normal((32, 24)).astype(f32)
stack = rng.standard_normal((3, 16, 32)).astype(f32)
np.save("stack.npy", stack)
write("stacked", model([node("MatMul", ["x", "m"], ["y"], "rows")], one(["batch", 16, 32]), out(["batch", 16, 24]), [tensor("m", matrix)]))

# Grids, lists and shapes of sizes that a run chooses, which go through floats.
sized = [node("Shape", ["x"], ["all"]), node("Gather", ["all", "two"], ["h"]), node("Gather", ["all", "three"], ["w"]),
         node("Cast", ["h"], ["hf"], to=1), node("Cast", ["w"], ["wf"], to=1),
         node("Range", ["zero", "hf", "onef"], ["row"]), node("Range", ["zero", "wf", "onef"], ["column"]),
         node("Add", ["row", "half"], ["rows"]), node("Unsqueeze", ["rows", "axis"], ["tall"]),
         node("Add", ["tall", "column"], ["grid"]), node("Mul", ["x", "grid"], ["y"]),
         node("Mul", ["hf", "twof"], ["h2"]), node("Floor", ["h2"], ["h3"]), node("Cast", ["h3"], ["h4"], to=7),
         node("Unsqueeze", ["h4", "first"], ["h5"]), node("Unsqueeze", ["w", "first"], ["w5"]),
         node("Concat", ["head", "h5", "w5"], ["wanted"], axis=0),
         node("Resize", ["x", "", "", "wanted"], ["u"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
         node("Mul", ["h", "w"], ["area"]), node("Unsqueeze", ["area", "first"], ["areas"]),
         node("Concat", ["areas", "two1"], ["filled"], axis=0), node("ConstantOfShape", ["filled"], ["z"], value=tensor("", np.array([7], f32))),
         node("Expand", ["half", "filled"], ["e"]), node("Add", ["h", "w"], ["end"]), node("Range", ["h", "end", "two"], ["r"]),
         node("Sub", ["h", "three"], ["less"]), node("Range", ["nothing", "less", "one"], ["l"], "short")]
write("sized", model(sized, one([1, 3, "height", "width"]),
                     out([1, 3, None, None]) + [value_info("u", "float32", [1, 3, None, None]), value_info("z", "float32", [None, 2]), value_info("e", "float32", [None, 2]),
                                                value_info("r", "int64", [None]), value_info("l", "int64", [None])],
                     [tensor(name, np.array(value, kind)) for name, value, kind in (
                         ("two", 2, i64), ("three", 3, i64), ("one", 1, i64), ("nothing", 0, i64), ("zero", 0, f32), ("onef", 1, f32), ("twof", 2, f32),
                         ("half", 0.5, f32), ("axis", [1], i64), ("first", [0], i64), ("head", [1, 3], i64), ("two1", [2], i64))]))

write("fraction", model([node("Shape", ["x"], ["s"]), node("Gather", ["s", "three"], ["w"]), node("Cast", ["w"], ["f"], to=1),
                         node("Range", ["zero", "f", "half"], ["y"], "halves")],
                        one([1, 3, 4, "width"]), out([None]),
                        [tensor("three", np.array(3, i64)), tensor("zero", np.array(0, f32)), tensor("half", np.array(0.5, f32))]))
# Known places that follow each other are parts of the axis; others are not.
write("parts", model([node("Gather", ["x", "last"], ["a"], axis=1), node("Gather", ["x", "odd"], ["b"], axis=2), node("ReduceSum", ["b"], ["c"], keepdims=0),
                      node("Gather", ["x", "reversed"], ["d"], axis=1), node("ReduceSum", ["d"], ["e"], keepdims=0), node("Add", ["a", "c"], ["f"]),
                      node("Sub", ["f", "e"], ["y"])],
                     one(["batch", 3, 6, 5]), out(["batch", 6, 5]),
                     [tensor("last", np.array(-1, i64)), tensor("odd", np.array([1, 3, -1], i64)), tensor("reversed", np.array([2, 0], i64))]))

# A shape that follows from floats: the sides of an image, scaled to a largest side.
write("scaled", model([node("ReduceMax", ["sides"], ["m"], keepdims=0), node("Reciprocal", ["m"], ["r"]), node("Mul", ["r", "wanted"], ["f"]),
                       node("Mul", ["sides", "f"], ["g"]), node("Floor", ["g"], ["h"]), node("Cast", ["h"], ["s"], to=7),
                       node("Concat", ["front", "s"], ["t"], axis=0), node("Resize", ["x", "", "", "t"], ["y"], mode="nearest")],
                      one([2, 3, 6, 4]), out([2, 3, 12, 8]),
                      [tensor("sides", np.array([6, 4], f32)), tensor("wanted", np.array(12, f32)), tensor("front", np.array([2, 3], i64))]))
tall = rng.standard_normal((2, 3, 6, 4)).astype(f32)
np.save("tall.npy", tall)

# Boxes without a greatest number, as exporters write it: the second lies on the first.
boxes = np.array([[[0, 0, 4, 4], [0, 0, 4, 5], [6, 6, 8, 8]]], f32)
np.save("boxes.npy", boxes)
write("boxes", model([node("NonMaxSuppression", ["x", "scores", "most", "overlap"], ["y"])], one([1, 3, 4]), [value_info("y", "int64", [None, 3])],
                     [tensor("scores", np.array([[[0.5, 0.25, 0.75]]], f32)), tensor("most", np.array([2**63 - 1], i64)), tensor("overlap", np.array([0.5], f32))]))

# Mistakes, all of one file told at once.
write("refused", model([node("StringSplit", ["x"], ["a", "b"], "split"), node("Fancy", ["x"], ["c"], "f", domain="com.example"),
                        node("Fancy", ["c"], ["d"], domain="com.example"), node("Softmax", ["x"], ["e"], "s", temperature=2)],
                       one([2, 3]), [value_info("e", "float32", [2, 3])]))
write("names", model([node("Add", ["x", "late"], ["y"], "add"), node("Relu", ["gone"], ["late"]), node("Relu", ["x"], ["y"])],
                     one([2, 3]), out([2, 3]) + [value_info("z", "float32", [1])]))
write("opset", model([node("Relu", ["x"], ["y"])], one([1]), out([1]), version=99))
write("old", model([node("Relu", ["x"], ["y"])], one([1]), out([1]), version=3))
write("strings", model([node("Identity", ["x"], ["y"])], [value_info("x", "string", [1])], [value_info("y", "string", [1])]))
write("short", model([node("Add", ["x", "w"], ["y"])], one([2, 3]), out([2, 3]), 
                     [data(9, b"\0" * 8) + number(1, 3) + number(2, 1) + data(8, "w")]))
write("outside", model([node("Add", ["x", "w"], ["y"])], one([2, 3]), out([2, 3]),
                       [external("w", "float32", [3], "../weights.bin")]))
write("past", model([node("Add", ["x", "w"], ["y"])], one([2, 3]), out([2, 3]),
                      [external("w", "float32", [3], "weights.bin", 20)]))
write("shapes-differ", model([node("MatMul", ["x", "w"], ["y"], "product")], one([2, 3]), out([2, 3]),
                             [tensor("w", np.ones((4, 2), f32))]))

# What the models above have to give.
np.seterr(all="ignore")
x, row = np.load("x.npy"), np.load("row.npy")
padded = np.pad(x, ((0, 0), (0, 0), (0, 1), (1, 1)))
conv = np.zeros((2, 4, 5, 5), f32)
for i in range(5):
    for j in range(5):
        conv[:, :, i, j] = np.tensordot(padded[:, :, i:i + 3, j:j + 3], weight, ([1, 2, 3], [1, 2, 3])) + bias
conv = np.maximum(conv, 0)
pool = np.stack([np.stack([conv[:, :, i:i + 2, j:j + 2].mean((2, 3)) for j in (0, 2, 4)], -1) for i in (0, 2, 4)], -2)
shares = np.exp(np.where(allowed, attended @ attended.swapaxes(2, 3), -np.inf))
shares /= shares.sum(3, keepdims=True)
np.savez("wanted.npz", layers=pool, shapes=x.reshape(2, 90), asked=row.reshape(3, 2),
         functions=-np.where(-np.where(row > 0, row, row * f32(0.5)) > 0, -np.where(row > 0, row, row * f32(0.5)),
                             -np.where(row > 0, row, row * f32(0.5)) * f32(0.25)),
         dilated=(x[:, :, :4, :2] + x[:, :, 2:, :2] + x[:, :, :4, 3:] + x[:, :, 2:, 3:]) / 4, hidden=shares @ attended, mod=np.mod(ends.reshape(13, 1), ends), fmod=np.fmod(ends.reshape(13, 1), ends),
         sized=pyramid[:, :, :, :5] * (np.arange(4, dtype=f32)[:, None] + f32(0.5) + np.arange(5, dtype=f32)), sized_u=pyramid[:, :, :, :5].repeat(2, 2),
         sized_e=np.full((20, 2), 0.5, f32), sized_z=np.full((20, 2), 7, f32), sized_r=np.array([4, 6, 8], i64), sized_l=np.array([0], i64), pyramid=np.concatenate([pyramid + doubled, doubled, np.where(pyramid > doubled, doubled, pyramid)], 1),
         filled=np.broadcast_to(wide.sum(1, keepdims=True) * f32(0.5), (2, 64, 3, 4)), stacked=stack @ matrix,
         boxes=np.array([[0, 0, 2], [0, 0, 0]]), scaled=tall.repeat(2, 2).repeat(2, 3), parts=x[:, -1] + x[:, :, 1::2].sum() - x[:, [2, 0]].sum(), external=row * np.array([1, 2, 3], f32) + np.array([4, 5, 6], f32))
