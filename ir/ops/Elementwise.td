//===- Elementwise.td - one element of the result from one of each operand --===//
//
// Each operation is a scalar function (ir/ScalarFunctions.td) mapped over
// tensors; ElementwiseInterface gives its body and how operands meet. Sizes are
// inferred in both directions: what is known of one operand or the result holds for all.
//
//===----------------------------------------------------------------------===//
include "ir/ElementwiseBase.td"
include "ir/ScalarFunctions.td"

// Functions of one operand that MXNet registers under further names: for sparse tensors, which
// are read as dense ones, and in NumPy's spelling, where result and operand have one type.
defvar SG_SparseFns = ["abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt",
  "ceil", "cos", "cosh", "degrees", "exp", "expm1", "fix", "floor", "gamma", "gammaln", "log",
  "log10", "log1p", "log2", "negative", "radians", "relu", "rint", "round", "rsqrt", "sigmoid",
  "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"];
defvar SG_NeuralFns = ["relu", "sigmoid", "erf", "erfinv", "gamma", "gammaln"];
defvar SG_NumpyFns = ["arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "ceil",
  "cos", "cosh", "degrees", "exp", "expm1", "fix", "floor", "log", "log10", "log1p", "log2",
  "negative", "radians", "reciprocal", "rint", "sign", "sin", "sinh", "sqrt", "square", "tan",
  "tanh", "trunc"];
// A function that has no name of its own among MXNet's older operators.
defvar SG_NamelessFns = ["softrelu", "round_even", "bit_not", "round_ste", "sign_ste",
  "round_float16", "round_bfloat16"];

