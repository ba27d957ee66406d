// FoldShuffles.cpp: sg-fold-shuffles.
//
//   z = reshape(transpose(reshape(x, [N, S, C/S, H, W]), [0, 2, 1, 3, 4]), [N, C, H, W])
//   convolution(f(z), w, groups g)  ->  convolution(f(x), w, groups g) {shuffle = [S]}
//   convolution(f(z), w)            ->  convolution(f(x), w with its inputs in x's order)
//
// where f keeps channels apart: depthwise convolutions, poolings and functions of elements, whose
// weights by channel take x's order, too. So no channel is moved in a run: the layer reads each
// where it lies. Values do not change, but for the order of a layer's sums.
#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/Windows.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_FOLDSHUFFLES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

bool isOfWeights(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<ParameterOp, PreparedOp, ConstantOp>(op) ||
                (op->getNumOperands() > 0 && llvm::all_of(op->getOperands(), isOfWeights)));
}

/// Channels of a value that are read in turn from so many parts of them.
struct Shuffle {
  Value data, result;
  int64_t parts, channels;

  static std::optional<Shuffle> endingIn(ReshapeOp last);
  /// A weight whose axis is in the order of the result, in that of the data.
  Value reorder(CoreBuilder &core, Value weight, size_t axis) const;
};

/// Takes a weight by channel, of an operand, to the order of the data.
struct Reordered {
  OpOperand *operand;
  size_t axis;
};

struct FoldShuffles : symc::impl::FoldShufflesBase<FoldShuffles> {
  using FoldShufflesBase::FoldShufflesBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      if (graph.getSymName() != "prepare")
        for (auto last : llvm::make_early_inc_range(graph.getBlock().getOps<ReshapeOp>()))
          if (std::optional<Shuffle> shuffle = Shuffle::endingIn(last))
            fold(*shuffle);
  }

  void fold(const Shuffle &shuffle);
};

} // namespace

std::optional<Shuffle> Shuffle::endingIn(ReshapeOp last) {
  auto swap = last.getData().getDefiningOp<TransposeOp>();
  auto first = swap ? swap.getData().getDefiningOp<ReshapeOp>() : ReshapeOp();
  if (!first || !swap->hasOneUse() || !first->hasOneUse() || isOfWeights(first.getData()))
    return std::nullopt;
  Shape before = shapeOf(first.getData().getType()), parts = shapeOf(first.getOutput().getType()),
        after = shapeOf(last.getOutput().getType());
  ArrayRef<int64_t> axes = swap.getAxes();
  if (before.rank() < 3 || parts.rank() != before.rank() + 1 || after.list() != before.list() ||
      axes.size() != parts.rank() || !before[1].isStatic() || !parts[1].isStatic() ||
      parts[0] != before[0])
    return std::nullopt;
  for (size_t axis = 0; axis < parts.rank(); ++axis) {
    size_t from = axis == 1 ? 2 : axis == 2 ? 1 : axis;
    if (axes[axis] != int64_t(from) || (axis > 2 && parts[axis] != before[axis - 1]))
      return std::nullopt;
  }
  int64_t count = parts[1].get(), channels = before[1].get();
  if (count < 2 || count == channels || channels % count)
    return std::nullopt;
  return Shuffle{first.getData(), last.getOutput(), count, channels};
}

Value Shuffle::reorder(CoreBuilder &core, Value weight, size_t axis) const {
  Shape have = shapeOf(weight.getType());
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < have.rank(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : have[i].get();
  Shape split = Shape::of({outer, channels / parts, parts, inner}, core.b.getContext());
  return core.reshape(core.transpose(core.reshape(weight, split), {0, 2, 1, 3}), have);
}

// The axis of such an operand that has an element for each channel; its rank where it has one for
// all, nothing where it varies otherwise or is no weight.
static std::optional<size_t> channelAxisOf(Value operand, const Shape &result) {
  Shape extents = shapeOf(operand.getType());
  if (!isOfWeights(operand) || extents.rank() > result.rank())
    return std::nullopt;
  size_t shift = result.rank() - extents.rank(), found = extents.rank();
  for (size_t axis = 0; axis < extents.rank(); ++axis) {
    if (axis + shift == 1 && extents[axis] == result[1])
      found = axis;
    else if (!extents[axis].isStatic(1))
      return std::nullopt;
  }
  return found;
}

// Whether the node keeps channels apart; adds its operands by channel.
static bool keepsChannels(Operation *op, Value data, SmallVectorImpl<Reordered> &weights) {
  Shape shape = shapeOf(data.getType());
  if (auto conv = dyn_cast<ConvolutionOp>(op)) {
    int64_t channels = shape[1].get();
    if (conv.getData() != data || int64_t(conv.getNumGroup()) != channels ||
        int64_t(conv.getNumFilter()) != channels || !isChannelsFirst(conv.getLayout()))
      return false;
    for (OpOperand &operand : llvm::drop_begin(op->getOpOperands())) {
      if (!isOfWeights(operand.get()))
        return false;
      weights.push_back({&operand, 0});
    }
    return true;
  }
  if (auto pool = dyn_cast<PoolingOp>(op))
    return isChannelsFirst(pool.getLayout());
  if (!isa<ElementwiseInterface>(op) || op->getNumResults() != 1 ||
      op->getResult(0).getType() != data.getType())
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() == data)
      continue;
    std::optional<size_t> axis = channelAxisOf(operand.get(), shape);
    if (!axis)
      return false;
    if (*axis < shapeOf(operand.get().getType()).rank())
      weights.push_back({&operand, *axis});
  }
  return true;
}

void FoldShuffles::fold(const Shuffle &shuffle) {
  SmallVector<Reordered> weights;
  Value value = shuffle.result;
  ConvolutionOp layer;
  while (!layer && value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (user->getBlock() != shuffle.result.getDefiningOp()->getBlock())
      break;
    if (keepsChannels(user, value, weights)) {
      value = user->getResult(0);
      continue;
    }
    layer = dyn_cast<ConvolutionOp>(user);
    break;
  }
  Operation *at = shuffle.result.getDefiningOp();
  remark::RemarkOpts options = remark::RemarkOpts::name("shuffle")
                                   .category("sg-fold-shuffles")
                                   .function(at->getParentOfType<GraphOp>().getSymName());
  bool takes = layer && layer.getData() == value && isChannelsFirst(layer.getLayout()) &&
               (layer.getShuffle().empty() || layer.getShuffle().front() == 1) &&
               layer.getKernel().size() <= 2 && isOfWeights(layer.getWeight()) &&
               (layer.getNumGroup() == 1 || anyGroups);
  if (!takes) {
    remark::missed(at->getLoc(), options)
        << ("'" + nodeName(at) + "' moves " + llvm::Twine(shuffle.channels) +
            " channels: what reads them is no convolution alone")
               .str();
    return;
  }
  remark::passed(at->getLoc(), options)
      << ("'" + nodeName(layer) + "' reads the channels of '" + nodeName(at) + "' where they lie")
             .str();
  if (layer.getNumGroup() == 1)
    weights.push_back({&layer.getWeightMutable(), 1});
  else
    layer.setShuffle(ArrayRef<int64_t>{shuffle.parts});
  for (const Reordered &weight : weights) {
    CoreBuilder core(weight.operand->getOwner());
    weight.operand->set(shuffle.reorder(core, weight.operand->get(), weight.axis));
  }
  at->getResult(0).replaceAllUsesWith(shuffle.data);
  for (Operation *dead = at; dead && isOpTriviallyDead(dead);) {
    Operation *next = dead->getOperand(0).getDefiningOp();
    dead->erase();
    dead = next;
  }
}
