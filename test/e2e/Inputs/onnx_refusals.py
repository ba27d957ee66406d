"""Compiles a model for each reason for which a node of an ONNX model is refused, and compares the reason.

usage: onnx_refusals.py SYMC | --write FOLDER (the models alone, of at most 4,000 bytes)
"""
import os
import subprocess
import sys

import numpy as np

from onnx_bytes import data, external, function, graph, model, node, number, opset, tensor, value_info

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
    if sys.argv[1] == "--write":
        if len(content) <= 4000:
            with open(os.path.join(sys.argv[2], "refused-%d" % count), "wb") as file:
                file.write(content)
        return
    code, text = compile_model(content, words)
    if code != 1 or wanted not in text:
        failed += 1
        print("wanted %r, got status %d:\n%s" % (wanted, code, text))


def refuse(op, inputs, wanted, outputs=1, version=28, domain="", words=(), ml=1, **attributes):
    """Inputs: (type, shape), an array for a constant, or None for one that is left out."""
    names, infos, held = [], [], []
    for i, each in enumerate(inputs):
        names.append("" if each is None else "abcdefghij"[i])
        if isinstance(each, np.ndarray):
            held.append(tensor(names[-1], each))
        elif each is not None:
            infos.append(value_info(names[-1], *each))
    made = ["y%d" % i for i in range(outputs)]
    opsets = [opset(ml, domain)] if domain else []
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
refuse("Add", [ROW, (F, [3])], "its operands have the shapes [2, 3] and [3], and broadcast is 0", version=6)
refuse("Add", [ROW, ROW], "its operands have the shapes [2, 3] and [2, 3] at axis 1", version=6, broadcast=1, axis=1)
refuse("ImageDecoder", [(U8, [9])], "programs read pictures as inputs")
refuse("SequenceMap", [ROW], "sequences are no tensors")
refuse("SequenceConstruct", [ROW], "output 'y0' is a sequence, programs give tensors")
refuse("SequenceAt", [ROW, np.array(0)], "operand 0 is no sequence")
CHAIN = [value_info("a", F, [4])], [value_info("y", F, None)]
LIST = node("SequenceConstruct", ["a", "a"], ["s"])


def chain(nodes, wanted, held=(), words=()):
    expect(model([*nodes[:-1], nodes[-1]], *CHAIN, held, 28), wanted, words)


P9, P0 = tensor("p", ints(9)), tensor("p", np.array(0))
chain([LIST, node("SequenceAt", ["s", "p"], ["y"])], "the place 9 is not within a sequence of 2 places", [P9])
chain([LIST, node("SequenceInsert", ["s", "a", "p"], ["t"]), node("SequenceAt", ["t", "p"], ["y"])], "the place 9 is not within a sequence of 2 places", [P9])
chain([node("SequenceEmpty", [], ["s"]), node("SequenceErase", ["s"], ["t"]), node("ConcatFromSequence", ["t"], ["y"], axis=0)], "its sequence is empty")
chain([LIST, node("Relu", ["s"], ["y"])], "operand 0 is a sequence, which it does not read")
chain([LIST, node("Loop", ["p", "", "s"], ["y"], body=graph([], [value_info("i", I, None), value_info("c", "bool", None), value_info("t", F, None)],
                                                            [value_info("c", "bool", None), value_info("t", F, None)]))],
      "operand 2 is a sequence, which it does not carry", [P0])
chain([node("SplitToSequence", ["a", "p"], ["s"]), node("SequenceAt", ["s", "p"], ["y"])], "split has the size 0", [P0])
chain([node("SplitToSequence", ["a", "p"], ["s"]), node("SequenceAt", ["s", "p"], ["y"])], "the sizes of split sum up to 9, the axis has 4", [P9])
refuse("Optional", [ROW], "optional values are no tensors")
refuse("Multinomial", [ROW], "it is not imported yet")

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
expect(model([node("Shape", ["x"], ["s"]), node("Gather", ["s", "i"], ["t"]), node("Reshape", ["x", "t"], ["y"], "n")],
             [value_info("x", F, ["size", "other"])], [value_info("y", F, None)], [tensor("i", ints(1, 1))]),
       "the shape [s0, s1] cannot be made [s1, s1] for all sizes in their ranges", [*SIZE, "--size", "other=2..4"])
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
for ends, wanted in ((["x", "i0", "u"], "the places of the slice of axis 0 are chosen at run time, and may count from either end"),
                     (["x", "i0", "t", "i0", "two"], "the places of the slice of axis 0 are chosen at run time, which needs the step 1"),
                     (["x", "v", "big"], "the slice of axis 0 goes from s0 + 9 to 9 of 9")):
    expect(model([node("Shape", ["o"], ["s"]), node("Slice", ["s", "i0", "i1"], ["t"]), node("Sub", ["t", "three"], ["u"]),
                  node("Add", ["t", "nine"], ["v"]), node("Slice", ends, ["y"], "n")],
                 [value_info("o", F, ["other", 1]), value_info("x", F, [9])], [value_info("y", F, None)],
                 [tensor("i0", ints(0)), tensor("i1", ints(1)), tensor("two", ints(2)), tensor("three", ints(3)), tensor("nine", ints(9)),
                  tensor("big", ints(1 << 40))]),
           wanted, ["--size", "other=2..4"])
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
refuse("Mod", [ROW, ROW], "floats need fmod = 1", version=27)
refuse("Gelu", [ROW], "it has no approximation 'odd'", approximate="odd")

