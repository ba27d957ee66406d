// GradientMutants.cpp: see GradientMutants.h.
#include "tools/conformance/GradientMutants.h"

#include "ir/CustomOperators.h"
#include "ir/Differentiator.h"
#include "llvm/ADT/StringSwitch.h"
#include <functional>

using namespace mlir;
using namespace symc;
using namespace symc::sg;
using conformance::GradientMutant;

namespace {

/// A mistake at a node, and how it is made.
using Visit = llvm::function_ref<void(const Twine &what, const std::function<void()> &make)>;

StringRef fnOf(Operation *op) {
  auto fn = op->getAttrOfType<StringAttr>("fn");
  return fn ? fn.getValue() : StringRef();
}

// The function that takes the place of another one; none for functions without a counterpart.
StringRef exchanged(StringRef fn) {
  return llvm::StringSwitch<StringRef>(fn)
      .Case("add", "sub")
      .Case("sub", "add")
      .Case("greater", "lesser")
      .Case("greater_equal", "lesser")
      .Case("lesser", "greater")
      .Case("lesser_equal", "greater")
      .Case("equal", "not_equal")
      .Case("not_equal", "equal")
      .Case("maximum", "minimum")
      .Case("minimum", "maximum")
      .Default("");
}

void exchangeOperands(Operation *op, unsigned one, unsigned other) {
  Value first = op->getOperand(one);
  op->setOperand(one, op->getOperand(other));
  op->setOperand(other, first);
}

void negate(Operation *op) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  CoreBuilder core(b, op->getLoc());
  Value result = op->getResult(0);
  Value negative = core.unary("negative", result);
  result.replaceAllUsesExcept(negative, negative.getDefiningOp());
}

void mistakesOf(Operation *op, Visit visit) {
  StringRef kind = op->getName().stripDialect(), fn = fnOf(op);
  bool isArithmetic = kind == "binary" || kind == "scalar";
  if (isArithmetic)
    if (StringRef other = exchanged(fn); !other.empty())
      visit(fn + " for " + other,
            [op, other] { op->setAttr("fn", StringAttr::get(op->getContext(), other)); });
  if (kind == "where") {
    visit("choices exchanged", [op] { exchangeOperands(op, 1, 2); });
    return;
  }
  // A contribution to a sum, a factor or a divisor.
  bool joins = isArithmetic && llvm::is_contained({"add", "sub", "mul", "div"}, fn);
  joins |= kind == "slope" || kind == "add_n";
  bool isFunction = kind == "slope";
  if (joins)
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (operand.getType() == op->getResult(0).getType() &&
          (!isFunction || i + 1 == op->getNumOperands()))
        visit(isFunction ? "without its derivative" : "only operand " + std::to_string(i),
              [op, place = i] { op->getResult(0).replaceAllUsesWith(op->getOperand(place)); });
  if (!isFloat(op->getResult(0)) || kind == "fill_like" || kind == "full")
    return;
  visit("another sign", [op] { negate(op); });
}

void forEachMistake(ModuleOp module, Visit visit) {
  module.walk([&](Operation *op) {
    if (isBackward(op) && op->getNumResults() && infoOf(op))
      mistakesOf(op, [&](const Twine &what, const std::function<void()> &make) {
        StringRef fn = fnOf(op);
        visit(nodeName(op) + ": " + op->getName().getStringRef() + (fn.empty() ? "" : " " + fn) +
                  ": " + what,
              make);
      });
  });
}

} // namespace

size_t conformance::countGradientMutants(ModuleOp module) {
  size_t count = 0;
  forEachMistake(module, [&](const Twine &, const std::function<void()> &) { ++count; });
  return count;
}

GradientMutant conformance::makeGradientMutant(ModuleOp module, size_t number) {
  GradientMutant mutant;
  std::function<void()> chosen;
  size_t count = 0;
  forEachMistake(module, [&](const Twine &what, const std::function<void()> &make) {
    if (count++ == number) {
      mutant.text = what.str();
      chosen = make;
    }
  });
  chosen();
  return mutant;
}
