//===- ElementwiseBase.td - the class of elementwise operators, and their functions ---===//
//
// Lists of functions of ir/ScalarFunctions.td that operators choose among by `fn`.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_ELEMENTWISE_BASE
#define SYMC_ELEMENTWISE_BASE

include "ir/GraphBase.td"

class SG_ElementwiseOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names,
            [DeclareOpInterfaceMethods<SG_ElementwiseInterface>, SG_ElementwiseRows] # traits>;

defvar SG_UnaryFns = ["relu", "sigmoid", "tanh", "softsign", "softrelu", "exp", "expm1", "log",
  "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "rcbrt", "square", "reciprocal", "abs", "sign",
  "negative", "round", "rint", "floor", "ceil", "trunc", "fix", "logical_not", "sin", "cos", "tan",
  "arcsin", "arccos", "arctan", "sinh", "cosh", "arcsinh", "arccosh", "arctanh", "degrees",
  "radians", "erf", "erfinv", "gamma", "gammaln", "round_even", "bit_not", "round_ste", "sign_ste",
  "round_float16", "round_bfloat16"];

defvar SG_BinaryFns = ["add", "sub", "mul", "div", "mod", "power", "maximum", "minimum", "hypot",
  "equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and",
  "logical_or", "logical_xor", "arctan2", "copysign", "ldexp", "lcm", "bit_and", "bit_or", "bit_xor"];

// Functions that have derivatives.
defvar SG_SlopeFns = !filter(each, SG_UnaryFns # SG_BinaryFns, !not(!or(!eq(each, "lcm"),
    !or(!eq(!substr(each, 0, 3), "bit"), 0)))) #
  ["hard_sigmoid", "leaky", "elu", "selu", "gelu", "clip", "smooth_l1", "quadratic"];

#endif // SYMC_ELEMENTWISE_BASE
