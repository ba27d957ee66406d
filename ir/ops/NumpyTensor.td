//===- NumpyTensor.td - NumPy's operators on whole tensors -------------------===//
//
// MXNet's numpy operators that differ from the older ones in shapes (a full reduction has
// rank 0), in names of parameters or in element types. sg-decompose-numpy makes the older
// operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_NumpyOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let results = (outs SG_Tensor:$output);
}
defvar SG_OwnType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def SG_NumpyReduceOp : SG_NumpyOp<"numpy_reduce", [
    Name<"_np_sum", [], ["kind=sum"]>, Name<"_np_prod", ["_np_product"], ["kind=prod"]>,
    Name<"_np_max", ["_np_amax"], ["kind=max"]>, Name<"_np_min", ["_np_amin"], ["kind=min"]>,
    Name<"_npi_mean", [], ["kind=mean"]>, Name<"_np_any", ["_np_sometrue"], ["kind=any"]>,
    Name<"_np_all", [], ["kind=all"]>]> {
  let summary = "sum, product, mean, extremes, any or all along axes, down to rank 0";
  let description = [{
    Along the axes of `axis`, all without, none for (). any and all give bool, means of
    integers float32, sums and products of bool int64; others data's type, or `dtype`.
    C1: each axis is within the rank and named once.
    C2: output has the extents that are left; `keepdims` leaves 1 for each reduced axis.
    C3: initial is None; MXNet has no kernel for another.
  }];
  let arguments = (ins SG_Tensor:$a,
    Enum<["sum", "prod", "max", "min", "mean", "any", "all"], "what is taken">:$kind,
    TupleOpt<"axes, None for all">:$axis, DTypeOpt<"element type of the result">:$dtype,
    BoolD<"false", "keep reduced axes">:$keepdims, DoubleOpt<"first value">:$initial);
  let extraClassDeclaration = !strconcat(SG_OwnType, SG_OwnCheck);
}

class SG_NumpyMomentOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let arguments = (ins SG_Tensor:$a,
    TupleOpt<"axes, None for all">:$axis, DTypeOpt<"element type of the result">:$dtype,
    IntD<"0", "taken from the number of elements">:$ddof,
    BoolD<"false", "keep reduced axes">:$keepdims);
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyVarOp : SG_NumpyMomentOp<"numpy_var", [Name<"_npi_var">]> {
  let summary = "variance along axes, down to rank 0";
  let description = [{
    The sum of squared differences from the mean, divided by the number of elements less `ddof`.
    Integers are computed in float64 (MXNet cuts their mean off first, which its
    documentation does not say).
    C1: each axis is within the rank and named once.
    C2: var has the extents that are left; `keepdims` leaves 1 for each reduced axis.
    C3: ddof other than 0 needs fixed extents.
  }];
  let results = (outs SG_Tensor:$var);
}

def SG_NumpyStdOp : SG_NumpyMomentOp<"numpy_std", [Name<"_npi_std">]> {
  let summary = "standard deviation along axes, down to rank 0";
  let description = [{
    The square root of what numpy_var gives.
    C1: each axis is within the rank and named once.
    C2: std has the extents that are left; `keepdims` leaves 1 for each reduced axis.
    C3: ddof other than 0 needs fixed extents.
  }];
  let results = (outs SG_Tensor:$std);
}

