// Resize.cpp: images in another size, one axis after the other.
//
//   %y = sg.bilinear_resize(%x)  ->  kernel.interpolate along columns, then along rows; rows first
//                                    where that makes less between them
//
// Images of float32 whose rows and columns are constants, in blocks or in rows. What is as large as
// before goes to the reference kernel, which copies it.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Vision.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ResizeRule {
  static constexpr RuleTraits traits{"resize", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms;
    BilinearResizeOp op;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<BilinearResizeOp>(group.op);
    if (!op || !changesExtents(op))
      return std::nullopt;
    if (!hasConstantExtents(op))
      return Refusal{"its rows and columns are known only at run time"};
    if (!elementTypeOf(op.getData().getType()).isF32())
      return Refusal{"its elements are not float32"};
    return Plan{formsOf(op, group.t), op, group.writesBlocks()};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);

private:
  static bool changesExtents(BilinearResizeOp op) {
    Shape from = shapeOf(op.getData().getType()), to = shapeOf(op.getOutput().getType());
    return from[2] != to[2] || from[3] != to[3];
  }

  static bool hasConstantExtents(BilinearResizeOp op) {
    Shape from = shapeOf(op.getData().getType()), to = shapeOf(op.getOutput().getType());
    return llvm::all_of(std::initializer_list<size_t>{2, 3}, [&](size_t axis) {
      return from[axis].isStatic() && to[axis].isStatic() && from[axis].get() > 0;
    });
  }

  static RuleForms formsOf(BilinearResizeOp op, const Tensors &t) {
    Value result = op.getOutput();
    if (!channelsOf(result) || !t.layerElements(result))
      return RuleForms();
    // Blocks that are not full are computed all the same.
    int64_t channels = *channelsOf(result),
            bytes = bytesOf(result) / std::max<int64_t>(channels, 1);
    int64_t whole = llvm::alignTo(channels, t.blockWidth);
    return RuleForms(RuleForms::Either, 2 * bytes * channels, 2 * bytes * whole);
  }
};

} // namespace

void ResizeRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  BilinearResizeOp op = plan.op;
  Location location = op.getLoc();
  auto [from, to] = t.viewsOf(op.getData(), op.getOutput(), plan.inBlocks, location);
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
                                  /*cut=*/{});
  };
  interpolate(from, between, first);
  interpolate(between, to, second);
}

namespace symc::codegen {
void registerResizeRule(RuleList &rules) { rules.add<ResizeRule>(); }
} // namespace symc::codegen
