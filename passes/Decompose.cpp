// Decompose.cpp: sg-decompose.
//
//   sg.activation(%x) {act_type = "relu"}   -> sg.unary(%x) {fn = "relu"}
//   sg.leaky_relu(%x) {act_type = "rrelu"}  -> sg.leaky_relu(%x) {slope = s} and
//        sg.fill_like(%x) {value = s}, s = (lower_bound + upper_bound) / 2
//        in training with slopes that are drawn: %x where it is above 0, else times sg.random
//   sg.softmax_output(%x, %label)           -> sg.softmax(%x) {axis = 1}
//   sg.softmax_activation(%x)               -> sg.softmax(%x), axis = 1 or the last
//   sg.regression_output(%x, %label) {kind = "logistic"} -> sg.unary(%x) {fn = "sigmoid"}
//   sg.batch_norm(%x, %g, %b, %m, %v)       -> %x * reshape(s) + reshape(t),
//        s = g / sqrt(v + eps), t = b - m * s; its statistics -> %m and 1 / sqrt(v + eps)
//        in training with the statistics of %x, of rows along all other axes; with ndev above 1
//        those of all processes, by sg.over_ranks
//   sg.batch_norm_with_relu                 -> the same and sg.unary {fn = "relu"}
//   sg.arange_like(%x), extents known       -> reshape(sg.arange)
//   sg.amp_multicast(%x, %y)                -> sg.cast of each
//   sg.div_sqrt_dim(%x)                     -> sg.scalar(%x) {fn = "div", scalar = sqrt(extent)}
//   sg.swap_axis(%x)                        -> sg.transpose(%x)
//   sg.slice_like(%x, %y), extents known    -> sg.slice_axis(%x)
//   sg.broadcast_like(%x, %y), the same     -> sg.broadcast_to(%x)
//   sg.binary(%x, %y), [s0] meets [4]       -> sg.binary(sg.broadcast_to(%x), %y)
//   sg.deformable_convolution(%x, %o, %w)   -> sg.convolution(sg.deformable_columns(%x, %o),
//                                                             reshape(%w)) {kernel = (1, 1)}
//   sg.adaptive_avg_pooling(%x), windows of one size -> sg.pooling(%x) {pool_type = "avg"}
//   sg.pooling(%x) {lp} in training         -> the root of a sg.pooling of powers {sum}
//   sg.pooling_v1(%x) in training           -> sg.pooling(sg.pad(%x)), a mean as a sum
//   sg.stack(%x, %y)                        -> sg.concat of them with an extent of 1
//   sg.softmax_cross_entropy(%x, %label)    -> -sum(log(max(pick(sg.softmax(%x), %label), 1e-8)))
//   sg.linalg_syrk(%a)                      -> sg.linalg_gemm2(%a, %a) {transpose_b}
//   sg.fully_connected(%x, %w, %b), %w of data -> sg.dot(reshape(%x), %w) {transpose_b} + %b
//   sg.sgd_update(%w, %g) and other steps   -> elementwise ones (DecomposeUpdates.cpp)
//   sg.deconvolution(%x, %w)                -> a convolution to stride^2 times the channels,
//        whose results are put between each other (Deconvolution.cpp)
//
// One function an operator; each replaces its node by core operators of the
// same result type. Shapes and types are known.
#include "ir/CoreBuilder.h"
#include "ir/CustomOperators.h"
#include "ir/Differentiator.h"
#include "ir/GraphDialect.h"
#include "ir/WindowShapes.h"
#include "ir/ops/Attention.h"
#include "ir/ops/Deformable.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/ElementwiseGradient.h"
#include "ir/ops/Init.h"
#include "ir/ops/Linalg.h"
#include "ir/ops/Loss.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Norm.h"
#include "ir/ops/NormGradient.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "ir/ops/Vision.h"
#include "passes/DecomposeUpdates.h"
#include "passes/Deconvolution.h"
#include "passes/Passes.h"
#include "passes/RecurrentDropout.h"
#include "llvm/ADT/TypeSwitch.h"

