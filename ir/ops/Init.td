//===- Init.td - tensors made from parameters alone -------------------------===//
include "ir/GraphBase.td"

def SG_FullOp : SG_Op<"full", [Name<"_zeros", [], ["value=0"]>, Name<"_ones", [], ["value=1"]>,
                               Name<"_npi_zeros", [], ["value=0"]>, Name<"_npi_ones", [], ["value=1"]>,
                               Name<"_full", ["_npi_full"]>], [SG_SameInRows]> {
  let summary = "one value everywhere";
  let gradient = "zero";
  let description = [{
    A zero in `shape` is an extent that a consumer decides; an empty `shape` leaves
    the rank to it too, or is rank 0 in a graph that was saved under NumPy's shapes. A -1, which
    importers write, is an extent of output's type, which a run chooses.
    C1: output has the shape that is given.
  }];
  let arguments = (ins TupleD<"()", "{}", "shape of the result">:$shape,
    DTypeD<"float32", "element type of the result">:$dtype, Double<"the value">:$value);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_ArangeOp : SG_Op<"arange", [Name<"_arange", ["_npi_arange"]>]> {
  let summary = "start, start + step, ... below stop, each `repeat` times";
  let gradient = "zero";
  let description = [{
    ceil((stop - start) / step) * repeat elements. Without stop the range is 0 to
    start; with infer_range too it begins at start and a consumer decides how far it goes. Half
    floats are computed with start and step cut off to integers.
    C1: step is not 0, repeat at least 1, stop lies in the direction of step, and there are at most
    2^31 - 1 elements.
    C2: output is one-dimensional and as long as the range.
  }];
  let arguments = (ins Double<"first value">:$start, DoubleOpt<"end, not reached">:$stop,
    DoubleD<"1", "difference of neighbours">:$step, IntD<"1", "times each value">:$repeat,
    BoolD<"false", "a consumer decides the length">:$infer_range,
    DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_ArangeLikeOp : SG_Op<"arange_like", [Name<"_contrib_arange_like", ["_npx_arange_like"]>]> {
  let summary = "start, start + step, ... as many as data has elements, or extents along an axis";
  let gradient = "zero";
  let description = [{
    Each value stands `repeat` times in a row; the values are as many as there is room for. Half
    floats are computed with start and step cut off to integers.
    C1: axis is within the rank.
    C2: output has data's shape, or is [D], D data's extent along axis.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"0", "first value">:$start,
    DoubleD<"1", "difference of neighbours">:$step, IntD<"1", "times each value", "1">:$repeat,
    IntOpt<"axis that gives the length">:$axis);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
}

def SG_EyeOp : SG_Op<"eye", [Name<"_eye">]> {
  let summary = "ones on a diagonal, zeros elsewhere";
  let gradient = "zero";
  let description = [{
    N rows, M columns (N where M is 0); k > 0 is a diagonal above the main one.
    C1: output is [N, M].
  }];
  let arguments = (ins Int<"rows", "1">:$N, IntD<"0", "columns, 0 for as many as rows", "0">:$M,
    IntD<"0", "which diagonal">:$k, DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_LinspaceOp : SG_Op<"linspace", [Name<"_linspace", ["_npi_linspace"]>]> {
  let summary = "numbers at equal distances";
  let gradient = "zero";
  let description = [{
    start + i * (stop - start) / (num - 1), or / num where endpoint is false.
    C1: output is [num].
  }];
  let arguments = (ins Double<"first value">:$start, Double<"last value">:$stop,
    Int<"how many", "1">:$num, BoolD<"true", "stop is one of them">:$endpoint,
    DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
