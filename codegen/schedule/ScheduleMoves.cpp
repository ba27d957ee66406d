// ScheduleMoves.cpp: nodes that only move data. A reshape is another name for the
// same bytes; transpose, concat and split are strided copies, between blocks of
// 16 channels where everything lies in whole blocks.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static int64_t normalised(int64_t axis, size_t rank) {
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

static bool moveTranspose(TransposeOp op, Tensors &t) {
  Value result = op.getOutput();
  size_t rank = extentsOf(result).size();
  SmallVector<int64_t> axes(op.getAxes());
  if (axes.empty())
    for (size_t i = rank; i-- > 0;)
      axes.push_back(i);
  ViewSpec from = t.plainView(op.getData(), op.getLoc()), permuted = from;
  for (size_t i = 0; i < rank; ++i) {
    size_t axis = normalised(axes[i], rank);
    permuted.sizes[i] = from.sizes[axis];
    permuted.strides[i] = from.strides[axis];
  }
  t.copy(permuted, t.createPlain(result, op.getLoc()), op.getLoc());
  return true;
}

// Channel concatenation where every part but the last fills whole blocks.
static bool concatBlocked(ConcatOp op, int64_t axis, Tensors &t) {
  size_t rank = extentsOf(op.getOutput()).size();
  if (axis != 1 || (rank != 3 && rank != 4))
    return false;
  bool any = false;
  OperandRange parts = op->getOperands();
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto channels = dyn_cast<AffineConstantExpr>(extentsOf(part)[1]);
    if (!channels || (i + 1 < parts.size() && channels.getValue() % kBlock))
      return false;
    any |= t.hasBlocked(part);
  }
  if (!any)
    return false;
  ViewSpec out = t.createBlocked(op.getOutput(), op.getLoc());
  for (Value part : parts) {
    ViewSpec from = t.blockedView(part, {}, op.getLoc()), to = out;
    to.sizes[1] = from.sizes[1];
    t.copy(from, to, op.getLoc());
    out.offset = out.offset + out.strides[1] * from.sizes[1];
  }
  return true;
}

static bool moveConcat(ConcatOp op, Tensors &t) {
  int64_t axis = normalised(op.getDim(), extentsOf(op.getOutput()).size());
  if (concatBlocked(op, axis, t))
    return true;
  ViewSpec out = t.createPlain(op.getOutput(), op.getLoc());
  for (Value part : op->getOperands()) {
    ViewSpec from = t.plainView(part, op.getLoc()), to = out;
    to.sizes[axis] = from.sizes[axis];
    t.copy(from, to, op.getLoc());
    out.offset = out.offset + out.strides[axis] * from.sizes[axis];
  }
  return true;
}

static bool moveSplit(SliceChannelOp op, Tensors &t) {
  ViewSpec from = t.plainView(op.getData(), op.getLoc());
  size_t rank = from.sizes.size();
  int64_t axis = normalised(op.getAxis(), rank);
  AffineExpr part = from.sizes[axis].floorDiv(static_cast<int64_t>(op.getNumOutputs()));
  from.sizes[axis] = part;
  for (Value result : op->getResults()) {
    // With squeeze_axis the result has one extent less, but the same bytes.
    ViewSpec to = t.rowMajor(t.createPlain(result, op.getLoc()).base, from.sizes);
    t.copy(from, to, op.getLoc());
    from.offset = from.offset + from.strides[axis] * part;
  }
  return true;
}

bool Scheduler::scheduleMove(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    t.alias(reshape.getOutput(), reshape.getData(), op->getLoc());
    return true;
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return moveTranspose(transpose, t);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return moveConcat(concat, t);
  if (auto split = dyn_cast<SliceChannelOp>(op))
    return moveSplit(split, t);
  return false;
}
