//===- Shape.td - the same elements in another order or another shape --------===//
//
// Data movement within one tensor; parts and joints are in Slice.td. `D` stands for an extent of data; symbolic sizes flow
// through wherever the arithmetic is affine.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_FlattenOp : SG_Op<"flatten", [Name<"Flatten", ["flatten", "_npx_batch_flatten"]>],
    [SG_ReshapedRows]> {
  let summary = "all extents but the first made one";
  let gradient = "rewritten";
  let description = [{
    data: [N, ...]; output: [N, product of the others].
    C1: data has at least one extent.
    C2: output is [N, product of the others].
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
}

def SG_ReshapeOp : SG_Op<"reshape", [Name<"Reshape", ["reshape"]>], [SG_ReshapedRows]> {
  let summary = "the same elements under another shape";
  let gradient = "rule";
  let description = [{
    `shape` is read from left to right (from right to left with `reverse`) beside
    data's extents: n > 0 is an extent; 0 copies data's; -1, at most once, is what is left;
    -2 copies all that are left; -3 multiplies the next two; -4 splits one into the two
    numbers that follow, one of which may be -1. The older `target_shape` has 0 for what is
    left; `keep_highest` copies the first extent. With neither, a consumer decides.
    C1: the codes are those above, -1 once, and data has the extents that they speak of.
    C2: data and output have the same number of elements.
  }];
  let arguments = (ins SG_Tensor:$data,
    TupleD<"()", "{}", "codes of the new shape">:$shape,
    BoolD<"false", "read codes and extents from the right">:$reverse,
    TupleD<"()", "{}", "the older form of the new shape">:$target_shape,
    BoolD<"false", "with target_shape: copy the first extent">:$keep_highest);
  let results = (outs SG_Tensor:$output);
}

def SG_ReshapeLikeOp : SG_Op<"reshape_like", [Name<"reshape_like", ["_npx_reshape_like"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "lhs under the shape of rhs, or a part of it";
  let gradient = "rule";
  let description = [{
    The extents of lhs from lhs_begin to lhs_end (not included) are replaced by those of rhs from
    rhs_begin to rhs_end; all of both by default.
    C1: begin and end are within the ranks, begin not above end.
    C2: lhs and output have the same number of elements.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, IntOpt<"first axis replaced">:$lhs_begin,
    IntOpt<"axis after the last replaced">:$lhs_end, IntOpt<"first axis taken">:$rhs_begin,
    IntOpt<"axis after the last taken">:$rhs_end);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_TransposeOp : SG_Op<"transpose", [Name<"transpose">, Name<"_np_transpose">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "axes in another order";
  let gradient = "rule";
  let description = [{
    Axis i of output is axis axes[i] of data; no axes reverse them all.
    C1: axes is empty or names each axis of data once.
    C2: the extents of output are data's in that order.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "data's axis for each of output">:$axes);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    /// Data's axis for each axis of the result; data's rank must be known.
    ::llvm::SmallVector<int64_t> getOrder();
  }];
}

def SG_SwapAxisOp : SG_Op<"swap_axis", [Name<"SwapAxis", ["swapaxes", "_npi_swapaxes"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "two axes exchanged";
  let gradient = "rewritten";
  let description = [{
    C1: dim1 and dim2 are within the rank.
    C2: output has data's extents with the two exchanged.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "one axis">:$dim1, IntD<"0", "the other">:$dim2);
  let results = (outs SG_Tensor:$output);
}

def SG_ExpandDimsOp : SG_Op<"expand_dims", [Name<"expand_dims", ["_npi_expand_dims"]>],
    [SG_ReshapedRows]> {
  let summary = "an axis of extent 1 put in";
  let gradient = "rewritten";
  let description = [{
    C1: axis is within output's rank.
    C2: output has data's extents and 1 at axis.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"its place in the result">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_SqueezeOp : SG_Op<"squeeze", [Name<"squeeze">], [SG_ReshapedRows]> {
  let summary = "axes of extent 1 taken out";
  let gradient = "rewritten";
  let description = [{
    Those that `axis` names, or all. If none would be left, output is [1].
    C1: each axis is within the rank, named once, and its extent is 1.
    C2: without axis, no extent that is chosen at run time is 1.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"axes, None for all of extent 1">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_TileOp : SG_Op<"tile", [Name<"tile", ["_npi_tile"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the whole repeated along each axis";
  let gradient = "rule";
  let description = [{
    data and reps are aligned at their ends, the shorter filled up with 1.
    C1: reps are at least 1.
    C2: output's extents are the products.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"how often along each axis">:$reps);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_RepeatOp : SG_Op<"repeat", [Name<"repeat", ["_np_repeat"]>], [SG_RowsBesideAxis]> {
  let summary = "each element repeated";
  let gradient = "rule";
  let description = [{
    Along `axis`, or of the flattened data.
    C1: axis is within the rank.
    C2: output's extent is data's times repeats.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"how often", "1">:$repeats, IntOpt<"the axis">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_ReverseOp : SG_Op<"reverse", [Name<"reverse", ["flip"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the order along some axes reversed";
  let gradient = "rule";
  let description = [{
    C1: each axis is within the rank and named once.
    C2: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"the axes">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_BroadcastToOp : SG_Op<"broadcast_to", [Name<"broadcast_to">], [SG_KeptRows, SG_SameInRows]> {
  let summary = "unit extents repeated to a given shape";
  let gradient = "rule";
  let description = [{
    A 0 in `shape` keeps data's extent.
    C1: shape is as long as data's rank.
    C2: data's extents are 1 or equal to shape's.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "the new shape">:$shape);
  let results = (outs SG_Tensor:$output);
}

def SG_BroadcastAxisOp : SG_Op<"broadcast_axis", [Name<"broadcast_axis", ["broadcast_axes"]>],
    [SG_KeptRows, SG_SameInRows]> {
  let summary = "unit extents repeated along some axes";
  let gradient = "rule";
  let description = [{
    C1: axis and size are as long; each axis is within the rank and named once.
    C2: data's extents along axis are 1.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "the axes">:$axis,
    TupleD<"()", "{}", "their new extents">:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_BroadcastLikeOp : SG_Op<"broadcast_like", [Name<"broadcast_like">],
    [SG_KeptRows, SG_SameInRows]> {
  let summary = "unit extents repeated to those of another tensor";
  let gradient = "rewritten";
  let description = [{
    C1: without axes the ranks are equal; lhs_axes and rhs_axes come together, as long and
        not empty, within the ranks.
    C2: lhs's extents there are 1 or equal to rhs's.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, TupleOpt<"axes of lhs">:$lhs_axes,
    TupleOpt<"axes of rhs for them">:$rhs_axes);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_DepthToSpaceOp : SG_Op<"depth_to_space", [Name<"depth_to_space">], [SG_LeadingRows<1>]> {
  let summary = "blocks of channels spread over the plane";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; output: [N, C/(b*b), H*b, W*b], b = block_size; channel
    (i*b + j) * C/(b*b) + c goes to row i and column j of a block.
    C1: data has rank 4.
    C2: block_size is at least 1 and its square divides C.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"rows and columns of a block", "1">:$block_size);
  let results = (outs SG_Tensor:$output);
}

def SG_SpaceToDepthOp : SG_Op<"space_to_depth", [Name<"space_to_depth">], [SG_LeadingRows<1>]> {
  let summary = "blocks of the plane stacked as channels";
  let gradient = "rule";
  let description = [{
    The inverse of depth_to_space. data: [N, C, H, W]; output: [N, C*b*b, H/b, W/b].
    C1: data has rank 4.
    C2: block_size is at least 1 and divides H and W.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"rows and columns of a block", "1">:$block_size);
  let results = (outs SG_Tensor:$output);
}

def SG_DiagOp : SG_Op<"diag", [Name<"diag">, Name<"_np_diag">]> {
  let summary = "a diagonal taken out, or a vector laid on one";
  let gradient = "rule";
  let description = [{
    A vector of n elements becomes the k-th diagonal of a square of n + |k|. Otherwise the
    k-th diagonal of the planes of axis1 and axis2 becomes the last axis of output.
    C1: axis1 and axis2 are within the rank and differ.
    C2: the diagonal is not empty.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "which diagonal, above the main one if positive">:$k,
    IntD<"0", "rows of the planes">:$axis1, IntD<"1", "columns of the planes">:$axis2);
  let results = (outs SG_Tensor:$output);
}

def SG_ShapeArrayOp : SG_Op<"shape_array", [Name<"shape_array", ["_npx_shape_array"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "data's extents as a vector of int64";
  let gradient = "zero";
  let description = [{
    C1: output is [rank of data].
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SizeArrayOp : SG_Op<"size_array", [Name<"size_array">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the number of data's elements as int64";
  let gradient = "zero";
  let description = [{
    C1: output is [1].
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
