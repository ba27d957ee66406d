//===- Elementwise.cpp - ONNX's functions of single elements ---------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Fold.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

static bool isFloat(Type type) { return isa<FloatType>(type); }

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

bool unaryOp(NodeScope &node) {
  StringRef fn = llvm::StringSwitch<StringRef>(node.node.op)
                     .Case("Acos", "arccos")
                     .Case("Acosh", "arccosh")
                     .Case("Asin", "arcsin")
                     .Case("Asinh", "arcsinh")
                     .Case("Atan", "arctan")
                     .Case("Atanh", "arctanh")
                     .Case("Neg", "negative")
                     .Case("Round", "round_even")
                     .Case("Softplus", "softrelu")
                     .Case("BitwiseNot", "bit_not")
                     .Default("");
  std::string lower = fn.empty() ? node.node.op.lower() : fn.str();
  std::optional<Known> known;
  if (const Known *value = node.known(0); value && lower == "negative") {
    known = *value;
    for (sg::Dim &dim : known->whole)
      dim = dim * -1;
    for (double &real : known->real)
      real = -real;
  } else if (value && (lower == "floor" || lower == "ceil" || lower == "sqrt") &&
             !value->isWhole()) {
    known = *value;
    for (double &real : known->real)
      real = lower == "floor"  ? std::floor(real)
             : lower == "ceil" ? std::ceil(real)
                               : roundTo(std::sqrt(real), value->type);
  }
  return node.give(node.unary(lower, node.in(0)), std::move(known));
}

bool notOp(NodeScope &node) {
  std::optional<Known> known;
  if (const Known *value = node.known(0); value && value->isFixed()) {
    known = *value;
    for (sg::Dim &dim : known->whole)
      dim = node.dim(dim.get() == 0);
  }
  return node.give(node.make("numpy_test", node.in(0), {node.word("fn", "logical_not")}),
                   std::move(known));
}

bool isNan(NodeScope &node) {
  return node.give(node.make("numpy_test", node.in(0), {node.word("fn", "isnan")}));
}

bool isInf(NodeScope &node) {
  bool negative = node.integer("detect_negative"), positive = node.integer("detect_positive");
  if (negative || positive)
    return node.give(node.make("numpy_test", node.in(0),
                               {node.word("fn", negative && positive ? "isinf"
                                                : negative           ? "isneginf"
                                                                     : "isposinf")}));
  Value none = node.make("numpy_test", node.in(0), {node.word("fn", "isinf")});
  return node.give(none ? node.make("fill_like", none, {node.realNumber("value", 0)}) : none);
}

bool identity(NodeScope &node) {
  std::optional<Known> known;
  if (node.known(0))
    known = *node.known(0);
  return node.give(node.in(0), std::move(known));
}

// In prediction its operand, and a mask of ones.
bool dropout(NodeScope &node) {
  if (node.has(2)) {
    std::optional<SmallVector<int64_t>> training = node.numbers(2);
    if (!training)
      return false;
    double ratio = 0.5;
    if (node.has(1)) {
      if (!node.known(1))
        return node.wanted(1) != nullptr;
      ratio = node.known(1)->at(0);
    }
    if ((*training)[0] != 0 && ratio != 0) {
      SmallVector<Value> made = node.makeAll(
          "dropout", node.in(0), 1, {node.realNumber("p", ratio), node.word("mode", "always")});
      if (node.needs(1))
        return node.refuse("the mask of a dropout that draws numbers is not computed");
      return node.give(made[0]);
    }
  }
  if (node.needs(1)) {
    Value zero = node.make("numpy_test", node.in(0), {node.word("fn", "isnan")});
    if (!node.give(1, zero ? node.make("fill_like", zero, {node.realNumber("value", 1)}) : zero))
      return false;
  }
  return identity(node);
}

static bool giveCast(NodeScope &node, Type to) {
  std::optional<Known> known;
  if (const Known *value = node.known(0))
    known = value->castTo(to);
  return node.give(node.cast(node.in(0), to), std::move(known));
}

bool castOp(NodeScope &node) {
  Type to = typeOf(node.integer("to"), node.context());
  if (!to)
    return node.refuse("there are no values of element type " + nameOf(node.integer("to")));
  return giveCast(node, to);
}
bool castLike(NodeScope &node) { return giveCast(node, node.type(1)); }

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static bool requireSameTypes(NodeScope &node, size_t first, size_t second) {
  if (node.type(first) == node.type(second))
    return true;
  return node.refuse("its operands have the element types " + sg::typeName(node.type(first)) +
                     " and " + sg::typeName(node.type(second)) + ", needs one");
}

