//===- Nn.td - layers: products, convolutions, pooling, normalisation -------===//
//
// Constraints carry numbers (C1, C2, ...): the promise here, the check in
// Nn.cpp and the test in test/ops/ share them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_FullyConnectedOp : SG_Op<"fully_connected", [Name<"FullyConnected", ["_npx_fully_connected", "_sparse_FullyConnected"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "output = data * transpose(weight) + bias";
  let gradient = "rule";
  let description = [{
    data: [N, ...] (flatten) or [..., I]; weight: [num_hidden, I]; bias: [num_hidden].
    With flatten the result is [N, num_hidden] and I the product of the other
    extents; without, [..., num_hidden].
    C1: weight is [num_hidden, I].
    C2: bias is [num_hidden].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    Int<"number of output units", "1">:$num_hidden,
    BoolD<"false", "leave the bias out">:$no_bias,
    BoolD<"true", "treat all extents but the first as one">:$flatten);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }];
}

def SG_ConvolutionOp : SG_Op<"convolution", [Name<"Convolution", ["_npx_convolution"]>, Name<"Convolution_v1">],
    [SG_LeadingRows<1>]> {
  let summary = "cross-correlation with weights, in one, two or three dimensions";
  let gradient = "rule";
  let description = [{
    data: [N, C, (D,) (H,) W]; weight: [num_filter, C/num_group, kernel...]; bias:
    [num_filter]; output: [N, num_filter, floor((X + 2*pad - (dilate*(kernel-1)+1)) / stride) + 1].
    Channel-last layouts have weight [num_filter, kernel..., C/num_group]. Passes set pad_end where other
    numbers of zeros lie behind extents than before them: pad + pad_end stands for 2*pad then.
    They set shuffle = (S) where code reads groups of channels anywhere in blocks, S parts of data's channels
    in turn: channel c of the layer is channel c % S * (C / S) + c / S of data.
    C1: kernel has one to three extents, each at least 1; stride, dilate, pad and pad_end
        are empty or as long; stride and dilate at least 1, pad and pad_end at least 0.
    C2: data has the kernel's rank plus two.
    C3: num_group divides the channels and num_filter.
    C4: the dilated kernel fits in the padded image.
    C5: weight and bias have the shapes above.
    C6: shuffle is empty or one number, at least 1; passes set one that divides the channels.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    BoolD<"false", "leave the bias out">:$no_bias,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"], "order of extents">:$layout,
    InternalTuple<"zeros behind extents, as many as pad where empty">:$pad_end,
    InternalTuple<"parts of the channels that are read in turn, one where empty">:$shuffle);
  let hints = ["workspace", "cudnn_tune", "cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_PoolingOp : SG_Op<"pooling", [Name<"Pooling", ["_npx_pooling"]>], [SG_LeadingRows<1>]> {
  let summary = "maximum, average, sum or p-norm over windows";
  let gradient = "rule";
  let description = [{
    data: [N, C, (D,) (H,) W]. Output extents: `valid` floor((X+2p-k)/s)+1, `full`
    ceil((X+2p-k)/s)+1, `same` ceil((X+2p)/s); with global_pool 1. Windows of max are
    clipped to the image; avg divides by the window clipped to the padded
    image, or by the real elements without count_include_pad; lp is the p_value-th root of
    the sum of the powers, with their signs. A window without an element has the sum 0 and the average
    0, over volumes NaN where it divides by 0. Passes set pad_end as for convolution.
    C1: kernel has one to three extents, at least 1, unless global_pool.
    C2: stride, pad and pad_end are empty or as long as kernel; stride at least 1; pad and pad_end
        of max and avg smaller than kernel.
    C3: data has the kernel's rank plus two.
    C4: the window fits in the padded image.
    C5: p_value of lp is 1, 2 or 3.
  }];
  let arguments = (ins SG_Tensor:$data,
    TupleD<"()", "{}", "extents of the window">:$kernel,
    EnumD<"max", ["max", "avg", "sum", "lp"], "what is taken of a window">:$pool_type,
    BoolD<"false", "one window over the whole image">:$global_pool,
    EnumD<"valid", ["valid", "full", "same"], "how output extents are rounded">:$pooling_convention,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "padding on both sides, default 0">:$pad,
    IntOpt<"p of lp pooling: 1, 2 or 3, default 1">:$p_value,
    BoolOpt<"whether avg counts padding, default true">:$count_include_pad,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"], "order of extents">:$layout,
    InternalTuple<"padding behind extents, as much as pad where empty">:$pad_end);
  let hints = ["cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_BatchNormOp : SG_Op<"batch_norm", [Name<"BatchNorm", ["CuDNNBatchNorm", "_npx_batch_norm"]>,
                                          Name<"BatchNorm_v1", [], ["plain_variance=true"]>,
                                          Name<"_contrib_SyncBatchNorm", [], ["plain_variance=true"]>]> {
  let summary = "normalisation of each channel by its statistics";
  let gradient = "rule";
  let description = [{
    data: any rank of at least 2; gamma, beta, moving_mean, moving_var: [C], C the
    extent of `axis`. Prediction uses the moving statistics:
    (data - mean) / sqrt(var + eps) * gamma + beta, gamma = 1 with fix_gamma. Training takes the
    statistics of the data; with `ndev` above 1, of that of all processes that train together.
    C1: axis is within the rank.
    C2: gamma, beta, moving_mean and moving_var are [C].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gamma, SG_Tensor:$beta,
    SG_Tensor:$moving_mean, SG_Tensor:$moving_var,
    DoubleD<"0.001", "added to the variance">:$eps,
    FloatD<"0.9", "decay of the moving statistics">:$momentum,
    BoolD<"true", "gamma is taken as 1">:$fix_gamma,
    BoolD<"false", "use moving statistics in training too">:$use_global_stats,
    BoolD<"false", "mean and variance are results too">:$output_mean_var,
    IntD<"1", "channel axis">:$axis,
    BoolD<"false", "var is the variance, else 1 over the root of it and eps">:$plain_variance,
    IntD<"1", "above 1: statistics are taken over processes, too">:$ndev);
  let auxiliary = ["moving_mean", "moving_var"];
  let initializers = [Initializer<"moving_mean", "[\"zero\", {}]">,
                      Initializer<"moving_var", "[\"one\", {}]">];
  let hints = ["cudnn_off", "min_calib_range", "max_calib_range", "key"];
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mean", "var"];
  let showHidden = ["output_mean_var=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SoftmaxOp : SG_Op<"softmax", [Name<"softmax", ["_npx_softmax"], ["kind=softmax"]>,
                                     Name<"log_softmax", ["_npx_log_softmax"], ["kind=log_softmax"]>,
                                     Name<"softmin", [], ["kind=softmin"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "exp(x/T) over its sum along an axis, its logarithm, or that of -x";
  let gradient = "rule";
  let description = [{
    data: any rank of at least 1; length: the shape of data without `axis`; positions
    at and beyond it get 0.
    C1: axis is within the rank.
    C2: length has the shape of data without axis.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$length,
    EnumD<"softmax", ["softmax", "log_softmax", "softmin"], "which of the three">:$kind,
    IntD<"-1", "axis of the sum">:$axis,
    DoubleOpt<"divides data first">:$temperature,
    EnumOpt<["float16", "float32", "float64"], "element type of the result">:$dtype,
    BoolD<"false", "mask positions beyond length">:$use_length);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SoftmaxOutputOp : SG_Op<"softmax_output", [Name<"SoftmaxOutput", ["Softmax"]>],
    [DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "softmax in prediction; its loss's gradient in training";
  let gradient = "rule";
  let description = [{
    data: [N, C, ...]; label: data's shape without the last extent, with multi_output without the
    second, which may be 1, or all others one row; or data's shape.
    Softmax over all but the first extent; over axis 1 with multi_output; over the
    last axis with preserve_shape.
    C1: label has one of the shapes above, or is left out (sg.no_label).
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$label,
    FloatD<"1", "factor of the gradient">:$grad_scale,
    FloatD<"-1", "label that is left out with use_ignore">:$ignore_label,
    BoolD<"false", "softmax over axis 1 at each position">:$multi_output,
    BoolD<"false", "leave ignore_label out">:$use_ignore,
    BoolD<"false", "softmax over the last axis">:$preserve_shape,
    EnumD<"null", ["null", "batch", "valid"], "how the gradient is divided">:$normalization,
    BoolD<"false", "multiply by the head gradient">:$out_grad,
    FloatD<"0", "label smoothing", "0", "1">:$smooth_alpha);
  let trainingOnly = ["label"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{ bool isLoss(); }];
}

def SG_DropoutOp : SG_Op<"dropout", [Name<"Dropout", ["_npx_dropout"]>],
    [DeclareOpInterfaceMethods<SG_DrawsNumbersInterface, ["drawsNumbers"]>,
     MemoryEffectsOpInterface, SG_DrawEffects], []> {
  let summary = "identity in prediction; random zeros in training";
  let gradient = "rule";
  let arguments = (ins SG_Tensor:$data,
    FloatD<"0.5", "share of elements that become zero", "0", "1">:$p,
    EnumD<"training", ["training", "always"], "when it acts">:$mode,
    TupleD<"()", "{}", "axes that share a mask">:$axes);
  let hints = ["cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 1;
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_DeconvolutionOp : SG_Op<"deconvolution", [Name<"Deconvolution", ["_npx_deconvolution"]>],
    [SG_LeadingRows<1>]> {
  let summary = "the transpose of a convolution, in one, two or three dimensions";
  let gradient = "rule";
  let description = [{
    data: [N, C, (D,) (H,) W]; weight: [C, num_filter/num_group, kernel...]; bias:
    [num_filter]; output: [N, num_filter, stride*(X-1) + dilate*(kernel-1)+1 - 2*pad + adj].
    With a target_shape that is not all zero, pad and adj are chosen so that output
    has it: total = stride*(X-1) + dilate*(kernel-1)+1, pad = (total - target + 1)/2,
    adj = (total - target) mod 2. Channel-last layouts have weight [C, kernel..., num_filter/num_group].
    C1: kernel has one to three extents, each at least 1; stride, dilate, pad, adj and
        target_shape are empty or as long; adj is smaller than stride.
    C2: data has the kernel's rank plus two.
    C3: num_group divides the channels and num_filter.
    C4: output has at least one element along each axis, and no more than total.
    C5: weight and bias have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window in output, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "what is cut off output on both sides, default 0">:$pad,
    TupleD<"()", "{}", "what is added to output at the end, default 0">:$adj,
    TupleD<"()", "{}", "output's extents instead of pad and adj">:$target_shape,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    BoolD<"true", "leave the bias out">:$no_bias,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NHWC", "NDHWC"], "order of extents">:$layout);
  let hints = ["workspace", "cudnn_tune", "cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_PoolingV1Op : SG_Op<"pooling_v1", [Name<"Pooling_v1">], [SG_LeadingRows<1>]> {
  let summary = "pooling as MXNet's first releases had it";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W] or [N, C, D, H, W]. Extents as in pooling. Padding counts as
    zeros, for max too; avg divides by the whole window wherever it lies.
    C1: kernel has two or three extents, at least 1, unless global_pool.
    C2: stride and pad are empty or as long as kernel; stride at least 1.
    C3: data has the kernel's rank plus two.
    C4: the window fits in the padded image.
  }];
  let arguments = (ins SG_Tensor:$data,
    TupleD<"()", "{}", "extents of the window">:$kernel,
    EnumD<"max", ["max", "avg", "sum"], "what is taken of a window">:$pool_type,
    BoolD<"false", "one window over the whole image">:$global_pool,
    EnumD<"valid", ["valid", "full"], "how output extents are rounded">:$pooling_convention,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "padding on both sides, default 0">:$pad);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_SoftmaxActivationOp : SG_Op<"softmax_activation", [Name<"SoftmaxActivation">],
    [DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "softmax over the last axis, or over the channels";
  let gradient = "rule";
  let description = [{
    `instance`: over the last axis, whatever the rank; `channel`: over axis 1 at each position.
    C1: data has rank 1 at least, 3 with channel.
  }];
  let arguments = (ins SG_Tensor:$data,
    EnumD<"instance", ["instance", "channel"], "what the sum runs over">:$mode);
  let results = (outs SG_Tensor:$output);
}

def SG_EmbeddingOp : SG_Op<"embedding", [Name<"Embedding", ["_npx_embedding", "_sparse_Embedding"]>, Name<"_contrib_SparseEmbedding">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "rows of a table by their numbers";
  let gradient = "rule";
  let description = [{
    data: [...], any element type; weight: [input_dim, output_dim]; output: [..., output_dim].
    Numbers are cut off to integers; those out of range are taken as the nearest row.
    C1: weight is [input_dim, output_dim].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight,
    Int<"number of rows", "1">:$input_dim, Int<"length of a row", "1">:$output_dim,
    DTypeD<"float32", "element type of weight where nothing else decides">:$dtype);
  let hints = ["sparse_grad", "deterministic"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes) {
      return shapes.resultCount(0); // of the table few rows are read
    }
  }];
}
