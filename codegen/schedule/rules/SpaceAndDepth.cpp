// SpaceAndDepth.cpp: blocks of channels to the places of a block of pixels, or back, as one copy:
// of `depth`, [N, b, b, C, H, W], each element lies where it does in `space`, [N, C, H, b, W, b].
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct SpaceAndDepthRule {
  static constexpr RuleTraits traits{"space-and-depth", Benefit::Moves, Use::Generated};
  struct Plan {
    RuleForms forms;
    int64_t block; // pixels along each axis
    bool toSpace, inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    auto spread = dyn_cast<DepthToSpaceOp>(group.op);
    auto gather = dyn_cast<SpaceToDepthOp>(group.op);
    if (!spread && !gather)
      return std::nullopt;
    std::optional<int64_t> channels = channelsOf(spread ? group.result : gather.getData());
    int64_t bytes = 2 * bytesOf(group.result);
    bool mayBlock =
        group.t.layerElements(group.result) && channels && *channels % group.t.blockWidth == 0;
    int64_t block = spread ? spread.getBlockSize() : gather.getBlockSize();
    return Plan{mayBlock ? RuleForms(RuleForms::Either, bytes, bytes) : RuleForms(), block,
                static_cast<bool>(spread), group.writesBlocks()};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void SpaceAndDepthRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Operation *op = group.op;
  Location location = op->getLoc();
  Value data = op->getOperand(0), result = op->getResult(0);
  if (t.placements.lookup(data).step > 1) { // its parts are there, or go there now
    for (Value part : data.getDefiningOp()->getOperands())
      t.blockedView(part, {}, location);
    return;
  }
  auto viewOf = [&](Value value, bool isRead) {
    if (plan.inBlocks)
      return isRead ? t.blockedView(value, {}, location) : t.createBlocked(value, location);
    return isRead ? t.plainView(value, location) : t.createPlain(value, location);
  };
  ViewSpec read = viewOf(data, true), written = viewOf(result, false);
  ViewSpec &depth = plan.toSpace ? read : written, &space = plan.toSpace ? written : read;
  AffineExpr count = t.constant(plan.block), channels = space.sizes[1]; // or blocks of them
  AffineExpr height = depth.sizes[2], width = depth.sizes[3];
  auto split = [&](ViewSpec view, AffineExpr row, AffineExpr column, int64_t step) {
    ArrayRef<AffineExpr> strides = view.strides;
    ViewSpec parts{view.base,
                   view.offset,
                   {view.sizes[0], count, count, channels, height, width},
                   {strides[0], row, column, strides[1], strides[2] * step, strides[3] * step}};
    if (plan.inBlocks) {
      parts.sizes.push_back(view.sizes[4]);
      parts.strides.push_back(strides[4]);
    }
    return parts;
  };
  ViewSpec ofSpace = split(space, space.strides[2], space.strides[3], plan.block);
  AffineExpr inner = depth.strides[1] * channels;
  ViewSpec ofDepth = split(depth, inner * plan.block, inner, 1);
  t.copy(plan.toSpace ? ofDepth : ofSpace, plan.toSpace ? ofSpace : ofDepth, location);
}

namespace symc::codegen {
void registerSpaceAndDepthRule(RuleList &rules) { rules.add<SpaceAndDepthRule>(); }
} // namespace symc::codegen
