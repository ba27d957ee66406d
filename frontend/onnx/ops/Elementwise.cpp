//===- Elementwise.cpp - ONNX's functions of single elements ---------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/Small.h"
#include "frontend/onnx/ops/Fold.h"
#include "frontend/onnx/ops/Places.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

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
  } else if (value && !value->isWhole() &&
             (lower == "floor" || lower == "ceil" || lower == "sqrt" || lower == "reciprocal")) {
    known = *value;
    for (double &real : known->real)
      real = lower == "floor"  ? std::floor(real)
             : lower == "ceil" ? std::ceil(real)
                               : roundTo(lower == "sqrt" ? std::sqrt(real) : 1 / real, value->type);
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
  if (node.sequence(0)) {
    node.results = {node.operands[0]};
    return true;
  }
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
      if (!node.needs(1))
        return node.give(node.make("dropout", node.in(0),
                                   {node.realNumber("p", ratio), node.word("mode", "always")}));
      // Beside its mask, which no operation of sg returns.
      auto shape = fixedExtents(node, node.shape(0), "data");
      if (!shape)
        return false;
      Value drawn = node.make("random", {},
                              {node.list("shape", *shape), node.word("kind", "uniform"),
                               node.word("dtype", "float32")});
      Value mask = node.make("numpy_scalar", drawn,
                             {node.word("fn", "greater_equal"), node.realNumber("scalar", ratio),
                              node.flag("is_int", false)});
      Value kept = node.scalar("div", node.in(0), 1 - ratio);
      Value y = ratio >= 1 ? node.scalar("mul", node.in(0), 0)
                           : node.where(mask, kept, node.scalarLike(0, node.type(0)));
      return node.give(0, y) && node.give(1, mask);
    }
  }
  if (node.needs(1)) {
    Value zero = node.make("numpy_test", node.in(0), {node.word("fn", "isnan")});
    if (!node.give(1, zero ? node.make("fill_like", zero, {node.realNumber("value", 1)}) : zero))
      return false;
  }
  return identity(node);
}

static bool requireSameTypes(NodeScope &node, size_t first, size_t second) {
  if (node.type(first) == node.type(second))
    return true;
  return node.refuse("its operands have the element types " + sg::typeName(node.type(first)) +
                     " and " + sg::typeName(node.type(second)) + ", needs one");
}

// To or from a type of one byte or less.
static bool giveSmallCast(NodeScope &node, const SmallType *small, Type to) {
  Value x = node.in(0);
  if (const SmallType *from = node.small(0)) {
    if (from == small)
      return node.giveSmall(0, x, from);
    x = decoded(node, x, *from);
  }
  if (!small)
    return node.give(node.cast(x, to));
  StringRef rounding = node.text("round_mode");
  if (rounding.empty())
    rounding = "up";
  if (rounding != "up" && rounding != "down" && rounding != "nearest")
    return node.refuse("it has no round_mode " + inQuotes(rounding));
  bool saturates = node.opset < 19 || node.integer("saturate") != 0;
  return node.giveSmall(0, encoded(node, x, *small, saturates, rounding), small);
}

static bool giveCast(NodeScope &node, Type to) {
  std::optional<Known> known;
  if (const Known *value = node.known(0))
    known = value->castTo(to);
  return node.give(node.cast(node.in(0), to), std::move(known));
}

bool castOp(NodeScope &node) {
  Type to = typeOf(node.integer("to"), node.context());
  const SmallType *small = smallTypeOf(node.integer("to"));
  if (!to && !small)
    return node.refuse("there are no values of element type " + nameOf(node.integer("to")));
  return small || node.small(0) ? giveSmallCast(node, small, to) : giveCast(node, to);
}
bool castLike(NodeScope &node) {
  return node.small(0) || node.small(1) ? giveSmallCast(node, node.small(1), node.type(1))
                                        : giveCast(node, node.type(1));
}

// The same bits; integers of the same width differ in their type alone.
bool bitCast(NodeScope &node) {
  Type to = typeOf(node.integer("to"), node.context());
  if (!to)
    return node.refuse("there are no values of element type " + nameOf(node.integer("to")));
  return node.give(node.make("bit_cast", node.in(0), {node.dtype(to)}));
}

