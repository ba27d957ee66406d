//===- Place.td - places in tensors as values --------------------------------===//
include "ir/GraphBase.td"

class SG_PlaceOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_UnravelIndexOp : SG_Op<"unravel_index", [Name<"_unravel_index", ["unravel_index"]>]> {
  let summary = "places in a flattened shape as places in the shape";
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
  let description = [{
    output: data's shape and one more extent: the places along all axes, or along `axes`.
    C1: axes are within the rank.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"the axes that are told">:$axes);
  let results = (outs SG_Tensor:$output);
}

def SG_IndexCopyOp : SG_PlaceOp<"index_copy", [Name<"_contrib_index_copy">]> {
  let summary = "a tensor with slices along axis 0 replaced";
  let description = [{
    old_tensor and output: [N, ...]; index_vector: [M]; new_tensor: [M, ...]. Of two slices
    for one place the later stays; an index outside 0..N-1 makes the run fail.
    C1: index_vector has rank 1, old_tensor and new_tensor agree but along axis 0.
    C2: output has the shape of old_tensor.
  }];
  let arguments = (ins SG_Tensor:$old_tensor, SG_Tensor:$index_vector, SG_Tensor:$new_tensor);
  let results = (outs SG_Tensor:$output);
}

def SG_HistogramOp : SG_PlaceOp<"histogram", [Name<"_histogram", ["_npi_histogram"]>]> {
  let summary = "how many elements lie in each of several ranges, and the ranges' bounds";
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
  let description = [{
    lda and state: [N, K]; alpha and beta: [K]; lags and marks (int32): [N, T]; valid_length
    and max_time: [N]; output (log likelihood): [N]; out_state: [N, K]. A mark
    outside 0..K-1 makes the run fail.
    C1: the tensors have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$lda, SG_Tensor:$alpha, SG_Tensor:$beta, SG_Tensor:$state,
    SG_Tensor:$lags, SG_Tensor:$marks, SG_Tensor:$valid_length, SG_Tensor:$max_time);
  let results = (outs SG_Tensor:$output, SG_Tensor:$out_state);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    int64_t getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}
