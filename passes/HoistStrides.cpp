// HoistStrides.cpp: sg-hoist-strides.
//
//   %1 = sg.convolution(%x)  3x3                  3x3, stride 2
//   %2 = sg.convolution(%1)  1x1                  1x1
//   %3 = sg.binary(%2, %r) add             ->     add with sg.slice(%r) of step 2
//   %4 = sg.unary(%3) relu                        relu
//   %5 = sg.convolution(%4)  1x1, stride 2        1x1
//
// 1. Walk the graph backwards, so that all readers of a value are as they stay.
// 2. What the readers of a value have in common as their step is its demand: a
//    1x1 convolution without padding reads every stride-th pixel, a slice for
//    every step-th, any other reader for all.
// 3. The producer computes the demanded pixels only and the readers' steps are
//    divided: a convolution or pooling multiplies its stride; an elementwise node
//    reads its operands through slices, which are demands, too.
// A slice that stays is where a value is read by others in full: a residual, which
// the schedule reads with its stride. Every pixel that is left is computed as before.
#include "ir/GraphDialect.h"
#include "ir/Windows.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include <numeric>

namespace symc {
#define GEN_PASS_DEF_HOISTSTRIDES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

using Steps = SmallVector<int64_t, 4>; // by axis of the value

bool isAll(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [&](int64_t value) { return value == wanted; });
}

// The pixels that a 1x1 convolution reads of its data.
std::optional<Steps> stepsOf(ConvolutionOp op) {
  if (!isAll(op.getKernel(), 1) || !isAll(op.getPad(), 0) || !isAll(op.getPadEnd(), 0) ||
      !isChannelsFirst(op.getLayout()))
    return std::nullopt;
  Steps steps{1, 1};
  steps.append(op.getKernel().size(), 1);
  llvm::copy(op.getStride(), steps.begin() + 2);
  return steps;
}

// The elements that a slice from the first to the last reads.
std::optional<Steps> stepsOf(SliceOp op) {
  Steps steps(shapeOf(op.getData().getType()).rank(), 1);
  if (op.getStep().empty())
    return std::nullopt;
  for (size_t i = 0; i < op.getStep().size(); ++i) {
    int64_t step = op.getStep()[i] == kNoneElement ? 1 : op.getStep()[i], begin = op.getBegin()[i];
    if (step < 1 || (begin != 0 && begin != kNoneElement) || op.getEnd()[i] != kNoneElement)
      return std::nullopt;
    steps[i] = step;
  }
  return steps;
}

std::optional<Steps> stepsOf(OpOperand &use) {
  if (auto conv = dyn_cast<ConvolutionOp>(use.getOwner()))
    return use.getOperandNumber() == 0 ? stepsOf(conv) : std::nullopt;
  if (auto slice = dyn_cast<SliceOp>(use.getOwner()))
    return stepsOf(slice);
  return std::nullopt;
}

std::string text(ArrayRef<int64_t> steps) {
  std::string result;
  for (int64_t step : steps.drop_front(2))
    result += (result.empty() ? "" : "x") + std::to_string(step);
  return result;
}

remark::RemarkOpts remarkOf(Operation *op) {
  return remark::RemarkOpts::name("stride")
      .category("sg-hoist-strides")
      .function(op->getParentOfType<GraphOp>().getSymName());
}

