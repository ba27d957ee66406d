// Pooling.cpp: pooling of blocked images, with the group's elementwise chain as epilogue.
//
//   %y = sg.pooling(%x) {kernel = [2, 2]}  ->  kernel.pool over blocks of channels
//
// Images of few channels that lie in rows stay with the reference kernel; sums of whole images are
// reductions there.
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/Refusals.h"
#include "ir/ops/Nn.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct PoolingRule {
  static constexpr RuleTraits traits{"pooling", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    PoolingOp op;
    Value data;
    Window window;
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<PoolingRule::Plan> PoolingRule::match(const GroupView &group) {
  auto op = dyn_cast_or_null<PoolingOp>(group.root);
  if (!op)
    return std::nullopt;
  const Tensors &t = group.t;
  bool sums = sumsWholeImages(op);
  if (sums && !group.isOpen() && !group.writesBlocks())
    return std::nullopt; // a reduction
  if (!t.layerElements(op.getData()))
    return elementRefusal(op.getData());
  if (!isChannelsFirst(op.getLayout()))
    return Refusal{"its channels are the last axis"};
  if (op.getPoolType() == "lp" || op.getPoolingConvention() == "same")
    return Refusal{"its kind is lp, or its convention same"};
  Value data = group.resolve(op.getData());
  SmallVector<AffineExpr, 4> extents = extentsOf(data);
  if (extents.size() > 4)
    return Refusal{"its window has more than two axes"};
  std::optional<int64_t> channels = constantOf(extents[1]);
  if (!channels)
    return openChannelsRefusal();
  if (*channels < t.blockWidth / 2 && !group.mayLieInBlocks(data))
    return Refusal{llvm::formatv("its images have {0} channels and lie in rows", *channels)};
  SmallVector<AffineExpr, 4> image = t.imageShape(data);
  Window window;
  if (!op.getGlobalPool())
    window = Window(op.getKernel(), op.getStride(), {}, op.getPad(), op.getPadEnd());
  else if (!constantOf(image[2]) || !constantOf(image[3]))
    return Refusal{"it is over whole images, whose extents are known only at run time"};
  else
    for (int i : {0, 1})
      window.kernel[i] = *constantOf(image[2 + i]);
  if (!group.chainIsEmittable())
    return chainRefusal();
  if (!group.readsInBlocks())
    return operandRefusal();
  return Plan{RuleForms(sums ? RuleForms::Either : RuleForms::Blocked), op, data, window};
}

void PoolingRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  PoolingOp op = plan.op;
  const Window &window = plan.window;
  Location location = group.location;
  SmallVector<Operand> operands = group.externalOperands();
  Value in = t.materialise(t.blockedView(plan.data, {}, location), location);
  SmallVector<Value> extras;
  for (const Operand &operand : operands)
    extras.push_back(
        t.materialise(broadcastInBlocks(operand, group.result, location, t), location));
  Value target = t.materialise(t.createBlocked(group.result, location), location);
  OpBuilder &b = t.builder;
  auto step = kernel::PoolOp::create(
      b, location, in, extras, target, b.getStringAttr(op.getPoolType()),
      b.getDenseI64ArrayAttr(window.kernel), b.getDenseI64ArrayAttr(window.stride),
      window.padding.attribute(t.context()), b.getBoolAttr(op.getCountIncludePad().value_or(true)),
      /*piece=*/{}, /*cut=*/{});
  buildBody(step.getBody(), group, op.getOutput(), false, operands,
            t.layerElements(op.getData())->operand(t.context()), b);
}

namespace symc::codegen {
void registerPoolingRule(RuleList &rules) { rules.add<PoolingRule>(); }
} // namespace symc::codegen
