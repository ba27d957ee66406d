//===- Statistics.td - what many numbers are like -----------------------------===//
include "ir/GraphBase.td"

def SG_PercentileOp : SG_Op<"percentile", [Name<"_npi_percentile">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "values below which given parts of the elements lie, along axes";
  let gradient = "zero";
  let description = [{
    Of the n elements along the axes of `axis` (all without, none for ()), in rising order with
    NaN last, that at place q / 100 * (n - 1), or by `interpolation` what lies there between
    two: both weighted, the lower, the higher, the mean, the nearer one (of two as near, the
    higher). q is a number, or a tensor of rank 0 or 1, which leads output's extents. The
    place is a float32, and beside a q of float16 rounded to its type after each step. A q
    outside 0..100 in a tensor makes the run fail.
    C1: each axis is within the rank and named once.
    C2: q_scalar is 0 to 100; the tensor q has rank 0 or 1.
    C3: output has q's extent and those that are left; `keepdims` leaves 1 for each reduced axis.
    C4: output is float64 as a is, else float32.
  }];
  let arguments = (ins SG_Tensor:$a, Optional<SG_Tensor>:$q, TupleOpt<"axes, None for all">:$axis,
    EnumD<"linear", ["linear", "lower", "higher", "midpoint", "nearest"], "between two elements">:$interpolation,
    BoolD<"false", "keep reduced axes">:$keepdims, DoubleOpt<"a number in place of q">:$q_scalar);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_BincountOp : SG_Op<"bincount", [Name<"_npi_bincount", [], ["size=-1"]>],
    [SG_DecidesSizeInterface]> {
  let summary = "how often each number occurs, or the sums of weights that go with it";
  let gradient = "zero";
  let description = [{
    output[i] counts the elements that are i, in data's type, or adds their weights, in
    theirs, one after the other. Values decide its extent (ir/ValueSizes.h): the largest element
    and 1, at least `minlength`. A negative element makes the run fail.
    C1: data has rank 0 or 1, weights its shape.
    C2: data is uint8 or int8; the values of wider types leave the extent without a bound.
    C3: the node is not in the body of a loop or choice.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$weights,
    IntD<"0", "least extent">:$minlength, BoolD<"false", "add weights">:$has_weights,
    IntD<"-1", "which symbolic size, -1 for a new one">:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }];
}