# Elements chosen by values.
refuse("TopK", [ROW, ints(0)], "k is 0, needs at least 1")
refuse("Trilu", [VECTOR], "its data has the shape [4], needs two extents")
refuse("Compress", [VECTOR, ("bool", [5])], "its condition has the extent 5 for 4", axis=0)
refuse("ReverseSequence", [ROW, (I, [2])], "time_axis and batch_axis are the same", time_axis=0, batch_axis=0)
refuse("GatherND", [ROW, (I, [2, 1])], "batch_dims is 5 for ranks 2 and 2", batch_dims=5)
refuse("GatherND", [open_axes(None, 3), (I, ["size", 1])], "batch_dims with places of extents that are chosen at run time", batch_dims=1, words=SIZE)
refuse("GatherND", [(F, [1 << 25, 3]), (I, [1 << 25, 1])], "batch_dims with more than 2^24 places", batch_dims=1)
refuse("OneHot", [(I, [2]), ints(0), np.ones(2, np.float32)], "its depth is 0, needs at least 1")
refuse("ArgMax", [open_axes(None)], "select_last_index along an extent that is chosen at run time", select_last_index=1, words=SIZE)
refuse("CumProd", [open_axes(None), np.array(0)], "running products along an extent that is chosen at run time", words=SIZE)
refuse("CumSum", [open_axes(None), np.array(0)], "exclusive sums along an extent that is chosen at run time", exclusive=1, words=SIZE)
refuse("Hardmax", [open_axes(None)], "its axis has an extent that is chosen at run time", words=SIZE)
refuse("Gemm", [VECTOR, ROW], "its operands have the shapes [4] and [2, 3], needs matrices")
refuse("Det", [ROW], "its data has the shape [2, 3], needs squares of 1 to 4 rows")

refuse("Gather", [ROW, ints(3)], "its index 3 is not within the 2 elements of axis 0")
refuse("GatherElements", [open_axes(3, None), (I, [3, 2])], "its data has extents that are chosen at run time: [3, s0]", words=SIZE)
refuse("GatherElements", [ROW, (I, [2])], "its indices have the shape [2] for data of [2, 3]")
refuse("ScatterND", [ROW, (I, [2, 3]), ROW], "its indices have the shape [2, 3] for data of [2, 3]")
refuse("ScatterND", [ROW, (I, [2, 1]), ROW], "it has no reduction 'odd'", reduction="odd")
refuse("TensorScatter", [(F, [1, 4, 2]), (F, [1, 2, 2])], "it has no mode 'odd'", mode="odd")
refuse("TensorScatter", [(F, [1, 4, 2]), (F, [1, 2, 2])], "its axis is that of the batch", axis=0)
refuse("TensorScatter", [(F, [1, 6, 4]), (F, [2, 1 << 40, 3]), (I, [1])], "places along an extent of 1099511627776, at most 16777216 are listed")
refuse("TensorScatter", [(F, [1, 4, 2]), (F, [1, 2])], "its update has the shape [1, 2] for a cache of [1, 4, 2]")

# Images in another size, between pixels, as waves.
TWO, SCALES = ints(1, 4, 12, 12), np.array([1, 1, 2, 2], np.float32)
refuse("Resize", [X4, None, SCALES], "it has no mode 'odd'", mode="odd")
refuse("Resize", [X4, None, SCALES], "it has no coordinate_transformation_mode 'odd'", coordinate_transformation_mode="odd")
refuse("Resize", [X4, None, SCALES], "it has no nearest_mode 'odd'", nearest_mode="odd")
refuse("Resize", [X4, None, SCALES], "antialias is of linear and cubic interpolation", antialias=1)
refuse("Resize", [X4, None, SCALES], "tf_crop_and_resize needs roi", coordinate_transformation_mode="tf_crop_and_resize")
refuse("Resize", [X4, np.ones(2, np.float32), SCALES], "its roi has 2 numbers for 4 axes", coordinate_transformation_mode="tf_crop_and_resize")
refuse("Resize", [X4], "it has neither scales nor sizes")
refuse("Resize", [X4, None, np.ones(2, np.float32)], "it has 2 scales for 4 axes")
refuse("Resize", [X4, None, -SCALES], "it has a scale that is not above 0, or above a million")
refuse("Resize", [X4, None, None, ints(1, 4)], "it has 2 sizes for 4 axes")
refuse("Resize", [X4, None, None, ints(1, 4, 0, 6)], "it has a size below 1")
refuse("Resize", [open_axes(1, 4, None, 6), None, None, TWO], "its sizes are chosen at run time and are no whole multiples of its data's extents", words=SIZE)
refuse("Resize", [X4, None, None, TWO], "it has no keep_aspect_ratio_policy 'odd'", keep_aspect_ratio_policy="odd")
refuse("Resize", [open_axes(1, 4, None, 6), None, SCALES], "axis 2 has an extent that is chosen at run time, which is enlarged by whole factors alone (nearest)",
       mode="cubic", words=SIZE)
