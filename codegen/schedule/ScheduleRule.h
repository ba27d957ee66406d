// ScheduleRule.h: what a rule of the schedule is: one way to compute a group of nodes. A rule
// stands in a file of `rules/` and joins by being there:
//
//   namespace {
//   struct XRule {
//     static constexpr RuleTraits traits{"x", Benefit::Walks, Use::Generated};
//     struct Plan { RuleForms forms; ... };                  // the whole decision
//     static Match<Plan> match(const GroupView &group);      // makes nothing
//     static void emit(const GroupView &group, const Plan &plan, Tensors &t);  // cannot fail
//   };
//   } // namespace
//   void symc::codegen::registerXRule(RuleList &rules) { rules.add<XRule>(); }
//
// The choice of layouts matches first, while no value lies anywhere; then the schedule matches
// again, when layouts are decided and operands have been computed (GroupView has both).
#ifndef SYMC_CODEGEN_SCHEDULE_SCHEDULERULE_H
#define SYMC_CODEGEN_SCHEDULE_SCHEDULERULE_H

#include "codegen/schedule/GroupView.h"

namespace symc::codegen {

/// The forms in which a step would read and write a group's images.
struct RuleForms {
  enum Kind { Plain, Blocked, Either };
  Kind kind = Plain;
  int64_t costIfPlain = 0, costIfBlocked = 0; // of either: bytes that the step itself moves then
  /// Operands that are read in another form than that.
  llvm::SmallVector<std::pair<mlir::Value, Kind>, 2> operands = {};

  RuleForms() = default;
  explicit RuleForms(Kind kind, int64_t costIfPlain = 0, int64_t costIfBlocked = 0)
      : kind(kind), costIfPlain(costIfPlain), costIfBlocked(costIfBlocked) {}
  static RuleForms eitherIf(bool possible) { return RuleForms(possible ? Either : Plain); }
};

/// Of the rules that take a group the one of most benefit computes it. Rules of one benefit take
/// different nodes.
enum class Benefit {
  Moves, // views and copies
  Walks, // walks over memory, for single nodes
  Rows,  // rows stay in a cache, the nodes around a root in the bodies of its step
  Chain, // one walk for a chain of elementwise nodes
  Tiles  // sums in registers, the chain behind a root in its epilogue
};

/// Where a rule is used.
enum class Use {
  Always,    // in schedules by reference kernels, too
  Generated, // where code is generated
  Tiles      // where that may be tile kernels: not in @prepare
};

struct RuleTraits {
  llvm::StringLiteral name; // in remarks
  Benefit benefit;
  Use use;
};

/// Why a rule does not take a group of its own nodes: what a `missed` remark prints.
struct Refusal {
  std::string reason;
};

/// A plan, or why there is none; std::nullopt for groups of other nodes than the rule computes.
template <typename Plan> class Match {
public:
  Match(Plan plan) : plan(std::move(plan)) {}
  Match(Refusal refusal) : refusal(std::move(refusal)) {}
  Match(std::nullopt_t) {}

  explicit operator bool() const { return plan.has_value(); }
  const Plan *operator->() const { return &*plan; }
  const Plan &operator*() const { return *plan; }
  /// Empty where the nodes are others.
  const std::string &reason() const { return refusal.reason; }

private:
  std::optional<Plan> plan;
  Refusal refusal;
};

/// What is common to plans.
struct PlannedStep {
  RuleForms forms;
  std::function<void(Tensors &)> emit; // makes the steps
};

struct ScheduleRule {
  RuleTraits traits;
  Match<PlannedStep> (*match)(const GroupView &);
};

class RuleList {
public:
  template <typename Rule> void add() {
    rules.push_back({Rule::traits, [](const GroupView &group) -> Match<PlannedStep> {
                       Match<typename Rule::Plan> found = Rule::match(group);
                       if (!found)
                         return Refusal{found.reason()};
                       return PlannedStep{found->forms, [group, plan = *found](Tensors &t) {
                                            Rule::emit(group, plan, t);
                                          }};
                     }});
  }
  /// All rules that are linked, those of most benefit first.
  static llvm::ArrayRef<ScheduleRule> all();

private:
  llvm::SmallVector<ScheduleRule> rules;
};

/// Whether rules compute such a node: one of the op table, or a group, with a result.
bool hasRules(mlir::Operation *op);

/// The step of the best rule that takes the group, of the rules that its options allow and in a
/// form that its target has. Where none does, `refusals` has the reasons, with the rules' names.
std::optional<PlannedStep>
matchRules(const GroupView &group,
           llvm::SmallVectorImpl<std::pair<llvm::StringRef, std::string>> *refusals = nullptr);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SCHEDULERULE_H
