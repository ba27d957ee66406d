//===- ScalarFunctions.td - the scalar functions of elementwise operators ---===//
//
// One neutral body per function, a short expression, with its derivative by
// each argument. The build makes of them the C bodies of the reference kernels
// and builders (ir/ScalarFunctions.h), which ElementwiseInterface::buildScalar
// runs for code generators, and others of the derivatives for the gradient pass.
// Nothing parses an expression later.
//
// Grammar of a body:
//   value      := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]     0 or 1
//   sum        := product { ("+" | "-") product }
//   product    := unary { ("*" | "/") unary }
//   unary      := ["-"] primary
//   primary    := number | argument | call | "(" value ")"
//   call       := name "(" value { "," value } ")"
// where(c, a, b) is a where c is not 0, else b; comparisons with NaN are false
// but for !=. max(a, b) is a where a > b, else b, and min(a, b) is a where a < b,
// else b: one instruction, which lets NaN through if it is b. round goes to the
// nearest integer, halves away from zero; fmod has the sign of its first
// argument. logistic(x) is 1 / (1 + exp(-x)). round_float16 and round_bfloat16 give the nearest
// number of that type, halves to even. The other primitives are those of C: abs floor ceil trunc pow exp
// exp2 log log2 log10 log1p expm1 sqrt rsqrt cbrt sin cos tan asin acos atan
// sinh cosh tanh asinh acosh atanh atan2 erf erfinv tgamma lgamma digamma copysign isnan. Integers
// alone have lcm and those of bits, bit_and bit_or bit_xor bit_not.
// A call of another function of this file is replaced by its body; a
// primitive wins over a function of the same name.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_SCALAR_FUNCTIONS
#define SYMC_SCALAR_FUNCTIONS

class ScalarFn<string name_, list<string> args_, string body_, list<string> derivatives_> {
  string name = name_;
  list<string> args = args_;
  string body = body_;
  // By each argument; fewer where the others are parameters.
  list<string> derivatives = derivatives_;
}
class Unary<string name, string body, string derivative>
    : ScalarFn<name, ["x"], body, [derivative]>;
class Binary<string name, string body, string left, string right>
    : ScalarFn<name, ["x", "y"], body, [left, right]>;

// Activations.
// NaN has the slope NaN, as in MXNet; of clip it has the slope 1.
def : Unary<"relu", "max(0, x)", "where(x <= 0, 0, where(x > 0, 1, x))">;
def : Unary<"sigmoid", "logistic(x)", "sigmoid(x) * (1 - sigmoid(x))">;
def : Unary<"tanh", "tanh(x)", "1 - square(tanh(x))">;
def : Unary<"softsign", "x / (1 + abs(x))", "1 / square(1 + abs(x))">;
def : Unary<"softrelu", "where(x > 20, x, log1p(exp(x)))", "sigmoid(x)">;
def : ScalarFn<"hard_sigmoid", ["x", "alpha", "beta"], "max(0, min(1, alpha * x + beta))",
               ["where(alpha * x + beta > 0, where(alpha * x + beta < 1, alpha, 0), 0)"]>;
def : ScalarFn<"leaky", ["x", "slope"], "where(x > 0, x, slope * x)",
               ["where(x > 0, 1, slope)", "where(x > 0, 0, x)"]>;
def : ScalarFn<"elu", ["x", "slope"], "where(x > 0, x, slope * expm1(x))",
               ["where(x > 0, 1, slope * exp(x))"]>;
def : Unary<"selu",
            "1.0507009873554805 * where(x > 0, x, 1.6732632423543772 * expm1(x))",
            "1.0507009873554805 * where(x > 0, 1, 1.6732632423543772 * exp(x))">;
def : Unary<"gelu", "0.5 * x * (1 + erf(x * 0.70710678118654752))",
            "0.5 * (1 + erf(x * 0.70710678118654752)) + "
            "x * 0.39894228040143268 * exp(-0.5 * x * x)">;
def : ScalarFn<"clip", ["x", "a_min", "a_max"], "min(a_max, max(a_min, x))",
               ["where(x < a_min, 0, where(x > a_max, 0, 1))"]>;
def : ScalarFn<"smooth_l1", ["x", "s"],
               "where(abs(x) < 1 / (s * s), 0.5 * (s * s) * x * x, abs(x) - 0.5 / (s * s))",
               ["where(x > 1 / (s * s), 1, where(x < -1 / (s * s), -1, s * s * x))"]>;
def : ScalarFn<"quadratic", ["x", "a", "b", "c"], "a * x * x + b * x + c", ["2 * a * x + b"]>;

// Powers, exponentials, logarithms.
def : Unary<"exp", "exp(x)", "exp(x)">;
def : Unary<"expm1", "expm1(x)", "exp(x)">;
def : Unary<"log", "log(x)", "1 / x">;
def : Unary<"log2", "log2(x)", "1.4426950408889634 / x">;
def : Unary<"log10", "log10(x)", "0.43429448190325182 / x">;
def : Unary<"log1p", "log1p(x)", "1 / (1 + x)">;
def : Unary<"sqrt", "sqrt(x)", "0.5 / sqrt(x)">;
def : Unary<"rsqrt", "1 / sqrt(x)", "-0.5 / (x * sqrt(x))">;
def : Unary<"cbrt", "cbrt(x)", "1 / (3 * square(cbrt(x)))">;
def : Unary<"rcbrt", "1 / cbrt(x)", "-1 / (3 * x * cbrt(x))">;
def : Unary<"square", "x * x", "2 * x">;
def : Unary<"reciprocal", "1 / x", "-1 / (x * x)">;

