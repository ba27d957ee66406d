"""Compiles a model for each reason for which a node of an ONNX model is refused, and compares the reason.

usage: onnx_refusals.py SYMC
"""
import subprocess
import sys

import numpy as np

from onnx_bytes import attribute, data, external, function, model, node, number, opset, tensor, value_info

F, I, U8 = "float32", "int64", "uint8"
failed = 0
count = 0


def compile_model(content, words=()):
    with open("model.onnx", "wb") as file:
        file.write(content)
    run = subprocess.run([sys.argv[1], "model.onnx", *words, "--emit=sg", "-o", "-"], capture_output=True, text=True)
    return run.returncode, run.stderr


def expect(content, wanted, words=()):
    global failed, count
    count += 1
    code, text = compile_model(content, words)
    if code != 1 or wanted not in text:
        failed += 1
        print("wanted %r, got status %d:\n%s" % (wanted, code, text))


def refuse(op, inputs, wanted, outputs=1, version=28, domain="", words=(), **attributes):
    """Inputs: (type, shape), an array for a constant, or None for one that is left out."""
    names, infos, held = [], [], []
    for i, each in enumerate(inputs):
        names.append("" if each is None else "abcdefgh"[i])
        if isinstance(each, np.ndarray):
            held.append(tensor(names[-1], each))
        elif each is not None:
            infos.append(value_info(names[-1], *each))
    made = ["y%d" % i for i in range(outputs)]
    opsets = [opset(1, domain)] if domain else []
    expect(model([node(op, names, made, "n", domain, **attributes)], infos, [value_info(made[0], F, None)], held,
                 version, opsets), wanted, words)


def ints(*values):
    return np.array(values, np.int64)


def open_axes(*shape):
    return (F, ["size" if each is None else each for each in shape])


SIZE = ["--size", "size=2..8"]
X4, ROW, VECTOR = (F, [1, 4, 6, 6]), (F, [2, 3]), (F, [4])

# Names, functions, tables.
expect(model([], [value_info("x", F, [1])], [value_info("x", F, [1])], functions=[function("F", "own", ["a"], ["b"], [])]),
       "output of function 'F' is 'b', which nothing defines")
expect(model([node("Relu", ["w"], ["y"])], [], [value_info("y", F, [1])], [tensor("w", np.ones(1, np.float32))] * 2),
       "the name 'w' is given twice, the second time by an initializer")
expect(model([node("F", ["x", "x"], ["y"], "n", "own")], [value_info("x", F, [1])], [value_info("y", F, [1])], opsets=[opset(1, "own")],
             functions=[function("F", "own", ["a"], ["a"], [])]), "it has 2 operands, the model's function has 1")
expect(model([node("F", ["x"], ["y"], "n", "own")], [value_info("x", F, [1])], [value_info("y", F, [1])], opsets=[opset(1, "own")],
             functions=[function("F", "own", ["a"], ["b"], [node("F", ["a"], ["b"], "", "own")])]),
       "functions call each other more than 64 deep")
expect(model([node("Adam", ["x"], ["y"], "n", "ai.onnx.preview.training")], [value_info("x", F, [1])], [value_info("y", F, [1])]),
       "the model imports no opset of 'ai.onnx.preview.training'")
refuse("Trilu", [ROW], "it is read of opsets 14 to 28, the model has 13 of 'ai.onnx'", version=13)
refuse("Relux", [ROW], "ONNX has no operator of this name in opset 28")
refuse("Cast", [ROW], "it needs the attribute 'to'")
refuse("Add", [ROW, ROW], "of this opset its operands do not broadcast as later ones do", version=6)
refuse("ImageDecoder", [(U8, [9])], "programs read pictures as inputs")
refuse("SequenceConstruct", [ROW], "sequences are no tensors")
refuse("Optional", [ROW], "optional values are no tensors")
refuse("Resize", [ROW], "it is not imported yet")

# Tensors.
sparse = data(1, data(8, "w") + number(1, 1) + number(2, 1))
graph_sparse = model([node("Relu", ["w"], ["y"])], [], [value_info("y", F, [1])])
expect(number(1, 10) + data(7, data(1, node("Relu", ["w"], ["y"])) + data(12, value_info("y", F, [1])) + data(15, sparse)) + data(8, opset(21)),
       "initializer 'w' is a sparse tensor, which is not read")


def weight(body, wanted):
    expect(model([node("Relu", ["w"], ["y"])], [], [value_info("y", F, None)], [body]), wanted)