def SG_NumpyNormOp : SG_Op<"numpy_norm", [Name<"_npi_norm">]> {
  let summary = "the norm of vectors or matrices along axes, down to rank 0";
  let description = [{
    Along one axis: the sum of |a|^ord to the power of 1 / ord; with ord = 0 the number of elements
    that are not 0, with inf and -inf the largest and smallest |a|. Over two, those of rows and of
    columns, which are the last ones without `axis`: with flag = 1 the root of the sum of squares;
    with ord = 2 and -2 the largest and smallest singular value, their sum with flag = 2 (by
    LAPACK, as numpy_svd); with ord = 1 and -1 the largest and smallest sum of |a| over a column,
    with any other positive or negative ord over a row. flag = -2: the root of the sum of all squares.
    C1: each axis is within the rank and named once; there are one or two, of one flag is not 2.
    C2: output has the extents that are left; `keepdims` leaves 1 for each reduced axis.
    C3: with flag = -2 axis is None.
    C4: data holds floats, not float16 where singular values are taken.
    C5: matrices whose singular values are taken have fixed extents.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"2", "the order">:$ord,
    TupleOpt<"axes, None for the last two">:$axis, BoolD<"false", "keep reduced axes">:$keepdims,
    IntD<"-1", "which norm">:$flag);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output0"];
  let extraClassDeclaration = !strconcat(SG_OwnType, SG_OwnCheck, [{
    /// The reduced axes as written; none with flag = -2, which reduces all.
    ::llvm::SmallVector<int64_t> getAxes(int64_t rank);
    /// Whether singular values of matrices are taken.
    bool takesSingularValues(int64_t rank);
  }]);
}

def SG_NumpyArgReduceOp : SG_NumpyOp<"numpy_arg_reduce", [
    Name<"_npi_argmax", [], ["kind=argmax"]>, Name<"_npi_argmin", [], ["kind=argmin"]>]> {
  let summary = "the place of the first largest or smallest element as int64";
  let description = [{
    Along an axis, or in the flattened data. A NaN beats all that is none.
    C1: axis is within the rank.
    C2: output has the extents that are left; `keepdims` leaves 1 for each reduced axis.
  }];
  let arguments = (ins SG_Tensor:$data, Enum<["argmax", "argmin"], "which">:$kind,
    IntOpt<"the axis, None for all">:$axis, BoolD<"false", "keep reduced axes">:$keepdims);
  let extraClassDeclaration = SG_OwnType;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def SG_NumpyReshapeOp : SG_NumpyOp<"numpy_reshape", [
    Name<"_np_reshape">, Name<"_npx_reshape", ["_npi_reshape"], ["codes=true"]>]> {
  let summary = "the same elements under another shape, by NumPy's codes";
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
  let description = [{
    Those that `axis` names, or all.
    C1: each axis is within the rank, named once, and its extent is 1.
  }];
  let arguments = (ins SG_Tensor:$a, TupleOpt<"axes, None for all of extent 1">:$axis);
}

def SG_NumpyBroadcastToOp : SG_NumpyOp<"numpy_broadcast_to", [Name<"_npi_broadcast_to">]> {
  let summary = "missing and unit extents repeated to a given shape";
  let description = [{
    -2 in `shape` keeps data's extent.
    C1: shape is at least as long as data's rank; aligned at their ends, data's extents are
        1 or equal to shape's.
  }];
  let arguments = (ins SG_Tensor:$array, TupleD<"()", "{}", "the new shape">:$shape);
}

def SG_NumpyRollOp : SG_NumpyOp<"numpy_roll", [Name<"_np_roll">]> {
  let summary = "elements moved on along axes, the last to the front";
  let description = [{
    By shift[i] along axis[i]; a single shift serves all axes; without axis over the flattened data.
    C1: each axis is within the rank; there is one shift, or one for each axis.
    C2: extents along these axes are fixed.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"places to move on">:$shift, TupleOpt<"the axes">:$axis);
}

def SG_NumpyRot90Op : SG_NumpyOp<"numpy_rot90", [Name<"_npi_rot90">]> {
  let summary = "a plane of axes turned by k quarters";
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
  let description = [{
    C1: source and destination are as long; each axis is within the rank and named once.
  }];
  let arguments = (ins SG_Tensor:$a, Tuple<"axes that move">:$source, Tuple<"where they go">:$destination);
  let extraClassDeclaration = [{
    /// Data's axis for each axis of the result; the rank must be known.
    ::llvm::SmallVector<int64_t> getOrder(int64_t rank);
  }];
}

def SG_NumpyConcatenateOp : SG_Op<"numpy_concatenate", [
    Name<"_npi_concatenate">, Name<"_npi_hstack", [], ["kind=horizontal"]>,
    Name<"_npi_dstack", [], ["kind=depth"]>]> {
  let summary = "operands behind each other";
  let description = [{
    plain: along `axis`, flattened where it is None. horizontal: along axis 1, or 0 of vectors.
    depth: along axis 2, [M, N] being [M, N, 1] and [N] [1, N, 1].
    C1: axis is within the rank.
    C2: operands have one rank and equal extents along all other axes.
    C3: extents along the axis are fixed.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_args,
    EnumD<"plain", ["plain", "horizontal", "depth"], "how they lie">:$kind,
    IntOrNoneD<"0", "axis along which they lie">:$axis);
  let results = (outs SG_Tensor:$out);
  let variadicCount = "num_args";
}

def SG_NumpyStackOp : SG_NumpyOp<"numpy_stack", [
    Name<"_npi_vstack", [], ["kind=vertical"]>, Name<"_npi_column_stack", [], ["kind=columns"]>]> {
  let summary = "vectors and matrices as the rows, or the columns, of one matrix";
  let description = [{
    vertical: along axis 0 of matrices, a vector being a row. columns: along axis 1 of matrices,
    a vector being a column.
    C1: operands have one rank and equal extents along all other axes.
    C2: extents along the axis are fixed.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_args,
    Enum<["vertical", "columns"], "how they lie">:$kind);
  let variadicCount = "num_args";
}

def SG_NumpySplitOp : SG_NumpyOp<"numpy_split", [
    Name<"_npi_hsplit", [], ["depth=false"]>, Name<"_npi_dsplit", [], ["depth=true"]>]> {
  let summary = "parts along the second axis, or along the third";
  let description = [{
    As split_v2, along axis 1 (0 of a vector) or axis 2 (depth), whatever `axis` says: MXNet takes
    the shapes of the parts from there, and their elements from `axis`, which its functions set
    to the same.
    C1: data has the axis.
    C2: sections is not above data's extent along it; indices rise and stay within it.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"where parts begin">:$indices,
    IntD<"1", "ignored">:$axis, BoolD<"false", "ignored">:$squeeze_axis,
    IntD<"0", "number of parts, 0 for indices", "0">:$sections, Bool<"the third axis">:$depth);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    /// Where each part begins and, at last, where the last one ends.
    ::llvm::SmallVector<int64_t> getBounds(int64_t extent);
  }];
}

def SG_NumpyAtLeastOp : SG_NumpyOp<"numpy_atleast", [
    Name<"_np_atleast_1d", [], ["least=1"]>, Name<"_np_atleast_2d", [], ["least=2"]>,
    Name<"_np_atleast_3d", [], ["least=3"]>]> {
  let summary = "extents of 1 put in up to a rank";
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
  let description = [{
    C1: axis1 and axis2 are within the rank and differ.
    C2: the diagonal is not empty, and the planes have fixed extents.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "which diagonal">:$offset,
    IntD<"0", "rows of the planes">:$axis1, IntD<"1", "columns of the planes">:$axis2,
    BoolD<"false", "sum each diagonal">:$summed);
}

def SG_NumpyDiagflatOp : SG_NumpyOp<"numpy_diagflat", [Name<"_np_diagflat">]> {
  let summary = "the flattened data on a diagonal";
  let description = [{
    C1: data has fixed extents; output is a square of as many rows as elements, and |k| more.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "which diagonal">:$k);
}

def SG_NumpyTrilOp : SG_NumpyOp<"numpy_tril", [Name<"_npi_tril">]> {
  let summary = "the lower triangles of planes, zeros elsewhere";
  let description = [{
    k > 0 keeps diagonals above the main one. A vector is each row of a square.
    C1: data has at least one extent; the planes' extents are fixed.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "the last diagonal kept">:$k);
}

def SG_NumpyDiffOp : SG_NumpyOp<"numpy_diff", [Name<"_npi_diff">]> {
  let summary = "differences of neighbours along an axis, n times";
  let description = [{
    C1: axis is within the rank; the extent there is fixed and larger than n.
  }];
  let arguments = (ins SG_Tensor:$a, IntD<"1", "how often", "0">:$n, IntD<"-1", "the axis">:$axis);
}

def SG_NumpyEdiff1dOp : SG_NumpyOp<"numpy_ediff1d", [Name<"_npi_ediff1d">]> {
  let summary = "differences of neighbours in the flattened data, between two ends";
  let description = [{
    operands: data, then the tensors that are put in front and behind, where they are given.
    C1: there is a tensor for each end that is one.
    C2: extents are fixed, and output, one-dimensional, has at least one element.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$operands,
    BoolD<"false", "a tensor in front">:$to_begin_arr_given, BoolD<"false", "a tensor behind">:$to_end_arr_given,
    DoubleOpt<"a number in front">:$to_begin_scalar, DoubleOpt<"a number behind">:$to_end_scalar);
}

def SG_NumpyAverageOp : SG_Op<"numpy_average", [Name<"_npi_average">]> {
  let summary = "weighted means along axes, and the sums of the weights";
  let description = [{
    Without weights the second result is how many elements each mean is of, a number of rank 0.
    C1: each axis is within the rank and named once.
    C2: weights has a's shape, or is one-dimensional along the one axis that is given.
    C3: the means have the extents that are left, the sums those of the weights that are.
    C4: a is of floats, and all types are one.
  }];
  let arguments = (ins SG_Tensor:$a, Optional<SG_Tensor>:$weights, TupleOpt<"axes, None for all">:$axis,
    BoolD<"false", "give the sums of the weights, too">:$returned, BoolD<"true", "by weights">:$weighted);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output0", "output1"];
  let extraClassDeclaration = !strconcat(SG_OwnType, [{
    static int64_t countResults(const ::symc::sg::ParamView &params) { return 1 + params.getBool("returned"); }
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }]);
}

def SG_NumpyDiagIndicesOp : SG_NumpyOp<"numpy_diag_indices", [Name<"_npi_diag_indices_from">]> {
  let summary = "the places of data's main diagonal, one row for each axis";
  let description = [{
    C1: data has rank 2 or more and equal, fixed extents.
    C2: output is [rank, N] int64.
  }];
  let arguments = (ins SG_Tensor:$data);
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyPadOp : SG_NumpyOp<"numpy_pad", [Name<"_npi_pad">]> {
  let summary = "elements put in front of and behind each axis";
  let description = [{
    By axis, the first and so on: a constant, the edge, the mirror image without (reflect)
    or with (symmetric) the edge, or the extremes along the axis.
    C1: pad_width holds two numbers of at least 0 for each axis.
    C2: padded extents are fixed; a mirror image is not longer than data.
    C3: reflect_type is even.
  }];
  let arguments = (ins SG_Tensor:$data, Str<"((before, after), ...)">:$pad_width,
    EnumD<"constant", ["constant", "edge", "maximum", "minimum", "reflect", "symmetric"], "with what">:$mode,
    DoubleD<"0", "the constant">:$constant_value, StrD<"even", "kind of mirror image">:$reflect_type);
  let extraClassDeclaration = SG_OwnCheck # [{
    /// The numbers of pad_width in order.
    ::llvm::SmallVector<int64_t> getWidths();
  }];
}
