// ScheduleSoftmax.cpp: softmax, log_softmax and softmin of floats as kernel.softmax. The
// extents before and after the axis become one each. Masked lengths and other types keep
// their reference kernel.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

bool Scheduler::scheduleSoftmax(Operation *node) {
  auto op = dyn_cast<SoftmaxOp>(node);
  if (!op || op.getLength() || !elementTypeOf(op.getData().getType()).isF32() ||
      !elementTypeOf(op.getOutput().getType()).isF32())
    return false;
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getOutput());
  int64_t axis = op.getAxis();
  axis += axis < 0 ? extents.size() : 0;
  SmallVector<AffineExpr, 3> lanes(3, t.constant(1)); // [outer, length, inner]
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t distance = static_cast<int64_t>(i) - axis;
    AffineExpr &part = lanes[distance < 0 ? 0 : distance == 0 ? 1 : 2];
    part = part * extent;
  }
  Location location = op.getLoc();
  Value data = t.materialise(t.rowMajor(t.plainView(op.getData(), location).base, lanes), location);
  Value out = t.materialise(t.rowMajor(t.createPlain(op.getOutput(), location).base, lanes), location);
  double factor = op.getKind() == "softmin" ? -1 : 1;
  if (op.getTemperature())
    factor /= op.getTemperature()->convertToDouble();
  kernel::SoftmaxOp::create(t.builder, location, data, out, t.builder.getF64FloatAttr(factor),
                            t.builder.getBoolAttr(op.getKind() == "log_softmax"));
  remark::passed(location, remark::RemarkOpts::name("softmax").category("kernel-schedule"))
      << ("'" + nodeName(op) + "' is generated, in vectors along its " +
          (lanes[2] == t.constant(1) ? "rows" : "pixels"))
             .str();
  return true;
}
