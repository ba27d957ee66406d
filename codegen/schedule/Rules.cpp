// Rules.cpp: the rules that are linked, by benefit, and the one that computes a group.
#include "codegen/schedule/Schedule.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Fused.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace symc::codegen {
#define SYMC_SCHEDULE_RULE(NAME) void register##NAME##Rule(RuleList &rules);
#include "codegen/schedule/Rules.inc"
#undef SYMC_SCHEDULE_RULE
} // namespace symc::codegen

ArrayRef<ScheduleRule> RuleList::all() {
  static const RuleList list = [] {
    RuleList list;
#define SYMC_SCHEDULE_RULE(NAME) register##NAME##Rule(list);
#include "codegen/schedule/Rules.inc"
#undef SYMC_SCHEDULE_RULE
    llvm::sort(list.rules, [](const ScheduleRule &a, const ScheduleRule &b) {
      return std::pair(b.traits.benefit, a.traits.name) <
             std::pair(a.traits.benefit, b.traits.name);
    });
    return list;
  }();
  return list.rules;
}

static bool isUsed(Use use, const ScheduleOptions &options) {
  if (use == Use::Always)
    return true;
  return !options.referenceOnly && (use == Use::Generated || options.tileKernels);
}

bool symc::codegen::hasRules(Operation *op) {
  return op->getNumResults() && isa<sg::FusedOp, sg::OperatorInterface>(op) &&
         !isa<sg::ParameterOp, sg::PreparedOp, sg::HeadsOp>(op);
}

std::optional<PlannedStep>
symc::codegen::matchRules(const GroupView &group,
                          SmallVectorImpl<std::pair<StringRef, std::string>> *refusals) {
  bool hasBlocks = group.t.target.offers("blocked");
  for (const ScheduleRule &rule : RuleList::all()) {
    if (!isUsed(rule.traits.use, group.options))
      continue;
    Match<PlannedStep> found = rule.match(group);
    if (!found && refusals && !found.reason().empty())
      refusals->emplace_back(rule.traits.name, found.reason());
    if (!found || (!hasBlocks && found->forms.kind == RuleForms::Blocked))
      continue;
    PlannedStep step = *found;
    if (!hasBlocks)
      step.forms = RuleForms();
    return step;
  }
  return std::nullopt;
}