refuse("Resize", [(F, [1, 4, 0, 6]), None, SCALES], "axis 2 of its data is empty", mode="linear")
expect(model([node("Shape", ["o"], ["s"]), node("Resize", ["x", "", "", "s"], ["y"], "n", keep_aspect_ratio_policy="not_larger")],
             [value_info("o", F, ["size"]), value_info("x", F, ["size"])], [value_info("y", F, None)]), "keep_aspect_ratio_policy needs fixed extents", SIZE)
GRID = (F, [1, 3, 3, 2])
refuse("GridSample", [X4, (F, [1, 3, 2])], "its grid has the shape [1, 3, 2] for data of [1, 4, 6, 6]")
refuse("GridSample", [("int32", [1, 4, 6, 6]), GRID], "its data has the element type int32, needs floats")
refuse("GridSample", [(F, [1, 0, 6, 6]), GRID], "its data or grid is empty")
refuse("GridSample", [X4, GRID], "it has no mode 'odd'", mode="odd")
refuse("GridSample", [X4, GRID], "it has no padding_mode 'odd'", padding_mode="odd")
refuse("AffineGrid", [(F, [1, 2, 2]), ints(1, 1, 4, 4)], "its theta has the shape [1, 2, 2] for a size of 4 extents")
refuse("AffineGrid", [(F, [1, 2, 3]), ints(1, 1, 0, 4)], "its size has no places, or more than 2^26")
ROIS = [X4, (F, [2, 4]), (I, [2])]
refuse("RoiAlign", ROIS, "it has no mode 'odd'", mode="odd")
refuse("RoiAlign", ROIS, "it has no coordinate_transformation_mode 'odd'", coordinate_transformation_mode="odd")
refuse("RoiAlign", [X4, (F, [2, 4]), (I, [2, 1])], "its batch_indices have the shape [2, 1], needs one extent")
refuse("DFT", [ROW], "its data has the shape [2, 3], needs a fixed extent along its axis and 1 or 2 numbers for each element")
refuse("DFT", [(F, [4, 1]), ints(9999)], "its length is 9999, transforms are computed of 1 to 4096, or of 4194304 where factors of 2, 3 and 5 make it")
refuse("STFT", [open_axes(1, None, 1), np.array(1)], "its signal has the shape [1, s0, 1], needs a fixed length", words=SIZE)
refuse("STFT", [(F, [1, 8, 1]), np.array(0), None, np.array(4)], "its frames begin every 0 samples and have 4 of 8")
refuse("STFT", [(F, [1, 8, 1]), np.array(1), (F, [3]), np.array(4)], "its window has the shape [3] for frames of 4")
refuse("STFT", [(F, [1, 1 << 16, 1]), np.array(1), None, np.array(4096)], "its frames have more than 2^24 samples together")
refuse("RandomNormal", [], "it draws floats alone, not int32", shape=[2], dtype=6)
refuse("Bernoulli", [ROW], "there are no values of element type string", dtype=8)

TREE = dict(nodes_featureids=[0], nodes_splits=tensor("", np.array([1], np.float32)), nodes_modes=tensor("", np.array([0], np.uint8)), nodes_truenodeids=[0],
            nodes_trueleafs=[1], nodes_falsenodeids=[1], nodes_falseleafs=[1], tree_roots=[0], leaf_targetids=[0, 1],
            leaf_weights=tensor("", np.array([1, 2], np.float32)))


def refuse_tree(wanted, inputs=(ROW,), **changes):
    refuse("TreeEnsemble", list(inputs), wanted, domain="ai.onnx.ml", ml=5, **{**TREE, **changes})


