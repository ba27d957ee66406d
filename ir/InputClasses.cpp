// InputClasses.cpp: see InputClasses.h.
#include "ir/InputClasses.h"

#include "ir/GraphDialect.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Index.h"
#include "ir/ops/Loss.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Recurrent.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// The extent of an axis, which may count from the end; 0 where it is unknown.
static int64_t extentOf(Value value, int64_t axis) {
  Shape shape = shapeOf(value.getType());
  if (!shape.isRanked())
    return 0;
  axis += axis < 0 ? shape.rank() : 0;
  bool known = axis >= 0 && axis < int64_t(shape.rank()) && shape[axis].isStatic();
  return known ? shape[axis].get() : 0;
}

// SoftmaxOutput normalises one axis, or all but the first; a label of data's shape holds
// probabilities.
static int64_t classesOf(SoftmaxOutputOp op) {
  Shape data = shapeOf(op.getData().getType()), label = shapeOf(op.getLabel().getType());
  if (!data.isRanked() || op.getData().getType() == op.getLabel().getType() ||
      (label.isRanked() && label.list() == data.list()))
    return 0;
  if (op.getMultiOutput() || op.getPreserveShape())
    return extentOf(op.getData(), op.getMultiOutput() ? 1 : -1);
  int64_t count = 1;
  for (size_t axis = 1; axis < data.rank(); ++axis)
    count *= extentOf(op.getData(), axis);
  return count;
}

// Of what reads the value as numbers of something.
static int64_t classesOf(OpOperand &use) {
  Value value = use.get();
  return llvm::TypeSwitch<Operation *, int64_t>(use.getOwner())
      .Case([&](SoftmaxOutputOp op) { return op.getLabel() == value ? classesOf(op) : 0; })
      .Case([&](SVMOutputOp op) { return op.getLabel() == value ? extentOf(op.getData(), -1) : 0; })
      .Case([&](SoftmaxCrossEntropyOp op) {
        return op.getLabel() == value ? extentOf(op.getData(), -1) : 0;
      })
      .Case([&](CtcLossOp op) { return op.getLabel() == value ? extentOf(op.getData(), -1) : 0; })
      .Case([&](EmbeddingOp op) { return op.getData() == value ? op.getInputDim() : 0; })
      .Case([&](TakeOp op) {
        return op.getIndices() == value ? extentOf(op.getA(), op.getAxis()) : 0;
      })
      .Case([&](BatchTakeOp op) { return op.getIndices() == value ? extentOf(op.getA(), 1) : 0; })
      .Case([&](PickOp op) {
        return op.getIndex() == value ? extentOf(op.getData(), op.getAxis()) : 0;
      })
      .Case([&](OneHotOp op) { return int64_t(op.getDepth()); })
      .Default(int64_t(0));
}

// Whether the results hold elements of the operands, as they are or as another type.
static bool keepsElements(Operation *op) {
  return isa<ReshapeOp, FlattenOp, TransposeOp, SwapAxisOp, ExpandDimsOp, SqueezeOp, TileOp,
             RepeatOp, ReverseOp, BroadcastToOp, BroadcastAxisOp, SliceOp, SliceAxisOp,
             SliceChannelOp, ConcatOp, StackOp, CastOp, CopyOp, BlockGradOp>(op);
}

int64_t symc::sg::classesOf(Value input) {
  llvm::DenseSet<Value> seen{input};
  SmallVector<Value> work{input};
  int64_t least = 0;
  while (!work.empty()) {
    for (OpOperand &use : work.pop_back_val().getUses()) {
      if (int64_t classes = ::classesOf(use); classes > 0)
        least = least ? std::min(least, classes) : classes;
      if (keepsElements(use.getOwner()))
        for (Value result : use.getOwner()->getResults())
          if (seen.insert(result).second)
            work.push_back(result);
    }
  }
  return least;
}