weight(number(1, 1) + number(2, 1) + data(8, "w") + data(3, b""), "initializer 'w' is a segment of a tensor")
weight(number(1, -1) + number(2, 1) + data(8, "w"), "initializer 'w' has the shape [-1], which no tensor has")
weight(external("w", F, [1], "/etc/passwd"), "has its data in '/etc/passwd', which is no relative path")
weight(external("w", F, [1], "model.onnx", 0, 8), "has 8 bytes of data in another file, needs 4")
weight(external("w", F, [1], "model.onnx", "x"), "has data in another file from the offset 'x' on, needs a number")

# Operands and shapes.
refuse("Reshape", [open_axes(None, 3), (I, [2])], "decides a shape in node 'n' (Reshape)", words=SIZE)
expect(model([node("NonZero", ["a"], ["p"]), node("Expand", ["b", "p"], ["y"], "n")], [value_info("a", F, [9999]), value_info("b", F, [1])],
             [value_info("y", F, None)]), "decides a shape and is not known: it follows from values that only a run has")
expect(model([node("Shape", ["a"], ["s"]), node("Tile", ["b", "s"], ["y"], "n")], [value_info("a", F, ["size"]), value_info("b", F, [1])],
             [value_info("y", F, None)]), "'s' depends on a size that is chosen at run time", SIZE)
expect(model([node("Shape", ["a"], ["s"]), node("Expand", ["b", "s"], ["y"], "n")], [value_info("a", F, ["size"]), value_info("b", F, [1])],
             [value_info("y", F, None)]), ", an extent of which is chosen at run time", SIZE)
expect(model([node("Shape", ["x"], ["s"]), node("Gather", ["s", "i"], ["t"]), node("Reshape", ["x", "t"], ["y"], "n")],
             [value_info("x", F, ["size", "other"])], [value_info("y", F, None)], [tensor("i", ints(1, 0))]),
       "the shape [s0, s1] cannot be made [s1, s0] for all sizes in their ranges", [*SIZE, "--size", "other=2..4"])
refuse("Softmax", [ROW], "the axis 2 is not within rank 2", axis=2)
refuse("Reshape", [ROW, ints(-1, -1)], "its shape has more than one -1")
refuse("Reshape", [ROW, ints(1, 1, 0)], "its shape copies the extent 2 of [2, 3]")
refuse("Flatten", [ROW], "the axis 5 is not within rank 2", axis=5)
refuse("Transpose", [ROW], "perm names 1 axes of 2", perm=[0])
refuse("Concat", [ROW, ("float64", [2, 3])], "its operands have the element types float32 and float64, needs one", axis=0)
refuse("Split", [ROW], "num_outputs is 3, it has 1 outputs", num_outputs=3)
refuse("Split", [open_axes(None, 3)], "the extent of the axis that is split is chosen at run time", words=SIZE)
refuse("Split", [ROW], "2 parts of an extent of 3 are not equal", outputs=2, axis=1, version=17)
refuse("Split", [ROW, ints(1, 2)], "it has 1 outputs, but split has 2 sizes", axis=1)
refuse("Split", [ROW, ints(-1, 4)], "split has the size -1", outputs=2, axis=1)
refuse("Split", [ROW, ints(1, 1)], "the sizes of split sum up to 2, the axis has 3", outputs=2, axis=1)
refuse("Split", [open_axes(None, 3), ints(0, 3)], "an empty part has extents that are chosen at run time", outputs=2, axis=1, words=SIZE)
refuse("Slice", [ROW, ints(0), ints(1), ints(0, 1)], "starts, ends, axes and steps differ in length")
refuse("Slice", [open_axes(None, 3), ints(0), ints(9), ints(0), ints(2)],
       "axis 0 has an extent that is chosen at run time, a slice of it needs the step 1", words=SIZE)
refuse("Slice", [ROW, ints(0), ints(1), ints(0), ints(0)], "a step is 0")
for data_shape, wanted in ((open_axes(None, 3, None), "the end of the slice of axis 0 is chosen at run time"),
                           ((F, [9]), "the places of the slice of axis 0 are chosen at run time")):
    other = ["other", 1]
    expect(model([node("Shape", ["o"], ["s"]), node("Slice", ["s", "i0", "i1"], ["t"]), node("Slice", ["x", "i0", "t"], ["y"], "n")],
                 [value_info("o", F, other), value_info("x", *data_shape)], [value_info("y", F, None)],
                 [tensor("i0", ints(0)), tensor("i1", ints(1))]), wanted, [*SIZE, "--size", "other=2..4"] if len(data_shape[1]) > 1 else ["--size", "other=2..4"])
