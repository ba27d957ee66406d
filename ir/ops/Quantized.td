//===- Quantized.td - operators over quantised integers ----------------------===//
//
// A quantised tensor is an int8 or uint8 tensor (int32 where products were summed)
// and two tensors [1] of float32, the least and the greatest real number that it
// stands for. With r = max(|min|, |max|) an integer q stands for q * r / R, R = 127.5
// for int8, 255.5 for uint8, 2^31 - 1 for int32: zero is always 0. These are the
// rules of MXNet's CPU build, whose quantised operators are oneDNN's; real numbers
// become integers by rounding to nearest, ties to even, and saturate.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_QuantizedOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names, traits> {
  let results = (outs SG_Tensor:$output, SG_Tensor:$min_output, SG_Tensor:$max_output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

// MXNet numbers the results of these instead of naming them.
class SG_MadeQuantizedOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names, traits> {
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &) { return 3; }
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_QuantizeOp : SG_MadeQuantizedOp<"quantize", [Name<"_contrib_quantize">],
    [SG_LeadingRows<1>]> {
  let summary = "float32 numbers as integers, their range given by operands";
  let gradient = "zero";
  let description = [{
    R is 127 for int8 here, 255 for uint8. int8's range is made symmetric.
    C1: data and output have one shape, limits are [1], all are float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_range, SG_Tensor:$max_range,
    EnumD<"uint8", ["int8", "uint8"], "element type of the result">:$out_type);
}

def SG_QuantizeV2Op : SG_MadeQuantizedOp<"quantize_v2", [Name<"_contrib_quantize_v2">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "float32 numbers as integers, their range given by parameters or found";
  let gradient = "zero";
  let description = [{
    `auto` is uint8 where min_calib_range is given and not negative, else int8. Data of
    int8 or uint8 passes as it is.
    C1: data and output have one shape; limits are [1].
    C2: data is float32, int8 or uint8.
  }];
  let arguments = (ins SG_Tensor:$data,
    EnumD<"int8", ["auto", "int8", "uint8"], "element type of the result">:$out_type,
    FloatOpt<"least number; found in data without">:$min_calib_range,
    FloatOpt<"greatest number; found in data without">:$max_calib_range);
}

def SG_DequantizeOp : SG_Op<"dequantize", [Name<"_contrib_dequantize">], [SG_LeadingRows<1>]> {
  let summary = "the float32 numbers that integers stand for";
  let gradient = "zero";
  let description = [{
    C1: data and output have one shape; limits are [1] and float32; data is int8 or uint8.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_range, SG_Tensor:$max_range,
    EnumD<"float32", ["float32"], "element type of the result">:$out_type);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_RequantizeOp : SG_MadeQuantizedOp<"requantize", [Name<"_contrib_requantize">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "sums of int32 as int8 or uint8";
  let gradient = "zero";
  let description = [{
    R is 127 for int8 here, 255 for uint8. `auto` is uint8 where min_calib_range is given
    and not negative, else int8.
    C1: data and output have one shape, data is int32; limits are [1] and float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_range, SG_Tensor:$max_range,
    EnumD<"int8", ["auto", "int8", "uint8"], "element type of the result">:$out_type,
    FloatOpt<"least number; found in data without">:$min_calib_range,
    FloatOpt<"greatest number; found in data without">:$max_calib_range);
}

def SG_QuantizedConvOp : SG_QuantizedOp<"quantized_conv", [Name<"_contrib_quantized_conv">],
                                        [AttrSizedOperandSegments, SG_LeadingRows<1>]> {
  let summary = "convolution of integers, summed in int32";
  let gradient = "zero";
  let description = [{
    data: [N, C, (D,) H, W]; weight: [num_filter, C/num_group, kernel...]; bias:
    [num_filter], all three integers, bias added as it is.
    C1: kernel, stride, dilate, pad, num_group and num_filter as in convolution; the
        layout has channels first.
    C2: shapes are those of convolution, limits are [1]; data is int8 or uint8, weight and
        bias are int8, limits are float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    SG_Tensor:$min_data, SG_Tensor:$max_data, SG_Tensor:$min_weight, SG_Tensor:$max_weight,
    Optional<SG_Tensor>:$min_bias, Optional<SG_Tensor>:$max_bias,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    BoolD<"false", "leave the bias out">:$no_bias,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"], "order of extents">:$layout);
  let hints = ["workspace", "cudnn_tune", "cudnn_off"];
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_QuantizedFullyConnectedOp : SG_QuantizedOp<"quantized_fully_connected",
    [Name<"_contrib_quantized_fully_connected">], [AttrSizedOperandSegments, SG_LeadingRows<1>]> {
  let summary = "output = data * transpose(weight) + bias over integers, summed in int32";
  let gradient = "zero";
  let description = [{
    data: [N, ...] (flatten) or [..., I]; weight: [num_hidden, I]; bias: [num_hidden],
    brought to the scale of the sums.
    C1: weight is [num_hidden, I], bias [num_hidden], limits are [1]; data is int8 or uint8,
        weight and bias are int8, limits are float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, Optional<SG_Tensor>:$bias,
    SG_Tensor:$min_data, SG_Tensor:$max_data, SG_Tensor:$min_weight, SG_Tensor:$max_weight,
    Optional<SG_Tensor>:$min_bias, Optional<SG_Tensor>:$max_bias,
    Int<"number of output units", "1">:$num_hidden,
    BoolD<"false", "leave the bias out">:$no_bias,
    BoolD<"true", "treat all extents but the first as one">:$flatten);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }];
}

def SG_QuantizedPoolingOp : SG_QuantizedOp<"quantized_pooling",
    [Name<"_contrib_quantized_pooling">], [SG_LeadingRows<1>]> {
  let summary = "maximum or average of integers over windows";
  let gradient = "zero";
  let description = [{
    data: [N, C, (D,) H, W]; extents as in pooling. Averages are rounded; the limits pass.
    C1: kernel, stride and pad as in pooling; pool_type is max or avg; the layout has
        channels first.
    C2: data has the kernel's rank plus two and the window fits in the padded image; limits
        are [1] and float32; data is int8 or uint8.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_data, SG_Tensor:$max_data,
    TupleD<"()", "{}", "extents of the window">:$kernel,
    EnumD<"max", ["max", "avg", "sum", "lp"], "what is taken of a window">:$pool_type,
    BoolD<"false", "one window over the whole image">:$global_pool,
    EnumD<"valid", ["valid", "full", "same"], "how output extents are rounded">:$pooling_convention,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "padding on both sides, default 0">:$pad,
    IntOpt<"not used by max and avg">:$p_value,
    BoolOpt<"whether avg counts padding, default true">:$count_include_pad,
    EnumOpt<["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"], "order of extents">:$layout);
  let hints = ["cudnn_off"];
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_QuantizedActOp : SG_QuantizedOp<"quantized_act", [Name<"_contrib_quantized_act">],
    [SG_LeadingRows<1>]> {
  let summary = "relu of integers";
  let gradient = "zero";
  let description = [{
    C1: act_type is relu.
    C2: data and output have one shape; limits are [1] and float32; data is int8 or uint8.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_data, SG_Tensor:$max_data,
    Enum<["relu", "sigmoid", "softrelu", "softsign", "tanh"], "the function">:$act_type);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_QuantizedFlattenOp : SG_QuantizedOp<"quantized_flatten",
    [Name<"_contrib_quantized_flatten">], [SG_LeadingRows<1>]> {
  let summary = "all extents but the first as one";
  let gradient = "zero";
  let description = [{
    C1: data has rank 1 at least; output is [N, product of the others]; limits are [1] and
        float32; data is int8 or uint8.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$min_data, SG_Tensor:$max_data);
}

def SG_QuantizedConcatOp : SG_QuantizedOp<"quantized_concat",
    [Name<"_contrib_quantized_concat">]> {
  let summary = "integers behind each other along one axis, in one range";
  let gradient = "zero";
  let description = [{
    Operands: num_args tensors, then the least and the greatest number of each. The
    result's range spans all of them and 0; it is int8 where one operand is.
    C1: there are three operands for each of num_args.
    C2: dim is within the rank.
    C3: ranks are equal, and extents along all other axes; tensors are int8 or uint8, limits
        are [1] and float32.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of tensors", "1">:$num_args,
    IntD<"1", "axis along which they lie">:$dim);
}

def SG_QuantizedElemwiseAddOp : SG_QuantizedOp<"quantized_elemwise_add",
    [Name<"_contrib_quantized_elemwise_add">], [SG_LeadingRows<2>]> {
  let summary = "sums of integers, in int32 or in the range that is given";
  let gradient = "zero";
  let description = [{
    With both calibration limits the result has lhs's type, or int8 where the two differ.
    C1: lhs, rhs and output have one shape; lhs and rhs are int8 or uint8; limits are [1]
        and float32.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, SG_Tensor:$lhs_min, SG_Tensor:$lhs_max,
    SG_Tensor:$rhs_min, SG_Tensor:$rhs_max,
    FloatOpt<"least number of the result">:$min_calib_range,
    FloatOpt<"greatest number of the result">:$max_calib_range);
}

def SG_QuantizedElemwiseMulOp : SG_Op<"quantized_elemwise_mul",
    [Name<"_contrib_quantized_elemwise_mul">], [SG_LeadingRows<2>]> {
  let summary = "products of integers, in int32, in the range that is given, or as float32";
  let gradient = "zero";
  let description = [{
    Products in a given range are cut off to int8, not rounded.
    C1: lhs, rhs and output have one shape; lhs and rhs are int8; limits are [1] and float32.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, SG_Tensor:$lhs_min, SG_Tensor:$lhs_max,
    SG_Tensor:$rhs_min, SG_Tensor:$rhs_max,
    FloatOpt<"least number of the result">:$min_calib_range,
    FloatOpt<"greatest number of the result">:$max_calib_range,
    BoolD<"false", "the result is float32, without a range">:$enable_float_output);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "min_output", "max_output"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_QuantizedEmbeddingOp : SG_QuantizedOp<"quantized_embedding",
    [Name<"_contrib_quantized_embedding">], [SG_LeadingRows<1>]> {
  let summary = "rows of a table of int8 by their numbers";
  let gradient = "none";
  let description = [{
    Numbers are cut off to integers; those out of range are taken as the nearest row.
    C1: weight is int8 [input_dim, output_dim], output [..., output_dim]; limits are [1] and
        float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$weight, SG_Tensor:$min_weight,
    SG_Tensor:$max_weight,
    Int<"number of rows", "1">:$input_dim, Int<"length of a row", "1">:$output_dim,
    DTypeD<"float32", "element type of the rows that the integers stand for">:$dtype);
  let hints = ["sparse_grad", "deterministic"];
}

def SG_QuantizedBatchNormOp : SG_QuantizedOp<"quantized_batch_norm",
    [Name<"_contrib_quantized_batch_norm">], [SG_LeadingRows<1>]> {
  let summary = "normalisation of integers by moving statistics, to int8";
  let gradient = "none";
  let description = [{
    C1: both calibration limits are given.
    C2: axis is within the rank.
    C3: gamma, beta, moving_mean and moving_var are [C]; limits are [1]; data is int8 or
        uint8, all else float32.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gamma, SG_Tensor:$beta,
    SG_Tensor:$moving_mean, SG_Tensor:$moving_var, SG_Tensor:$min_data, SG_Tensor:$max_data,
    DoubleD<"0.001", "added to the variance">:$eps,
    FloatD<"0.9", "decay of the moving statistics">:$momentum,
    BoolD<"true", "not looked at: gamma counts">:$fix_gamma,
    BoolD<"false", "use moving statistics in training too">:$use_global_stats,
    BoolD<"false", "not used">:$output_mean_var,
    IntD<"1", "channel axis">:$axis,
    FloatOpt<"least number of the result">:$min_calib_range,
    FloatOpt<"greatest number of the result">:$max_calib_range);
  let auxiliary = ["moving_mean", "moving_var"];
  let hints = ["cudnn_off"];
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}
