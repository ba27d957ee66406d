// ChannelsFirst.cpp: sg-channels-first.
//
//   %1 = sg.convolution(%x, %w) NHWC      %t = sg.transpose(%x)  0 3 1 2
//   %2 = sg.unary(%1) relu            ->  %1 = sg.convolution(%t, transpose(%w))
//   %3 = sg.convolution(%2, %v) NHWC      %2 = sg.unary(%1) relu
//                                         %3 = sg.convolution(%2, transpose(%v))
//                                         %r = sg.transpose(%3)  0 2 3 1
//
// 1. Convolutions and poolings with channels behind the pixels become ones with channels
//    before them, between two transposes; weights are transposed in @prepare.
// 2. In the same walk forwards, transposes sink: through elementwise nodes and
//    concatenations whose operands are all transposed alike (vectors and scalars are
//    reshaped), into each other, and away where two cancel.
// 3. A transpose that only moves extents of 1 is a reshape.
// The same takes away the pairs of transposes that converted models have around their
// layers. Values do not change. What stays in the middle of a graph is a `missed` remark.
#include "ir/GraphDialect.h"
#include "ir/States.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_CHANNELSFIRST
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

using Axes = SmallVector<int64_t>;

bool isWeightOnly(Value value) {
  return isa_and_nonnull<ParameterOp, PreparedOp, ConstantOp>(value.getDefiningOp());
}

bool isChannelsLast(std::optional<StringRef> layout) {
  return layout && !layout->starts_with("NC");
}

Axes inverse(ArrayRef<int64_t> order) {
  Axes result(order.size());
  for (auto [i, axis] : llvm::enumerate(order))
    result[axis] = i;
  return result;
}

Shape permuted(const Shape &shape, ArrayRef<int64_t> order) {
  Shape result(order.size());
  for (auto [i, axis] : llvm::enumerate(order))
    result[i] = shape[axis];
  return result;
}

Type withShape(Type type, const Shape &shape) {
  return makeTensorType(shape, elementTypeOf(type), type.getContext());
}

// Axis 1 behind all others, and back.
Axes channelsToEnd(int64_t rank) {
  Axes order{0};
  for (int64_t axis = 2; axis < rank; ++axis)
    order.push_back(axis);
  order.push_back(1);
  return order;
}

remark::RemarkOpts remarkOf(Operation *op) {
  return remark::RemarkOpts::name("layout")
      .category("sg-channels-first")
      .function(op->getParentOfType<GraphOp>().getSymName());
}