refuse("Tile", [ROW, ints(2)], "it has 1 repeats for rank 2")
refuse("Pad", [open_axes(None), ints(-1, 0)], "negative pads of an extent that is chosen at run time", words=SIZE)
refuse("Pad", [VECTOR, ints(-2, -2)], "negative pads leave nothing of axis 0")
refuse("Pad", [VECTOR, ints(5, 0)], "it wraps around more than once, or by an extent that is chosen at run time", mode="wrap")
refuse("Pad", [VECTOR, ints(1, 0)], "it has no mode 'odd'", mode="odd")
refuse("Pad", [VECTOR, ints(1)], "it has 1 pads for 1 axes")
refuse("CenterCropPad", [VECTOR, ints(1, 2)], "its shape has 2 extents for 1 axes")
refuse("CenterCropPad", [open_axes(None), ints(1)], "an extent is chosen at run time", words=SIZE)
refuse("DepthToSpace", [VECTOR], "its data has the shape [4], needs [N, C, H, W] with a C that 2 x 2 divides", blocksize=2)
refuse("SpaceToDepth", [VECTOR], "its data has the shape [4], needs [N, C, H, W] with H and W that 2 divides", blocksize=2)
refuse("Expand", [ROW, ints(5)], "the shape [2, 3] does not repeat to [5]")

# Values that are known.
refuse("Range", [ints(1, 2), ints(1), ints(1)], "its start is no number, or depends on a size that is chosen at run time")
refuse("Range", [np.array(1), np.array(5), np.array(0)], "its delta is 0")
refuse("Range", [np.array(0), np.array(1 << 40), np.array(1)], "it has more than 2^31 - 1 elements")
refuse("Cast", [ROW], "there are no values of element type string", to=8)
refuse("EyeLike", [VECTOR], "its data has the shape [4], needs two fixed extents")
refuse("HannWindow", [np.array(-1)], "its size is -1, needs 0 to 1048576, and a type that has values")
refuse("HannWindow", [np.array(4)], "its size is 4, needs 0 to 1048576, and a type that has values", output_datatype=8)
refuse("MelWeightMatrix", [np.array(0), np.array(8), np.array(8), np.array(0, np.float32), np.array(4, np.float32)],
       "it needs 1 to 65536 bins, a length of 2 to 65536 and a type that has values")
refuse("ConstantOfShape", [ints(-2)], "its shape has the extent -2")
refuse("ConstantOfShape", [ints(2)], "its value needs one element", value=tensor("v", ints(1, 2)))
refuse("ConstantOfShape", [ints(2)], "its value is beyond 2^53", value=tensor("v", ints(1 << 60)))

# Single elements.
refuse("Add", [ROW, ("float64", [2, 3])], "its operands have the element types float32 and float64, needs one")
refuse("Mod", [ROW, ROW], "fmod = 1 is not computed yet", fmod=1)
refuse("Mod", [ROW, ROW], "floats need fmod = 1")
refuse("Gelu", [ROW], "it has no approximation 'odd'", approximate="odd")
refuse("Dropout", [ROW, np.array(0.5, np.float32), np.array(True)], "the mask of a dropout that draws numbers is not computed", outputs=2)

