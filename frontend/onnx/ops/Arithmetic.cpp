//===- Arithmetic.cpp - ONNX's functions of two operands --------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Elementwise.h"
#include "frontend/onnx/ops/Fold.h"
#include "frontend/onnx/ops/Places.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

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

Value pair(NodeScope &node, StringRef fn, bool commutes) {
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
    if (isa<FloatType>(node.type(0))) // where nothing is left
      return a.isKnown() && sg::remainder(a, b.get()).isStatic(0)
                 ? std::optional(sg::floorDiv(a, b.get()))
                 : std::nullopt;
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
  if (isa<FloatType>(base) && node.type(1) == base)
    return node.give(pair(node, "power"), std::move(known));
  // Integers of an exponent with a fraction are computed in floats.
  Type wide = base;
  if (!isa<FloatType>(base) && isa<FloatType>(node.type(1)))
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
  if (!isa<FloatType>(type))
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
  if (isa<FloatType>(node.type(0))) {
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
    if (difference.isStatic())
      return node.dim(compare(difference.get(), int64_t(0)));
    if (node.areSame(a, b))
      return node.dim(compare(int64_t(0), int64_t(0)));
    // Whatever the sizes are.
    for (int64_t sign : {-1, 1})
      if (node.holds(sg::atLeast(difference * sign, 1)))
        return node.dim(compare(sign, int64_t(0)));
    bool notBelow = node.holds(sg::atLeast(difference, 0));
    if ((notBelow || node.holds(sg::atMost(difference, 0))) && op != "Equal" &&
        compare(int64_t(0), int64_t(0)) == compare(int64_t(notBelow ? 1 : -1), int64_t(0)))
      return node.dim(compare(int64_t(0), int64_t(0)));
    return std::nullopt;
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

} // namespace symc::onnx::ops
