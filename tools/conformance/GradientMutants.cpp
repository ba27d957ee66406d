// GradientMutants.cpp: see GradientMutants.h.
#include "tools/conformance/GradientMutants.h"

#include "ir/CustomOperators.h"
#include "ir/Differentiator.h"
#include "ir/Gradient.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Shape.h"
#include "llvm/ADT/StringSwitch.h"
#include <functional>

using namespace mlir;
using namespace symc;
using namespace symc::sg;
using conformance::GradientMutant;

namespace {

/// A mistake at a node, and how it is made.
using Visit = llvm::function_ref<void(const Twine &what, const std::function<void()> &make)>;
/// The same with the node that it is made at.
using VisitNode =
    llvm::function_ref<void(Operation *op, const Twine &what, const std::function<void()> &make)>;

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

// Whether only choices read it, through changes of its shape too: they take either sign for true.
bool isCondition(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    Operation *reader = use.getOwner();
    if (isa<ReshapeOp, BroadcastToOp, TransposeOp>(reader))
      return isCondition(reader);
    return isa<WhereOp>(reader) && use.getOperandNumber() == 0;
  });
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
  if (!isFloat(op->getResult(0)) || kind == "fill_like" || kind == "full" || isCondition(op))
    return;
  visit("another sign", [op] { negate(op); });
}

void forEachMistake(ModuleOp module, VisitNode visit) {
  module.walk([&](Operation *op) {
    if (isBackward(op) && op->getNumResults() && infoOf(op))
      mistakesOf(op, [&](const Twine &what, const std::function<void()> &make) {
        StringRef fn = fnOf(op);
        visit(op,
              nodeName(op) + ": " + op->getName().getStringRef() + (fn.empty() ? "" : " " + fn) +
                  ": " + what,
              make);
      });
  });
}

} // namespace

std::vector<GradientMutant> conformance::gradientMutantsOf(ModuleOp module) {
  // What a rule made has the name of its operator.
  llvm::StringMap<std::string> rules;
  module.walk([&](Operation *op) {
    if (!isBackward(op) && gradientKind(op) == "rule")
      rules[nodeName(op)] = op->getName().getStringRef().str();
  });
  std::vector<GradientMutant> mutants;
  llvm::StringMap<unsigned> counts; // of mistakes with the same text at one operator
  forEachMistake(module, [&](Operation *op, const Twine &what, const std::function<void()> &) {
    StringRef name = nodeName(op);
    name.consume_back("_backward");
    std::string text = what.str(), rule = rules.lookup(name);
    unsigned number = ++counts[text];
    std::string kind = text.substr(nodeName(op).size());
    mutants.push_back({text, rule, rule + kind + " (" + std::to_string(number) + ")"});
  });
  return mutants;
}

void conformance::makeGradientMutant(ModuleOp module, size_t number) {
  std::function<void()> chosen;
  size_t count = 0;
  forEachMistake(module, [&](Operation *, const Twine &, const std::function<void()> &make) {
    if (count++ == number)
      chosen = make;
  });
  chosen();
}