# Elements chosen by values.
refuse("TopK", [ROW, ints(0)], "k is 0, needs at least 1")
refuse("Trilu", [VECTOR], "its data has the shape [4], needs two extents")
refuse("Trilu", [open_axes(None, 3)], "its planes have extents that are chosen at run time", words=SIZE)
refuse("Compress", [VECTOR, ("bool", [5])], "its condition has the extent 5 for 4", axis=0)
refuse("ReverseSequence", [ROW, (I, [2])], "time_axis and batch_axis are the same", time_axis=0, batch_axis=0)
refuse("Unique", [VECTOR], "the order of occurrence (sorted = 0) is not computed yet", sorted=0)
refuse("GatherND", [ROW, (I, [2, 1])], "batch_dims is 5 for ranks 2 and 2", batch_dims=5)
refuse("GatherND", [open_axes(None, 3), (I, ["size", 1])], "batch_dims with places of extents that are chosen at run time", batch_dims=1, words=SIZE)
refuse("GatherND", [(F, [1 << 25, 3]), (I, [1 << 25, 1])], "batch_dims with more than 2^24 places", batch_dims=1)
refuse("OneHot", [(I, [2]), ints(0), np.ones(2, np.float32)], "its depth is 0, needs at least 1")
refuse("ArgMax", [open_axes(None)], "select_last_index along an extent that is chosen at run time", select_last_index=1, words=SIZE)
refuse("CumProd", [VECTOR, np.array(0)], "running products are not computed yet")
refuse("CumSum", [open_axes(None), np.array(0)], "exclusive sums along an extent that is chosen at run time", exclusive=1, words=SIZE)
refuse("Hardmax", [open_axes(None)], "its axis has an extent that is chosen at run time", words=SIZE)
refuse("Gemm", [VECTOR, ROW], "its operands have the shapes [4] and [2, 3], needs matrices")
refuse("Det", [ROW], "its data has the shape [2, 3], needs squares of 1 to 4 rows")

# Layers.
W = (F, [2, 4, 3, 3])
refuse("Conv", [X4, (F, [2, 4])], "its weight has the shape [2, 4], needs three fixed extents or more")
refuse("Conv", [X4, W], "its kernel_shape is not that of its weight, [2, 4, 3, 3]", kernel_shape=[2, 2])
refuse("Conv", [ROW, W], "its data has the shape [2, 3] for a kernel of 2 extents")
refuse("Conv", [X4, W], "its strides or dilations are not one for each axis of the image", strides=[1])
refuse("Conv", [X4, W], "its kernel, strides or dilations hold a number below 1", strides=[0, 1])
refuse("Conv", [X4, W], "it has no auto_pad 'SOME'", auto_pad="SOME")
refuse("Conv", [X4, W], "it has 1 pads for 2 axes", pads=[1])
refuse("Conv", [X4, W], "it has a negative pad", pads=[-1, 0, 0, 0])
refuse("Conv", [open_axes(1, 4, None, 6), W], "auto_pad with a stride over an extent that is chosen at run time",
       auto_pad="SAME_UPPER", strides=[2, 2], words=SIZE)
T = (F, [4, 2, 3, 3])
refuse("ConvTranspose", [X4, T], "its attributes are not one number for each axis of the image", strides=[1])
refuse("ConvTranspose", [X4, T], "its strides, dilations or pads hold a number that is too small", strides=[0, 1])
refuse("ConvTranspose", [open_axes(1, 4, None, 6), T], "the extents that are wanted need fixed extents of its data", output_shape=[9, 9], words=SIZE)
refuse("MaxPool", [X4], "the places of the largest elements are not computed yet", outputs=2, kernel_shape=[2, 2])
refuse("MaxPool", [X4], "its window does not fit into the padded image", kernel_shape=[9, 9], pads=[0, 0, 0, 1])
refuse("MaxPool", [open_axes(1, 4, None, 6)], "this pooling needs fixed extents", kernel_shape=[2, 2], pads=[0, 0, 0, 1], words=SIZE)
refuse("GlobalAveragePool", [ROW], "its data has the shape [2, 3], needs three extents or more")

# Normalisations, losses, steps of training.
C = (F, [4])
refuse("BatchNormalization", [X4, C, C, C, C], "spatial = 0 is not computed", version=8, spatial=0)
refuse("BatchNormalization", [X4, C, C, C, C], "it computes statistics in training_mode alone", outputs=2)
refuse("BatchNormalization", [VECTOR, C, C, C, C], "its data has the shape [4], needs two extents")
refuse("LayerNormalization", [open_axes(2, None), (F, [1])], "what it normalises has an extent that is chosen at run time", words=SIZE)
refuse("GroupNormalization", [ROW, C, C], "its data has the shape [2, 3] for 2 groups", num_groups=2)
refuse("LpNormalization", [ROW], "p is 3, needs 1 or 2", p=3)
refuse("NegativeLogLikelihoodLoss", [ROW, (I, [2])], "it has no reduction 'odd'", reduction="odd")
PREVIEW = "ai.onnx.preview.training"
refuse("Momentum", [(F, []), (I, []), ROW, ROW, ROW], "it has no mode 'odd'", domain=PREVIEW, mode="odd", alpha=0.5, beta=0.5, norm_coefficient=0.5)
refuse("Momentum", [(F, []), (I, []), ROW, ROW], "it has 4 operands, needs 3 for each value behind the first two", domain=PREVIEW,
       mode="standard", alpha=0.5, beta=0.5, norm_coefficient=0.5)

