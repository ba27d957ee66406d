// RowRules.cpp: see RowRules.h. Each family says in one line what it needs of the axis of
// rows; extents are compared afterwards, so that a rule which keeps an axis keeps its
// rows, whatever an operator cuts off, repeats or adds along the others.
#include "passes/RowRules.h"

#include "ir/ControlFlow.h"
#include "ir/RandomNumbers.h"
#include "ir/ops/Attention.h"
#include "ir/ops/Deformable.h"
#include "ir/ops/Detection.h"
#include "ir/ops/Edit.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Image.h"
#include "ir/ops/Index.h"
#include "ir/ops/Init.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Norm.h"
#include "ir/ops/Patches.h"
#include "ir/ops/Quantized.h"
#include "ir/ops/Recurrent.h"
#include "ir/ops/Reduce.h"
#include "ir/ops/Sequence.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "ir/ops/Statistics.h"
#include "ir/ops/Vision.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

static bool varies(Dim dim) { return dim.isKnown() && dim.getExpr().isFunctionOfSymbol(0); }

// N or N * c.
static bool isMultiple(AffineExpr expr) {
  if (isa<AffineSymbolExpr>(expr))
    return true;
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  return product && product.getKind() == AffineExprKind::Mul &&
         isa<AffineSymbolExpr>(product.getLHS()) && isa<AffineConstantExpr>(product.getRHS());
}

std::optional<int64_t> symc::rowAxisOf(Type tensor) {
  int64_t axis = kNoRows;
  Shape shape = shapeOf(tensor);
  for (auto [i, dim] : llvm::enumerate(shape.list())) {
    if (!varies(dim))
      continue;
    if (axis != kNoRows || !isMultiple(dim.getExpr()))
      return std::nullopt;
    axis = i;
  }
  return axis;
}

namespace {

/// One node's rows. A rule returns the axis of the first result, or mixed().
class Rules {
public:
  Rules(Operation *op, ArrayRef<int64_t> axes) : op(op), axes(axes) {}

  int64_t apply();
  std::string why;

private:
  int64_t mixed(const Twine &reason) {
    why = reason.str();
    return kNoRows;
  }
  int64_t rank(unsigned i) const {
    return cast<RankedTensorType>(op->getOperand(i).getType()).getRank();
  }
  int64_t resultRank() const {
    return cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  }
  int64_t normal(int64_t axis, int64_t rank) const { return axis < 0 ? axis + rank : axis; }
  bool hasRows(unsigned i) const { return i < axes.size() && axes[i] != kNoRows; }

  int64_t noRule() {
    return mixed("'" + op->getName().stripDialect() +
                 "' has no rule that keeps the rows of a batch apart");
  }
  /// Operand `i` has no rows, or along this axis.
  bool at(unsigned i, int64_t axis) {
    if (!hasRows(i) || axes[i] == axis)
      return true;
    mixed("its operand " + Twine(i) + " has the rows of the batch along axis " + Twine(axes[i]) +
          ", not along axis " + Twine(axis));
    return false;
  }
  bool needsRows(unsigned i) {
    if (!hasRows(i))
      mixed("its operand " + Twine(i) + " is the same for all rows of the batch");
    return hasRows(i);
  }
  bool hasNone(unsigned i) {
    if (hasRows(i))
      mixed("its operand " + Twine(i) + " depends on the rows of the batch");
    return !hasRows(i);
  }
  /// Rows of all that have some lie along `axis`; the others are the same for all rows.
  int64_t all(int64_t axis) {
    for (unsigned i = 0; i < axes.size(); ++i)
      if (!at(i, axis))
        return kNoRows;
    return axis;
  }
  /// Only the first `count` operands may have rows.
  bool onlyFirst(unsigned count) {
    for (unsigned i = count; i < axes.size(); ++i)
      if (!hasNone(i))
        return false;
    return true;
  }
  /// Images: rows lead in the first `count` operands.
  int64_t leading(unsigned count = 1) { return onlyFirst(count) ? all(0) : kNoRows; }
  /// Whatever it does along `axis` of operand 0, all rows lie along another one.
  bool apart(int64_t axis) {
    if (normal(axis, rank(0)) != axes[0])
      return true;
    mixed("it combines elements along axis " + Twine(axes[0]) + ", which holds the rows of the batch");
    return false;
  }
  int64_t along(int64_t axis) { return apart(axis) ? axes[0] : kNoRows; }
  int64_t alongOptional(std::optional<int64_t> axis) {
    if (axis && *axis != kNoneElement)
      return along(*axis);
    return mixed("it combines all elements, of all rows of the batch");
  }
  int64_t without(int64_t axis) { return axes[0] - (normal(axis, rank(0)) < axes[0]); }
  int64_t reduced(ArrayRef<bool> mask, bool keepdims) {
    if (mask[axes[0]])
      return mixed("it reduces axis " + Twine(axes[0]) + ", which holds the rows of the batch");
    return keepdims ? axes[0] : axes[0] - llvm::count(mask.take_front(axes[0]), true);
  }
  SmallVector<bool> maskOf(std::optional<ArrayRef<int64_t>> list) {
    bool everything = !list || list->empty();
    SmallVector<bool> mask(rank(0), everything);
    if (!everything)
      for (int64_t axis : *list)
        mask[normal(axis, rank(0))] = true;
    return mask;
  }