struct HoistStrides : symc::impl::HoistStridesBase<HoistStrides> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      if (graph.getSymName() == "prepare") // weights have no pixels
        continue;
      for (Operation *op = &graph.getBlock().back(); op; op = op->getPrevNode())
        hoistInto(op);
      for (auto conv : graph.getBlock().getOps<ConvolutionOp>())
        remarkMissed(conv);
    }
  }

  // The step that all readers have in common; 1 along every axis if there is none.
  static Steps demandOf(Value value) {
    Steps demand(shapeOf(value.getType()).rank(), 0);
    for (OpOperand &use : value.getUses()) {
      Steps steps = stepsOf(use).value_or(Steps(demand.size(), 1));
      for (size_t i = 0; i < demand.size(); ++i)
        demand[i] = std::gcd(demand[i], steps[i]);
    }
    return demand;
  }

  // The operand read through a slice; nothing where it is one element along the axes.
  static std::optional<Steps> operandSteps(Operation *op, unsigned operand,
                                           ArrayRef<int64_t> demand) {
    Shape shape = shapeOf(op->getOperand(operand).getType());
    Steps steps(shape.rank(), 1);
    auto axes = cast<ElementwiseInterface>(op).getOperandAxes(operand);
    for (auto [axis, target] : llvm::enumerate(axes))
      if (!shape[axis].isStatic(1))
        steps[axis] = demand[target];
    return isAll(steps, 1) ? std::nullopt : std::optional<Steps>(steps);
  }

  // Why `op` cannot compute only the demanded elements of its result; "" if it can.
  static StringRef obstacle(Operation *op, ArrayRef<int64_t> demand) {
    Shape shape = shapeOf(op->getResult(0).getType());
    for (size_t i = 0; i < demand.size(); ++i)
      if (demand[i] > 1 && !shape[i].isStatic())
        return "an extent that is known only at run time";
    if (auto conv = dyn_cast<ConvolutionOp>(op))
      return isChannelsFirst(conv.getLayout()) ? "" : "channels behind the pixels";
    if (auto pool = dyn_cast<PoolingOp>(op)) {
      if (pool.getGlobalPool() || pool.getPoolingConvention() != "valid" ||
          !isChannelsFirst(pool.getLayout()))
        return "a pooling whose windows do not follow a stride";
      return "";
    }
    if (!isa<ElementwiseInterface>(op) || op->getNumResults() != 1)
      return "a node without a stride";
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (operandSteps(op, i, demand) &&
          isa_and_nonnull<ParameterOp, PreparedOp, ConstantOp>(op->getOperand(i).getDefiningOp()))
        return "an operand that is a weight with pixels";
    return "";
  }

  static void hoistInto(Operation *op) {
    if (op->getNumResults() != 1 || !isa<OperatorInterface>(op) || op->use_empty())
      return;
    Value result = op->getResult(0);
    if (!elementTypeOf(result.getType()) || shapeOf(result.getType()).rank() < 3)
      return;
    Steps demand = demandOf(result);
    bool alongPixels = demand[0] == 1 && demand[1] == 1;
    if (isAll(demand, 1) || !alongPixels || !obstacle(op, demand).empty())
      return;
    if (isa<ConvolutionOp, PoolingOp>(op))
      multiplyStride(op, demand);
    else
      sliceOperands(op, demand);
    divideReaders(op, demand);
    Shape shape = shapeOf(result.getType());
    for (size_t i = 0; i < demand.size(); ++i)
      if (demand[i] > 1)
        shape[i] = ceilDiv(shape[i], demand[i]);
    result.setType(makeTensorType(shape, elementTypeOf(result.getType()), op->getContext()));
  }

  static void multiplyStride(Operation *op, ArrayRef<int64_t> demand) {
    remark::passed(op->getLoc(), remarkOf(op))
        << ("'" + nodeName(op) + "' computes every " + text(demand) +
            " pixel only: its readers need no other")
               .str();
    auto conv = dyn_cast<ConvolutionOp>(op);
    ArrayRef<int64_t> kernel = conv ? conv.getKernel() : cast<PoolingOp>(op).getKernel();
    ArrayRef<int64_t> given = conv ? conv.getStride() : cast<PoolingOp>(op).getStride();
    SmallVector<int64_t> stride(kernel.size(), 1);
    llvm::copy(given, stride.begin());
    for (size_t i = 0; i < stride.size(); ++i)
      stride[i] *= demand[2 + i];
    op->setAttr("stride", DenseI64ArrayAttr::get(op->getContext(), stride));
  }

  static void sliceOperands(Operation *op, ArrayRef<int64_t> demand) {
    OpBuilder builder(op);
    DenseMap<Value, Value> sliced; // looked up only
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      std::optional<Steps> steps = operandSteps(op, i, demand);
      if (!steps)
        continue;
      Value operand = op->getOperand(i), &slice = sliced[operand];
      if (!slice)
        slice = createSlice(builder, op->getLoc(), operand, *steps);
      op->setOperand(i, slice);
    }
  }

  static Value createSlice(OpBuilder &builder, Location location, Value data, const Steps &steps) {
    Shape shape = shapeOf(data.getType());
    for (size_t i = 0; i < steps.size(); ++i)
      if (steps[i] > 1)
        shape[i] = ceilDiv(shape[i], steps[i]);
    SmallVector<int64_t> all(steps.size(), kNoneElement);
    OperationState state(location, SliceOp::getOperationName());
    state.addOperands(data);
    state.addTypes(makeTensorType(shape, elementTypeOf(data.getType()), builder.getContext()));
    state.addAttribute("begin", builder.getDenseI64ArrayAttr(all));
    state.addAttribute("end", builder.getDenseI64ArrayAttr(all));
    state.addAttribute("step", builder.getDenseI64ArrayAttr(steps));
    return builder.create(state)->getResult(0);
  }

  static void divideReaders(Operation *op, ArrayRef<int64_t> demand) {
    MLIRContext *context = op->getContext();
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses())) {
      Steps steps = *stepsOf(use);
      for (size_t i = 0; i < steps.size(); ++i)
        steps[i] /= demand[i];
      if (auto slice = dyn_cast<SliceOp>(use.getOwner())) {
        if (isAll(steps, 1)) {
          slice.getOutput().replaceAllUsesWith(op->getResult(0));
          slice.erase();
        } else {
          slice.setStepAttr(DenseI64ArrayAttr::get(
              context, ArrayRef<int64_t>(steps).take_front(slice.getBegin().size())));
        }
      } else {
        use.getOwner()->setAttr(
            "stride", DenseI64ArrayAttr::get(context, ArrayRef<int64_t>(steps).drop_front(2)));
      }
    }
  }

  static void remarkMissed(ConvolutionOp conv) {
    std::optional<Steps> steps = stepsOf(conv);
    if (!steps || isAll(*steps, 1))
      return;
    Operation *producer = conv.getData().getDefiningOp();
    std::string reason;
    for (OpOperand &use : conv.getData().getUses())
      if (isa<HeadsOp>(use.getOwner()))
        reason = "its input is an output";
      else if (!stepsOf(use) || isAll(*stepsOf(use), 1))
        reason = ("'" + nodeName(use.getOwner()) + "' needs every pixel of its input").str();
    if (!producer || isa<ParameterOp, PreparedOp, ConstantOp>(producer))
      reason = "its input is an argument";
    else if (reason.empty())
      reason = ("its input comes from '" + nodeName(producer) + "', " +
                obstacle(producer, demandOf(conv.getData())))
                   .str();
    remark::missed(conv.getLoc(), remarkOf(conv))
        << ("stride " + text(*steps) + " of '" + nodeName(conv) + "' stays: " + reason).str();
  }
};

} // namespace