refuse_tree("its data has the shape [2, 3, 1], needs one or two extents, the last a fixed one", [(F, [2, 3, 1])])
refuse_tree("it has 0 targets and 2 leaves, needs at least one of each and at most 2^26 pairs", n_targets=0)
refuse_tree("a node compares the feature 3 of 3", nodes_featureids=[3])
refuse_tree("a leaf weighs for the target 1 of 1", n_targets=1)
refuse_tree("a node of its trees is reached from itself", nodes_falseleafs=[0], nodes_falsenodeids=[0])
refuse_tree("its lists of nodes or leaves have different lengths", nodes_trueleafs=[1, 1])
refuse_tree("a node has the mode 7, needs 0 to 6", nodes_modes=tensor("", np.array([7], np.uint8)))
refuse_tree("a node compares with a set that has no members", nodes_modes=tensor("", np.array([6], np.uint8)))
refuse_tree("a node or leaf lies outside of its lists", nodes_truenodeids=[2])
refuse_tree("it has no aggregate_function 9 or no post_transform 0", aggregate_function=9)
refuse_tree("its tensor 'nodes_splits' has 4 bytes of raw data, needs 8 for the shape [2]",
            nodes_splits=number(1, 2) + number(2, 1) + data(9, b"0000"))
refuse_tree("its tensor 'nodes_splits' holds elements of type string", nodes_splits=number(1, 1) + number(2, 8))
FOREST = dict(n_targets=1, nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[0, 0, 0], nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
              nodes_values=[0.5, 0.0, 0.0], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], target_treeids=[0, 0], target_nodeids=[1, 2],
              target_ids=[0, 0], target_weights=[1.0, 2.0])


def refuse_forest(wanted, **changes):
    refuse("TreeEnsembleRegressor", [ROW], wanted, domain="ai.onnx.ml", ml=3, **{**FOREST, **changes})


refuse_forest("its lists of nodes or leaves have different lengths", nodes_values=[0.5])
refuse_forest("node 1 of tree 0 is given twice", nodes_nodeids=[0, 1, 1])
refuse_forest("it has no mode of nodes 'BRANCH_IN'", nodes_modes=["BRANCH_IN", "LEAF", "LEAF"])
refuse_forest("tree 0 has no node 9", nodes_truenodeids=[9, 0, 0])
refuse_forest("tree 0 has two nodes that no node leads to", nodes_truenodeids=[2, 0, 0])
refuse_forest("a node of its trees is reached from itself", nodes_truenodeids=[0, 0, 0], nodes_modes=["BRANCH_LEQ", "LEAF", "BRANCH_LEQ"],
              nodes_falsenodeids=[2, 0, 1])
refuse_forest("node 0 of tree 0 is no leaf, and has a weight", target_nodeids=[0, 2])
refuse_forest("it has no aggregate_function 'ODD' or no post_transform 'NONE'", aggregate_function="ODD")
refuse_forest("it has 2 base_values for 1 targets", base_values=[1.0, 2.0])
refuse("Scaler", [ROW], "scale has 2 numbers for data of the shape [2, 3]", domain="ai.onnx.ml", scale=[1.0, 2.0])
refuse("Normalizer", [ROW], "it has no norm 'L3'", domain="ai.onnx.ml", norm="L3")
refuse("Normalizer", [X4], "its data has the shape [1, 4, 6, 6], needs one or two extents", domain="ai.onnx.ml")
refuse("LinearRegressor", [ROW], "its coefficients and intercepts do not fit 1 targets of data of the shape [2, 3]", domain="ai.onnx.ml", coefficients=[1.0])
refuse("LinearRegressor", [ROW], "it has no post_transform 'ODD'", domain="ai.onnx.ml", coefficients=[1.0, 2.0, 3.0], post_transform="ODD")
refuse("Imputer", [(I, [2, 3])], "its data has the element type int64, needs float32", domain="ai.onnx.ml")
refuse("Imputer", [ROW], "it has no imputed_value_floats", domain="ai.onnx.ml")
refuse("FeatureVectorizer", [ROW], "inputdimensions has 2 numbers for 1 operands", domain="ai.onnx.ml", inputdimensions=[3, 1])
refuse("FeatureVectorizer", [ROW], "operand 0 has the shape [2, 3], inputdimensions has 4", domain="ai.onnx.ml", inputdimensions=[4])
LISTS = dict(ngram_counts=[0], ngram_indexes=[0, 1], pool_int64s=[1, 2], max_skip_count=0, min_gram_length=1, max_gram_length=1)
refuse("TfIdfVectorizer", [(I, [4])], "it has no mode 'odd'", mode="odd", **LISTS)
refuse("TfIdfVectorizer", [(I, [4])], "strings have no element type", mode="TF", **{**LISTS, "pool_strings": ["a"]})
refuse("TfIdfVectorizer", [(I, [1, 2, 4])], "its data has the shape [1, 2, 4], needs one or two extents, the last a fixed one", mode="TF", **LISTS)
refuse("TfIdfVectorizer", [(I, [4])], "its lists of n-grams do not fit each other", mode="TF", **{**LISTS, "ngram_indexes": [0]})
refuse("ArrayFeatureExtractor", [(F, []), (I, [1])], "its data has no extents", domain="ai.onnx.ml")
refuse("Cast", [ROW], "it has no round_mode 'odd'", to=24, round_mode="odd")
refuse("BitShift", [(U8, [2]), (U8, [2])], "it has no direction 'odd'", direction="odd")
refuse("BitCast", [ROW], "there are no values of element type string", to=8)
refuse("BitCast", [ROW], "data has element type float32 and dtype is int64, needs types of one width", to=7)
refuse("NonMaxSuppression", [(F, [1, 6, 4]), (F, [1, 1, 6]), ints(1, 2)], "operand 2 is no number")
refuse("Relu", [("int4", [2])], "operand 0 holds elements of type int4, which it does not compute")
refuse("Cast", [("int4", [2])], "--value of input 'a' is of int4, which no file here holds", to=1, words=["--value", "a=1,2"])
refuse("Cast", [("int4", ["size"])], "elements of less than a byte need fixed extents, input 'a' has the shape [s0]", to=1, words=SIZE)
refuse("Cast", [open_axes(None)], "output 'y0': elements of less than a byte need fixed extents, found [s0]", to=22, words=SIZE)
refuse("QuantizeLinear", [("int32", [2]), (F, [])], "it quantises floats alone", output_dtype=17)
refuse("DequantizeLinear", [("int4", [2]), (F, [])], "output_dtype names no type that has values", output_dtype=8)
weight(number(1, 3) + number(2, 22) + data(8, "w") + data(9, b"a"), "initializer 'w' has 1 bytes of raw data, needs 2")
weight(number(1, 3) + number(2, 22) + data(8, "w"), "initializer 'w' has 0 bytes of elements, needs 2")
weight(number(1, -1) + number(2, 22) + data(8, "w"), "initializer 'w' has the shape [-1], which no tensor has")

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
refuse("MaxPool", [X4], "its window does not fit into the padded image", kernel_shape=[9, 9], pads=[0, 0, 0, 1])
refuse("MaxPool", [open_axes(1, 4, None, 6)], "this pooling needs fixed extents", kernel_shape=[2, 2], pads=[0, 0, 0, 1], words=SIZE)
refuse("GlobalAveragePool", [ROW], "its data has the shape [2, 3], needs three extents or more")

