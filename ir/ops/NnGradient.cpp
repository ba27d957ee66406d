// NnGradient.cpp: gradients of layers. Those of convolutions are convolutions: of the data by
// the transposed weights, of the weights by the data. Layouts with channels last are transposed.
#include "ir/Gradient.h"
#include "ir/WindowShapes.h"
#include "ir/ops/Loss.h"
#include "ir/ops/Nn.h"
#include "ir/ops/NormGradient.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult FullyConnectedOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Shape weight = shapeOf(getWeight().getType()), data = shapeOf(getData().getType());
  Dim inner = weight[1], hidden = weight[0];
  Shape result = shapeOf(getOutput().getType());
  Dim rows = getFlatten() ? data[0] : data.product(0, data.rank() - 1, getContext());
  Value slope = core.reshape(scope.of(), Shape({rows, hidden}));
  // First, since the weight's gradient reads another copy of the slope.
  if (getBias() && scope.needs(2))
    scope.give(2, core.reshapeTo(core.reduce("sum", slope, {0}, false), getBias().getType()));
  if (scope.needs(0)) {
    Value own = core.make("dot", {slope, getWeight()}, core.withShape(slope, Shape({rows, inner})));
    scope.give(0, core.reshapeTo(own, getData().getType()));
  }
  if (scope.needs(1))
    scope.give(1, core.make("dot", {slope, core.reshape(getData(), Shape({rows, inner}))},
                            getWeight().getType(), core.flag("transpose_a", true)));
  return success();
}

namespace {
/// The tensors of a layer with channels on axis 1.
struct ChannelsFirst {
  CoreBuilder &core;
  bool last; // as they come

  ChannelsFirst(CoreBuilder &core, std::optional<StringRef> layout)
      : core(core), last(layout && layout->ends_with("C")) {}
  Value first(Value value) {
    int64_t rank = shapeOf(value.getType()).rank();
    SmallVector<int64_t> axes{0, rank - 1};
    for (int64_t axis = 1; axis + 1 < rank; ++axis)
      axes.push_back(axis);
    return last ? core.transpose(value, axes) : value;
  }
  Value back(Value value) {
    int64_t rank = shapeOf(value.getType()).rank();
    SmallVector<int64_t> axes{0};
    for (int64_t axis = 2; axis < rank; ++axis)
      axes.push_back(axis);
    axes.push_back(1);
    return last ? core.transpose(value, axes) : value;
  }
};
} // namespace

static int64_t at(ArrayRef<int64_t> values, size_t i, int64_t otherwise) {
  return values.empty() ? otherwise : values[i];
}

// A bias gets the sum over all but the channels.
static Value sumOfChannels(CoreBuilder &core, Value slope, Type type) {
  SmallVector<int64_t> axes{0};
  for (int64_t axis = 2, rank = shapeOf(slope.getType()).rank(); axis < rank; ++axis)
    axes.push_back(axis);
  return core.reshapeTo(core.reduce("sum", slope, axes, false), type);
}

// Passes behind sg-gradient set it.
template <class Op> static LogicalResult needEvenPadding(Op op) {
  if (op.getPadEnd().empty())
    return success();
  return nodeError(op) << "has a pad_end, with which it has no gradient";
}

LogicalResult ConvolutionOp::buildGradient(GradientScope &scope) {
  if (failed(needEvenPadding(*this)))
    return failure();
  CoreBuilder &core = scope.core;
  ChannelsFirst layout(core, getLayout());
  Value data = layout.first(getData()), weight = layout.first(getWeight());
  Value slope = layout.first(scope.of());
  Shape image = shapeOf(data.getType()), result = shapeOf(slope.getType());
  SmallVector<NamedAttribute> window{
      core.numbers("kernel", getKernel()), core.numbers("stride", getStride()),
      core.numbers("dilate", getDilate()), core.numbers("pad", getPad()),
      core.number("num_group", getNumGroup())};
  if (scope.needs(0)) {
    SmallVector<int64_t> adj;
    for (auto [i, extent] : llvm::enumerate(getKernel()))
      adj.push_back(scope.extent(image[i + 2]) -
                    ((scope.extent(result[i + 2]) - 1) * at(getStride(), i, 1) +
                     at(getDilate(), i, 1) * (extent - 1) + 1 - 2 * at(getPad(), i, 0)));
    SmallVector<NamedAttribute> attributes = window;
    attributes.append({core.numbers("adj", adj), core.number("num_filter", scope.extent(image[1])),
                       core.flag("no_bias", true)});
    scope.give(
        0, layout.back(core.make("deconvolution", {slope, weight}, data.getType(), attributes)));
  }
  if (scope.needs(1))
    scope.give(
        1, layout.back(core.make("convolution_weights", {data, slope}, weight.getType(), window)));
  if (getBias() && scope.needs(2))
    scope.give(2, sumOfChannels(core, slope, getBias().getType()));
  return success();
}