# Quantisation.
refuse("QuantizeLinear", [ROW, (F, [1, 1]), (U8, [1, 1])], "its scale has the shape [1, 1] for data of [2, 3] and block_size 0")
refuse("QuantizeLinear", [ROW, (F, []), ("int32", [])], "it quantises to integers of 8 and 16 bits alone")
refuse("QuantizeLinear", [("int32", [2]), (F, []), (U8, [])], "it quantises floats alone")
refuse("QuantizeLinear", [ROW, (F, []), (U8, [])], "it divides in float32 alone", precision=10)
refuse("DequantizeLinear", [ROW, (F, [])], "its data has the element type float32, needs integers")
refuse("DequantizeLinear", [(U8, [2]), (F, [])], "output_dtype names no type that has values", output_dtype=8)

# Recurrent layers.
S, G4, R4 = (F, [5, 2, 3]), np.ones((1, 16, 3), np.float32), np.ones((1, 16, 4), np.float32)
refuse("LSTM", [open_axes(5, None, 3), G4, R4], "states that are left out need a fixed batch", words=SIZE)
refuse("LSTM", [open_axes(5, 2, None), G4, R4], "its data has features whose number is chosen at run time", words=SIZE)
refuse("LSTM", [S, G4, R4], "it has no direction 'odd'", direction="odd")
refuse("LSTM", [ROW, G4, R4], "its data, weights and recurrence weights need three extents, the weights' fixed ones")
refuse("LSTM", [S, G4, np.ones((1, 12, 4), np.float32)], "its weights have the shapes [1, 16, 3] and [1, 12, 4]")
refuse("LSTM", [S, G4, R4], "clip is not computed yet", clip=1.0)
refuse("LSTM", [S, G4, R4], "input_forget is not computed yet", input_forget=1)
refuse("LSTM", [S, G4, R4, None, None, None, None, (F, [1, 12])], "peepholes are not computed yet")
refuse("GRU", [S, np.ones((1, 12, 3), np.float32), np.ones((1, 12, 4), np.float32)], "linear_before_reset = 0 is not computed yet")

# Attention.
Q, K = (F, [1, 4, 2, 8]), (F, [1, 4, 3, 8])
refuse("Attention", [ROW, ROW, ROW], "its operands have the ranks 2, 2 and 2, needs 3 or 4 of all")
refuse("Attention", [Q, K, K, None, K], "it has one of past_key and past_value")
refuse("Attention", [(F, [1, 2, 8])] * 3, "operands of rank 3 need q_num_heads and kv_num_heads")
refuse("Attention", [(F, [1, 2, 8])] * 3, "the extent 8 does not divide into 3 heads", q_num_heads=3, kv_num_heads=3)
refuse("Attention", [open_axes(1, None, 2, 8), K, K], "its heads have extents that are chosen at run time", words=SIZE)
refuse("Attention", [Q, (F, [1, 3, 3, 8]), (F, [1, 3, 3, 8])], "4 heads of queries are no multiple of 3")
refuse("Attention", [Q, K, K], "softmax_precision names no type of floats", softmax_precision=7)
refuse("Attention", [Q, K, K, (F, [])], "its mask has no extents")
refuse("Attention", [Q, K, K, (F, [2, 9])], "its mask is for 9 keys, it has 3")
refuse("Attention", [open_axes(1, 4, None, 8), K, K], "a causal mask or a window needs fixed numbers of queries and keys", is_causal=1, words=SIZE)
TABLE = (F, [5, 4])
refuse("RotaryEmbedding", [ROW, TABLE, TABLE], "its data has the shape [2, 3], needs three or four extents")
refuse("RotaryEmbedding", [open_axes(1, 2, 3, None), (F, [1, 3, 4]), (F, [1, 3, 4])], "its heads have an extent that is chosen at run time", words=SIZE)
refuse("RotaryEmbedding", [Q, TABLE, TABLE, (I, [1, 2])], "rotary_embedding_dim is 3 for heads of 8", rotary_embedding_dim=3)
refuse("RotaryEmbedding", [(F, [1, 2, 8]), TABLE, TABLE], "num_heads is 0 for the shape [1, 2, 8]")

print("%d reasons, %d differ" % (count, failed))
sys.exit(1 if failed else 0)