  int64_t elementwise(ElementwiseInterface node);
  int64_t reshaped();
  int64_t concatenated(ConcatOp node);
  int64_t taken(TakeOp node);
  int64_t picked(PickOp node);
  int64_t sequence(int64_t time, bool dropsTime);
  int64_t quantized(bool calibrated, unsigned data);

  Operation *op;
  ArrayRef<int64_t> axes;
};

} // namespace

int64_t Rules::elementwise(ElementwiseInterface node) {
  int64_t result = kNoRows;
  for (unsigned i = 0; i < axes.size(); ++i) {
    if (!hasRows(i))
      continue;
    int64_t axis = node.getOperandAxes(i)[axes[i]];
    if (result != kNoRows && axis != result)
      return mixed("its operands have the rows of the batch along axes " + Twine(result) +
                   " and " + Twine(axis) + " of the result");
    result = axis;
  }
  return result;
}

// Elements keep their order: rows stay rows where as many elements stand before their axis.
int64_t Rules::reshaped() {
  Shape from = shapeOf(op->getOperand(0).getType()), to = shapeOf(op->getResult(0).getType());
  std::optional<int64_t> axis = rowAxisOf(op->getResult(0).getType());
  if (axis && *axis != kNoRows &&
      from.product(0, axes[0], op->getContext()) == to.product(0, *axis, op->getContext()))
    return *axis;
  return mixed("it makes " + to.str() + " of " + from.str() +
               ", in which the rows of the batch are no axis");
}

int64_t Rules::concatenated(ConcatOp node) {
  for (unsigned i = 0; i < axes.size(); ++i)
    if (!needsRows(i))
      return kNoRows;
  return apart(node.getDim()) ? all(axes[0]) : kNoRows;
}

int64_t Rules::taken(TakeOp node) {
  int64_t axis = normal(node.getAxis(), rank(0));
  if (!hasRows(0))
    return axis + axes[1];
  return hasNone(1) && apart(axis) ? axes[0] + (axis < axes[0] ? rank(1) - 1 : 0) : kNoRows;
}

int64_t Rules::picked(PickOp node) {
  if (!needsRows(0) || alongOptional(node.getAxis()) == kNoRows)
    return kNoRows;
  int64_t dropped = without(node.getAxis());
  if (!at(1, rank(1) == rank(0) ? axes[0] : dropped))
    return kNoRows;
  return node.getKeepdims() ? axes[0] : dropped;
}

// [T, N, ...] or [N, T, ...] and lengths [N].
int64_t Rules::sequence(int64_t time, bool dropsTime) {
  if (!needsRows(0) || !apart(time) || (hasRows(1) && !at(0, 1 - time)))
    return kNoRows;
  return dropsTime ? without(time) : axes[0];
}

int64_t Rules::quantized(bool calibrated, unsigned data) {
  if (!calibrated)
    return mixed("it finds the range of its numbers in all rows of the batch");
  return leading(data);
}