LogicalResult DeconvolutionOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  ChannelsFirst layout(core, getLayout());
  Value data = layout.first(getData()), weight = layout.first(getWeight());
  Value slope = layout.first(scope.of());
  Shape image = shapeOf(data.getType()), result = shapeOf(slope.getType());
  SmallVector<int64_t> pad;
  bool isTarget = llvm::any_of(getTargetShape(), [](int64_t extent) { return extent != 0; });
  for (auto [i, extent] : llvm::enumerate(getKernel())) {
    int64_t total = isTarget ? (scope.extent(image[i + 2]) - 1) * at(getStride(), i, 1) +
                                   at(getDilate(), i, 1) * (extent - 1) + 1
                             : 0;
    pad.push_back(isTarget ? (total - scope.extent(result[i + 2]) + 1) / 2 : at(getPad(), i, 0));
  }
  SmallVector<NamedAttribute> window{core.numbers("kernel", getKernel()),
                                     core.numbers("stride", getStride()),
                                     core.numbers("dilate", getDilate()), core.numbers("pad", pad),
                                     core.number("num_group", getNumGroup())};
  if (scope.needs(0)) {
    SmallVector<NamedAttribute> attributes = window;
    attributes.append(
        {core.number("num_filter", scope.extent(image[1])), core.flag("no_bias", true)});
    scope.give(0,
               layout.back(core.make("convolution", {slope, weight}, data.getType(), attributes)));
  }
  if (scope.needs(1))
    scope.give(
        1, layout.back(core.make("convolution_weights", {slope, data}, weight.getType(), window)));
  if (getBias() && scope.needs(2))
    scope.give(2, sumOfChannels(core, slope, getBias().getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

LogicalResult PoolingOp::buildGradient(GradientScope &scope) {
  if (failed(needEvenPadding(*this)))
    return failure();
  CoreBuilder &core = scope.core;
  ChannelsFirst layout(core, getLayout());
  Value data = layout.first(getData()), result = layout.first(getOutput()),
        slope = layout.first(scope.of());
  // The p-th root of a sum of powers has the slope (x / y)^(p - 1).
  bool isLp = getPoolType() == "lp";
  int64_t power = isLp ? getPValue().value_or(1) - 1 : 0;
  auto raised = [&](Value value) { return power == 2 ? core.unary("square", value) : value; };
  if (power > 0)
    slope = core.binary("div", slope, raised(result));
  SmallVector<NamedAttribute> attributes{
      core.numbers("kernel", getKernel()), core.numbers("stride", getStride()),
      core.numbers("pad", getPad()), core.text("pool_type", isLp ? "sum" : getPoolType()),
      core.flag("global_pool", getGlobalPool())};
  if (getCountIncludePad())
    attributes.push_back(core.flag("count_include_pad", *getCountIncludePad()));
  slope = core.make("pooling_gradient", {data, result, slope}, data.getType(), attributes);
  if (power > 0)
    slope = core.binary("mul", slope, raised(data));
  scope.give(0, layout.back(slope));
  return success();
}

// A mean divides by the whole window wherever it lies.
LogicalResult PoolingV1Op::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value slope = scope.of();
  bool isMean = getPoolType() == "avg";
  if (isMean && getGlobalPool()) {
    slope =
        core.overCount(slope, getData(),
                       llvm::to_vector(llvm::seq<int64_t>(2, shapeOf(getData().getType()).rank())));
  } else if (isMean) {
    slope = core.scalar("mul", slope, partOfWindow(getKernel()));
  }
  scope.give(0, core.make("pooling_gradient", {getData(), getOutput(), slope}, getData().getType(),
                          {core.numbers("kernel", getKernel()), core.numbers("stride", getStride()),
                           core.numbers("pad", getPad()),
                           core.text("pool_type", isMean ? "sum" : getPoolType()),
                           core.flag("global_pool", getGlobalPool()), core.flag("ties", true)}));
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  int64_t axis = scope.axisOf(getAxis(), getData());
  Value result = getOutput(), slope = scope.of();
  auto with = [&](StringRef fn, Value value, Value row) {
    return core.broadcast(fn, value, row, shapeOf(value.getType()));
  };
  auto sum = [&](Value value) { return core.reduce("sum", value, {axis}, true); };
  if (getKind() == "log_softmax")
    slope = core.binary("sub", slope, with("mul", core.unary("exp", result), sum(slope)));
  else
    slope = core.binary("mul", result, with("sub", slope, sum(core.binary("mul", slope, result))));
  if (getKind() == "softmin")
    slope = core.unary("negative", slope);
  if (getTemperature())
    slope = core.scalar("div", slope, getTemperature()->convertToDouble());
  if (scope.needs(0))
    scope.give(0, core.cast(slope, elementTypeOf(getData().getType())));
  return success();
}

// MXNet sums along axis 1 for either mode.
LogicalResult SoftmaxActivationOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value result = getOutput(), slope = scope.of();
  Value sum = core.reduce("sum", core.binary("mul", slope, result), {1}, true);
  Value rest = core.broadcast("sub", slope, sum, shapeOf(result.getType()));
  scope.give(0, core.binary("mul", result, rest));
  return success();
}

