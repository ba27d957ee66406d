// DecomposeNumpyShape.cpp: the operators of sg-decompose-numpy that move elements.
//
//   sg.numpy_roll(%x) {shift = [1], axis = [0]} -> sg.concat(last row, the other rows)
//   sg.numpy_pad(%x) {mode = "reflect"}         -> sg.concat(sg.reverse(first rows), %x, ...)
//
// Extents that have to be fixed are, since inference required it.
#include "ir/Gradient.h"
#include "ir/ops/NumpyReduce.h"
#include "ir/ops/NumpyShape.h"
#include "ir/ops/NumpySlice.h"
#include "ir/ops/Slice.h"
#include "passes/Numpy.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

using Results = SmallVectorImpl<Value>;

static Shape resultShape(Operation *op) { return shapeOf(op->getResult(0).getType()); }

static void decompose(NumpyReshapeOp op, CoreBuilder &core, Results &results) {
  results.push_back(core.reshapeTo(op.getA(), op.getOutput().getType()));
}
static void decompose(NumpySqueezeOp op, CoreBuilder &core, Results &results) {
  results.push_back(core.reshapeTo(op.getA(), op.getOutput().getType()));
}
static void decompose(NumpyBroadcastToOp op, CoreBuilder &core, Results &results) {
  results.push_back(core.broadcastTo(op.getArray(), resultShape(op)));
}

// The last `shift` of an axis go to the front.
static Value roll(Value x, int64_t axis, int64_t shift, CoreBuilder &core) {
  int64_t extent = shapeOf(x.getType())[axis].get();
  if (extent == 0)
    return x;
  shift = ((shift % extent) + extent) % extent;
  if (shift == 0)
    return x;
  return core.concat(
      {core.slice(x, axis, extent - shift, extent), core.slice(x, axis, 0, extent - shift)}, axis);
}

static void decompose(NumpyRollOp op, CoreBuilder &core, Results &results) {
  Value x = op.getData();
  Shape shape = shapeOf(x.getType());
  ArrayRef<int64_t> shifts = *op.getShift();
  if (!op.getAxis()) {
    Value flat = core.reshape(x, Shape({shape.product(0, shape.rank(), op.getContext())}));
    results.push_back(core.reshape(roll(flat, 0, shifts[0], core), shape));
    return;
  }
  ArrayRef<int64_t> axes = *op.getAxis();
  for (auto [i, axis] : llvm::enumerate(axes))
    x = roll(x, axis < 0 ? axis + shape.rank() : axis, shifts[shifts.size() == 1 ? 0 : i], core);
  results.push_back(x);
}

static void decompose(NumpyFlipOp op, CoreBuilder &core, Results &results) {
  Value x = op.getData();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(x.getType()).rank()));
  results.push_back(core.reverse(x, op.getAxis().value_or(axes)));
}

static void decompose(NumpyRot90Op op, CoreBuilder &core, Results &results) {
  Value x = op.getData();
  int64_t rank = shapeOf(x.getType()).rank(), quarters = ((int64_t(op.getK()) % 4) + 4) % 4;
  auto [first, second] = op.getPlane(rank);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[first], order[second]);
  if (quarters == 1)
    x = core.transpose(core.reverse(x, second), order);
  else if (quarters == 2)
    x = core.reverse(x, {first, second});
  else if (quarters == 3)
    x = core.reverse(core.transpose(x, order), second);
  results.push_back(x);
}

static void decompose(NumpyMoveaxisOp op, CoreBuilder &core, Results &results) {
  results.push_back(core.transpose(op.getA(), op.getOrder(shapeOf(op.getA().getType()).rank())));
}

static void join(Operation *op, StringRef kind, int64_t axis, CoreBuilder &core, Results &results) {
  bool flat = kind == "plain" && axis == kNoneElement;
  size_t rank = flat ? 1 : resultShape(op).rank();
  if (flat || (kind == "horizontal" && rank < 2))
    axis = 0;
  axis = axis < 0 ? axis + rank : axis;
  SmallVector<Value> parts;
  for (Value part : op->getOperands()) {
    Shape have = shapeOf(part.getType()), shape(rank);
    Dim one = core.dim(1);
    if (flat)
      shape = Shape({have.product(0, have.rank(), op->getContext())});
    else if (have.rank() == rank)
      shape = have;
    else if (kind == "depth" && have.rank() == 2)
      shape = Shape({have[0], have[1], one});
    else {
      // A vector or a single element lies along one axis, with extents of 1 around.
      for (size_t i = 0; i < rank; ++i)
        shape[i] = one;
      if (have.rank() == 1)
        shape[kind == "columns" ? 0 : kind == "horizontal" ? 0 : 1] = have[0];
    }
    parts.push_back(core.reshape(part, shape));
  }
  results.push_back(core.concat(parts, axis));
}
static void decompose(NumpyConcatenateOp op, CoreBuilder &core, Results &results) {
  int64_t axis = op.getKind() == "plain" ? int64_t(op.getAxis()) : op.getKind() == "depth" ? 2 : 1;
  join(op, op.getKind(), axis, core, results);
}
static void decompose(NumpyStackOp op, CoreBuilder &core, Results &results) {
  join(op, op.getKind(), op.getKind() == "columns" ? 1 : 0, core, results);
}

