// ScheduleResize.cpp: images in another size, one axis after the other.
//
//   %y = sg.bilinear_resize(%x)  ->  kernel.interpolate along columns, then along rows; rows first
//                                    where that makes less between them
//
// Images of float32 whose rows and columns are constants, in blocks or in rows. What is as large as
// before goes to the reference kernel, which copies it.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Vision.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static bool takes(BilinearResizeOp op) {
  Shape from = shapeOf(op.getData().getType()), to = shapeOf(op.getOutput().getType());
  bool changes = false;
  for (size_t axis : {2, 3}) {
    if (!from[axis].isStatic() || !to[axis].isStatic() || from[axis].get() < 1)
      return false;
    changes |= from[axis] != to[axis];
  }
  return changes && elementTypeOf(op.getData().getType()).isF32();
}

static void emitResize(BilinearResizeOp op, bool blocked, Tensors &t) {
  Location location = op.getLoc();
  auto [from, to] = t.viewsOf(op.getData(), op.getOutput(), blocked, location);
  Shape small = shapeOf(op.getData().getType()), large = shapeOf(op.getOutput().getType());
  int64_t columnsFirst = small[2].get() * large[3].get();
  int64_t rowsFirst = large[2].get() * small[3].get();
  unsigned first = columnsFirst <= rowsFirst ? 3 : 2, second = 5 - first;
  SmallVector<AffineExpr> extents(from.sizes.begin(), from.sizes.end());
  extents[first] = to.sizes[first];
  ViewSpec between = t.rowMajor(t.buffer(extents, t.builder.getF32Type(), location), extents);
  auto interpolate = [&](const ViewSpec &source, const ViewSpec &target, unsigned axis) {
    kernel::InterpolateOp::create(t.builder, location, t.materialise(source, location),
                                  t.materialise(target, location), axis, op.getAlignCorners(),
                                  ArrayRef<int64_t>());
  };
  interpolate(from, between, first);
  interpolate(between, to, second);
}

const Scheduler::Rule Scheduler::resizeRule = {
    "resize", Rule::Generated,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      auto op = dyn_cast<BilinearResizeOp>(group.op);
      if (!op || !takes(op))
        return std::nullopt;
      Value result = op.getOutput();
      if (!channelsOf(result) || !s.t.layerElements(result))
        return RuleForms{RuleForms::Plain};
      // Blocks that are not full are computed all the same.
      int64_t channels = *channelsOf(result),
              bytes = bytesOf(result) / std::max<int64_t>(channels, 1);
      int64_t whole = llvm::alignTo(channels, s.t.blockWidth);
      return RuleForms{RuleForms::Either, 2 * bytes * channels, 2 * bytes * whole};
    },
    [](Scheduler &s, Group &group) {
      emitResize(cast<BilinearResizeOp>(group.op), s.writesBlocks(group.op), s.t);
      return true;
    }};
