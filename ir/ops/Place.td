//===- Place.td - places in tensors as values --------------------------------===//
include "ir/GraphBase.td"

class SG_PlaceOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_UnravelIndexOp : SG_Op<"unravel_index", [Name<"_unravel_index", ["unravel_index"]>]> {
  let summary = "places in a flattened shape as places in the shape";
  let gradient = "zero";
  let description = [{
    data: [N]; output: [rank of shape, N]. The first extent of shape may be -1. For data of
    a higher rank MXNet computes nothing: output is [rank of shape, data's first extent] and
    holds data's first elements.
    C1: shape has at least one extent; all but the first are at least 1.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "the shape">:$shape);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_IndexArrayOp : SG_PlaceOp<"index_array", [Name<"_contrib_index_array">]> {
  let summary = "every place of data, as int64";
  let gradient = "zero";
  let description = [{
    output: data's shape and one more extent: the places along all axes, or along `axes`.
    C1: axes are within the rank.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"the axes that are returned">:$axes);
  let results = (outs SG_Tensor:$output);
}

// What is done with an element that is there already; no parameter of MXNet's.
def Combine : EnumD<"none", ["none", "add", "mul", "max", "min"],
                    "how a slice meets the one that is there; none: it takes its place"> {
  let paramInternal = 1;
}

def SG_IndexCopyOp : SG_PlaceOp<"index_copy", [Name<"_contrib_index_copy">]> {
  let summary = "a tensor with slices along axis 0 replaced";
  let gradient = "rule";
  let description = [{
    old_tensor and output: [N, ...]; index_vector: [M]; new_tensor: [M, ...]. Of two slices
    for one place the later stays, or with `combine` they are added, multiplied or compared
    element by element, in their order; an index outside 0..N-1 makes the run fail.
    C1: index_vector has rank 1, old_tensor and new_tensor agree but along axis 0.
    C2: output has the shape of old_tensor.
  }];
  let arguments = (ins SG_Tensor:$old_tensor, SG_Tensor:$index_vector, SG_Tensor:$new_tensor,
    Combine:$combine);
  let results = (outs SG_Tensor:$output);
}

def SG_HistogramOp : SG_PlaceOp<"histogram", [Name<"_histogram", ["_npi_histogram"]>]> {
  let summary = "how many elements lie in each of several ranges, and the ranges' bounds";
  let gradient = "zero";
  let description = [{
    Either bins, [B + 1] rising bounds, is given, or bin_cnt = B and range, which is divided
    evenly. output0: [B] int64; output1: [B + 1], of data's type. A range holds its lower
    bound, the last one its upper bound, too.
    C1: bin_cnt and range are given together; bin_cnt is at least 1, range two rising numbers.
    C2: bins has rank 1 and at least 2 bounds.
    C3: the results have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$bins,
    IntOpt<"number of ranges">:$bin_cnt,
    SG_Maybe<FloatTuple<"least and greatest bound">>:$range);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_HawkesllOp : SG_PlaceOp<"hawkesll", [Name<"_contrib_hawkesll">]> {
  let summary = "the log likelihood of marked Hawkes processes";
  let gradient = "rule";
  let description = [{
    lda and state: [N, K]; alpha and beta: [K]; lags and marks (int32): [N, T]; valid_length
    and max_time: [N]; output (log likelihood): [N]; out_state: [N, K]. A mark
    outside 0..K-1 makes the run fail.
    Gradients reach lda, alpha and beta, from output alone.
    C1: the tensors have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$lda, SG_Tensor:$alpha, SG_Tensor:$beta, SG_Tensor:$state,
    SG_Tensor:$lags, SG_Tensor:$marks, SG_Tensor:$valid_length, SG_Tensor:$max_time);
  let results = (outs SG_Tensor:$output, SG_Tensor:$out_state);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_HawkesllGradientOp : SG_Op<"hawkesll_gradient", []> {
  let summary = "the gradients of hawkesll's lda, alpha and beta";
  let description = [{
    Operands: those of hawkesll, then the gradient of its output, [N]; out_state passes none on, as
    in MXNet. Those of alpha and beta are summed over the rows.
    C1: the tensors have the shapes of hawkesll's.
  }];
  let arguments = (ins SG_Tensor:$lda, SG_Tensor:$alpha, SG_Tensor:$beta, SG_Tensor:$state,
    SG_Tensor:$lags, SG_Tensor:$marks, SG_Tensor:$valid_length, SG_Tensor:$max_time,
    SG_Tensor:$gradient);
  let results = (outs SG_Tensor:$lda_gradient, SG_Tensor:$alpha_gradient, SG_Tensor:$beta_gradient);
  let gradient = "none";
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

//===----------------------------------------------------------------------===//
// Whole tensors measured and compared
//===----------------------------------------------------------------------===//


class SG_MeasureOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  string ownType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
  string ownCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";
  string ownScratch = "::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);\n";
}

def SG_AllcloseOp : SG_MeasureOp<"allclose", [Name<"_contrib_allclose">]> {
  let summary = "1 where all elements of two tensors are near each other, else 0, as uint8";
  let gradient = "zero";
  let description = [{
    |a - b| <= atol + rtol * |b|, or both are equal.
    C1: a and b have one shape and one type.
    C2: output has rank 0.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$b, FloatD<"1e-05", "relative tolerance">:$rtol,
    FloatD<"1e-08", "absolute tolerance">:$atol, BoolD<"true", "NaN equals NaN">:$equal_nan);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = ownType;
}

def SG_CalibrateEntropyOp : SG_MeasureOp<"calibrate_entropy", [Name<"_contrib_calibrate_entropy">]> {
  let summary = "where to cut values off before they become bytes, and what that loses";
  let gradient = "none";
  let description = [{
    hist: [B], how many values lie in each of B even ranges around 0; hist_edges: [B + 1], the
    ranges' bounds. For each cut that keeps i ranges on both sides of the middle one, from
    num_quantized_bins / 2 on, the values kept (all others counted to the outermost two) are
    compared with what is left of them in num_quantized_bins ranges: threshold is the upper
    bound of the cut with the least divergence, the second result that divergence.
    C1: num_quantized_bins is at least 1.
    C2: hist has rank 1, an odd number of ranges, and as many as num_quantized_bins at least.
    C3: hist_edges is [B + 1]; both are float32; the results are [1].
  }];
  let arguments = (ins SG_Tensor:$hist, SG_Tensor:$hist_edges,
    IntD<"255", "ranges that bytes have">:$num_quantized_bins);
  let results = (outs SG_Tensor:$threshold, SG_Tensor:$divergence);
  let extraClassDeclaration = !strconcat(ownType, ownCheck, ownScratch);
}