static void decompose(NumpySplitOp op, CoreBuilder &core, Results &results) {
  Shape data = shapeOf(op.getData().getType());
  int64_t axis = op.getDepth() ? 2 : data.rank() > 1 ? 1 : 0;
  if (!data[axis].isStatic()) {
    OperationState split(core.loc, SplitV2Op::getOperationName());
    split.addOperands(op.getData());
    split.addTypes(op->getResultTypes());
    split.addAttributes({core.numbers("indices", {}), core.number("axis", axis),
                         core.number("sections", op.getSections())});
    llvm::append_range(results, core.b.create(split)->getResults());
    return;
  }
  SmallVector<int64_t> bounds = op.getBounds(data[axis].get());
  for (size_t i = 0; i + 1 < bounds.size(); ++i)
    results.push_back(core.slice(op.getData(), axis, bounds[i], bounds[i + 1]));
}

static void decompose(NumpyAtLeastOp op, CoreBuilder &core, Results &results) {
  for (auto [operand, result] : llvm::zip(op.getArys(), op->getResults()))
    results.push_back(core.reshapeTo(operand, result.getType()));
}

static void decompose(NumpyDiagonalOp op, CoreBuilder &core, Results &results) {
  Value x = op.getData();
  Shape data = shapeOf(x.getType()), lines{size_t(0)};
  int64_t rank = data.rank(), offset = op.getOffset();
  int64_t first = op.getAxis1(), second = op.getAxis2();
  first = first < 0 ? first + rank : first;
  second = second < 0 ? second + rank : second;
  for (int64_t i = 0; i < rank; ++i)
    if (i != first && i != second)
      lines.push_back(data[i]);
  int64_t rows = data[first].get(), columns = data[second].get();
  int64_t length =
      offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  if (length < 1) { // summed
    results.push_back(core.zeros(op.getOutput().getType()));
    return;
  }
  lines.push_back(core.dim(length));
  Value diagonal = core.make(
      "diag", x, core.withShape(x, lines),
      {core.number("k", offset), core.number("axis1", first), core.number("axis2", second)});
  results.push_back(
      op.getSummed() ? core.reduce("sum", diagonal, {int64_t(lines.rank()) - 1}, false) : diagonal);
}

static void decompose(NumpyDiagflatOp op, CoreBuilder &core, Results &results) {
  Shape data = shapeOf(op.getData().getType());
  Value flat = core.reshape(op.getData(), Shape({data.product(0, data.rank(), op.getContext())}));
  results.push_back(core.make("diag", flat, op.getOutput().getType(), core.number("k", op.getK())));
}

static void decompose(NumpyTrilOp op, CoreBuilder &core, Results &results) {
  Shape shape = resultShape(op);
  size_t rank = shape.rank();
  Dim rows = shape[rank - 2], columns = shape[rank - 1];
  Type index = core.b.getI32Type();
  Value row = core.reshape(core.arange(int64_t(op.getK()), 1, rows.get(), index),
                           Shape({rows, core.dim(1)}));
  Value kept = core.broadcast("greater_equal", row, core.arange(0, 1, columns.get(), index),
                              Shape({rows, columns}));
  Value x = core.broadcastTo(op.getData(), shape);
  results.push_back(core.where(core.broadcastTo(kept, shape), x, core.fillLike(x, 0)));
}

static void decompose(NumpyDiffOp op, CoreBuilder &core, Results &results) {
  Value x = op.getA();
  int64_t axis = op.getAxis();
  axis = axis < 0 ? axis + static_cast<int64_t>(shapeOf(x.getType()).rank()) : axis;
  for (int64_t i = 0; i < static_cast<int64_t>(op.getN()); ++i) {
    Dim count = shapeOf(x.getType())[axis] - 1;
    x = core.binary("sub", core.sliceToEnd(x, axis, 1, 0, 1, count),
                    core.sliceToEnd(x, axis, 0, 1, 1, count));
  }
  results.push_back(x);
}

static Value flat(Value x, CoreBuilder &core) {
  Shape shape = shapeOf(x.getType());
  return core.reshape(x, Shape({shape.product(0, shape.rank(), core.b.getContext())}));
}

static void decompose(NumpyEdiff1dOp op, CoreBuilder &core, Results &results) {
  Value x = flat(op->getOperand(0), core), one = core.slice(x, 0, 0, 1);
  int64_t count = shapeOf(x.getType())[0].get();
  SmallVector<Value> parts;
  if (op.getToBeginArrGiven())
    parts.push_back(flat(op->getOperand(1), core));
  else if (op.getToBeginScalar())
    parts.push_back(core.fillLike(one, op.getToBeginScalar()->convertToDouble()));
  if (count > 1)
    parts.push_back(core.binary("sub", core.slice(x, 0, 1, count), core.slice(x, 0, 0, count - 1)));
  if (op.getToEndArrGiven())
    parts.push_back(flat(op->getOperands().back(), core));
  else if (op.getToEndScalar())
    parts.push_back(core.fillLike(one, op.getToEndScalar()->convertToDouble()));
  results.push_back(core.concat(parts, 0));
}