// A number beside an operand that has the shape of the result.
static std::optional<double> numberBeside(NodeScope &node, size_t number, size_t other) {
  const Known *known = node.known(number);
  if (!known || known->isWhole() || known->count() != 1 ||
      int64_t(known->dims.size()) > node.rank(other))
    return std::nullopt;
  return known->real[0];
}

static Value pair(NodeScope &node, StringRef fn, bool commutes = false) {
  if (!node.known(0))
    if (std::optional<double> number = numberBeside(node, 1, 0))
      return node.scalar(fn, node.in(0), *number);
  if (!node.known(1))
    if (std::optional<double> number = numberBeside(node, 0, 1))
      return node.scalar(fn, node.in(1), *number, !commutes);
  return node.binary(fn, node.in(0), node.in(1));
}

bool arithmetic(NodeScope &node) {
  if (!requireSameTypes(node, 0, 1))
    return false;
  StringRef op = node.node.op;
  std::string fn = op.lower();
  auto real = [&](double a, double b) -> std::optional<double> {
    return op == "Add" ? a + b : op == "Sub" ? a - b : op == "Mul" ? a * b : a / b;
  };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    if (op == "Add")
      return a + b;
    if (op == "Sub")
      return a - b;
    if (op == "Mul")
      return a * b;
    if (!b.isStatic() || b.get() == 0)
      return std::nullopt;
    // Extents are not negative; of numbers the quotient is cut off.
    if (a.isStatic())
      return sg::Dim::constant(b.get() == -1 ? 0 - a.get() : a.get() / b.get(), node.context());
    return b.get() > 0 ? std::optional(sg::floorDiv(a, b.get())) : std::nullopt;
  };
  std::optional<Known> known = foldPair(node.known(0), node.known(1), node.type(0), {real, whole});
  return node.give(pair(node, fn, op == "Add" || op == "Mul"), std::move(known));
}

bool power(NodeScope &node) {
  auto real = [](double a, double b) -> std::optional<double> { return std::pow(a, b); };
  auto whole = [](sg::Dim, sg::Dim) -> std::optional<sg::Dim> { return std::nullopt; };
  std::optional<Known> known = foldPair(node.known(0), node.known(1), node.type(0), {real, whole});
  Type base = node.type(0);
  if (isFloat(base) && node.type(1) == base)
    return node.give(pair(node, "power"), std::move(known));
  // Integers of an exponent with a fraction are computed in floats.
  Type wide = base;
  if (!isFloat(base) && isFloat(node.type(1)))
    wide = Float64Type::get(node.context());
  Value value = node.binary("power", node.cast(node.in(0), wide), node.cast(node.in(1), wide));
  return node.give(node.cast(value, base), std::move(known));
}

bool modulo(NodeScope &node) {
  if (node.integer("fmod") != 0)
    return node.refuse("fmod = 1 is not computed yet");
  if (isFloat(node.type(0)))
    return node.refuse("floats need fmod = 1");
  auto real = [](double, double) -> std::optional<double> { return std::nullopt; };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    if (!b.isStatic() || b.get() <= 0)
      return std::nullopt;
    return sg::remainder(a, b.get());
  };
  std::optional<Known> known = foldPair(node.known(0), node.known(1), node.type(0), {real, whole});
  return node.give(node.binary("mod", node.in(0), node.in(1)), std::move(known));
}

bool bitwise(NodeScope &node) {
  StringRef op = node.node.op;
  return requireSameTypes(node, 0, 1) && node.give(node.binary(op == "BitwiseAnd"  ? "bit_and"
                                                               : op == "BitwiseOr" ? "bit_or"
                                                                                   : "bit_xor",
                                                               node.in(0), node.in(1)));
}

bool comparison(NodeScope &node) {
  if (!requireSameTypes(node, 0, 1))
    return false;
  StringRef op = node.node.op;
  StringRef fn = llvm::StringSwitch<StringRef>(op)
                     .Case("Equal", "equal")
                     .Case("Greater", "greater")
                     .Case("Less", "lesser")
                     .Case("GreaterOrEqual", "greater_equal")
                     .Default("lesser_equal");
  auto compare = [&](auto a, auto b) -> bool {
    return op == "Equal"            ? a == b
           : op == "Greater"        ? a > b
           : op == "Less"           ? a < b
           : op == "GreaterOrEqual" ? a >= b
                                    : a <= b;
  };
  auto real = [&](double a, double b) -> std::optional<double> { return compare(a, b); };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    sg::Dim difference = a - b;
    if (!difference.isStatic())
      return std::nullopt;
    return node.dim(compare(difference.get(), int64_t(0)));
  };
  Type boolean = IntegerType::get(node.context(), 1);
  std::optional<Known> known = foldPair(node.known(0), node.known(1), boolean, {real, whole});
  return node.give(node.compare(fn, node.in(0), node.in(1)), std::move(known));
}