int64_t Rules::apply() {
  if (auto node = dyn_cast<ElementwiseInterface>(op))
    return elementwise(node);
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      // Layers.
      .Case<ConvolutionOp, DeconvolutionOp, PoolingOp, PoolingV1Op, LRNOp, L2NormalizationOp,
            InstanceNormOp, GroupNormOp, AdaptiveAvgPoolingOp, GridGeneratorOp, PadOp, Im2colOp,
            Col2imOp, DepthToSpaceOp, SpaceToDepthOp>([&](auto) { return leading(); })
      .Case<CropOp, BilinearResizeOp, BilinearSamplerOp, SpatialTransformerOp, CorrelationOp,
            DeformableColumnsOp, MultiBoxDetectionOp>([&](auto) { return leading(2); })
      .Case([&](UpSamplingOp) { return leading(axes.size()); })
      .Case([&](FullyConnectedOp node) {
        if (node.getFlatten())
          return leading();
        return onlyFirst(1) ? along(-1) : kNoRows;
      })
      .Case([&](SoftmaxOp node) {
        return apart(node.getAxis()) && at(1, without(node.getAxis())) ? axes[0] : kNoRows;
      })
      .Case([&](LayerNormOp node) { return onlyFirst(1) ? along(node.getAxis()) : kNoRows; })
      .Case([&](EmbeddingOp) { return onlyFirst(1) ? axes[0] : kNoRows; })
      .Case([&](RnnOp) {
        if (!hasNone(1))
          return kNoRows;
        for (unsigned i = 0; i < axes.size(); ++i)
          if (!at(i, rank(i) == 1 ? 0 : 1)) // lengths are [N]
            return kNoRows;
        return int64_t(1);
      })
      // Products.
      .Case([&](BatchDotOp) { return all(0); })
      .Case([&](DotOp node) {
        if (!onlyFirst(1) || !apart(node.getTransposeA() ? 0 : -1))
          return kNoRows;
        return node.getTransposeA() && rank(0) != 2 ? noRule()
               : node.getTransposeA()               ? int64_t(0)
                                                    : axes[0];
      })
      .Case([&](InterleavedQkOp) { return all(1) == kNoRows ? kNoRows : 0; })
      .Case([&](InterleavedValattOp) {
        return at(0, 1) && at(1, 0) ? 1 : kNoRows;
      })
      // The same elements in other places.
      .Case<ReshapeOp, FlattenOp, ExpandDimsOp, SqueezeOp>([&](auto) { return reshaped(); })
      .Case([&](ReshapeLikeOp) { return hasRows(0) ? reshaped() : kNoRows; })
      .Case([&](TransposeOp node) {
        SmallVector<int64_t> order = node.getOrder();
        return int64_t(llvm::find(order, axes[0]) - order.begin());
      })
      .Case([&](SwapAxisOp node) {
        int64_t one = normal(node.getDim1(), rank(0)), other = normal(node.getDim2(), rank(0));
        return axes[0] == one ? other : axes[0] == other ? one : axes[0];
      })
      .Case([&](ConcatOp node) { return concatenated(node); })
      .Case([&](StackOp node) {
        for (unsigned i = 0; i < axes.size(); ++i)
          if (!needsRows(i) || !at(i, axes[0]))
            return kNoRows;
        return axes[0] + (normal(node.getAxis(), rank(0) + 1) <= axes[0]);
      })
      .Case<SliceChannelOp, SplitV2Op>([&](auto node) {
        if (!apart(node.getAxis()))
          return kNoRows;
        return node.getSqueezeAxis() ? without(node.getAxis()) : axes[0];
      })
      .Case([&](SliceOp node) {
        ArrayRef<int64_t> steps = node.getStep();
        int64_t step = axes[0] < int64_t(steps.size()) ? steps[axes[0]] : 1;
        if (step < 0 && step != kNoneElement)
          return mixed("it turns the order of the rows of the batch round");
        return axes[0];
      })
      .Case<SliceAxisOp, BroadcastToOp, BroadcastAxisOp>([&](auto) { return axes[0]; })
      .Case<SliceLikeOp, BroadcastLikeOp>([&](auto) { return axes[0]; })
      .Case([&](TileOp) { return axes[0] + resultRank() - rank(0); })
      .Case([&](RepeatOp node) { return alongOptional(node.getAxis()); })
      .Case([&](ReverseOp node) {
        for (int64_t axis : node.getAxis())
          if (!apart(axis))
            return kNoRows;
        return axes[0];
      })
      // Many elements to one, and their order.
      .Case([&](ReduceOp node) { return reduced(node.getReducedAxes(), node.getKeepdims()); })
      .Case([&](NormOp node) { return reduced(maskOf(node.getAxis()), node.getKeepdims()); })
      .Case([&](MomentsOp node) { return reduced(maskOf(node.getAxes()), node.getKeepdims()); })
      .Case([&](ArgReduceOp node) {
        if (alongOptional(node.getAxis()) == kNoRows)
          return kNoRows;
        return node.getKeepdims() ? axes[0] : without(*node.getAxis());
      })
      .Case<CumsumOp, TopKOp, SortOp, ArgsortOp>(
          [&](auto node) { return alongOptional(node.getAxis()); })
      .Case([&](PercentileOp node) {
        SmallVector<bool> mask(rank(0), !node.getAxis());
        for (int64_t axis : node.getAxis().value_or(ArrayRef<int64_t>()))
          mask[normal(axis, rank(0))] = true;
        int64_t axis = onlyFirst(1) ? reduced(mask, node.getKeepdims()) : kNoRows;
        return axis == kNoRows || !node.getQ() ? axis : axis + rank(1);
      })
      // By index.
      .Case([&](OneHotOp) { return axes[0]; })
      .Case([&](InsertOp node) { return onlyFirst(1) ? alongOptional(node.getAxis()) : kNoRows; })
      .Case([&](DeleteOp node) { return node.getObj() ? noRule() : alongOptional(node.getAxis()); })
      .Case([&](TakeOp node) { return taken(node); })
      .Case([&](PickOp node) { return picked(node); })
      // Sequences.
      .Case<SequenceMaskOp, SequenceReverseOp>(
          [&](auto node) { return sequence(node.getAxis(), /*dropsTime=*/false); })
      .Case([&](SequenceLastOp node) { return sequence(node.getAxis(), /*dropsTime=*/true); })
      // Boxes.
      .Case([&](BoxNmsOp) { return apart(-1) && apart(-2) ? axes[0] : kNoRows; })
      .Case([&](MultiBoxPriorOp) { return kNoRows; })
      // Integers.
      .Case([&](QuantizeV2Op node) {
        return quantized(node.getMinCalibRange() && node.getMaxCalibRange(), 1);
      })
      .Case([&](RequantizeOp node) {
        return quantized(node.getMinCalibRange() && node.getMaxCalibRange(), 1);
      })
      .Case<QuantizeOp, DequantizeOp, QuantizedConvOp, QuantizedFullyConnectedOp,
            QuantizedPoolingOp, QuantizedActOp, QuantizedFlattenOp, QuantizedEmbeddingOp,
            QuantizedBatchNormOp, FusedFullyConnectedOp>([&](auto) { return leading(); })
      .Case<QuantizedElemwiseAddOp, QuantizedElemwiseMulOp>([&](auto) { return leading(2); })
      .Case([&](FusedConvOp node) {
        for (auto [i, operand] : llvm::enumerate(op->getOperands()))
          if (operand != node.getData() && operand != node.getSum() && !hasNone(i))
            return kNoRows;
        return all(0);
      })
      .Default([&](Operation *) { return noRule(); });
}

