// ChannelSums.cpp: sums over all but the channels of images that lie in blocks, as gradients of
// biases are: a reduction whose vectors lie along the channels of a block, without the image's
// rows.
//
//   %db = sg.reduce(%dy) {kind = "sum", axis = [0, 2, 3]}  ->  kernel.reduce ins(%dy in blocks)
//
// Other images are the reductions' own rule's.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ChannelSumsRule {
  static constexpr RuleTraits traits{"channel-sums", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    Value data;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast_or_null<ReduceOp>(group.root);
    if (!op || !isTraining(group.op) || op.getKind() != "sum" || !group.chain.empty() ||
        !group.producers.empty())
      return std::nullopt;
    Value data = group.resolve(op->getOperand(0));
    SmallVector<bool> reduced = cast<ReductionInterface>(op.getOperation()).getReducedAxes();
    bool allButChannels = reduced.size() > 2 && channelsOf(data) &&
                          elementTypeOf(data.getType()).isF32() && group.t.layerElements(data);
    for (size_t axis = 0; allButChannels && axis < reduced.size(); ++axis)
      allButChannels =
          reduced[axis] == (axis != 1) && constantOf(extentsOf(data)[axis]).value_or(0) > 0;
    if (!allButChannels || (!group.isOpen() && !group.writesBlocks()))
      return std::nullopt;
    return Plan{RuleForms(RuleForms::Either), data};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t) {
    Location location = group.location;
    OpBuilder &b = t.builder;
    AffineExpr zero = t.constant(0), one = t.constant(1), width = t.constant(t.blockWidth);
    ViewSpec slope = t.blockedView(plan.data, {}, location);
    ViewSpec out = t.createPlain(group.result, location);
    ViewSpec ones = t.rowMajor(t.buffer({width}, b.getF32Type(), location), {width});
    t.fill(ones, b.getF32FloatAttr(1), location);
    ViewSpec everywhere{ones.base, zero, slope.sizes, {zero, zero, zero, zero, one}};
    int64_t blocks = *constantOf(slope.sizes[1]), channels = *channelsOf(plan.data);
    auto chunks = kernel::PixelChunks::of(*constantOf(slope.sizes[0]), *constantOf(slope.sizes[2]),
                                          *constantOf(slope.sizes[3]));
    int64_t perSlot = chunks.perSlot(), levels = 1 + llvm::Log2_64(perSlot);
    AffineExpr slots = t.constant(llvm::divideCeil(chunks.count, perSlot));
    Value sums = t.buffer({slots, t.constant(levels), t.constant(blocks), one, one, one, width},
                          b.getF32Type(), location);
    auto ofOne = b.getDenseI64ArrayAttr({1, 1});
    kernel::DepthwiseWeightsOp::create(b, location, t.materialise(everywhere, location),
                                       t.materialise(slope, location), sums, ofOne, ofOne, ofOne,
                                       b.getI64IntegerAttr(perSlot), /*cut=*/{});
    ViewSpec from{sums,
                  zero,
                  {slots, t.constant(blocks), one, width},
                  {width * blocks * levels, width, width, one}};
    ViewSpec to{out.base, out.offset, {t.constant(channels), one}, {one, one}};
    kernel::JoinSumsOp::create(b, location, t.materialise(from, location),
                               t.materialise(to, location), /*cut=*/{});
  }
};

} // namespace

namespace symc::codegen {
void registerChannelSumsRule(RuleList &rules) { rules.add<ChannelSumsRule>(); }
} // namespace symc::codegen
