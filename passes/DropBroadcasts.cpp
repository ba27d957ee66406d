// DropBroadcasts.cpp: sg-drop-broadcasts.
//
//   %1 = sg.broadcast_to(%y), 24x1 to 24x32
//   %2 = sg.binary(%x, %1) {fn = "div"}    ->    %2 = sg.binary(%x, %y) {fn = "div", broadcast}
//
// A function of two operands repeats unit extents itself, by a stride of 0; the repeated tensor
// needs no place in memory. Exporters write x / max(norm(x), eps) with it.
#include "ir/Inference.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Shape.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_DROPBROADCASTS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

// Whether operands of these two types give `result` by broadcasting that a compiler can see: where
// extents differ, one of them is 1 whatever a run chooses.
static bool meetIn(Type left, Type right, Type result) {
  Shape a = shapeOf(left), b = shapeOf(right), whole = shapeOf(result);
  auto extentOf = [&](const Shape &shape, size_t axis) -> std::optional<Dim> {
    size_t missing = whole.rank() - shape.rank();
    return axis < missing ? std::nullopt : std::optional<Dim>(shape[axis - missing]);
  };
  auto isUnit = [](std::optional<Dim> extent) {
    return !extent || (extent->isStatic() && extent->get() == 1);
  };
  if (std::max(a.rank(), b.rank()) != whole.rank())
    return false;
  for (size_t axis = 0; axis < whole.rank(); ++axis) {
    std::optional<Dim> one = extentOf(a, axis), other = extentOf(b, axis);
    bool first = one && *one == whole[axis], second = other && *other == whole[axis];
    if (!(first && second) && !(first && isUnit(other)) && !(second && isUnit(one)))
      return false;
  }
  return true;
}

namespace {

struct DropBroadcasts : symc::impl::DropBroadcastsBase<DropBroadcasts> {
  void runOnOperation() override {
    getOperation().walk([](BinaryOp op) {
      for (OpOperand &operand : op->getOpOperands())
        readUnit(op, operand);
    });
  }

  // Lets `op` read what the operand repeats.
  static void readUnit(BinaryOp op, OpOperand &operand) {
    Operation *repeated = operand.get().getDefiningOp();
    if (!isa_and_nonnull<BroadcastToOp, BroadcastAxisOp>(repeated))
      return;
    Value data = repeated->getOperand(0);
    Value other = op->getOperand(1 - operand.getOperandNumber());
    if (!meetIn(data.getType(), other.getType(), op.getOutput().getType()))
      return;
    operand.set(data);
    op.setBroadcast(true);
    if (repeated->use_empty()) {
      op->setLoc(Builder(op).getFusedLoc({repeated->getLoc(), op.getLoc()}));
      repeated->erase();
    }
    remark::passed(op.getLoc(), remark::RemarkOpts::name("broadcast")
                                    .category("sg-drop-broadcasts")
                                    .function(op->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(op) + "' repeats its operand itself").str();
  }
};

} // namespace