// x * 2^n, or x / 2^n rounded down; 0, or the sign, where n is the width and more, or below 0.
bool bitShift(NodeScope &node) {
  StringRef direction = node.text("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.refuse("it has no direction " + inQuotes(direction));
  Type type = node.type(0), wide = int64Type(node);
  if (!requireSameTypes(node, 0, 1))
    return false;
  auto bits = int64_t(type.getIntOrFloatBitWidth());
  Value x = node.cast(node.in(0), wide), by = node.cast(node.in(1), wide);
  auto number = [&](double value) { return node.scalarLike(value, wide); };
  // A width that is out of range counts as one more than the last bit.
  Value inside = node.binary("logical_and", node.compare("greater_equal", by, number(0)),
                             node.compare("lesser", by, number(double(bits))));
  Value steps = node.where(inside, by, number(double(bits == 64 ? 0 : bits)));
  SmallVector<int64_t> powers;
  for (int64_t i = 0; i <= std::min<int64_t>(bits, 62); ++i)
    powers.push_back(int64_t(1) << i);
  while (int64_t(powers.size()) <= bits)
    powers.push_back(powers.size() == 63 ? INT64_MIN : 0);
  Value factor = node.make("take", {node.constant(Known::of(powers, {bits + 1}, wide)), steps},
                           {node.number("axis", 0)});
  Value y;
  if (direction == "LEFT") {
    y = node.binary("mul", x, factor);
    y = node.where(inside, y, number(0));
    return node.give(node.cast(y, type));
  }
  // Of what is negative in 64 bits (uint64 too), the quotient of the bits without the last one of
  // the sign; what lies above is put back as 2^(63 - n), or as the sign.
  Value negative = node.compare("lesser", x, number(0));
  Value last = node.compare("equal", factor, number(-9223372036854775808.0)); // by 63
  Value safe = node.where(last, number(1), factor);
  Value low = node.binary("bit_and", x, node.constant(Known::scalar(INT64_MAX, wide)));
  Value size = node.where(negative, low, x);
  Value quotient = node.where(last, number(0), node.binary("div", size, safe));
  SmallVector<int64_t> tops;
  for (int64_t i = 0; i <= bits; ++i)
    tops.push_back(i == 0 ? INT64_MIN : int64_t(1) << (63 - std::min<int64_t>(i, 63)));
  Value top = node.make("take", {node.constant(Known::of(tops, {bits + 1}, wide)), steps},
                        {node.number("axis", 0)});
  bool isSigned = !type.isUnsignedInteger();
  // Copies of the sign above: minus 2^(63 - n).
  Value above = isSigned ? node.unary("negative", top) : top;
  y = node.where(negative, node.binary("add", quotient, above), quotient);
  Value beyond = isSigned ? node.where(negative, number(-1), number(0)) : number(0);
  y = node.where(inside, y, beyond);
  return node.give(node.cast(y, type));
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

// Before opset 7 the second operand repeats where `broadcast` requests it, aligned at `axis`.
static bool alignOperands(NodeScope &node) {
  if (node.opset >= 7)
    return true;
  sg::Shape to = node.shape(0), from = node.shape(1);
  if (node.integer("broadcast") == 0) {
    if (to.str() == from.str())
      return true;
    return node.refuse("its operands have the shapes " + to.str() + " and " + from.str() +
                       ", and broadcast is 0");
  }
  if (!node.given("axis"))
    return true;
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  if (*axis + from.rank() > to.rank())
    return node.refuse("its operands have the shapes " + to.str() + " and " + from.str() +
                       " at axis " + Twine(*axis));
  SmallVector<sg::Dim> dims(from.list());
  dims.append(to.rank() - from.rank() - size_t(*axis), node.dim(1));
  node.operands[1].value = node.reshape(node.in(1), sg::Shape(dims));
  node.operands[1].known.reset();
  return node.in(1) != nullptr;
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
  if (!requireSameTypes(node, 0, 1) || !alignOperands(node))
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
  if (!alignOperands(node))
    return false;
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

// C's fmod: of the sizes, with the sign of x. `mod` has 0 for a divisor of 0, where floats have
// NaN.
static Value truncatedRest(NodeScope &node, Value x, Value y) {
  Type type = sg::elementTypeOf(x.getType());
  Value zero = node.scalarLike(0, type);
  Value rest = node.binary("mod", node.unary("abs", x), node.unary("abs", y));
  rest = node.where(node.compare("lesser", x, zero), node.unary("negative", rest), rest);
  if (!isFloat(type))
    return rest;
  rest = node.where(node.compare("equal", x, zero), x, rest); // a zero keeps its sign
  Value nan = node.scalarLike(std::numeric_limits<double>::quiet_NaN(), type);
  return node.where(node.compare("greater", node.unary("abs", y), zero), rest, nan);
}

// Python's remainder of floats, of the sign of y, zeros too.
static Value flooredRest(NodeScope &node, Value x, Value y) {
  Type type = sg::elementTypeOf(x.getType());
  Value zero = node.scalarLike(0, type);
  auto isNegative = [&](Value value) { return node.compare("lesser", value, zero); };
  Value rest = truncatedRest(node, x, y);
  Value differs = node.compare("not_equal", isNegative(rest), isNegative(y));
  Value moved = node.where(differs, node.binary("add", rest, y), rest);
  Value none = node.where(isNegative(y), node.scalarLike(-0.0, type), zero);
  return node.where(node.compare("equal", rest, zero), none, moved);
}

bool modulo(NodeScope &node) {
  if (node.integer("fmod") != 0) {
    if (!requireSameTypes(node, 0, 1))
      return false;
    if (node.type(0).isUnsignedInteger())
      return node.give(node.binary("mod", node.in(0), node.in(1)));
    return node.give(truncatedRest(node, node.in(0), node.in(1)));
  }
  if (isFloat(node.type(0))) {
    if (node.opset < 28)
      return node.refuse("floats need fmod = 1");
    return requireSameTypes(node, 0, 1) && node.give(flooredRest(node, node.in(0), node.in(1)));
  }
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
  if (!requireSameTypes(node, 0, 1) || !alignOperands(node))
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
  if (!alignOperands(node))
    return false;
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
  Value x = node.in(0), zero = node.scalarLike(0, node.type(0)), slope = node.in(1);
  if (node.opset < 7 && node.rank(1) == 1 && node.rank(0) > 2) { // one for each channel
    SmallVector<sg::Dim> dims(size_t(node.rank(0)) - 1, node.dim(1));
    dims[0] = node.shape(1)[0];
    slope = node.reshape(slope, sg::Shape(dims));
  }
  Value isNegative = node.compare("lesser", x, zero);
  return node.give(node.where(isNegative, node.binary("mul", slope, x), x));
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