struct ChannelsFirst : symc::impl::ChannelsFirstBase<ChannelsFirst> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      if (graph.getSymName() == "prepare")
        continue;
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock()))
        visit(&op);
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock())))
        if (isa<TransposeOp, ReshapeOp>(op) && op.use_empty())
          op.erase();
      for (auto transpose : llvm::make_early_inc_range(graph.getBlock().getOps<TransposeOp>()))
        reshapeUnits(transpose);
      for (auto transpose : graph.getBlock().getOps<TransposeOp>())
        remarkMissed(transpose);
    }
  }

  static Value transpose(OpBuilder &builder, Location location, Value value,
                         ArrayRef<int64_t> order) {
    OperationState state(location, TransposeOp::getOperationName());
    state.addOperands(value);
    state.addTypes(withShape(value.getType(), permuted(shapeOf(value.getType()), order)));
    state.addAttribute("axes", builder.getDenseI64ArrayAttr(order));
    return builder.create(state)->getResult(0);
  }

  static Value reshape(OpBuilder &builder, Location location, Value value, const Shape &shape) {
    Shape own = shapeOf(value.getType());
    if (own.list() == shape.list())
      return value;
    Axes extents;
    for (Dim dim : shape.list())
      extents.push_back(dim.isStatic() ? dim.get() : -1);
    OperationState state(location, ReshapeOp::getOperationName());
    state.addOperands(value);
    state.addTypes(withShape(value.getType(), shape));
    state.addAttribute("shape", builder.getDenseI64ArrayAttr(extents));
    return builder.create(state)->getResult(0);
  }

  void visit(Operation *op) {
    if (auto conv = dyn_cast<ConvolutionOp>(op)) {
      if (isChannelsLast(conv.getLayout()))
        transposeChannels(op);
    } else if (auto pool = dyn_cast<PoolingOp>(op)) {
      if (isChannelsLast(pool.getLayout()))
        transposeChannels(op);
    } else if (auto inner = dyn_cast<TransposeOp>(op)) {
      compose(inner);
    } else if (isa<ElementwiseInterface>(op) && op->getNumResults() == 1) {
      sinkElementwise(op);
    } else if (auto concat = dyn_cast<ConcatOp>(op)) {
      sinkConcat(concat);
    }
  }

  // A layer between two transposes.
  static void transposeChannels(Operation *op) {
    OpBuilder builder(op);
    Type type = op->getResult(0).getType();
    Axes toEnd = channelsToEnd(shapeOf(type).rank()), toFront = inverse(toEnd);
    op->setOperand(0, folded(builder, op->getLoc(), op->getOperand(0), toFront));
    if (isa<ConvolutionOp>(op))
      op->setOperand(1, transpose(builder, op->getLoc(), op->getOperand(1), toFront));
    op->removeAttr("layout");
    op->getResult(0).setType(withShape(type, permuted(shapeOf(type), toFront)));
    remark::passed(op->getLoc(), remarkOf(op))
        << ("'" + nodeName(op) + "' is computed with channels before pixels").str();
    transposeResult(op, toEnd);
  }

  // All readers of `op` read its result through a transpose.
  static void transposeResult(Operation *op, ArrayRef<int64_t> order) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0), transposed = transpose(builder, op->getLoc(), result, order);
    result.replaceAllUsesExcept(transposed, transposed.getDefiningOp());
  }

  // transpose(value), through a transpose that `value` is itself.
  static Value folded(OpBuilder &builder, Location location, Value value, ArrayRef<int64_t> order) {
    auto inner = value.getDefiningOp<TransposeOp>();
    if (!inner)
      return transpose(builder, location, value, order);
    Axes first = inner.getOrder(), both;
    for (int64_t axis : order)
      both.push_back(first[axis]);
    if (llvm::is_sorted(both))
      return inner.getData();
    return transpose(builder, location, inner.getData(), both);
  }

  static void compose(TransposeOp op) {
    OpBuilder builder(op);
    Axes order = op.getOrder();
    if (llvm::is_sorted(order))
      op.getOutput().replaceAllUsesWith(op.getData());
    else if (op.getData().getDefiningOp<TransposeOp>())
      op.getOutput().replaceAllUsesWith(folded(builder, op.getLoc(), op.getData(), order));
  }

  // Where only extents of 1 move, the elements keep their order.
  static void reshapeUnits(TransposeOp op) {
    Shape shape = shapeOf(op.getOutput().getType());
    Axes moved; // axes with an extent other than 1
    for (auto [i, axis] : llvm::enumerate(op.getOrder()))
      if (!shape[i].isStatic(1))
        moved.push_back(axis);
    int64_t unknown = llvm::count_if(shape.list(), [](Dim dim) { return !dim.isStatic(); });
    if (!llvm::is_sorted(moved) || unknown > 1)
      return;
    OpBuilder builder(op);
    op.getOutput().replaceAllUsesWith(reshape(builder, op.getLoc(), op.getData(), shape));
    op.erase();
  }

  // An operand without the transpose of its neighbours: a transpose's data, or what
  // broadcasts, with its axes laid where they belong. Null where that costs a copy.
  static Value untransposed(OpBuilder &builder, Operation *op, unsigned number,
                            ArrayRef<int64_t> order) {
    Value value = op->getOperand(number);
    auto inner = value.getDefiningOp<TransposeOp>();
    if (inner && inner.getOrder() == order)
      return inner.getData();
    Shape shape = shapeOf(value.getType()), result = shapeOf(op->getResult(0).getType());
    if (!isa<BinaryOp>(op) || shape.rank() > result.rank())
      return {};
    Dim one = Dim::constant(1, op->getContext());
    Shape aligned(SmallVector<Dim>(result.rank(), one));
    int64_t wide = 0;
    for (size_t i = 0; i < shape.rank(); ++i) {
      aligned[result.rank() - shape.rank() + i] = shape[i];
      wide += !shape[i].isStatic(1);
    }
    Axes back = inverse(order);
    if (wide <= 1)
      return reshape(builder, op->getLoc(), value, permuted(aligned, back));
    if (!isWeightOnly(value))
      return {};
    return transpose(builder, op->getLoc(), reshape(builder, op->getLoc(), value, aligned), back);
  }

  static void sinkElementwise(Operation *op) {
    Type type = op->getResult(0).getType();
    std::optional<Axes> order;
    for (Value operand : op->getOperands())
      if (auto inner = operand.getDefiningOp<TransposeOp>())
        if (!order && operand.getType() == type)
          order = inner.getOrder();
    if (!order)
      return;
    OpBuilder builder(op);
    SmallVector<Value> operands;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Value operand = untransposed(builder, op, i, *order);
      if (!operand)
        return; // what was made on the way has no reader
      operands.push_back(operand);
    }
    op->setOperands(operands);
    if (auto binary = dyn_cast<BinaryOp>(op))
      if (operands[0].getType() != operands[1].getType())
        op->setAttr("broadcast", builder.getBoolAttr(true));
    op->getResult(0).setType(withShape(type, permuted(shapeOf(type), inverse(*order))));
    transposeResult(op, *order);
  }

  static void sinkConcat(ConcatOp op) {
    if (growthOf(op)) // its rows lie as the state has them
      return;
    std::optional<Axes> order;
    for (Value operand : op->getOperands()) {
      auto inner = operand.getDefiningOp<TransposeOp>();
      if (!inner || (order && inner.getOrder() != *order))
        return;
      order = inner.getOrder();
    }
    int64_t axis = op.getDim();
    if (axis < 0)
      axis += order->size();
    for (OpOperand &operand : op->getOpOperands())
      operand.set(operand.get().getDefiningOp<TransposeOp>().getData());
    op->setAttr("dim", Builder(op.getContext()).getI64IntegerAttr((*order)[axis]));
    Type type = op.getOutput().getType();
    op->getResult(0).setType(withShape(type, permuted(shapeOf(type), inverse(*order))));
    transposeResult(op, *order);
  }

  static void remarkMissed(TransposeOp op) {
    Operation *producer = op.getData().getDefiningOp();
    if (!producer || isWeightOnly(op.getData()))
      return;
    for (Operation *user : op.getOutput().getUsers())
      if (!isa<HeadsOp>(user))
        remark::missed(op.getLoc(), remarkOf(op))
            << ("a transpose stays between '" + nodeName(producer) + "' and '" + nodeName(user) +
                "'")
                   .str();
  }
};

} // namespace
