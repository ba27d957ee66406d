//===- Fused.td - quantised layers with what follows them, as one node --------===//
//
// MXNet's oneDNN backend keeps a layer and its followers as one node that owns a
// subgraph. The importer inlines the subgraphs of nodes over floats; of quantised
// ones it makes the parameters below (frontend/import/FusedNodes.h). Integers stand
// for real numbers as in Quantized.td.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

defvar SG_FollowerFns = ["none", "relu", "sigmoid", "softrelu", "tanh", "softsign", "leaky",
                         "elu", "gelu", "clip", "square", "sqrt", "exp", "abs"];

def SG_FusedConvOp : SG_Op<"fused_conv", [Name<"_sg_mkldnn_conv">], [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "convolution of integers, normalised, summed with another tensor and cut off";
  let gradient = "zero";
  let description = [{
    data: [N, C, (D,) H, W]; weight: [num_filter, C/num_group, kernel...] and bias:
    [num_filter], both float32 and quantised here, after gamma, beta, mean and var are
    folded in; sum: the shape of output. Without both calibration limits the result
    is int32, else uint8 where the last function gives no negative numbers, else int8.
    A uint8 result of a sum with int8 ends at 127, as MXNet's does.
    C1: kernel, stride, dilate, pad, num_group and num_filter as in convolution; the
        layout has channels first.
    C2: quantized is set.
    C3: shapes are those of convolution; gamma, beta, mean and var are [num_filter],
        sum is output's shape, limits are [1]; data is int8 or uint8, sum int8, uint8 or
        int32, all others are float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    Optional<SG_Tensor>:$gamma, Optional<SG_Tensor>:$beta, Optional<SG_Tensor>:$mean,
    Optional<SG_Tensor>:$var, Optional<SG_Tensor>:$sum,
    SG_Tensor:$data_min, SG_Tensor:$data_max,
    Optional<SG_Tensor>:$sum_min, Optional<SG_Tensor>:$sum_max,
    BoolD<"false", "batch normalisation follows">:$with_bn,
    BoolD<"false", "a function follows">:$with_act,
    BoolD<"false", "another tensor is added">:$with_sum,
    BoolD<"false", "a function follows the sum">:$with_postsum_act,
    BoolD<"false", "data is quantised">:$quantized,
    FloatOpt<"least number of the result">:$min_calib_range,
    FloatOpt<"greatest number of the result">:$max_calib_range,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    BoolD<"false", "leave the bias out">:$no_bias,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"], "order of extents">:$layout,
    DoubleD<"0.001", "added to var">:$bn_eps, BoolD<"true", "gamma is taken as 1">:$bn_fix_gamma,
    EnumD<"none", SG_FollowerFns, "the function before the sum">:$act,
    FloatD<"0", "slope of leaky and elu, upper limit of clip">:$act_alpha,
    EnumD<"none", SG_FollowerFns, "the function after the sum">:$postsum_act,
    FloatD<"0", "slope of leaky and elu, upper limit of clip">:$postsum_alpha);
  let auxiliary = ["mean", "var"];
  let hints = ["workspace", "cudnn_tune", "cudnn_off"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$output_min, SG_Tensor:$output_max);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_FusedFullyConnectedOp : SG_Op<"fused_fully_connected",
    [Name<"_sg_mkldnn_fully_connected">], [AttrSizedOperandSegments, SG_LeadingRows<1>]> {
  let summary = "fully connected layer over integers and the function behind it";
  let gradient = "zero";
  let description = [{
    data: [N, ...] (flatten) or [..., I]; weight: [num_hidden, I]; bias: [num_hidden];
    both float32 and quantised here with channel_wise_quantize, else int8 with limits
    of their own. The result is float32 with enable_float_output, int32 without both
    calibration limits, else uint8 where the function gives no negative numbers, else int8.
    C1: quantized is set; channel_wise_quantize needs calibration limits or a float result.
    C2: weight is [num_hidden, I], bias [num_hidden], limits are [1]; data is int8 or uint8,
        weight and bias are int8, or float32 channel-wise, limits are float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    SG_Tensor:$min_data, SG_Tensor:$max_data,
    Optional<SG_Tensor>:$min_weight, Optional<SG_Tensor>:$max_weight,
    Optional<SG_Tensor>:$min_bias, Optional<SG_Tensor>:$max_bias,
    BoolD<"false", "data is quantised">:$quantized,
    BoolD<"false", "the result is float32, without limits">:$enable_float_output,
    BoolD<"false", "a function follows">:$with_eltwise,
    FloatOpt<"least number of the result">:$min_calib_range,
    FloatOpt<"greatest number of the result">:$max_calib_range,
    BoolOpt<"weights are float32, each row is quantised by itself">:$channel_wise_quantize,
    Int<"number of output units", "1">:$num_hidden,
    BoolD<"false", "leave the bias out">:$no_bias,
    BoolD<"true", "treat all extents but the first as one">:$flatten,
    EnumD<"none", SG_FollowerFns, "the function">:$eltwise,
    FloatD<"0", "slope of leaky and elu, upper limit of clip">:$eltwise_alpha);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "min_output", "max_output"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

//===----------------------------------------------------------------------===//
// What sg-split-quantized makes of fused_conv, and sg-integers-from-floats of layers
// between DequantizeLinear and QuantizeLinear
//===----------------------------------------------------------------------===//

def SG_QuantizeRowsOp : SG_Op<"quantize_rows", [], [AttrSizedOperandSegments]> {
  let summary = "the integers, biases and scales of a fused convolution with limits";
  let gradient = "none";
  let description = [{
    Operands and parameters: those of fused_conv. integers: weight's shape, each filter
    in a scale of its own; correction: -128 times the sum of a filter's integers for signed
    data, which is read plus 128, else 0; bias: integers in the scale of the sums, as
    float32; scale: of the sums; sum_scale: of what is added, 1 without. correction, bias and
    scale are [F] where weight is [F, ...], limits and sum_scale are [1].
  }];
  let arguments = (ins SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    Optional<SG_Tensor>:$gamma, Optional<SG_Tensor>:$beta, Optional<SG_Tensor>:$mean,
    Optional<SG_Tensor>:$var, Optional<SG_Tensor>:$data_min, Optional<SG_Tensor>:$data_max,
    Optional<SG_Tensor>:$sum_min, Optional<SG_Tensor>:$sum_max,
    DoubleOpt<"the greater size of data's limits where they are known">:$data_reach,
    DoubleOpt<"the same of what is added">:$sum_reach,
    BoolD<"false", "there is no bias">:$no_bias,
    BoolD<"false", "batch normalisation is folded in">:$with_bn,
    BoolD<"false", "another tensor is added">:$with_sum,
    BoolD<"true", "gamma is taken as 1">:$bn_fix_gamma,
    DoubleD<"0.001", "added to var">:$bn_eps,
    BoolD<"false", "data is int8, else uint8">:$data_signed,
    BoolD<"true", "what is added is int8, else uint8">:$sum_signed,
    BoolD<"true", "the result is int8, else uint8">:$result_signed,
    Float<"least number of the result">:$min_calib_range,
    Float<"greatest number of the result">:$max_calib_range);
  let results = (outs SG_Tensor:$integers, SG_Tensor:$correction, SG_Tensor:$row_bias,
    SG_Tensor:$scale, SG_Tensor:$sum_scale);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_IntegerConvOp : SG_Op<"integer_conv", [], [AttrSizedOperandSegments]> {
  let summary = "a convolution of integers whose sums are scaled to integers or floats";
  let gradient = "none";
  let description = [{
    ((sums + bias) * scale, relu) + sum_scale * sum, relu. Where output is int8 or uint8, the
    nearest integer of it plus `zero`, held between least and most and within the type; where it is
    float32, that number. Sums are of the products of weights and of data less `data_zero`, which
    padding is, too. correction is -(data_zero + 128) times the sum of a filter's weights for signed
    data, which kernels may read plus 128, and -data_zero times that for unsigned data. Shapes and
    other parameters are those of convolution; correction, bias and scale are [num_filter],
    sum_scale is [1].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, SG_Tensor:$correction, SG_Tensor:$bias,
    SG_Tensor:$scale, Optional<SG_Tensor>:$sum, Optional<SG_Tensor>:$sum_scale,
    BoolD<"false", "another tensor is added">:$with_sum,
    BoolD<"false", "relu before the sum">:$relu, BoolD<"false", "relu after the sum">:$postsum_relu,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    InternalTuple<"zeros behind extents, as many as pad where empty">:$pad_end,
    IntD<"0", "what stands for zero in data">:$data_zero,
    IntD<"0", "what stands for zero in output">:$zero,
    IntOpt<"least integer of output">:$least, IntOpt<"greatest integer of output">:$most);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    /// Whether each channel has a filter of its own.
    bool isDepthwise() { return getNumGroup() > 1 && getNumGroup() == getNumFilter(); }
  }];
}

//===----------------------------------------------------------------------===//
// Products of rows of bytes
//===----------------------------------------------------------------------===//

def SG_IntegerProductOp : SG_Op<"integer_product", [], [AttrSizedOperandSegments]> {
  let summary = "data * transpose(weight) over bytes, summed in int32, scaled or not";
  let gradient = "none";
  let description = [{
    data: [..., I]; weight: [O, I]; output: [..., O]. Sums are of the products of weights and of
    data, signed data plus 128, which makes it unsigned; correction is added to them. An int32
    result is that; a float32 one is it times scale plus bias; one of bytes is the nearest integer of
    that plus `zero`, held between least and most and within the type.
    C1: weight is [O, I], correction, scale and bias are [O].
    C2: data is int8 or uint8, weight int8, correction int32, scale and bias float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, SG_Tensor:$correction,
    Optional<SG_Tensor>:$scale, Optional<SG_Tensor>:$bias,
    EnumD<"int32", ["int32", "float32", "int8", "uint8"], "element type of the result">:$out_type,
    IntD<"0", "what stands for zero in output">:$zero,
    IntOpt<"least integer of output">:$least, IntOpt<"greatest integer of output">:$most);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }];
}