static void decompose(NumpyAverageOp op, CoreBuilder &core, Results &results) {
  Value a = op.getA(), weights = op.getWeights();
  Shape shape = shapeOf(a.getType()), left = resultShape(op);
  int64_t rank = shape.rank(), count = 1;
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!op.getAxis() || llvm::is_contained(*op.getAxis(), axis) ||
        llvm::is_contained(*op.getAxis(), axis - rank))
      axes.push_back(axis);
  auto sum = [&](Value x, ArrayRef<int64_t> over) { return core.reduce("sum", x, over, false); };
  Value total;
  if (!weights) {
    results.push_back(core.reduce("mean", a, axes, false));
    if (llvm::all_of(axes, [&](int64_t axis) { return shape[axis].isStatic(); })) {
      for (int64_t axis : axes)
        count *= shape[axis].get();
      total = core.reshape(core.arange(count, 0, 1, elementTypeOf(a.getType())), Shape(size_t(0)));
    } else { // the same number everywhere
      total = core.countReduced(a, axes, false);
      total = core.reduce("max", total, llvm::to_vector(llvm::seq<int64_t>(0, left.rank())), false);
    }
  } else {
    bool along = static_cast<int64_t>(shapeOf(weights.getType()).rank()) != rank;
    total = along ? sum(weights, {0}) : sum(weights, axes);
    if (along) {
      Shape line(rank);
      for (int64_t axis = 0; axis < rank; ++axis)
        line[axis] = axis == axes[0] ? shape[axis] : core.dim(1);
      weights = core.broadcastTo(core.reshape(weights, line), shape);
    }
    results.push_back(core.binary("div", sum(core.binary("mul", a, weights), axes),
                                  core.broadcastTo(total, left)));
  }
  if (op.getReturned()) // MXNet passes no gradient of it on
    results.push_back(isTraining(op) ? core.make("block_grad", total, total.getType()) : total);
}

static void decompose(NumpyDiagIndicesOp op, CoreBuilder &core, Results &results) {
  Shape shape = resultShape(op);
  results.push_back(
      core.broadcastTo(core.arange(0, 1, shape[1].get(), core.b.getI64Type()), shape));
}

// What lies in front of an axis (behind it with `after`), `width` long.
static Value margin(Value x, int64_t axis, int64_t width, bool after, NumpyPadOp op,
                    CoreBuilder &core) {
  Shape shape = shapeOf(x.getType());
  int64_t extent = shape[axis].get();
  StringRef mode = op.getMode();
  if (mode == "reflect" || mode == "symmetric") {
    int64_t skipped = mode == "reflect" ? 1 : 0;
    int64_t begin = after ? extent - skipped - width : skipped;
    return core.reverse(core.slice(x, axis, begin, begin + width), axis);
  }
  Value line = mode == "maximum" || mode == "minimum"
                   ? core.reduce(mode.take_front(3), x, axis, true)
                   : core.slice(x, axis, after ? extent - 1 : 0, after ? extent : 1);
  if (mode == "constant")
    line = core.fillLike(line, op.getConstantValue().convertToDouble());
  shape[axis] = core.dim(width);
  return core.broadcastTo(line, shape);
}

static void decompose(NumpyPadOp op, CoreBuilder &core, Results &results) {
  Value x = op.getData();
  SmallVector<int64_t> widths = op.getWidths();
  for (size_t axis = 0; axis < widths.size() / 2; ++axis) {
    SmallVector<Value> parts{x};
    if (widths[2 * axis])
      parts.insert(parts.begin(), margin(x, axis, widths[2 * axis], false, op, core));
    if (widths[2 * axis + 1])
      parts.push_back(margin(x, axis, widths[2 * axis + 1], true, op, core));
    x = core.concat(parts, axis);
  }
  results.push_back(x);
}

bool symc::decomposeNumpyShape(Operation *op, CoreBuilder &core, Results &results) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NumpyReshapeOp, NumpySqueezeOp, NumpyBroadcastToOp, NumpyRollOp, NumpyFlipOp,
            NumpyRot90Op, NumpyMoveaxisOp, NumpyConcatenateOp, NumpyStackOp, NumpySplitOp,
            NumpyAtLeastOp, NumpyDiagonalOp, NumpyDiagflatOp, NumpyTrilOp, NumpyDiffOp,
            NumpyEdiff1dOp, NumpyAverageOp, NumpyDiagIndicesOp, NumpyPadOp>([&](auto node) {
        decompose(node, core, results);
        return true;
      })
      .Default(false);
}
