//===- Backward.td - operators that only gradients are made of ---------------===//
//
// No file names them: sg-gradient makes them, by the rules in ir/ops/XGradient.cpp, and the importer
// makes sg.backward of the backward nodes of MXNet 0.5 to 0.8.
//
//===----------------------------------------------------------------------===//
include "ir/ElementwiseBase.td"

def SG_SlopeOp : SG_ElementwiseOp<"slope", []> {
  let summary = "a derivative of a scalar function, times the gradient that arrives";
  let description = [{
    The function `fn` of ir/ScalarFunctions.td, by its argument number `by`. Operands are the
    arguments whose numbers are `places`, then the gradient, which has output's shape; they
    repeat to it as in binary. The other arguments are in `numbers`, at their numbers.
    C1: output has the gradient's shape.
    C2: operands have fewer extents or 1 where theirs differ from the gradient's.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$args, Enum<SG_SlopeFns, "the function">:$fn,
    Uint<"argument of the derivative">:$by, Tuple<"arguments that are operands">:$places,
    FloatTuple<"the other arguments">:$numbers, Int<"number of operands", "1">:$num_args);
  let variadicCount = "num_args";
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
}

def SG_ConvolutionWeightsOp : SG_Op<"convolution_weights", []> {
  let summary = "the gradient of a convolution's weight";
  let description = [{
    data: [N, C, (D,) (H,) W], the convolution's; gradient: [N, F, ...], of its result. Element
    [f, c, k] of output is the sum over items and places p of data at p * stride + k * dilate - pad,
    where that lies in the image, times the gradient at p. Parameters are the convolution's.
    C1: output is [F, C/num_group, kernel...].
    C2: data and gradient have the kernel's rank plus two and as many items.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gradient,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    UintD<"1", "number of groups", "1">:$num_group);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_PoolingGradientOp : SG_Op<"pooling_gradient", []> {
  let summary = "the gradient of a pooling's data";
  let description = [{
    data: the pooling's; result: what it gave; gradient: of that. The first maximum of a window
    gets its gradient, all that equal it with `ties`; of the others each element its share.
    Parameters are the pooling's.
    C1: output has data's shape.
    C2: gradient has the shape of result.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$result, SG_Tensor:$gradient,
    TupleD<"()", "{}", "extents of the window">:$kernel,
    EnumD<"max", ["max", "avg", "sum"], "what is taken of a window">:$pool_type,
    BoolD<"false", "one window over the whole image">:$global_pool,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "padding on both sides, default 0">:$pad,
    BoolOpt<"whether avg counts padding, default true">:$count_include_pad,
    BoolD<"false", "all maxima of a window count">:$ties);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ScatterAddOp : SG_Op<"scatter_add", []> {
  let summary = "zeros, to which slices are added at indices along an axis";
  let description = [{
    The gradient of take: data [A..., Y..., B...], indices [Y...]; output [A..., N, B...], where slice
    i of the axis is the sum of data's slices whose index is i, in their order; N is `extent`.
    Indices outside the range are taken as take's `mode` takes them.
    C1: output has the shape above.
    C2: data has the extents of indices from axis on.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$indices, Int<"the axis", "0">:$axis,
    Uint<"extent of the axis">:$extent,
    EnumD<"clip", ["raise", "wrap", "clip"], "indices outside the range">:$mode);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NormSumsOp : SG_Op<"norm_sums", [], [DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "the two sums that the gradients of a normalisation are made of";
  let description = [{
    slope: a gradient; data: what was normalised, y = (data - mean) * inverse. along is the sum of
    slope * y over `axes`, total that of slope, with extents of 1 there.
    C1: slope and data have one shape.
    C2: mean and inverse have its rank, with the same extents or 1.
    C3: axes are within the rank and named once.
    C4: results have the shape above.
  }];
  let arguments = (ins SG_Tensor:$slope, SG_Tensor:$data, SG_Tensor:$mean, SG_Tensor:$inverse,
    Tuple<"axes">:$axes);
  let results = (outs SG_Tensor:$along, SG_Tensor:$total);
  let gradient = "none";
}

def SG_NormGradientOp : SG_Op<"norm_gradient", [], [DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "the gradient of data that is normalised along axes";
  let description = [{
    slope: a gradient of y = (data - mean) * inverse, mean and inverse of data along `axes`, n elements each. output is
    (slope - total / n - y * along / n) * inverse, with the sums of norm_sums along these axes.
    C1: slope and data have one shape.
    C2: mean and inverse have its rank, with the same extents or 1.
    C3: axes are within the rank and named once.
    C4: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$slope, SG_Tensor:$data, SG_Tensor:$mean, SG_Tensor:$inverse,
    Tuple<"axes">:$axes);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
}

def SG_OverRanksOp : SG_Op<"over_ranks", []> {
  let summary = "statistics of a normalisation, or their gradients, of all processes";
  let description = [{
    first, second: any shape, the same. Of kind moments they are the means and variances of equally
    many elements in each process, and results those of all these elements together; of kind mean
    results are the means over processes. A process by itself has its own. Processes come to these nodes
    in one order; `node`, a number made of the node's name, is compared.
    C1: all have one shape.
  }];
  let arguments = (ins SG_Tensor:$first, SG_Tensor:$second,
    EnumD<"moments", ["moments", "mean"], "what they are">:$kind, IntD<"0", "its number">:$node);
  let results = (outs SG_Tensor:$first_of_all, SG_Tensor:$second_of_all);
  let gradient = "none";
}

def SG_ByModeOp : SG_Op<"by_mode", []> {
  let summary = "one value in training, another one in prediction";
  let description = [{
    training, prediction: any shape, the same. output is training; where the steps of a trainer
    predict it is prediction.
    C1: all have one shape.
  }];
  let arguments = (ins SG_Tensor:$training, SG_Tensor:$prediction);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
}

def SG_BackwardOp : SG_Op<"backward", []> {
  let summary = "the gradients of a node's operands, as files of MXNet 0.5 to 0.8 hold them";
  let description = [{
    values: the node's operands but its auxiliary states, `operand_count` of them; its results,
    `result_count`; the gradients that arrive, at the results whose numbers are `arriving`.
    sg-expand-backward puts the node's rule in its place.
    C1: gradients has one value for each operand, which has its shape.
    C2: a gradient that arrives has the shape of its result.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$values, Uint<"operands of the node">:$operand_count,
    Uint<"results of the node">:$result_count,
    Tuple<"results at which gradients arrive">:$arriving);
  let results = (outs Variadic<SG_Tensor>:$gradients);
  let gradient = "none";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::mlir::ValueRange getForwardOperands() { return getValues().take_front(getOperandCount()); }
    ::mlir::ValueRange getForwardResults() {
      return getValues().slice(getOperandCount(), getResultCount());
    }
    ::mlir::ValueRange getArrived() {
      return getValues().drop_front(getOperandCount() + getResultCount());
    }
  }];
}