refuse("DeformConv", [(F, [1, 4, 6]), (F, [2, 4, 3]), (F, [1, 6, 4])], "its images have 1 axes, needs two")
refuse("DeformConv", [X4, W, (F, [1, 18, 4])], "its offsets have the shape [1, 18, 4], needs four extents")
refuse("Col2Im", [(F, [1, 4, 9]), ints(4, 4), ints(2)], "its attributes are not one number for each axis of the image")
refuse("MaxUnpool", [ROW, (I, [2, 3])], "its data has the shape [2, 3], needs three extents or more", kernel_shape=[2])
refuse("MaxUnpool", [(F, [1, 1, 2]), (I, [1, 1, 2])], "its attributes are not one number for each axis of the image", kernel_shape=[2, 2])
refuse("MaxUnpool", [(F, [1, 1, 2]), (I, [1, 1, 2]), ints(4)], "its output_shape has 1 extents for data of [1, 1, 2]", kernel_shape=[2])
refuse("MaxUnpool", [(F, [1, 1, 2]), (I, [1, 1, 2]), ints(1, 1, 2)], "its output_shape is smaller than the image", kernel_shape=[2], strides=[2])
refuse("MaxUnpool", [(F, [1, 1, 2]), (I, [1, 1, 2])], "its result has more than 2^40 elements", kernel_shape=[1 << 41])

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

# Operators of any number of operands.
for op in ("Concat", "Max", "Min", "Sum", "Mean"):
    refuse(op, [None, ROW], "operand 0 is left out", **({"axis": 0} if op == "Concat" else {}))
    refuse(op, [ROW, None, ROW], "operand 1 is left out", **({"axis": 0} if op == "Concat" else {}))
refuse("Adagrad", [(F, []), (I, []), None, ROW, ROW], "operand 2 is left out", domain=PREVIEW)

# Quantisation.
refuse("QuantizeLinear", [ROW, (F, [1, 1]), (U8, [1, 1])], "its scale has the shape [1, 1] for data of [2, 3] and block_size 0")
refuse("QuantizeLinear", [ROW, (F, []), ("int32", [])], "it quantises to integers of 8 and 16 bits alone")
refuse("QuantizeLinear", [("int32", [2]), (F, []), (U8, [])], "it quantises floats alone")
refuse("QuantizeLinear", [ROW, (F, []), (U8, [])], "it divides in float32 alone", precision=10)
refuse("DequantizeLinear", [ROW, (F, [])], "its data has the element type float32, needs integers")
refuse("DequantizeLinear", [(U8, [2]), (F, [])], "output_dtype names no type that has values", output_dtype=8)

