//===- NumpyShape.td - NumPy's shapes, orders and diagonals --------------===//
//
// Those that differ from the older ones in shapes or in names of parameters.
// sg-decompose-numpy makes the older operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_NumpyOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let results = (outs SG_Tensor:$output);
}
defvar SG_OwnType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";

def SG_NumpyReshapeOp : SG_NumpyOp<"numpy_reshape", [
    Name<"_np_reshape">, Name<"_npx_reshape", ["_npi_reshape"], ["codes=true"]>]> {
  let summary = "the same elements under another shape, by NumPy's codes";
  let gradient = "rewritten";
  let description = [{
    -1, at most once, is what is left. With `codes` also: -2 copies data's extent; -3 skips
    one of 1; -4 copies all that are left; -5 multiplies the next two; -6 splits one into the
    two numbers that follow, one of which may be -1; `reverse` reads from the right.
    C1: the codes are those above, and data has the extents that they speak of.
    C2: data and output have the same number of elements.
    C3: order is C.
  }];
  let arguments = (ins SG_Tensor:$a, Tuple<"the new shape">:$newshape,
    BoolD<"false", "read codes and extents from the right">:$reverse,
    StrD<"C", "order of elements">:$order, BoolD<"false", "codes below -1">:$codes);
  let extraClassDeclaration = SG_OwnCheck;
}

def SG_NumpySqueezeOp : SG_NumpyOp<"numpy_squeeze", [Name<"_np_squeeze">]> {
  let summary = "axes of extent 1 taken out, down to rank 0";
  let gradient = "rewritten";
  let description = [{
    Those that `axis` names, or all.
    C1: each axis is within the rank, named once, and its extent is 1.
    C2: without axis, no extent that is chosen at run time is 1.
  }];
  let arguments = (ins SG_Tensor:$a, TupleOpt<"axes, None for all of extent 1">:$axis);
}

def SG_NumpyBroadcastToOp : SG_NumpyOp<"numpy_broadcast_to", [Name<"_npi_broadcast_to">]> {
  let summary = "missing and unit extents repeated to a given shape";
  let gradient = "rewritten";
  let description = [{
    -2 in `shape` keeps data's extent.
    C1: shape is at least as long as data's rank; aligned at their ends, data's extents are
        1 or equal to shape's.
  }];
  let arguments = (ins SG_Tensor:$array, TupleD<"()", "{}", "the new shape">:$shape);
}

def SG_NumpyRollOp : SG_NumpyOp<"numpy_roll", [Name<"_np_roll">]> {
  let summary = "elements moved on along axes, the last to the front";
  let gradient = "rewritten";
  let description = [{
    By shift[i] along axis[i]; a single shift serves all axes; without axis over the flattened data.
    C1: each axis is within the rank; there is one shift, or one for each axis.
    C2: extents along these axes are fixed.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"places to move on">:$shift, TupleOpt<"the axes">:$axis);
}

def SG_NumpyFlipOp : SG_NumpyOp<"numpy_flip", [Name<"_npi_flip">]> {
  let summary = "the order along some axes reversed";
  let gradient = "rewritten";
  let description = [{
    Along all axes without `axis`.
    C1: each axis is within the rank and named once.
    C2: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"the axes, None for all">:$axis);
}

def SG_NumpyRot90Op : SG_NumpyOp<"numpy_rot90", [Name<"_npi_rot90">]> {
  let summary = "a plane of axes rotated by k quarters";
  let gradient = "rewritten";
  let description = [{
    From the first of the two axes towards the second.
    C1: axes names two axes within the rank that differ.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"1", "quarters">:$k,
    TupleD<"()", "{}", "the plane, the first two without">:$axes);
  let extraClassDeclaration = [{
    /// The two axes; data's rank must be known.
    ::std::pair<int64_t, int64_t> getPlane(int64_t rank);
  }];
}

def SG_NumpyMoveaxisOp : SG_NumpyOp<"numpy_moveaxis", [Name<"_np_moveaxis">]> {
  let summary = "some axes moved to other places, the others in their order";
  let gradient = "rewritten";
  let description = [{
    C1: source and destination are as long; each axis is within the rank and named once.
  }];
  let arguments = (ins SG_Tensor:$a, Tuple<"axes that move">:$source, Tuple<"where they go">:$destination);
  let extraClassDeclaration = [{
    /// Data's axis for each axis of the result; the rank must be known.
    ::llvm::SmallVector<int64_t> getOrder(int64_t rank);
  }];
}

def SG_NumpyAtLeastOp : SG_NumpyOp<"numpy_atleast", [
    Name<"_np_atleast_1d", [], ["least=1"]>, Name<"_np_atleast_2d", [], ["least=2"]>,
    Name<"_np_atleast_3d", [], ["least=3"]>]> {
  let summary = "extents of 1 put in up to a rank";
  let gradient = "zero";
  let description = [{
    In front; for three, a vector [N] becomes [1, N, 1] and a matrix [M, N, 1].
    C1: operand i and output i hold the same elements.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$arys, Int<"number of operands", "1">:$num_args,
    Int<"the least rank", "1", "3">:$least);
  let variadicCount = "num_args";
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyDiagonalOp : SG_NumpyOp<"numpy_diagonal", [
    Name<"_np_diagonal">, Name<"_np_trace", [], ["summed=true"]>]> {
  let summary = "the diagonals of planes as the last axis, or their sums";
  let gradient = "rewritten";
  let description = [{
    C1: axis1 and axis2 are within the rank and differ.
    C2: the planes have fixed extents, and the diagonal is not empty; a sum over an empty one is 0.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "which diagonal">:$offset,
    IntD<"0", "rows of the planes">:$axis1, IntD<"1", "columns of the planes">:$axis2,
    BoolD<"false", "sum each diagonal">:$summed);
}

def SG_NumpyDiagflatOp : SG_NumpyOp<"numpy_diagflat", [Name<"_np_diagflat">]> {
  let summary = "the flattened data on a diagonal";
  let gradient = "rewritten";
  let description = [{
    C1: data has fixed extents; output is a square of as many rows as elements, and |k| more.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "which diagonal">:$k);
}

def SG_NumpyTrilOp : SG_NumpyOp<"numpy_tril", [Name<"_npi_tril">]> {
  let summary = "the lower triangles of planes, zeros elsewhere";
  let gradient = "rewritten";
  let description = [{
    k > 0 keeps diagonals above the main one. A vector is each row of a square.
    C1: data has at least one extent; the planes' extents are fixed.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "the last diagonal kept">:$k);
}

def SG_NumpyDiagIndicesOp : SG_NumpyOp<"numpy_diag_indices", [Name<"_npi_diag_indices_from">]> {
  let summary = "the places of data's main diagonal, one row for each axis";
  let gradient = "rewritten";
  let description = [{
    C1: data has rank 2 or more and equal, fixed extents.
    C2: output is [rank, N] int64.
  }];
  let arguments = (ins SG_Tensor:$data);
  let extraClassDeclaration = SG_OwnType;
}
