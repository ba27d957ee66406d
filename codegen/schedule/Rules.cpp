// Rules.cpp: the order in which rules are asked, and who asks: the choice of layouts, for the
// forms of the rule that takes a node, and the schedule, for its step.
#include "codegen/schedule/Schedule.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// By benefit: what computes a whole group before what computes a node of it, a kernel that
// keeps data in registers or caches before one that walks over memory, and moves of data last.
// What no rule takes calls its reference kernel.
ArrayRef<const Scheduler::Rule *> Scheduler::rules() {
  static const Rule *const all[] = {
      &quantizedRule,          // one walk over integers, limits included
      &lrnRule,                // one walk, sums over channels in registers
      &placesRule,             // one walk whose elements depend on where they are
      &convolutionRule,        // tiles, the chain in their epilogue
      &fullyConnectedRule,     //
      &poolingRule,            //
      &loopsRule,              // one walk for a chain of elementwise nodes
      &reduceRule,             // rows in a cache, the nodes around it in its bodies
      &recurrentRule,          // nodes that are never fused from here on
      &integerConvolutionRule, //
      &integerPoolingRule,     //
      &integerSumsRule,        //
      &productRule,            //
      &resizeRule,             // walks along one axis
      &deconvolutionRule,      // one walk, the window's taps as views
      &repeatsRule,            // copies
      &moveRule,               // views and copies
  };
  return all;
}

bool Scheduler::isUsed(const Rule &rule) const {
  if (rule.use == Rule::Always)
    return true;
  return !options.referenceOnly && (rule.use == Rule::Generated || options.tileKernels);
}

std::optional<RuleForms> Scheduler::formsOf(Operation *op) {
  if (isa<ParameterOp, PreparedOp, HeadsOp>(op) || op->getNumResults() == 0 ||
      !isa<FusedOp, OperatorInterface>(op))
    return std::nullopt;
  Group group = *groupOf(op);
  for (const Rule *rule : rules())
    if (std::optional<RuleForms> forms = formsBy(*rule, group))
      return forms;
  return std::nullopt;
}

std::optional<RuleForms> Scheduler::formsBy(const Rule &rule, const Group &group) {
  std::optional<RuleForms> forms;
  if (isUsed(rule))
    forms = rule.match(*this, group);
  if (!forms || t.target.offers("blocked"))
    return forms;
  if (forms->kind == RuleForms::Blocked)
    return std::nullopt;
  return RuleForms();
}
