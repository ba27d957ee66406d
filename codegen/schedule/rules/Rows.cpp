// Rows.cpp: rows of tables by numbers and the sums of their gradients, in training.
//
//   %y = sg.embedding(%n, %w)                   ->  kernel.take_rows %w at %n
//   %y = sg.take(%w, %n) {axis = 0}             ->  the same
//   %d = sg.scatter_add(%g, %n) {axis = 0}      ->  kernel.add_rows %g at %n
//
// Numbers of float32 or int32 that are taken as the nearest row, tables of float32. In prediction,
// where a table's gradient is not needed, the reference kernels copy the few rows as well.
#include "codegen/kernel/RowsOps.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Index.h"
#include "ir/ops/Nn.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct RowsRule {
  static constexpr RuleTraits traits{"rows", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    Value table, numbers, rows; // table or rows is the result
    bool adds = false;
  };

  static Match<Plan> match(const GroupView &group) {
    Plan plan;
    StringRef mode = "clip";
    int64_t axis = 0;
    if (auto embedding = dyn_cast<EmbeddingOp>(group.op)) {
      plan = {{}, embedding.getWeight(), embedding.getData(), embedding.getOutput()};
    } else if (auto take = dyn_cast<TakeOp>(group.op)) {
      plan = {{}, take.getA(), take.getIndices(), take->getResult(0)};
      mode = take.getMode();
      axis = take.getAxis();
    } else if (auto scatter = dyn_cast<ScatterAddOp>(group.op)) {
      plan = {{}, scatter.getOutput(), scatter.getIndices(), scatter.getData(), true};
      mode = scatter.getMode();
      axis = scatter.getAxis();
    } else {
      return std::nullopt;
    }
    if (!isTraining(group.op))
      return std::nullopt;
    if (axis != 0 || mode != "clip")
      return Refusal{"its indices are not the nearest rows of axis 0"};
    if (!elementTypeOf(plan.table.getType()).isF32())
      return elementRefusal(plan.table);
    if (Type number = elementTypeOf(plan.numbers.getType());
        !number.isF32() && !number.isInteger(32))
      return elementRefusal(plan.numbers);
    auto rows = constantOf(extentsOf(plan.table)[0]);
    if (!rows || *rows < 1 || *rows > kernel::TakeRowsOp::mostRows)
      return Refusal{"its table has no rows, too many or a number known only at run time"};
    return plan;
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void RowsRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Location location = group.location;
  AffineExpr width = t.constant(1), count = t.constant(1);
  SmallVector<AffineExpr, 4> extents = extentsOf(plan.table);
  for (AffineExpr extent : ArrayRef(extents).drop_front())
    width = width * extent;
  for (AffineExpr extent : extentsOf(plan.numbers))
    count = count * extent;
  auto matrix = [&](Value memory, AffineExpr rows) {
    return t.materialise(t.rowMajor(memory, {rows, width}), location);
  };
  Value numbers =
      t.materialise(t.rowMajor(t.plainView(plan.numbers, location).base, {count}), location);
  AffineExpr tableRows = extents[0];
  if (plan.adds) {
    Value rows = matrix(t.plainView(plan.rows, location).base, count);
    Value out = matrix(t.createPlain(plan.table, location).base, tableRows);
    kernel::AddRowsOp::create(t.builder, location, rows, numbers, out, kernel::CutAttr());
    return;
  }
  Value table = matrix(t.plainView(plan.table, location).base, tableRows);
  Value out = matrix(t.createPlain(plan.rows, location).base, count);
  kernel::TakeRowsOp::create(t.builder, location, table, numbers, out, kernel::CutAttr());
}

namespace symc::codegen {
void registerRowsRule(RuleList &rules) { rules.add<RowsRule>(); }
} // namespace symc::codegen