BYTES, SCALE, ZERO = (U8, [2, 3]), (F, []), (U8, [])
refuse("MatMulInteger", [(U8, []), (U8, [])], "its operands need an extent at least")
refuse("MatMulInteger", [("int32", [2, 3]), (U8, [3, 2])], "operand 0 has the element type int32, needs int8 or uint8")
refuse("MatMulInteger", [(U8, [2, "size"]), (U8, ["size", 2])], "its products sum over an extent that is chosen at run time", words=SIZE)
refuse("QLinearMatMul", [BYTES, SCALE, ZERO, (U8, [3, 2]), SCALE, ZERO, SCALE, ("int32", [])], "its zero point has the element type int32, needs int8 or uint8")
refuse("ConvInteger", [(U8, [1, 3, 6, 6]), (U8, [2, 4, 3, 3])], "its weight has the shape [2, 4, 3, 3] for data of [1, 3, 6, 6] in 1 groups")
refuse("ConvInteger", [(U8, [1, 1, 20, 20]), (U8, [1, 1, 17, 17])], "its windows have more than 256 taps")

MS = "com.microsoft"
IMAGE = (U8, [1, 4, 6, 6])
refuse("QLinearAdd", [BYTES, SCALE, ZERO, (F, [2, 3]), SCALE, ZERO, SCALE, ZERO], "operand 3 has the element type float32, needs int8 or uint8", domain=MS)
refuse("QLinearMul", [BYTES, SCALE, ZERO, BYTES, (F, [2]), ZERO, SCALE, ZERO], "operand 4 has the shape [2], needs one element", domain=MS)
refuse("QLinearGlobalAveragePool", [IMAGE, SCALE, ZERO, SCALE, ZERO], "its channels are last", domain=MS, channels_last=1)
refuse("QLinearGlobalAveragePool", [BYTES, SCALE, ZERO, SCALE, ZERO], "its data has the shape [2, 3], needs three extents or more", domain=MS)
refuse("QLinearConcat", [SCALE, ZERO, BYTES], "it has no tensors", domain=MS, axis=0)
refuse("QLinearConcat", [SCALE, ZERO, BYTES, SCALE, ZERO, BYTES], "it has 6 operands, needs two of the result and three of each tensor", domain=MS, axis=0)
refuse("QLinearConcat", [SCALE, ZERO, BYTES, None, ZERO], "operand 3 is left out", domain=MS, axis=0)
refuse("QGemm", [IMAGE, SCALE, ZERO, BYTES, SCALE, ZERO], "its operands have the shapes [1, 4, 6, 6] and [2, 3], needs matrices", domain=MS)
refuse("QGemm", [BYTES, SCALE, ZERO, (U8, [3, 2]), SCALE, ZERO], "its alpha is not 1", domain=MS, alpha=0.5)
refuse("QGemm", [BYTES, SCALE, ZERO, (U8, [3, 2]), (F, [2]), (U8, [2])], "its weights have several zero points", domain=MS)
refuse("QGemm", [BYTES, SCALE, ZERO, (U8, [3, "size"]), SCALE, ZERO], "its columns are as many as the run decides", domain=MS, words=SIZE)
refuse("QAttention", [BYTES], "of 'com.microsoft' no operator of this name is known; --list-onnx-ops lists those that are", domain=MS)
for filters in (("int8", [4, 4, 3, 3]), np.ones((4, 4, 3, 3), np.int8)):
    layer = [IMAGE, SCALE, ZERO, filters, SCALE, ("int8", []), SCALE, ZERO]
    refuse("QLinearConv", [*layer, ("float32", [4])], "operand 8 has the element type float32, needs int32")
    for shape in ([], [1], [3], [4, 1]):
        refuse("QLinearConv", [*layer, ("int32", shape)], "operand 8 has the shape %s, needs [4]" % shape)
refuse("QGemm", [BYTES, SCALE, ZERO, (U8, [3, 2]), SCALE, ZERO, ("int8", [2])], "operand 6 has the element type int8, needs int32", domain=MS)
refuse("QGemm", [BYTES, SCALE, ZERO, (U8, [3, 2]), SCALE, ZERO, ("int32", [2, 1])], "operand 6 has the shape [2, 1], needs [2]", domain=MS)

# Recurrent layers.
S, G4, R4 = (F, [5, 2, 3]), np.ones((1, 16, 3), np.float32), np.ones((1, 16, 4), np.float32)
refuse("LSTM", [open_axes(5, 2, None), G4, R4], "its data has features whose number is chosen at run time", words=SIZE)
refuse("LSTM", [S, G4, R4], "it has no direction 'odd'", direction="odd")
refuse("LSTM", [ROW, G4, R4], "its data, weights and recurrence weights need three extents, the weights' fixed ones")
refuse("LSTM", [S, G4, np.ones((1, 12, 4), np.float32)], "its weights have the shapes [1, 16, 3] and [1, 12, 4]")
refuse("LSTM", [S, G4, R4], "it has 1 activations, needs 3", activations=["Tanh"])
refuse("RNN", [S, np.ones((1, 4, 3), np.float32), np.ones((1, 4, 4), np.float32)], "there is no activation 'Odd'", activations=["Odd"])

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

