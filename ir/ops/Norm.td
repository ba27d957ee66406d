//===- Norm.td - normalisations by statistics of the data itself -----------===//
include "ir/GraphBase.td"

def SG_BatchNormWithReLUOp : SG_Op<"batch_norm_with_relu", [Name<"_contrib_BatchNormWithReLU">]> {
  let summary = "batch_norm, negative results as 0";
  let gradient = "rule";
  let description = [{
    As batch_norm, and max(0, x) of the result.
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
    IntD<"1", "channel axis">:$axis);
  let auxiliary = ["moving_mean", "moving_var"];
  let hints = ["cudnn_off", "min_calib_range", "max_calib_range"];
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mean", "var"];
  let showHidden = ["output_mean_var=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_LRNOp : SG_Op<"lrn", [Name<"LRN">], [SG_LeadingRows<1>]> {
  let summary = "local response normalisation across channels";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; x * tmp_norm^-beta, tmp_norm = knorm + alpha/nsize * sum of x^2 over
    the nsize channels around.
    C1: nsize is odd.
    C2: data has rank 4.
  }];
  let arguments = (ins SG_Tensor:$data,
    FloatD<"0.0001", "factor of the sum">:$alpha, FloatD<"0.75", "exponent">:$beta,
    FloatD<"2", "added to the sum">:$knorm, Uint<"number of channels summed">:$nsize,
    ShowHidden:$show_hidden);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "tmp_norm"];
  let showHidden = ["show_hidden=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_L2NormalizationOp : SG_Op<"l2_normalization", [Name<"L2Normalization">],
    [SG_LeadingRows<1>, DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "division by the Euclidean norm";
  let gradient = "rule";
  let description = [{
    x / sqrt(sum of x^2 + eps), summed over an item (`instance`), over axis 1 (`channel`) or
    over all axes behind axis 1 (`spatial`). norm, the divisor, is [N], [N, 1, ...] or [N, C].
    C1: data has rank 2 at least, 3 with channel or spatial.
  }];
  let arguments = (ins SG_Tensor:$data, FloatD<"1e-10", "added to the sum">:$eps,
    EnumD<"instance", ["instance", "spatial", "channel"], "what the sum runs over">:$mode,
    ShowHidden:$show_hidden);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "norm"];
  let showHidden = ["show_hidden=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
  }];
}

def SG_InstanceNormOp : SG_Op<"instance_norm", [Name<"InstanceNorm">],
    [SG_LeadingRows<1>, SG_Float32ByDefault, DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "normalisation of each channel of each item";
  let gradient = "rule";
  let description = [{
    data: [N, C, ...]; gamma, beta: [C]; mean and biased variance over all axes behind 1;
    (data - mean) / sqrt(var + eps) * gamma + beta. mean and var are [N, C].
    C1: data has rank 3 at least.
    C2: gamma and beta are [C].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gamma, SG_Tensor:$beta,
    FloatD<"0.001", "added to the variance">:$eps, ShowHidden:$show_hidden);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mean", "var"];
  let showHidden = ["show_hidden=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
  }];
}

def SG_LayerNormOp : SG_Op<"layer_norm", [Name<"LayerNorm", ["_npx_layer_norm"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "normalisation along one axis";
  let gradient = "rule";
  let description = [{
    gamma, beta: [L], L data's extent along axis; mean and biased variance along it;
    (data - mean) / sqrt(var + eps) * gamma + beta. mean and std, sqrt(var + eps), have
    data's shape with 1 at axis.
    C1: axis is within the rank.
    C2: gamma and beta are [L].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gamma, SG_Tensor:$beta,
    IntD<"-1", "axis of the statistics">:$axis, FloatD<"1e-05", "added to the variance">:$eps,
    BoolD<"false", "mean and std are results too">:$output_mean_var);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mean", "std"];
  let showHidden = ["output_mean_var=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
  }];
}

def SG_GroupNormOp : SG_Op<"group_norm", [Name<"GroupNorm">],
    [SG_LeadingRows<1>, DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "normalisation of groups of channels of each item";
  let gradient = "rule";
  let description = [{
    data: [N, C, ...]; gamma, beta: [num_groups]; mean and biased variance over a group's
    channels and all axes behind 1; (data - mean) / sqrt(var + eps) * gamma + beta. mean and
    std, sqrt(var + eps), are [N, num_groups].
    C1: data has rank 3 at least and num_groups divides C.
    C2: gamma and beta are [num_groups].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$gamma, SG_Tensor:$beta,
    IntD<"1", "number of groups", "1">:$num_groups,
    FloatD<"1e-05", "added to the variance">:$eps,
    BoolD<"false", "mean and std are results too">:$output_mean_var);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mean", "std"];
  let showHidden = ["output_mean_var=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
  }];
}
