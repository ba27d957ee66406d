//===- Elementwise.cpp - ONNX's functions of single elements ---------------===//
//
// Those of one operand and of several; of two in Arithmetic.cpp, activations with parameters in
// Activations.cpp, casts in Casts.cpp.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/ops/Elementwise.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Fold.h"
#include "frontend/onnx/ops/Places.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

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
  } else if (value && value->isWhole() &&
             llvm::is_contained({"floor", "ceil", "round_even"}, lower)) {
    known = *value;
  } else if (value && !value->isWhole() &&
             llvm::is_contained({"floor", "ceil", "sqrt", "reciprocal", "relu"}, lower)) {
    known = *value;
    for (double &real : known->real)
      real = lower == "floor"  ? std::floor(real)
             : lower == "ceil" ? std::ceil(real)
             : lower == "relu" ? (real < 0 ? 0 : real)
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
      auto given = node.reals(1);
      if (!given)
        return false;
      ratio = given->front();
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

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

bool requireSameTypes(NodeScope &node, size_t first, size_t second) {
  if (node.type(first) == node.type(second))
    return true;
  return node.refuse("its operands have the element types " + sg::typeName(node.type(first)) +
                     " and " + sg::typeName(node.type(second)) + ", needs one");
}

bool extreme(NodeScope &node) {
  bool isMax = node.node.op == "Max";
  auto real = [&](double a, double b) -> std::optional<double> {
    return std::isnan(a) || std::isnan(b) ? NAN : isMax ? std::max(a, b) : std::min(a, b);
  };
  auto whole = [&](sg::Dim a, sg::Dim b) -> std::optional<sg::Dim> {
    if (a == b)
      return a;
    if (a.isStatic() && b.isStatic())
      return node.dim(isMax ? std::max(a.get(), b.get()) : std::min(a.get(), b.get()));
    if (node.holds(sg::atLeast(a, b)))
      return isMax ? a : b;
    if (node.holds(sg::atLeast(b, a)))
      return isMax ? b : a;
    return std::nullopt;
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
  std::optional<Known> other; // whole floats beside those that depend on sizes
  if (x && y && x->isWhole() != y->isWhole()) {
    const Known *&real = x->isWhole() ? y : x;
    other = real->asWhole();
    real = other ? &*other : nullptr;
  }
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
      known->settle();
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
  if (low && high && isa<FloatType>(type) && low->isFixed() && high->isFixed() &&
      low->at(0) <= high->at(0))
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

} // namespace symc::onnx::ops
