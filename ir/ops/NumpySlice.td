//===- NumpySlice.td - NumPy's joints, parts and borders -----------------===//
//
// Tensors put together, taken apart and extended, and the differences of neighbours.
// sg-decompose-numpy makes the older operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_NumpyOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let results = (outs SG_Tensor:$output);
}
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";

def SG_NumpyConcatenateOp : SG_Op<"numpy_concatenate", [
    Name<"_npi_concatenate">, Name<"_npi_hstack", [], ["kind=horizontal"]>,
    Name<"_npi_dstack", [], ["kind=depth"]>]> {
  let summary = "operands behind each other";
  let gradient = "rewritten";
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
  let gradient = "rewritten";
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
  let gradient = "rewritten";
  let description = [{
    As split_v2, along axis 1 (0 of a vector) or axis 2 (depth), whatever `axis` is: MXNet takes
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

def SG_NumpyPadOp : SG_NumpyOp<"numpy_pad", [Name<"_npi_pad">]> {
  let summary = "elements put in front of and behind each axis";
  let gradient = "rewritten";
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

def SG_NumpyDiffOp : SG_NumpyOp<"numpy_diff", [Name<"_npi_diff">]> {
  let summary = "differences of neighbours along an axis, n times";
  let gradient = "rewritten";
  let description = [{
    C1: axis is within the rank; the extent there is larger than n, which is at most 4096.
  }];
  let arguments = (ins SG_Tensor:$a, IntD<"1", "how often", "0">:$n, IntD<"-1", "the axis">:$axis);
}

def SG_NumpyEdiff1dOp : SG_NumpyOp<"numpy_ediff1d", [Name<"_npi_ediff1d">]> {
  let summary = "differences of neighbours in the flattened data, between two ends";
  let gradient = "rewritten";
  let description = [{
    operands: data, then the tensors that are put in front and behind, where they are given.
    C1: there is a tensor for each end that is one.
    C2: extents are fixed, and output, one-dimensional, has at least one element.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$operands,
    BoolD<"false", "a tensor in front">:$to_begin_arr_given, BoolD<"false", "a tensor behind">:$to_end_arr_given,
    DoubleOpt<"a number in front">:$to_begin_scalar, DoubleOpt<"a number behind">:$to_end_scalar);
}