namespace symc {
#define GEN_PASS_DEF_DECOMPOSE
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

/// What several of the functions below build.
struct Core : symc::CoreBuilder {
  using CoreBuilder::CoreBuilder;

  Value softmax(Value x, int64_t axis) {
    return make("softmax", x, x.getType(), number("axis", axis));
  }
  /// Softmax over everything behind the first extent.
  Value flatSoftmax(Value x) {
    Shape shape = shapeOf(x.getType());
    if (shape.rank() == 2)
      return softmax(x, 1);
    Shape flat({shape[0], shape.product(1, shape.rank(), b.getContext())});
    return reshapeTo(softmax(reshape(x, flat), 1), x.getType());
  }
};

Value decompose(ActivationOp op, Core &core) { return core.unary(op.getActType(), op.getData()); }

Value decompose(LeakyReLUOp op, Core &core) {
  if (op.getActType() == "prelu" && !op.hasSlopesOfChannels()) {
    Value x = op.getData(), slopes = core.reshape(op.getGamma(), op.alignedGamma());
    return core.where(core.scalar("greater", x, 0), x,
                      core.broadcast("mul", x, slopes, shapeOf(x.getType())));
  }
  if (op.getActType() != "rrelu")
    return {};
  if (isTraining(op)) {
    Value slopes = drawSlopes(op, core), x = op.getData();
    if (op->getNumResults() == 2)
      op->getResult(1).replaceAllUsesWith(slopes);
    return core.where(core.scalar("greater", x, 0), x, core.binary("mul", x, slopes));
  }
  double slope = (op.getLowerBound().convertToDouble() + op.getUpperBound().convertToDouble()) / 2;
  if (op->getNumResults() == 2 && !op->getResult(1).use_empty())
    op->getResult(1).replaceAllUsesWith(FillLikeOp::create(
        core.b, core.loc, op->getResult(1).getType(), op.getData(), APFloat(slope)));
  OperationState state(core.loc, LeakyReLUOp::getOperationName());
  state.addOperands(op.getData());
  state.addTypes(op->getResult(0).getType());
  state.addAttribute("slope", core.b.getF64FloatAttr(slope));
  return core.b.create(state)->getResult(0);
}

Value decompose(SoftmaxOutputOp op, Core &core) {
  Value data = op.getData();
  int64_t rank = shapeOf(data.getType()).rank();
  if (op.getMultiOutput())
    return core.softmax(data, 1);
  if (op.getPreserveShape())
    return core.softmax(data, rank - 1);
  return rank < 2 ? Value() : core.flatSoftmax(data);
}

Value decompose(SoftmaxCrossEntropyOp op, Core &core) {
  Value data = op.getData();
  if (!elementTypeOf(data.getType()).isF32())
    return {}; // others add in double
  Value chances = core.softmax(data, 1);
  Value own = core.make("pick", {chances, op.getLabel()},
                        core.withShape(chances, Shape({shapeOf(data.getType())[0]})),
                        core.number("axis", 1));
  Value logs = core.unary("log", core.scalar("maximum", own, 1e-8));
  return core.unary("negative", core.reduce("sum", logs, {0}, true));
}

Value decompose(SoftmaxActivationOp op, Core &core) {
  bool channels = op.getMode() == "channel";
  return core.softmax(op.getData(), channels ? 1 : shapeOf(op.getData().getType()).rank() - 1);
}

Value decompose(AmpMulticastOp op, Core &core) {
  for (auto [data, result] : llvm::drop_begin(llvm::zip_equal(op.getData(), op.getResults())))
    result.replaceAllUsesWith(core.cast(data, elementTypeOf(result.getType())));
  return core.cast(op.getData().front(), elementTypeOf(op->getResult(0).getType()));
}

// In training it acts as one that acts always. Where it drops all, MXNet divides zeros by zero.
Value decompose(DropoutOp op, Core &core) {
  if (!op.drawsNumbers())
    return {};
  if (op.getP().isExactlyValue(1) && isFloat(op.getData())) {
    Value all = core.scalar("mul", op.getData(), std::numeric_limits<double>::quiet_NaN());
    return op.getMode() == "always" ? all : core.byMode(all, op.getData());
  }
  if (!isTraining(op) || op.getMode() == "always")
    return {};
  op.setMode("always");
  return core.predicts() ? core.byMode(core.b.clone(*op)->getResult(0), op.getData()) : Value();
}

Value decompose(RegressionOutputOp op, Core &core) {
  return op.getKind() == "logistic" ? core.unary("sigmoid", op.getData()) : Value();
}

// Normalisation by moving statistics; who reads the node's mean and variance gets the moving ones.
template <typename Op> Value normaliseByState(Op op, bool plainVariance, Core &core) {
  Value data = op.getData(), mean = op.getMovingMean(), variance = op.getMovingVar();
  Type type = elementTypeOf(data.getType());
  if (type != elementTypeOf(op.getGamma().getType()))
    return {}; // half data with float statistics stays one node
  Value inverse = core.unary("rsqrt", core.scalar("add", variance, op.getEps().convertToDouble()));
  if (op->getNumResults() > 1) {
    op->getResult(1).replaceAllUsesWith(mean);
    op->getResult(2).replaceAllUsesWith(plainVariance ? variance : inverse);
  }
  Value scale = op.getFixGamma() ? inverse : core.binary("mul", op.getGamma(), inverse);
  Value shift = core.binary("sub", op.getBeta(), core.binary("mul", mean, scale));
  Shape shape = shapeOf(data.getType());
  int64_t axis = static_cast<int64_t>(op.getAxis());
  axis = axis < 0 ? axis + shape.rank() : axis;
  Shape aligned(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i)
    aligned[i] = static_cast<int64_t>(i) == axis ? shape[i] : Dim::constant(1, op.getContext());
  Value scaled = core.broadcast("mul", data, core.reshape(scale, aligned), shape);
  return core.broadcast("add", scaled, core.reshape(shift, aligned), shape);
}

// Whether the node takes the statistics of its data.
template <typename Op> bool measures(Op op) { return isTraining(op) && !op.getUseGlobalStats(); }

// Normalisation by the statistics of the data, in the type of gamma.
template <typename Op> Value normaliseByData(Op op, bool plainVariance, Core &core) {
  Type type = elementTypeOf(op.getGamma().getType());
  NormGradient norm(core, op.getData(), type);
  norm.reduceAllBut({GradientScope::axisOf(op.getAxis(), op.getData())});
  if constexpr (std::is_same_v<Op, BatchNormOp>)
    if (op.getNdev() > 1)
      norm.overRanks(nodeName(op));
  norm.measure(op.getEps().convertToDouble(), op.getMovingMean(), op.getMovingVar());
  if (op->getNumResults() > 1) {
    Value second = plainVariance ? norm.variance() : norm.inverse();
    op->getResult(1).replaceAllUsesWith(core.reshapeTo(norm.mean(), op->getResult(1).getType()));
    op->getResult(2).replaceAllUsesWith(core.reshapeTo(second, op->getResult(2).getType()));
  }
  Value scale = op.getFixGamma() ? Value() : norm.ofRows(op.getGamma());
  return core.cast(norm.normalised(scale, norm.ofRows(op.getBeta())),
                   elementTypeOf(op.getData().getType()));
}

Value decompose(BatchNormOp op, Core &core) {
  return measures(op) ? normaliseByData(op, op.getPlainVariance(), core)
                      : normaliseByState(op, op.getPlainVariance(), core);
}

Value decompose(BatchNormWithReLUOp op, Core &core) {
  Value result =
      measures(op) ? normaliseByData(op, false, core) : normaliseByState(op, false, core);
  return result ? core.unary("relu", result) : Value();
}

// As many as a known extent: what does not depend on the data's values.
Value decompose(ArangeLikeOp op, Core &core) {
  Type type = op.getOutput().getType();
  Shape shape = shapeOf(type);
  Dim count = shape.product(0, shape.rank(), op.getContext());
  if (!count.isStatic() || op.getRepeat() != 1)
    return {};
  Value range = core.arange(op.getStart().convertToDouble(), op.getStep().convertToDouble(),
                            count.get(), elementTypeOf(type));
  return core.reshapeTo(range, type);
}

// A number from here on, whichever axis is the last one.
Value decompose(DivSqrtDimOp op, Core &core) {
  Shape shape = shapeOf(op.getData().getType());
  return core.scalar("div", op.getData(), std::sqrt(double(shape[shape.rank() - 1].get())));
}

Value decompose(SwapAxisOp op, Core &core) {
  int64_t rank = shapeOf(op.getData().getType()).rank();
  auto normal = [&](int64_t axis) { return axis < 0 ? axis + rank : axis; };
  SmallVector<int64_t> axes(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  std::swap(axes[normal(op.getDim1())], axes[normal(op.getDim2())]);
  return core.transpose(op.getData(), axes);
}

// Extents that are cut or repeated must be known, for what is the same for all sizes.
Value decompose(SliceLikeOp op, Core &core) {
  Value result = op.getData();
  Shape wanted = shapeOf(op.getOutput().getType()), have = shapeOf(result.getType());
  for (size_t axis = 0; axis < wanted.rank(); ++axis)
    if (wanted[axis] != have[axis] && !(wanted[axis].isStatic() && have[axis].isStatic()))
      return {};
  for (size_t axis = 0; axis < wanted.rank(); ++axis)
    if (wanted[axis] != have[axis])
      result = core.slice(result, axis, 0, wanted[axis].get());
  return result;
}

Value decompose(BroadcastLikeOp op, Core &core) {
  Shape wanted = shapeOf(op.getOutput().getType()), have = shapeOf(op.getLhs().getType());
  if (wanted.rank() != have.rank())
    return {};
  for (size_t axis = 0; axis < wanted.rank(); ++axis)
    if (wanted[axis] != have[axis] && !wanted[axis].isStatic())
      return {};
  return core.broadcastTo(op.getLhs(), wanted);
}

// An extent that may be 1 or equal to the result's when it runs: what comes later takes extents
// that differ from the result's for 1.
Value decompose(BinaryOp op, Core &core) {
  Shape wanted = shapeOf(op.getResult().getType());
  for (OpOperand &operand : op->getOpOperands()) {
    Shape have = shapeOf(operand.get().getType());
    bool repeats = false;
    for (size_t axis = 0, front = wanted.rank() - have.rank(); axis < have.rank(); ++axis)
      if (!have[axis].isStatic() && wanted[front + axis].isStatic()) {
        have[axis] = wanted[front + axis];
        repeats = true;
      }
    if (repeats)
      operand.set(core.broadcastTo(operand.get(), have));
  }
  return {};
}

Value decompose(FlattenOp op, Core &core) {
  return core.reshapeTo(op.getData(), op.getOutput().getType());
}
Value decompose(ExpandDimsOp op, Core &core) {
  return core.reshapeTo(op.getData(), op.getOutput().getType());
}
Value decompose(SqueezeOp op, Core &core) {
  return core.reshapeTo(op.getData(), op.getOutput().getType());
}

// Of training, which computes gradients by the same kernels.
Value decompose(PoolingOp op, Core &core) {
  if (op.getPoolType() != "lp" || !isTraining(op))
    return {};
  int64_t power = op.getPValue().value_or(1);
  Value data = op.getData();
  if (power > 1)
    data = core.unary("square", data);
  if (power == 3)
    data = core.binary("mul", data, op.getData());
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase("p_value");
  attributes.set("pool_type", core.b.getStringAttr("sum"));
  Value sums = core.make("pooling", data, op.getOutput().getType(), attributes);
  return power == 1 ? sums : core.unary(power == 2 ? "sqrt" : "cbrt", sums);
}

Value decompose(PoolingV1Op op, Core &core) {
  Value data = op.getData();
  Shape shape = shapeOf(data.getType());
  if (!isTraining(op) || (op.getGlobalPool() && !shape.isStatic()))
    return {};
  SmallVector<int64_t> around(4, 0), kernel(op.getKernel());
  if (!op.getGlobalPool()) {
    for (auto [i, pad] : llvm::enumerate(op.getPad())) {
      around.append({pad, pad});
      shape[2 + i] = shape[2 + i] + 2 * pad;
    }
  } else {
    for (size_t axis = 2; axis < shape.rank(); ++axis)
      kernel[axis - 2] = shape[axis].get();
  }
  if (llvm::any_of(around, [](int64_t pad) { return pad != 0; }))
    data = core.make("pad", data, core.withShape(data, shape),
                     {core.text("mode", "constant"), core.numbers("pad_width", around)});
  bool isMean = op.getPoolType() == "avg";
  SmallVector<NamedAttribute> attributes{core.text("pool_type", isMean ? "sum" : op.getPoolType()),
                                         core.numbers("kernel", kernel),
                                         core.flag("global_pool", op.getGlobalPool()),
                                         core.text("pooling_convention", op.getPoolingConvention()),
                                         core.numbers("stride", op.getStride())};
  Value result = core.make("pooling", data, op.getOutput().getType(), attributes);
  return isMean ? core.scalar("mul", result, partOfWindow(kernel)) : result;
}

// Windows that divide the image evenly are those of a pooling.
Value decompose(AdaptiveAvgPoolingOp op, Core &core) {
  Shape have = shapeOf(op.getData().getType()), wanted = shapeOf(op.getOutput().getType());
  SmallVector<NamedAttribute> attributes{core.text("pool_type", "avg")};
  SmallVector<int64_t> window;
  for (size_t axis : {2, 3}) {
    if (!have[axis].isStatic() || !wanted[axis].isStatic() || have[axis].get() == 0 ||
        have[axis].get() % wanted[axis].get())
      return {};
    window.push_back(have[axis].get() / wanted[axis].get());
  }
  if (wanted[2].isStatic(1) && wanted[3].isStatic(1))
    attributes.push_back(core.flag("global_pool", true));
  else
    attributes.append({core.numbers("kernel", window), core.numbers("stride", window)});
  return core.make("pooling", op.getData(), op.getOutput().getType(), attributes);
}

Value decompose(StackOp op, Core &core) {
  Shape shape = shapeOf(op.getOutput().getType());
  int64_t axis = static_cast<int64_t>(op.getAxis());
  axis = axis < 0 ? axis + shape.rank() : axis;
  shape[axis] = core.dim(1);
  SmallVector<Value> parts;
  for (Value part : op->getOperands())
    parts.push_back(core.reshape(part, shape));
  return core.concat(parts, axis);
}

Value decompose(LinalgSyrkOp op, Core &core) {
  return core.make("linalg_gemm2", {op.getA(), op.getA()}, op.getOutput().getType(),
                   {core.flag("transpose_a", op.getTranspose()),
                    core.flag("transpose_b", !op.getTranspose()),
                    core.real("alpha", op.getAlpha().convertToDouble())});
}

// The taps of each place become channels, over which a convolution of one pixel runs.
template <class Op> Value decomposeDeformable(Op op, Value mask, Core &core) {
  Shape data = shapeOf(op.getData().getType()), result = shapeOf(op.getOutput().getType());
  Shape weight = shapeOf(op.getWeight().getType());
  int64_t taps = op.getKernel()[0] * op.getKernel()[1];
  if (!weight.isStatic())
    return {};
  MLIRContext *context = op.getContext();
  Dim one = Dim::constant(1, context);
  OperationState columns(core.loc, DeformableColumnsOp::getOperationName());
  columns.addOperands({op.getData(), op.getOffset()});
  if (mask)
    columns.addOperands(mask);
  columns.addTypes(makeTensorType(Shape({data[0], data[1] * taps, result[2], result[3]}),
                                  elementTypeOf(op.getData().getType()), context));
  for (StringRef name : {"kernel", "stride", "dilate", "pad", "num_deformable_group"})
    if (Attribute value = op->getAttr(name))
      columns.addAttribute(name, value);
  OperationState product(core.loc, ConvolutionOp::getOperationName());
  product.addOperands(
      {core.b.create(columns)->getResult(0),
       core.reshape(op.getWeight(), Shape({weight[0], weight[1] * taps, one, one}))});
  if (op.getBias())
    product.addOperands(op.getBias());
  product.addTypes(op.getOutput().getType());
  product.addAttribute("kernel", core.b.getDenseI64ArrayAttr({1, 1}));
  for (StringRef name : {"num_filter", "num_group", "no_bias"})
    if (Attribute value = op->getAttr(name))
      product.addAttribute(name, value);
  return core.b.create(product)->getResult(0);
}

Value decompose(DeformableConvolutionOp op, Core &core) {
  return decomposeDeformable(op, {}, core);
}
Value decompose(ModulatedDeformableConvolutionOp op, Core &core) {
  return decomposeDeformable(op, op.getMask(), core);
}

// Whether it is other numbers in each run.
bool isOfData(Value value) {
  SmallVector<Value> waiting{value};
  llvm::SmallPtrSet<Value, 8> seen;
  while (!waiting.empty()) {
    Value next = waiting.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || !isMemoryEffectFree(op))
      return true;
    llvm::append_range(waiting, op->getOperands());
  }
  return false;
}

Value decompose(FullyConnectedOp op, Core &core) {
  Value data = op.getData(), weight = op.getWeight();
  Shape shape = shapeOf(data.getType()), weights = shapeOf(weight.getType());
  if (!elementTypeOf(data.getType()).isF32() || !shape.isStatic() || !weights.isStatic() ||
      shape.product(0, shape.rank(), op.getContext()).get() == 0 || !isOfData(weight))
    return {};
  Dim inner = weights[1], hidden = weights[0];
  Dim rows = core.dim(shape.product(0, shape.rank(), op.getContext()).get() / inner.get());
  Shape result({rows, hidden});
  Value product = core.make("dot", {core.reshape(data, Shape({rows, inner})), weight},
                            core.withShape(data, result), core.flag("transpose_b", true));
  if (Value bias = op.getBias())
    product =
        core.broadcast("add", product, core.reshape(bias, Shape({core.dim(1), hidden})), result);
  return core.reshapeTo(product, op.getOutput().getType());
}

struct Decompose : symc::impl::DecomposeBase<Decompose> {
  using DecomposeBase::DecomposeBase;