bool SoftmaxOutputOp::isLoss() { return !getOutGrad(); }

// Labels as floats that hold every class exactly.
static Value inFloats(CoreBuilder &core, Value label) {
  Type type = elementTypeOf(label.getType());
  return type.isF32() || type.isF64() ? label : core.cast(label, core.b.getF32Type());
}

// p - 1 at the label and p elsewhere, for labels that are classes; p - label for chances.
LogicalResult SoftmaxOutputOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Value chances = getOutput(), label = getLabel();
  Type type = chances.getType(), element = elementTypeOf(type);
  Shape shape = shapeOf(type), labels = shapeOf(label.getType());
  double scale = getGradScale().convertToDouble();
  Value slope;
  if (labels.list() == shape.list()) {
    slope = core.binary("sub", chances, label);
    if (scale != 1)
      slope = core.scalar("mul", slope, scale);
  } else {
    // Items, classes and places: [N, C, S].
    Dim items = shape[0], classes, places = core.dim(1);
    if (getMultiOutput()) {
      classes = shape[1];
      places = shape.product(2, shape.rank(), getContext());
    } else if (getPreserveShape()) {
      classes = shape[shape.rank() - 1];
      items = shape.product(0, shape.rank() - 1, getContext());
    } else {
      classes = shape.product(1, shape.rank(), getContext());
    }
    // Without places rows are [N, C], so that chances and gradient are one chain of operators.
    bool rows = places.isStatic(1);
    Shape flat = rows ? Shape({items, classes}) : Shape({items, classes, places});
    Shape one = rows ? Shape({items, core.dim(1)}) : Shape({items, core.dim(1), places});
    Shape each = rows ? Shape({core.dim(1), classes}) : Shape({core.dim(1), classes, core.dim(1)});
    Value classOf = core.unary("trunc", core.reshape(inFloats(core, label), one));
    // MXNet smooths labels of rows alone.
    double smooth = getMultiOutput() ? 0 : getSmoothAlpha().convertToDouble();
    int64_t count = scope.extent(classes);
    double rest = count > 1 ? smooth / double(count - 1) : 0;
    Value number = core.reshape(core.arange(0, 1, count, elementTypeOf(classOf.getType())), each);
    Value wanted = core.cast(core.broadcast("equal", classOf, number, flat), element);
    if (smooth != 0)
      wanted = core.scalar("add", core.scalar("mul", wanted, 1 - smooth - rest), rest);
    slope = core.binary("sub", core.reshape(chances, flat), wanted);
    double ignored = std::trunc(getIgnoreLabel().convertToDouble());
    Value counts;
    if (getUseIgnore() || getNormalization() == "valid")
      counts = core.cast(core.scalar("not_equal", classOf, ignored), element);
    if (getUseIgnore()) // chances that are no numbers do not count either
      slope = core.where(core.broadcastLike(counts, slope), slope, core.fillLike(slope, 0));
    bool byPlaces = getMultiOutput() && getNormalization() != "valid" && !rows;
    bool byItems = getNormalization() == "batch";
    if (byPlaces && places.isStatic())
      scale /= double(places.get());
    else if (byPlaces)
      slope = core.overCount(slope, slope, {2});
    if (byItems && labels[0].isStatic()) {
      scale /= double(labels[0].get());
    } else if (byItems) {
      Value items = core.reshape(core.overCount(core.fillLike(label, 1), label, {0}), labels);
      Value share =
          core.reduce("max", items, llvm::to_vector(llvm::seq<int64_t>(0, labels.rank())), true);
      Shape ones(flat.rank());
      for (size_t axis = 0; axis < flat.rank(); ++axis)
        ones[axis] = core.dim(1);
      slope = core.broadcast("mul", slope, core.cast(core.reshape(share, ones), element), flat);
    } else if (getNormalization() == "valid") {
      SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, flat.rank()));
      Value valid = core.scalar("maximum", core.reduce("sum", counts, all, true), 1);
      slope = core.broadcast("div", slope, valid, flat);
    }
    if (scale != 1)
      slope = core.scalar("mul", slope, scale);
    slope = core.reshapeTo(slope, type);
  }
  // MXNet 1.9.1 multiplies by the chances in place of the gradient that arrives.
  if (getOutGrad())
    slope = core.binary("mul", slope, chances);
  scope.give(0, slope);
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