// Values of operators that only look at shapes; every row of the result is the same.
static bool isUniform(Operation *op) {
  return isa<FullOp, FillLikeOp, BroadcastLikeOp, BroadcastToOp, BroadcastAxisOp, ConstantOp>(op);
}

// Whether the result has as many places for each row as the operands, or is one of the
// operators whose rule has looked at that.
static bool keepsExtent(Operation *op, ArrayRef<int64_t> operands, int64_t axis) {
  if (isa<ReshapeOp, ReshapeLikeOp, FlattenOp, ExpandDimsOp, SqueezeOp, InterleavedQkOp,
          InterleavedValattOp>(op))
    return true;
  Dim extent = shapeOf(op->getResult(0).getType())[axis];
  return llvm::all_of(llvm::enumerate(operands), [&](auto operand) {
    auto [i, own] = operand;
    return own == kNoRows || shapeOf(op->getOperand(i).getType())[own] == extent;
  });
}

RowAnswer symc::rowsOfResults(Operation *op, ArrayRef<int64_t> operands) {
  RowAnswer answer;
  auto mixed = [&](const Twine &why) {
    answer.mixed = why.str();
    return answer;
  };
  if (drawsNumbers(op))
    return mixed("it draws random numbers, which would begin anew in each part of a batch");
  bool anyRows = llvm::any_of(operands, [](int64_t axis) { return axis != kNoRows; });
  int64_t first = kNoRows;
  if (anyRows && op->getNumResults() > 0 && !isa<ShapeArrayOp, SizeArrayOp>(op)) {
    Rules rules(op, operands);
    // Operators that ask operand 0 need its rows; those that don't look at all of them.
    first = rules.apply();
    if (!rules.why.empty())
      return mixed(rules.why);
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    std::optional<int64_t> axis = rowAxisOf(result.getType());
    std::string shape = shapeOf(result.getType()).str();
    if (!axis)
      return mixed("the rows of the batch are no axis of its result " + shape);
    bool independent = anyRows ? first != kNoRows : *axis == kNoRows || isUniform(op);
    if (*axis != kNoRows && !independent && !isUniform(op))
      return mixed("its result " + shape + " depends on the size of the batch alone");
    if (i == 0 && first != kNoRows && (*axis != first || !keepsExtent(op, operands, first)))
      return mixed("the rows of the batch are no axis of its result " + shape);
    if (isa<ShapeArrayOp, SizeArrayOp>(op) && anyRows)
      return mixed("it tells the size of the batch");
    answer.results.push_back(*axis);
  }
  return answer;
}