class OneOf<string item, list<string> items> { bit found = !not(!empty(!filter(each, items, !eq(each, item)))); }
class UnaryName<string fn> : Name<fn,
    !if(OneOf<fn, SG_SparseFns>.found, ["_sparse_" # fn], []<string>) #
    !if(OneOf<fn, SG_NeuralFns>.found, ["_npx_" # fn], []<string>), ["fn=" # fn]>;

// `softrelu` has no name of its own in MXNet; Activation reaches it.
def SG_UnaryOp : SG_ElementwiseOp<"unary",
    !foreach(fn, !filter(each, SG_UnaryFns, !not(OneOf<each, SG_NamelessFns>.found)), UnaryName<fn>) #
    !foreach(fn, SG_NumpyFns, Name<"_npi_" # fn, [], ["fn=" # fn]>) # [
      Name<"_npi_absolute", ["_npi_abs"], ["fn=abs"]>,
      Name<"_npi_bitwise_not", [], ["fn=bit_not"]>,
      Name<"_contrib_round_ste", ["_sparse__contrib_round_ste"], ["fn=round_ste"]>,
      Name<"_contrib_sign_ste", ["_sparse__contrib_sign_ste"], ["fn=sign_ste"]>]> {
  let summary = "a function of one operand";
  let gradient = "rule";
  let description = [{
    data and output have one shape and one element type. `round` takes halves away
    from zero, `rint` downwards; on integers, functions without an integer value
    are computed in float and cut off. `round_even` takes halves to even numbers; bits are
    those of integers, and the one bit of a bool.
    C1: data and output have one shape.
    C2: functions of bits have integers.
  }];
  let arguments = (ins SG_Tensor:$data, Enum<SG_UnaryFns, "the function">:$fn);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

class BinaryName<string mxnet, string fn, list<string> aliases = []>
    : Name<mxnet, aliases, ["fn=" # fn]>;
class BroadcastName<string mxnet, string fn, list<string> aliases = []>
    : Name<mxnet, aliases, ["fn=" # fn, "broadcast=true"]>;

def SG_BinaryOp : SG_ElementwiseOp<"binary", [
    BinaryName<"elemwise_add", "add", ["_Plus", "_add", "_plus", "_sparse_elemwise_add"]>,
    BinaryName<"elemwise_sub", "sub", ["_Minus", "_minus", "_sub", "_sparse_elemwise_sub"]>,
    BinaryName<"elemwise_mul", "mul", ["_Mul", "_mul", "_sparse_elemwise_mul"]>,
    BinaryName<"elemwise_div", "div", ["_Div", "_div", "_sparse_elemwise_div"]>,
    BinaryName<"_grad_add", "add">,
    BinaryName<"_scatter_elemwise_div", "div">,
    BinaryName<"_mod", "mod", ["_Mod"]>,
    BinaryName<"_power", "power", ["_Power"]>,
    BinaryName<"_maximum", "maximum", ["_Maximum"]>,
    BinaryName<"_minimum", "minimum", ["_Minimum"]>,
    BinaryName<"_hypot", "hypot", ["_Hypot"]>,
    BinaryName<"_equal", "equal", ["_Equal"]>,
    BinaryName<"_not_equal", "not_equal", ["_Not_Equal"]>,
    BinaryName<"_greater", "greater", ["_Greater"]>,
    BinaryName<"_greater_equal", "greater_equal", ["_Greater_Equal"]>,
    BinaryName<"_lesser", "lesser", ["_Lesser"]>,
    BinaryName<"_lesser_equal", "lesser_equal", ["_Lesser_Equal"]>,
    BinaryName<"_logical_and", "logical_and", ["_Logical_And"]>,
    BinaryName<"_logical_or", "logical_or", ["_Logical_Or"]>,
    BinaryName<"_logical_xor", "logical_xor", ["_Logical_Xor"]>,
    BroadcastName<"broadcast_add", "add", ["broadcast_plus", "_sparse_broadcast_add", "_sparse_broadcast_plus"]>,
    BroadcastName<"broadcast_sub", "sub", ["broadcast_minus", "_sparse_broadcast_minus", "_sparse_broadcast_sub"]>,
    BroadcastName<"broadcast_mul", "mul", ["_sparse_broadcast_mul"]>,
    BroadcastName<"broadcast_div", "div", ["_sparse_broadcast_div"]>,
    BroadcastName<"broadcast_mod", "mod">,
    BroadcastName<"broadcast_power", "power">,
    BroadcastName<"broadcast_maximum", "maximum", ["_npi_maximum"]>,
    BroadcastName<"broadcast_minimum", "minimum", ["_npi_minimum"]>,
    BroadcastName<"broadcast_hypot", "hypot">,
    BroadcastName<"broadcast_equal", "equal">,
    BroadcastName<"broadcast_not_equal", "not_equal">,
    BroadcastName<"broadcast_greater", "greater">,
    BroadcastName<"broadcast_greater_equal", "greater_equal">,
    BroadcastName<"broadcast_lesser", "lesser">,
    BroadcastName<"broadcast_lesser_equal", "lesser_equal">,
    BroadcastName<"broadcast_logical_and", "logical_and">,
    BroadcastName<"broadcast_logical_or", "logical_or">,
    BroadcastName<"broadcast_logical_xor", "logical_xor">,
    BroadcastName<"_npi_hypot", "hypot">,
    BroadcastName<"_npi_arctan2", "arctan2">,
    BroadcastName<"_npi_copysign", "copysign">,
    BroadcastName<"_npi_ldexp", "ldexp">,
    BroadcastName<"_npi_lcm", "lcm">,
    BroadcastName<"_npi_bitwise_and", "bit_and">,
    BroadcastName<"_npi_bitwise_or", "bit_or">,
    BroadcastName<"_npi_bitwise_xor", "bit_xor">]> {
  let summary = "a function of two operands";
  let gradient = "rule";
  let description = [{
    Comparisons and logic give 0 or 1 in the operands' element type. Without
    `broadcast` all shapes are equal. With it the shapes are aligned at their last
    extents, missing and unit extents repeat (x0 and x1 alike), and the result has the
    larger extent of each pair.
    C1: without broadcast, lhs, rhs and output have one shape.
    C2: with broadcast, aligned extents are equal or one of them is 1.
    C3: lcm and functions of bits have integers.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, Enum<SG_BinaryFns, "the function">:$fn,
    BoolD<"false", "unit and missing extents repeat">:$broadcast);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

class ScalarName<string mxnet, string fn, list<string> aliases = [], string reverse = "false">
    : Name<mxnet, aliases, ["fn=" # fn, "reverse=" # reverse]>;

def SG_ScalarOp : SG_ElementwiseOp<"scalar", [
    ScalarName<"_plus_scalar", "add", ["_PlusScalar"]>,
    ScalarName<"_minus_scalar", "sub", ["_MinusScalar"]>,
    ScalarName<"_rminus_scalar", "sub", ["_RMinusScalar"], "true">,
    ScalarName<"_mul_scalar", "mul", ["_MulScalar"]>,
    ScalarName<"_div_scalar", "div", ["_DivScalar"]>,
    ScalarName<"_rdiv_scalar", "div", ["_RDivScalar"], "true">,
    ScalarName<"_mod_scalar", "mod", ["_ModScalar"]>,
    ScalarName<"_rmod_scalar", "mod", ["_RModScalar"], "true">,
    ScalarName<"_power_scalar", "power", ["_PowerScalar"]>,
    ScalarName<"_rpower_scalar", "power", ["_RPowerScalar"], "true">,
    ScalarName<"_maximum_scalar", "maximum", ["_MaximumScalar", "_npi_maximum_scalar"]>,
    ScalarName<"_minimum_scalar", "minimum", ["_MinimumScalar", "_npi_minimum_scalar"]>,
    ScalarName<"_hypot_scalar", "hypot", ["_HypotScalar", "_npi_hypot_scalar"]>,
    ScalarName<"_equal_scalar", "equal", ["_EqualScalar"]>,
    ScalarName<"_not_equal_scalar", "not_equal", ["_NotEqualScalar"]>,
    ScalarName<"_greater_scalar", "greater", ["_GreaterScalar"]>,
    ScalarName<"_greater_equal_scalar", "greater_equal", ["_GreaterEqualScalar"]>,
    ScalarName<"_lesser_scalar", "lesser", ["_LesserScalar"]>,
    ScalarName<"_lesser_equal_scalar", "lesser_equal", ["_LesserEqualScalar"]>,
    ScalarName<"_logical_and_scalar", "logical_and", ["_LogicalAndScalar"]>,
    ScalarName<"_logical_or_scalar", "logical_or", ["_LogicalOrScalar"]>,
    ScalarName<"_logical_xor_scalar", "logical_xor", ["_LogicalXorScalar"]>,
    ScalarName<"_scatter_plus_scalar", "add">,
    ScalarName<"_scatter_minus_scalar", "sub">,
    ScalarName<"_npi_lcm_scalar", "lcm">,
    ScalarName<"_npi_bitwise_and_scalar", "bit_and">,
    ScalarName<"_npi_bitwise_or_scalar", "bit_or">,
    ScalarName<"_npi_bitwise_xor_scalar", "bit_xor">]> {
  let summary = "a function of an operand and a number";
  let gradient = "rule";
  let description = [{
    fn(data, scalar), or fn(scalar, data) with `reverse`. Beside a whole number (is_int)
    integers stay integers, the number being cut off, and bool becomes int64; beside another
    they become float64.
    C1: data and output have one shape.
    C2: lcm and functions of bits have integers.
  }];
  let arguments = (ins SG_Tensor:$data, Enum<SG_BinaryFns, "the function">:$fn,
    Double<"the number">:$scalar,
    BoolD<"false", "the number is the left operand">:$reverse,
    BoolD<"true", "the number is whole">:$is_int);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_ActivationOp : SG_ElementwiseOp<"activation", [Name<"Activation", ["_npx_activation"]>]> {
  let summary = "an activation function by name";
  let gradient = "rewritten";
  let description = [{
    relu max(x, 0); sigmoid 1 / (1 + exp(-x)); tanh; softrelu log(1 + exp(x)); softsign
    x / (1 + |x|).
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data,
    Enum<["relu", "sigmoid", "tanh", "softrelu", "softsign"], "the function">:$act_type);
  let results = (outs SG_Tensor:$output);
}

def SG_LeakyReLUOp : SG_ElementwiseOp<"leaky_relu", [Name<"LeakyReLU", ["_npx_leaky_relu"]>]> {
  let summary = "rectifiers with a slope or a curve for negative values";
  let gradient = "rule";
  let description = [{
    leaky x > 0 ? x : slope*x; prelu the same with gamma for slope; elu x > 0 ? x :
    slope*(exp(x)-1); selu and gelu (by erf) with their fixed numbers; rrelu in
    prediction is leaky with slope (lower_bound + upper_bound) / 2, in training with slopes
    that are drawn between the bounds, and has a second result, mask, the slope of each
    element (MXNet writes it in training only).
    gamma: [C], C data's extent along axis 1 (axis 0 of a one-dimensional data), [1]
    for one shared slope, [N] along axis 0, or [N, C], where an extent may be 1. In the scalar
    body x1 is gamma.
    C1: data, output and mask have one shape.
    C2: from its last axis on, gamma's run along the axes 1 and 0 of data: along the next one that
    has its extent, or any where it is 1.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$gamma,
    EnumD<"leaky", ["rrelu", "leaky", "prelu", "elu", "selu", "gelu"], "the function">:$act_type,
    FloatD<"0.25", "slope of leaky, factor of elu">:$slope,
    FloatD<"0.125", "least slope of rrelu">:$lower_bound,
    FloatD<"0.334", "greatest slope of rrelu">:$upper_bound);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "mask"];
  let initializers = [Initializer<"gamma", "[\"Constant\", {\"value\": 0.25}]">];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::optional<int64_t> countHiddenResults(const ::symc::sg::ParamView &params);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::llvm::SmallVector<int64_t> getOperandAxes(unsigned operand);
    /// Of prelu: gamma in the rank of data, with 1 along the axes that it repeats along.
    ::symc::sg::Shape alignedGamma();
    /// Whether gamma is one slope, or one for each channel.
    bool hasSlopesOfChannels();
  }];
}

def SG_ClipOp : SG_ElementwiseOp<"clip", [Name<"clip", ["_npi_clip", "_sparse_clip"]>]> {
  let summary = "values held between two bounds";
  let gradient = "rule";
  let description = [{
    NaN stays NaN. On integers the bounds are cut off to integers first.
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Float<"least value">:$a_min, Float<"greatest value">:$a_max);
  let results = (outs SG_Tensor:$output);
}

def SG_HardSigmoidOp : SG_ElementwiseOp<"hard_sigmoid", [Name<"hard_sigmoid">]> {
  let summary = "alpha*x + beta held between 0 and 1";
  let gradient = "rule";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, FloatD<"0.2", "slope">:$alpha,
    FloatD<"0.5", "offset">:$beta);
  let results = (outs SG_Tensor:$output);
}

def SG_SmoothL1Op : SG_ElementwiseOp<"smooth_l1", [Name<"smooth_l1", ["_npx_smooth_l1"]>]> {
  let summary = "half the square near 0, the absolute value beyond";
  let gradient = "rule";
  let description = [{
    With s = scalar: |x| < 1/s^2 gives (s*x)^2 / 2, else |x| - 1/(2*s^2).
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"1", "s, the steepness of the bend">:$scalar);
  let hints = ["is_int"];
  let results = (outs SG_Tensor:$output);
}

def SG_QuadraticOp : SG_ElementwiseOp<"quadratic", [Name<"_contrib_quadratic">]> {
  let summary = "a*x*x + b*x + c";
  let gradient = "rule";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, FloatD<"0", "of x*x">:$a, FloatD<"0", "of x">:$b,
    FloatD<"0", "alone">:$c);
  let results = (outs SG_Tensor:$output);
}

def SG_AddNOp : SG_ElementwiseOp<"add_n", [Name<"add_n", ["ElementWiseSum", "_sparse_ElementWiseSum", "_sparse_add_n"]>]> {
  let summary = "the sum of any number of operands";
  let gradient = "rule";
  let description = [{
    The sum is taken from the first operand to the last.
    C1: all operands and output have one shape.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$args, Int<"number of operands", "1">:$num_args);
  let variadicCount = "num_args";
  let results = (outs SG_Tensor:$output);
}

def SG_CastOp : SG_ElementwiseOp<"cast", [
    Name<"Cast", ["cast", "_npi_cast", "_npx_cast"]>, Name<"amp_cast", [], ["floats_only=true"]>]> {
  let summary = "the same values in another element type";
  let gradient = "rule";
  let description = [{
    Floats become integers by cutting off; any value but 0 becomes bool 1. The scalar body
    is x0: the conversion follows from the element types. With floats_only, integers and
    float64 keep their element type.
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, DType<"element type of the result">:$dtype,
    BoolD<"false", "leave integers and float64 as they are">:$floats_only);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::Value getPassThrough();
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_AmpMulticastOp : SG_Op<"amp_multicast", [Name<"amp_multicast">]> {
  let summary = "floats of several widths made one width";
  let gradient = "rewritten";
  let description = [{
    Operands of float16 and float32 become float32 if one of them is, or float16 with
    cast_narrow; without either of these the first operand's type. Others stay as they are.
    C1: operand i and output i have one shape.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_outputs,
    BoolD<"false", "take the narrowest type">:$cast_narrow);
  let variadicCount = "num_outputs";
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_CopyOp : SG_ElementwiseOp<"copy", [
    Name<"_copy", ["identity"]>, Name<"_CrossDeviceCopy">, Name<"_np_copy">,
    Name<"cast_storage", ["_sparse_cast_storage"]>]> {
  let summary = "its operand";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data);
  let hints = ["scalar", "is_int", "stype"];
  let results = (outs SG_Tensor:$output);
  let gradient = "rule";
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_BlockGradOp : SG_ElementwiseOp<"block_grad", [
    Name<"BlockGrad", ["stop_gradient", "_sparse_stop_gradient"]>]> {
  let summary = "its operand, to which no gradient passes";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
  let gradient = "zero";
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_GradientMultiplierOp : SG_ElementwiseOp<"gradient_multiplier", [
    Name<"_contrib_gradientmultiplier">]> {
  let summary = "its operand, whose gradient is multiplied by a number";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"1", "the factor of the gradient">:$scalar);
  let hints = ["is_int"];
  let results = (outs SG_Tensor:$output);
  let gradient = "rule";
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_CopyLikeOp : SG_ElementwiseOp<"copy_like", [Name<"_identity_with_attr_like_rhs">]> {
  let summary = "its first operand, with the second's shape and type";
  let gradient = "rule";
  let description = [{
    C1: lhs, rhs and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_WhereOp : SG_ElementwiseOp<"where", [Name<"where", ["_sparse_where"]>]> {
  let summary = "x where the condition is not 0, else y";
  let gradient = "rule";
  let description = [{
    The condition has the shape of x, or is one-dimensional and chooses along axis 0.
    In the scalar body x0 is the condition.
    C1: x, y and output have one shape.
    C2: condition has that shape or is [N], N their first extent.
  }];
  let arguments = (ins SG_Tensor:$condition, SG_Tensor:$x, SG_Tensor:$y);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::llvm::SmallVector<int64_t> getOperandAxes(unsigned operand);
  }];
}

def SG_FillLikeOp : SG_ElementwiseOp<"fill_like", [
    Name<"zeros_like", ["_sparse_zeros_like"], ["value=0"]>, Name<"ones_like", [], ["value=1"]>],
    [SG_SameInRows]> {
  let summary = "one value everywhere, in its operand's shape and type";
  let gradient = "zero";
  let description = [{
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Double<"the value">:$value);
  let results = (outs SG_Tensor:$output);
}