// The same elements become zero and the others are divided alike: the mask is drawn again. Numbers
// follow from a node's name, so that the gradient has that of its node.
LogicalResult DropoutOp::buildGradient(GradientScope &scope) {
  if (getPassThrough()) {
    scope.give(0, scope.of());
    return success();
  }
  CoreBuilder core(scope.core.b, getLoc());
  scope.give(0, core.make("dropout", scope.of(), getData().getType(),
                          {core.real("p", getP().convertToDouble()), core.text("mode", "always"),
                           core.numbers("axes", getAxes())}));
  return success();
}

LogicalResult EmbeddingOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  if (scope.needs(1))
    scope.give(1, core.make("scatter_add", {scope.of(), getData()}, getWeight().getType(),
                            {core.number("axis", 0), core.number("extent", getInputDim()),
                             core.text("mode", "clip")}));
  return success();
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

namespace {
/// Along the channels of batch_norm's data, in float32 where the data is half.
template <class Op> struct BatchNormRule {
  Op op;
  GradientScope &scope;
  CoreBuilder &core;
  NormGradient norm;

  BatchNormRule(Op op, GradientScope &scope)
      : op(op), scope(scope), core(scope.core), norm(core, op.getData(), typeOfStatistics(op)) {
    norm.reduceAllBut({scope.axisOf(op.getAxis(), op.getData())});
    if constexpr (std::is_same_v<Op, BatchNormOp>)
      if (op.getNdev() > 1)
        norm.overRanks(nodeName(op));
  }
  static Type typeOfStatistics(Op op) { return elementTypeOf(op.getGamma().getType()); }

  // `slope` is of the normalised values.
  void build(Value slope) {
    Type type = typeOfStatistics(op);
    slope = core.cast(slope, type);
    double eps = op.getEps().convertToDouble(), momentum = op.getMomentum().convertToDouble();
    bool fixed = op.getUseGlobalStats();
    if (fixed)
      norm.take(op.getMovingMean(), op.getMovingVar(), eps);
    else
      norm.measure(eps, op.getMovingMean(), op.getMovingVar());
    NormGradient::Sums sums;
    if (scope.needs(1) || scope.needs(2) || (scope.needs(0) && !fixed))
      sums = norm.sums(slope);
    if (scope.needs(1))
      scope.give(1, op.getFixGamma() ? scope.zerosLike(1)
                                     : core.reshapeTo(sums.along, op.getGamma().getType()));
    if (scope.needs(2))
      scope.give(2, core.reshapeTo(sums.total, op.getBeta().getType()));
    if (scope.needs(0)) {
      Value scale = op.getFixGamma() ? Value() : norm.ofRows(op.getGamma());
      Value factor = scale ? core.binary("mul", norm.inverse(), scale) : norm.inverse();
      Value own = fixed ? norm.with("mul", slope, factor) : norm.gradient(slope, sums, scale);
      scope.give(0, core.cast(own, elementTypeOf(op.getData().getType())));
    }
    if (fixed)
      return;
    auto move = [&](unsigned operand, Value state, Value found) {
      scope.update(operand, core.binary("add", core.scalar("mul", state, momentum),
                                        core.scalar("mul", core.reshapeTo(found, state.getType()),
                                                    1 - momentum)));
    };
    move(3, op.getMovingMean(), norm.mean());
    move(4, op.getMovingVar(), norm.variance());
  }
};
} // namespace

LogicalResult BatchNormOp::buildGradient(GradientScope &scope) {
  BatchNormRule<BatchNormOp>(*this, scope).build(scope.of());
  return success();
}

LogicalResult symc::sg::buildBatchNormGradient(BatchNormWithReLUOp op, GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value result = op->getResult(0);
  Value passes = core.scalar("greater", result, 0);
  BatchNormRule<BatchNormWithReLUOp>(op, scope).build(core.binary("mul", scope.of(), passes));
  return success();
}