bool logic(NodeScope &node) {
  StringRef op = node.node.op;
  auto real = [](double, double) -> std::optional<double> { return std::nullopt; };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    if (!a.isStatic() || !b.isStatic())
      return std::nullopt;
    bool x = a.get(), y = b.get();
    return node.dim(op == "And" ? x && y : op == "Or" ? x || y : x != y);
  };
  std::optional<Known> known = foldPair(node.known(0), node.known(1), node.type(0), {real, whole});
  return node.give(node.binary(op == "And"  ? "logical_and"
                               : op == "Or" ? "logical_or"
                                            : "logical_xor",
                               node.in(0), node.in(1)),
                   std::move(known));
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

bool extreme(NodeScope &node) {
  bool isMax = node.node.op == "Max";
  auto real = [&](double a, double b) -> std::optional<double> {
    return std::isnan(a) || std::isnan(b) ? NAN : isMax ? std::max(a, b) : std::min(a, b);
  };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    if (a == b)
      return a;
    if (!a.isStatic() || !b.isStatic())
      return std::nullopt;
    return node.dim(isMax ? std::max(a.get(), b.get()) : std::min(a.get(), b.get()));
  };
  Value value = node.in(0);
  std::optional<Known> known;
  if (node.known(0))
    known = *node.known(0);
  for (size_t i = 1; i < node.count(); ++i) {
    if (!requireSameTypes(node, 0, i))
      return false;
    StringRef fn = isMax ? "maximum" : "minimum";
    known = foldPair(known ? &*known : nullptr, node.known(i), node.type(0), {real, whole});
    value = i == 1 && node.count() == 2 ? pair(node, fn, true) : node.binary(fn, value, node.in(i));
  }
  return node.give(value, std::move(known));
}

bool sumOp(NodeScope &node) {
  Value value = node.in(0);
  for (size_t i = 1; i < node.count(); ++i)
    value = node.binary("add", value, node.in(i));
  if (node.node.op == "Mean" && node.count() > 1)
    value = node.scalar("div", value, double(node.count()));
  return node.give(value);
}

bool whereOp(NodeScope &node) {
  if (!requireSameTypes(node, 1, 2))
    return false;
  std::optional<Known> known;
  const Known *condition = node.known(0), *x = node.known(1), *y = node.known(2);
  if (condition && condition->isFixed() && x && y) {
    auto one = meet(condition->dims, x->dims);
    auto dims = one ? meet(*one, y->dims) : std::nullopt;
    std::optional<uint64_t> count = dims ? countElements(*dims) : std::nullopt;
    if (count && *count <= kMostKnown) {
      known = Known{x->type, *dims, {}, {}};
      for (size_t i = 0; i < *count; ++i) {
        const Known *chosen = condition->at(placeIn(condition->dims, *dims, i)) != 0 ? x : y;
        size_t place = placeIn(chosen->dims, *dims, i);
        if (x->isWhole())
          known->whole.push_back(chosen->whole[place]);
        else
          known->real.push_back(chosen->real[place]);
      }
    }
  }
  return node.give(node.where(node.in(0), node.in(1), node.in(2)), std::move(known));
}