QS, KS, VS = (F, [1, 3, 8]), (F, [1, 3, 8]), (F, [1, 3, 8])
LINEAR = dict(q_num_heads=2, kv_num_heads=2)
refuse("LinearAttention", [QS, KS, VS], "it has no update_rule 'odd'", update_rule="odd", **LINEAR)
refuse("LinearAttention", [QS, KS, VS], "its update_rule 'gated' needs a decay and no beta", update_rule="gated", **LINEAR)
refuse("LinearAttention", [ROW, KS, VS], "operand 0 has the shape [2, 3], needs three extents, the last a fixed one", update_rule="linear", **LINEAR)
refuse("LinearAttention", [QS, KS, VS], "it has 3 and 2 heads, which do not divide its operands", update_rule="linear", q_num_heads=3, kv_num_heads=2)
refuse("LinearAttention", [QS, KS, VS, None, (F, [1, 3, 3])], "operand 4 has the shape [1, 3, 3] for 2 heads", update_rule="gated", **LINEAR)
refuse("CausalConvWithState", [(F, [1, 2, 5]), (F, [3, 1, 2])], "its weight has the shape [3, 1, 2] for data of [1, 2, 5]")
refuse("CausalConvWithState", [(F, [1, 2, 5]), (F, [2, 1, 2])], "it has no activation 'odd'", activation="odd")
refuse("CausalConvWithState", [open_axes(None, 2, 5), (F, [2, 1, 1])], "a state without elements of a batch that is chosen at run time", outputs=2, words=SIZE)

# Graphs that a node calls.
BOOL = "bool"


def body(inputs, nodes, outputs, held=()):
    return graph(nodes, [value_info(name, type, None) for name, type in inputs], [value_info(name, F, None) for name in outputs], held)


COUNT, TRUE, FALSE = np.array(3), np.array(True), np.array(False)
STEP = [("i", I), ("c", BOOL), ("s", F)]
refuse("If", [(BOOL, [])], "its graph has 1 outputs for 2 of the node", outputs=2, then_branch=body([], [node("Relu", ["z"], ["t"])], ["t"], [tensor("z", np.ones(1, np.float32))]),
       else_branch=body([], [node("Relu", ["z"], ["e"])], ["e"], [tensor("z", np.ones(1, np.float32))]))
refuse("If", [TRUE], "its graph has 1 inputs, needs 0", then_branch=body([("z", F)], [node("Relu", ["z"], ["t"])], ["t"]),
       else_branch=body([("z", F)], [node("Relu", ["z"], ["e"])], ["e"]))
refuse("If", [TRUE], "initializer 'z' of its graph has 4 bytes", then_branch=body([], [node("Relu", ["z"], ["t"])], ["t"], [number(1, 2) + number(2, 1) + data(8, "z") + data(9, b"abcd")]),
       else_branch=body([], [node("Relu", ["z"], ["e"])], ["e"], [tensor("z", np.ones(1, np.float32))]))
refuse("If", [(BOOL, [])], "its branches give output 0 as float32 [1] and as float32 [2], and its condition is known by a run alone",
       then_branch=body([], [node("Relu", ["z"], ["t"])], ["t"], [tensor("z", np.ones(1, np.float32))]),
       else_branch=body([], [node("Relu", ["z"], ["e"])], ["e"], [tensor("z", np.ones(2, np.float32))]))
LIST = body([], [node("SequenceConstruct", ["z"], ["l"])], ["l"], [tensor("z", np.ones(1, np.float32))])
refuse("If", [(BOOL, [])], "output 0 of its graph is a sequence, which no graph of a program gives", then_branch=LIST, else_branch=LIST)
LISTS = [node("SequenceConstruct", ["s"], ["l"])]
refuse("Loop", [np.array(2000), TRUE, ROW], "output 2 of its graph is a sequence, which no graph of a program gives", outputs=2, body=body(STEP, LISTS, ["c", "s", "l"]))
refuse("Loop", [COUNT, TRUE, ROW], "it gathers sequences, which have no axes", outputs=2, body=body(STEP, LISTS, ["c", "s", "l"]))
refuse("Loop", [np.array(3, np.float32), TRUE, ROW], "'a' has the element type float32, needs integers", body=body(STEP, [], ["c", "s"]))
refuse("Gather", [ints(3, 4), np.array([1], np.float32)], "'b' has the element type float32, needs integers")
refuse("Range", [np.array(0), np.array(4), np.array(1, np.float32)], "its operands have the element types int64 and float32, needs one")
refuse("Loop", [COUNT, TRUE, None], "its carried value 0 is left out", body=body(STEP, [], ["c", "s"]))
refuse("Loop", [COUNT, TRUE, ROW], "its graph has 2 outputs for 2 of the node", outputs=2, body=body(STEP, [], ["c", "s"]))
refuse("Loop", [None, TRUE, ROW], "it never ends", body=body(STEP, [], ["c", "s"]))
TWICE = [node("Concat", ["s", "s"], ["t"], "", axis=0)]
refuse("Loop", [np.array(2000), TRUE, ROW], "its carried value 0 is float32 [2, 3] and becomes float32 [4, 3]", body=body(STEP, TWICE, ["c", "t"]))
ENDS = [node("ReduceSum", ["s"], ["u"], keepdims=0), node("Less", ["u", "z"], ["d"])]
HELD = [tensor("z", np.array(9, np.float32))]
refuse("Loop", [COUNT, TRUE, ROW], "its carried values change their shapes, and a condition that a run decides ends it",
       body=body(STEP, TWICE + ENDS, ["d", "t"], HELD))
