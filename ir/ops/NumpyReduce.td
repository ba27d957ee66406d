//===- NumpyReduce.td - NumPy's reductions -------------------------------===//
//
// Those that differ from the older ones in shapes (a full reduction has rank 0), in names of
// parameters or in element types. sg-decompose-numpy makes the older operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_NumpyOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let results = (outs SG_Tensor:$output);
}
defvar SG_OwnType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";

def SG_NumpyReduceOp : SG_NumpyOp<"numpy_reduce", [
    Name<"_np_sum", [], ["kind=sum"]>, Name<"_np_prod", ["_np_product"], ["kind=prod"]>,
    Name<"_np_max", ["_np_amax"], ["kind=max"]>, Name<"_np_min", ["_np_amin"], ["kind=min"]>,
    Name<"_npi_mean", [], ["kind=mean"]>, Name<"_np_any", ["_np_sometrue"], ["kind=any"]>,
    Name<"_np_all", [], ["kind=all"]>]> {
  let summary = "sum, product, mean, extremes, any or all along axes, down to rank 0";
  let gradient = "rewritten";
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
  let gradient = "zero";
  let description = [{
    The sum of squared differences from the mean, divided by the number of elements less `ddof`.
    Integers are computed in float64 (MXNet cuts their mean off first, which its
    documentation does not state).
    C1: each axis is within the rank and named once.
    C2: var has the extents that are left; `keepdims` leaves 1 for each reduced axis.
  }];
  let results = (outs SG_Tensor:$var);
}

def SG_NumpyStdOp : SG_NumpyMomentOp<"numpy_std", [Name<"_npi_std">]> {
  let summary = "standard deviation along axes, down to rank 0";
  let gradient = "zero";
  let description = [{
    The square root of what numpy_var gives.
    C1: each axis is within the rank and named once.
    C2: std has the extents that are left; `keepdims` leaves 1 for each reduced axis.
  }];
  let results = (outs SG_Tensor:$std);
}

def SG_NumpyNormOp : SG_Op<"numpy_norm", [Name<"_npi_norm">]> {
  let summary = "the norm of vectors or matrices along axes, down to rank 0";
  let gradient = "rewritten";
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
  let gradient = "rewritten";
  let description = [{
    Along an axis, or in the flattened data. A NaN beats all that is none.
    C1: axis is within the rank.
    C2: output has the extents that are left; `keepdims` leaves 1 for each reduced axis.
  }];
  let arguments = (ins SG_Tensor:$data, Enum<["argmax", "argmin"], "which">:$kind,
    IntOpt<"the axis, None for all">:$axis, BoolD<"false", "keep reduced axes">:$keepdims);
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyAverageOp : SG_Op<"numpy_average", [Name<"_npi_average">]> {
  let summary = "weighted means along axes, and the sums of the weights";
  let gradient = "rewritten";
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
