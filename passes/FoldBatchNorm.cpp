// FoldBatchNorm.cpp: sg-fold-batch-norm.
//
//   mul(convolution(x, w, b), s)  ->  convolution(x, w * [O,1,1,1]s, b * s)
//   add(convolution(x, w, b), t)  ->  convolution(x, w, b + t)
//
// where the layer's result has no other reader and s, t depend on weights alone
// and vary along the layer's output channels only. What is left behind are
// operators over weights, for sg-hoist-prepare. Values change in rounding only.
#include "ir/GraphDialect.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct FoldBatchNorm : symc::impl::FoldBatchNormBase<FoldBatchNorm> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      weightOnly.clear();
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock()))
        if (auto binary = dyn_cast<BinaryOp>(op))
          fold(binary);
    }
  }

  // Depends on weights alone (memoised; nodes are in topological order).
  bool dependsOnWeightsAlone(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<ParameterOp, ConstantOp>(op))
      return true;
    auto [place, isNew] = weightOnly.try_emplace(op, false);
    if (isNew) {
      bool all = op->getNumOperands() > 0 && isa<OperatorInterface>(op);
      for (Value operand : op->getOperands())
        all = all && dependsOnWeightsAlone(operand);
      weightOnly[op] = all;
    }
    return weightOnly[op];
  }

  void fold(BinaryOp op) {
    if (op.getFn() != "mul" && op.getFn() != "add")
      return;
    for (auto [layer, vector] :
         {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
      if (fold(op, layer, vector))
        return;
  }

  bool fold(BinaryOp op, Value layer, Value vector) {
    Operation *producer = layer.getDefiningOp();
    if (!isa_and_nonnull<ConvolutionOp, FullyConnectedOp>(producer) || !layer.hasOneUse() ||
        layer.getType() != op.getOutput().getType() || !dependsOnWeightsAlone(vector))
      return false;
    Shape result = shapeOf(layer.getType()), extents = shapeOf(vector.getType());
    auto conv = dyn_cast<ConvolutionOp>(producer);
    if (conv && conv.getLayout() && !conv.getLayout()->starts_with("NC"))
      return false;
    int64_t rank = result.rank(), channelAxis = conv ? 1 : rank - 1;
    int64_t shift = rank - static_cast<int64_t>(extents.rank());
    for (int64_t i = 0; i < static_cast<int64_t>(extents.rank()); ++i) {
      bool channel = i + shift == channelAxis;
      if (channel ? extents[i] != result[channelAxis] : !extents[i].isStatic(1))
        return false;
    }
    if (channelAxis < shift || elementTypeOf(vector.getType()) != elementTypeOf(layer.getType()))
      return false;

    OpBuilder builder(op);
    Location location = op.getLoc();
    Type element = elementTypeOf(layer.getType());
    Dim channels = result[channelAxis];
    auto reshape = [&](Value value, const Shape &shape) {
      SmallVector<int64_t> numbers;
      for (Dim dim : shape.list())
        numbers.push_back(dim.get());
      OperationState state(location, ReshapeOp::getOperationName());
      state.addOperands(value);
      state.addTypes(makeTensorType(shape, element, builder.getContext()));
      state.addAttribute("shape", builder.getDenseI64ArrayAttr(numbers));
      return builder.create(state)->getResult(0);
    };
    Value flat = reshape(vector, Shape({channels}));
    SmallVector<Value> operands(producer->getOperands());
    bool scales = op.getFn() == "mul";
    if (scales) {
      Shape aligned(shapeOf(operands[1].getType()).rank());
      for (size_t i = 0; i < aligned.rank(); ++i)
        aligned[i] = i == 0 ? channels : Dim::constant(1, builder.getContext());
      operands[1] = BinaryOp::create(builder, location, operands[1].getType(), operands[1],
                                     reshape(flat, aligned), "mul", true);
      if (operands.size() > 2)
        operands[2] = BinaryOp::create(builder, location, operands[2].getType(), operands[2], flat,
                                       "mul", false);
    } else if (operands.size() > 2) {
      operands[2] = BinaryOp::create(builder, location, operands[2].getType(), operands[2], flat,
                                     "add", false);
    } else {
      operands.push_back(flat);
    }
    OperationState state(builder.getFusedLoc({producer->getLoc(), location}), producer->getName());
    state.addOperands(operands);
    state.addTypes(op.getOutput().getType());
    state.addAttributes(producer->getAttrs());
    state.attributes.set("no_bias", builder.getBoolAttr(operands.size() < 3));
    Operation *folded = builder.create(state);
    op.getOutput().replaceAllUsesWith(folded->getResult(0));
    weightOnly.erase(op);
    weightOnly.erase(producer);
    op.erase();
    producer->erase();
    return true;
  }

  DenseMap<Operation *, bool> weightOnly; // looked up only
};

} // namespace
