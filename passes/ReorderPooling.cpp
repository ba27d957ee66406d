// ReorderPooling.cpp: sg-reorder-pooling.
//
//   pooling(convolution(x, w, b)) avg  ->  convolution(pooling(x), w, b)
//   convolution(pooling(x), w, b)      ->  add(pooling(convolution(x, w)), b)
//
// for 1x1 convolutions and average poolings: one mixes channels and not pixels, the
// other pixels and not channels, both are linear, so that their order does not
// matter but for rounding. Whichever order takes less work is the one that stays:
// pooling first where it leaves fewer pixels (DenseNet's transitions), convolution
// first where it leaves fewer channels (Inception's pooling branches). A convolution's bias is
// pooled only where every window averages a constant to itself: windows of pixels alone, at least
// one of them.
#include "ir/GraphDialect.h"
#include "ir/Windows.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include "passes/PoolWindows.h"

namespace symc {
#define GEN_PASS_DEF_REORDERPOOLING
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// A pooled element costs as much as so many multiply-adds of a convolution: it is
// read from the caches, a convolution's operands are in registers.
static constexpr int64_t pooledElementCost = 8;

namespace {

bool isAll(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [&](int64_t value) { return value == wanted; });
}

bool isPointwise(ConvolutionOp conv) {
  return isAll(conv.getKernel(), 1) && isAll(conv.getStride(), 1) && isAll(conv.getPad(), 0) &&
         isAll(conv.getPadEnd(), 0) && isChannelsFirst(conv.getLayout());
}

bool isAverage(PoolingOp pool) {
  return pool.getPoolType() == "avg" && isChannelsFirst(pool.getLayout());
}

// Why a window's average of a constant may be another one; "" where each keeps it.
StringRef whyConstantsChange(PoolingOp pool) {
  bool isPadded = !isAll(pool.getPad(), 0) || !isAll(pool.getPadEnd(), 0);
  if (isPadded && !pool.getGlobalPool() && pool.getCountIncludePad().value_or(true))
    return "its windows count padding, which the bias must not reach";
  if (!everyWindowHoldsAPixel(pool))
    return "a window may hold no pixel, which the bias must not reach";
  return "";
}

// Elements of a value; nothing where an extent is known at run time only.
std::optional<int64_t> elementsOf(Value value) {
  Shape shape = shapeOf(value.getType());
  int64_t count = 1;
  for (Dim dim : shape.list()) {
    if (!dim.isStatic())
      return std::nullopt;
    count *= dim.get();
  }
  return count;
}

int64_t channelsOf(Value value) { return shapeOf(value.getType())[1].get(); }

remark::RemarkOpts remarkOf(Operation *op) {
  return remark::RemarkOpts::name("order")
      .category("sg-reorder-pooling")
      .function(op->getParentOfType<GraphOp>().getSymName());
}

struct ReorderPooling : symc::impl::ReorderPoolingBase<ReorderPooling> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        Operation *first = op.getNumOperands() ? op.getOperand(0).getDefiningOp() : nullptr;
        if (auto pool = dyn_cast<PoolingOp>(op)) {
          if (auto conv = dyn_cast_or_null<ConvolutionOp>(first))
            poolFirst(conv, pool);
        } else if (auto conv = dyn_cast<ConvolutionOp>(op)) {
          if (auto pool = dyn_cast_or_null<PoolingOp>(first))
            convolveFirst(pool, conv);
        }
      }
  }

  // The work of the pair in both orders: as multiply-adds. `x` is what the pair reads,
  // `y` what it gives.
  struct Work {
    int64_t poolFirst, convolveFirst;
  };
  static std::optional<Work> workOf(ConvolutionOp conv, PoolingOp pool, Value x, Value y) {
    std::optional<int64_t> in = elementsOf(x), out = elementsOf(y);
    if (!in || !out)
      return std::nullopt;
    int64_t inChannels = channelsOf(x), outChannels = channelsOf(y);
    int64_t inPixels = *in / inChannels, outPixels = *out / outChannels;
    int64_t window = 1;
    if (pool.getGlobalPool())
      window = inPixels / outPixels;
    else
      for (int64_t extent : pool.getKernel())
        window *= extent;
    int64_t perPixel = inChannels / int64_t(conv.getNumGroup()) * outChannels;
    int64_t pooled = outPixels * window * pooledElementCost;
    return Work{pooled * inChannels + outPixels * perPixel,
                pooled * outChannels + inPixels * perPixel};
  }

  // Whether the two can change places at all; prints why not.
  static std::string obstacle(ConvolutionOp conv, PoolingOp pool, Operation *first) {
    if (!first->hasOneUse())
      return ("'" + nodeName(first) + "' has other readers").str();
    if (!elementTypeOf(pool.getOutput().getType()).isF32())
      return "they compute in another type than float32";
    return "";
  }

  void poolFirst(ConvolutionOp conv, PoolingOp pool) {
    if (!isPointwise(conv) || !isAverage(pool))
      return;
    Value x = conv.getData(), y = pool.getOutput();
    std::string reason = obstacle(conv, pool, conv);
    std::optional<Work> work = workOf(conv, pool, x, y);
    if (reason.empty() && conv.getBias())
      reason = whyConstantsChange(pool);
    if (reason.empty() && !work)
      reason = "an extent is known only at run time";
    if (reason.empty() && work->convolveFirst <= work->poolFirst)
      reason = text("pooling first", work->poolFirst, "after", work->convolveFirst);
    if (!reason.empty())
      return missed(pool, conv, pool, reason);
    passed(pool, "'" + nodeName(pool) + "' pools before '" + nodeName(conv) + "'", work->poolFirst,
           work->convolveFirst);
    OpBuilder builder(pool);
    Shape shape = shapeOf(y.getType());
    shape[1] = shapeOf(x.getType())[1];
    Value pooled = create(builder, pool, pool.getLoc(), x, shape);
    SmallVector<Value> operands(conv->getOperands());
    operands[0] = pooled;
    finish(pool,
           create(builder, conv, builder.getFusedLoc({conv.getLoc(), pool.getLoc()}), operands,
                  shapeOf(y.getType())),
           conv);
  }

  void convolveFirst(PoolingOp pool, ConvolutionOp conv) {
    if (!isPointwise(conv) || !isAverage(pool))
      return;
    Value x = pool.getData(), y = conv.getOutput();
    std::string reason = obstacle(conv, pool, pool);
    std::optional<Work> work = workOf(conv, pool, x, y);
    if (reason.empty() && !work)
      reason = "an extent is known only at run time";
    if (reason.empty() && work->poolFirst <= work->convolveFirst)
      reason = text("convolving first", work->convolveFirst, "after", work->poolFirst);
    if (!reason.empty())
      return missed(conv, conv, pool, reason);
    passed(conv, "'" + nodeName(conv) + "' convolves before '" + nodeName(pool) + "'",
           work->convolveFirst, work->poolFirst);
    OpBuilder builder(conv);
    Shape shape = shapeOf(x.getType());
    shape[1] = shapeOf(y.getType())[1];
    SmallVector<Value> operands{x, conv.getWeight()};
    Value mixed = create(builder, conv, conv.getLoc(), operands, shape);
    mixed.getDefiningOp()->setAttr("no_bias", builder.getBoolAttr(true));
    Location location = builder.getFusedLoc({pool.getLoc(), conv.getLoc()});
    Value result = create(builder, pool, location, mixed, shapeOf(y.getType()));
    if (Value bias = conv.getBias())
      result = addToChannels(builder, location, result, bias);
    finish(conv, result, pool);
  }

  // The node again, with other operands and another shape.
  static Value create(OpBuilder &builder, Operation *like, Location location, ValueRange operands,
                      const Shape &shape) {
    OperationState state(location, like->getName());
    state.addOperands(operands);
    Type element = elementTypeOf(like->getResult(0).getType());
    state.addTypes(makeTensorType(shape, element, builder.getContext()));
    state.addAttributes(like->getAttrs());
    return builder.create(state)->getResult(0);
  }

  static Value addToChannels(OpBuilder &builder, Location location, Value image, Value bias) {
    Shape shape(shapeOf(image.getType()).rank() - 1);
    SmallVector<int64_t> extents;
    for (size_t i = 0; i < shape.rank(); ++i) {
      shape[i] = i == 0 ? shapeOf(image.getType())[1] : Dim::constant(1, builder.getContext());
      extents.push_back(shape[i].get());
    }
    OperationState state(location, ReshapeOp::getOperationName());
    state.addOperands(bias);
    state.addTypes(makeTensorType(shape, elementTypeOf(bias.getType()), builder.getContext()));
    state.addAttribute("shape", builder.getDenseI64ArrayAttr(extents));
    Value aligned = builder.create(state)->getResult(0);
    return BinaryOp::create(builder, location, image.getType(), image, aligned, "add", true);
  }

  static void finish(Operation *second, Value result, Operation *first) {
    second->getResult(0).replaceAllUsesWith(result);
    second->erase();
    first->erase();
  }

  static std::string text(StringRef order, int64_t cost, StringRef other, int64_t otherCost) {
    return (order + " takes " + Twine(cost) + " multiply-adds, " + other + " " + Twine(otherCost))
        .str();
  }

  static void passed(Operation *op, const Twine &what, int64_t cost, int64_t otherCost) {
    remark::passed(op->getLoc(), remarkOf(op))
        << (what + ": " + Twine(cost) + " multiply-adds instead of " + Twine(otherCost)).str();
  }

  static void missed(Operation *op, ConvolutionOp conv, PoolingOp pool, StringRef reason) {
    remark::missed(op->getLoc(), remarkOf(op))
        << ("'" + nodeName(conv) + "' and '" + nodeName(pool) + "' keep their order: " + reason)
               .str();
  }
};

} // namespace