// Limits are operands, which may be left out, or attributes before opset 11.
bool clip(NodeScope &node) {
  Value x = node.in(0);
  Type type = node.type(0);
  if (node.opset < 11) {
    bool low = node.given("min"), high = node.given("max");
    if (low)
      x = node.scalar("maximum", x, node.real("min"));
    if (high)
      x = node.scalar("minimum", x, node.real("max"));
    return node.give(x);
  }
  const Known *low = node.known(1), *high = node.known(2);
  if (low && high && isFloat(type) && low->at(0) <= high->at(0))
    return node.give(node.make(
        "clip", x, {node.realNumber("a_min", low->at(0)), node.realNumber("a_max", high->at(0))}));
  auto limit = [&](StringRef fn, size_t i) {
    if (!node.has(i))
      return;
    const Known *known = node.known(i);
    if (known && !known->isWhole() && known->count() == 1)
      x = node.scalar(fn, x, known->at(0));
    else
      x = node.binary(fn, x, node.in(i));
  };
  limit("maximum", 1);
  limit("minimum", 2);
  std::optional<Known> known;
  if (node.known(0) && !node.has(1) && !node.has(2))
    known = *node.known(0);
  return node.give(x, std::move(known));
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

bool elu(NodeScope &node) {
  return node.give(
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "elu"), node.realNumber("slope", node.real("alpha"))}));
}
bool leakyRelu(NodeScope &node) {
  return node.give(
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "leaky"), node.realNumber("slope", node.real("alpha"))}));
}
bool hardSigmoid(NodeScope &node) {
  return node.give(node.make(
      "hard_sigmoid", node.in(0),
      {node.realNumber("alpha", node.real("alpha")), node.realNumber("beta", node.real("beta"))}));
}
static Value signOf(NodeScope &node, StringRef fn, Value x, double number) {
  return node.make(
      "numpy_scalar", x,
      {node.word("fn", fn), node.realNumber("scalar", number), node.flag("is_int", false)});
}
// x where it is above 0, else alpha * (exp(x) - 1), times gamma.
bool selu(NodeScope &node) {
  Value curve =
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "elu"), node.realNumber("slope", node.real("alpha"))});
  return node.give(node.scalar("mul", curve, node.real("gamma")));
}
// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).
bool celu(NodeScope &node) {
  double alpha = node.real("alpha");
  Value scaled = node.scalar("div", node.in(0), alpha);
  Value curve = node.scalar("mul", node.unary("expm1", scaled), alpha);
  return node.give(
      node.binary("add", node.unary("relu", node.in(0)), node.scalar("minimum", curve, 0)));
}
bool prelu(NodeScope &node) {
  if (!requireSameTypes(node, 0, 1))
    return false;
  Value x = node.in(0), zero = node.scalarLike(0, node.type(0));
  Value isNegative = node.compare("lesser", x, zero);
  return node.give(node.where(isNegative, node.binary("mul", node.in(1), x), x));
}
static Value hardSigmoidOf(NodeScope &node, Value x) {
  return node.make("hard_sigmoid", x,
                   {node.realNumber("alpha", 1.0 / 6), node.realNumber("beta", 0.5)});
}
bool hardSwish(NodeScope &node) {
  return node.give(node.binary("mul", node.in(0), hardSigmoidOf(node, node.in(0))));
}
bool mish(NodeScope &node) {
  Value soft = node.unary("softrelu", node.in(0));
  return node.give(node.binary("mul", node.in(0), node.unary("tanh", soft)));
}
bool gelu(NodeScope &node) {
  Value x = node.in(0);
  if (node.text("approximate") == "none")
    return node.give(node.make("leaky_relu", x, {node.word("act_type", "gelu")}));
  if (node.text("approximate") != "tanh")
    return node.refuse("it has no approximation " + inQuotes(node.text("approximate")));
  Value cube = node.binary("mul", node.unary("square", x), x);
  Value inner = node.scalar("mul", node.binary("add", x, node.scalar("mul", cube, 0.044715)),
                            0.7978845608028654);
  Value half = node.scalar("mul", node.scalar("add", node.unary("tanh", inner), 1), 0.5);
  return node.give(node.binary("mul", x, half));
}
bool swish(NodeScope &node) {
  Value x = node.in(0);
  double alpha = node.real("alpha");
  Value scaled = alpha == 1 ? x : node.scalar("mul", x, alpha);
  return node.give(node.binary("mul", x, node.unary("sigmoid", scaled)));
}
bool shrink(NodeScope &node) {
  Value x = node.in(0);
  Type type = node.type(0);
  double limit = node.real("lambd"), bias = node.real("bias");
  Value wide = isFloat(type) ? x : node.cast(x, Float32Type::get(node.context()));
  Value zero = node.scalarLike(0, sg::elementTypeOf(wide.getType()));
  Value above =
      node.where(signOf(node, "greater", wide, limit), node.scalar("sub", wide, bias), zero);
  Value both =
      node.where(signOf(node, "lesser", wide, -limit), node.scalar("add", wide, bias), above);
  return node.give(node.cast(both, type));
}
bool thresholdedRelu(NodeScope &node) {
  Value x = node.in(0), zero = node.scalarLike(0, node.type(0));
  return node.give(node.where(signOf(node, "greater", x, node.real("alpha")), x, zero));
}
// The first operand times a sigmoid of it, times the second.
bool swiglu(NodeScope &node) {
  Value x = node.in(0);
  double alpha = node.real("alpha");
  Value scaled = alpha == 1 ? x : node.scalar("mul", x, alpha);
  Value gate = node.binary("mul", x, node.unary("sigmoid", scaled));
  return node.give(node.binary("mul", gate, node.in(1)));
}

} // namespace symc::onnx::ops