refuse("Loop", [COUNT, TRUE, ROW], "a condition that its graph computes ends it, so that a run decides how many results it gathers", outputs=2,
       body=body(STEP, ENDS + [node("Relu", ["s"], ["t"])], ["d", "s", "t"], HELD))
refuse("Loop", [FALSE.astype(np.int64), TRUE, open_axes(None)], "it gathers nothing of an extent that is chosen at run time", outputs=2,
       body=body(STEP, [node("Relu", ["s"], ["t"])], ["c", "s", "t"]), words=SIZE)
expect(model([node("Shape", ["x"], ["n"]), node("Loop", ["n", "", "x"], ["y"], "n", body=body(STEP, [], ["c", "s"]))], [value_info("x", F, ["size"])],
             [value_info("y", F, None)]), "its number of iterations depends on a size that is chosen at run time", SIZE)
refuse("Loop", [np.array(0), TRUE, ROW], "it gathers the results of no iteration", outputs=2,
       body=body(STEP, TWICE + [node("Relu", ["s"], ["r"])], ["c", "t", "r"]))
ONES = [tensor("z", np.ones(1, np.float32))]
refuse("If", [TRUE], "initializer 'w' of its graph is a sparse tensor, which is not read", else_branch=body([], [node("Relu", ["z"], ["e"])], ["e"], ONES),
       then_branch=type(body([], [], []))(body([], [node("Relu", ["z"], ["t"])], ["t"], ONES) + data(15, sparse)))
AGAIN = graph([node("F", ["a"], ["t"], "", "own")], [], [value_info("t", F, None)])
expect(model([node("F", ["x"], ["y"], "n", "own")], [value_info("x", F, [1])], [value_info("y", F, [1])], opsets=[opset(1, "own")],
             functions=[function("F", "own", ["a"], ["b"], [node("Constant", [], ["k"], "", value=tensor("k", TRUE)),
                                                            node("If", ["k"], ["b"], "", then_branch=AGAIN, else_branch=AGAIN)])]),
       "graphs call each other more than 64 deep")
SCAN = [("s", F), ("e", F)]
refuse("Scan", [ROW], "num_scan_inputs is 2 of 1 operands", num_scan_inputs=2, body=body([("e", F)], [node("Relu", ["e"], ["t"])], ["t"]))
refuse("Scan", [(I, [1]), (F, [1, 2, 3])], "lengths of sequences, of opset 8, are not read", version=8, num_scan_inputs=1, body=body([("e", F)], [node("Relu", ["e"], ["t"])], ["t"]))
refuse("Scan", [None, (F, [2, 2, 3])], "of opset 8 it is read for a batch of 1, operand 1 has the shape [2, 2, 3]", version=8, num_scan_inputs=1,
       body=body([("e", F)], [node("Relu", ["e"], ["t"])], ["t"]))
refuse("Scan", [ROW], "output 0 of its graph is a sequence, which no graph of a program gives", num_scan_inputs=1,
       body=body([("e", F)], [node("SequenceConstruct", ["e"], ["l"])], ["l"]))
refuse("Scan", [ROW, ROW], "its carried value 0 is float32 [2, 3] and becomes float32 [3]", outputs=1, num_scan_inputs=1, body=body(SCAN, [node("Relu", ["e"], ["t"])], ["t"]))
FLEX = [Q, Q, Q]
refuse("FlexAttention", [ROW, ROW, ROW], "its operands have the shapes [2, 3], [2, 3] and [2, 3]", domain="ai.onnx.preview")
refuse("FlexAttention", FLEX, "softmax_precision names no type of floats", domain="ai.onnx.preview", softmax_precision=7)
refuse("FlexAttention", FLEX, "its graph gives a sequence", domain="ai.onnx.preview", score_mod=body([("e", F)], [node("SequenceConstruct", ["e"], ["l"])], ["l"]))
refuse("FlexAttention", FLEX, "score_mod has 2 outputs, needs one", domain="ai.onnx.preview",
       score_mod=body([("e", F)], [node("Relu", ["e"], ["t"]), node("Relu", ["e"], ["u"])], ["t", "u"]))

print("%d reasons, %d differ" % (count, failed))
sys.exit(1 if failed else 0)