  bool isChosen(Operation *op) {
    if (which == "rewritten") {
      const OpInfo *info = infoOf(op);
      auto layers = dyn_cast<RnnOp>(op);
      return (info && info->gradient == "rewritten") ||
             (layers && symc::dropsBetweenLayers(layers));
    }
    return which != "training" ||
           (isa<BatchNormOp, BatchNormWithReLUOp, DropoutOp, LeakyReLUOp, PoolingOp, PoolingV1Op>(
                op) &&
            isTraining(op));
  }

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (!isChosen(op))
        return;
      Core core(op);
      if (SmallVector<Value> results = symc::decomposeUpdate(op, core); !results.empty()) {
        op->replaceAllUsesWith(results);
        op->erase();
        return;
      }
      Value result =
          llvm::TypeSwitch<Operation *, Value>(op)
              .Case<ActivationOp, LeakyReLUOp, SoftmaxOutputOp, SoftmaxActivationOp, AmpMulticastOp,
                    RegressionOutputOp, SoftmaxCrossEntropyOp, BatchNormOp, BatchNormWithReLUOp,
                    DropoutOp, ArangeLikeOp, BinaryOp, DivSqrtDimOp, SwapAxisOp, SliceLikeOp,
                    BroadcastLikeOp, AdaptiveAvgPoolingOp, PoolingOp, PoolingV1Op, StackOp,
                    FlattenOp, ExpandDimsOp, SqueezeOp, LinalgSyrkOp, FullyConnectedOp,
                    DeformableConvolutionOp, ModulatedDeformableConvolutionOp>(
                  [&](auto node) { return decompose(node, core); })
              .Case([&](DeconvolutionOp node) { return symc::decomposeDeconvolution(node, core); })
              .Case([&](RnnOp node) {
                return symc::dropsBetweenLayers(node) ? symc::splitRecurrentLayers(node, core)
                                                      : Value();
              })
              .Default(Value());
      if (!result)
        return;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    });
  }
};

} // namespace