// Signs and rounding; rint takes halves down, as MXNet does.
def : Unary<"abs", "abs(x)", "sign(x)">;
def : Unary<"sign", "where(x > 0, 1, where(x < 0, -1, 0))", "0">;
def : Unary<"negative", "-x", "-1">;
def : Unary<"round", "round(x)", "0">;
def : Unary<"rint", "where(x - floor(x) <= ceil(x) - x, floor(x), ceil(x))", "0">;
def : Unary<"round_even",
            "where(x - floor(x) == 0.5, 2 * floor(0.5 * ceil(x)), round(x))", "0">;
def : Unary<"floor", "floor(x)", "0">;
def : Unary<"ceil", "ceil(x)", "0">;
def : Unary<"trunc", "trunc(x)", "0">;
def : Unary<"fix", "trunc(x)", "0">;
def : Unary<"logical_not", "x == 0", "0">;
// Straight-through estimators: rounding whose gradient passes.
def : Unary<"round_ste", "round(x)", "1">;
def : Unary<"sign_ste", "sign(x)", "1">;

// Trigonometry.
def : Unary<"sin", "sin(x)", "cos(x)">;
def : Unary<"cos", "cos(x)", "-sin(x)">;
def : Unary<"tan", "tan(x)", "1 + square(tan(x))">;
def : Unary<"arcsin", "asin(x)", "1 / sqrt(1 - x * x)">;
def : Unary<"arccos", "acos(x)", "-1 / sqrt(1 - x * x)">;
def : Unary<"arctan", "atan(x)", "1 / (1 + x * x)">;
def : Unary<"sinh", "sinh(x)", "cosh(x)">;
def : Unary<"cosh", "cosh(x)", "sinh(x)">;
def : Unary<"arcsinh", "asinh(x)", "1 / sqrt(1 + x * x)">;
def : Unary<"arccosh", "acosh(x)", "1 / sqrt(x * x - 1)">;
def : Unary<"arctanh", "atanh(x)", "1 / (1 - x * x)">;
def : Unary<"degrees", "x * 57.295779513082321", "57.295779513082321">;
def : Unary<"radians", "x * 0.017453292519943295", "0.017453292519943295">;

// Numbers of fewer bits in the place of numbers (sg-widen-halves).
def : Unary<"round_float16", "round_float16(x)", "1">;
def : Unary<"round_bfloat16", "round_bfloat16(x)", "1">;

// Special functions.
def : Unary<"erf", "erf(x)", "1.1283791670955126 * exp(-x * x)">;
def : Unary<"erfinv", "erfinv(x)", "0.88622692545275801 * exp(square(erfinv(x)))">;
def : Unary<"gamma", "tgamma(x)", "tgamma(x) * digamma(x)">;
def : Unary<"gammaln", "lgamma(x)", "digamma(x)">;

// Two operands. mod has the sign of its second operand; x mod 0 is 0.
def : Binary<"add", "x + y", "1", "1">;
def : Binary<"sub", "x - y", "1", "-1">;
def : Binary<"mul", "x * y", "y", "x">;
def : Binary<"div", "x / y", "1 / y", "-x / (y * y)">;
def : Binary<"mod",
             "where(y == 0, 0, where(y > 0,"
             " where(fmod(x, y) < 0, fmod(x, y) + y, fmod(x, y)),"
             " where(fmod(x, y) > 0, fmod(x, y) + y, fmod(x, y))))",
             "1", "-floor(x / y)">;
def : Binary<"power", "pow(x, y)", "y * pow(x, y - 1)", "pow(x, y) * log(x)">;
def : Binary<"maximum", "where(x != x, x, max(x, y))", "x >= y", "x < y">;
def : Binary<"minimum", "where(x != x, x, min(x, y))", "x <= y", "x > y">;
// Scaled, so that squares do not overflow.
def : Binary<"hypot",
             "where(x != x, x, where(abs(x) == abs(y), abs(x) * 1.4142135623730951,"
             " max(abs(x), abs(y)) * sqrt(1 + square(min(abs(x), abs(y)) / max(abs(x), abs(y))))))",
             "x / hypot(x, y)", "y / hypot(x, y)">;
def : Binary<"equal", "x == y", "0", "0">;
def : Binary<"not_equal", "x != y", "0", "0">;
def : Binary<"greater", "x > y", "0", "0">;
def : Binary<"greater_equal", "x >= y", "0", "0">;
def : Binary<"lesser", "x < y", "0", "0">;
def : Binary<"lesser_equal", "x <= y", "0", "0">;
def : Binary<"logical_and", "where(x != 0, y != 0, 0)", "0", "0">;
def : Binary<"logical_or", "where(x != 0, 1, y != 0)", "0", "0">;
def : Binary<"logical_xor", "where(x != 0, y == 0, y != 0)", "0", "0">;
def : Binary<"arctan2", "atan2(x, y)", "y / (x * x + y * y)", "-x / (x * x + y * y)">;
// MXNet's: 0 counts as positive, whatever its sign.
def : Binary<"copysign", "where(x >= 0, where(y >= 0, x, -x), where(y < 0, x, -x))",
             "where(x >= 0, where(y >= 0, 1, -1), where(y < 0, 1, -1))", "0">;
def : Binary<"ldexp", "x * pow(2, y)", "pow(2, y)", "x * pow(2, y) * 0.69314718055994531">;

// Integers.
def : ScalarFn<"lcm", ["x", "y"], "lcm(x, y)", []>;
def : ScalarFn<"bit_and", ["x", "y"], "bit_and(x, y)", []>;
def : ScalarFn<"bit_or", ["x", "y"], "bit_or(x, y)", []>;
def : ScalarFn<"bit_xor", ["x", "y"], "bit_xor(x, y)", []>;
def : ScalarFn<"bit_not", ["x"], "bit_not(x)", []>;

#endif // SYMC_SCALAR_FUNCTIONS
