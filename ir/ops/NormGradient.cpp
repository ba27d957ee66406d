// NormGradient.cpp: gradients of normalisations by statistics of the data itself.
#include "ir/ops/NormGradient.h"

#include "ir/Gradient.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

void NormGradient::reduceAllBut(ArrayRef<int64_t> kept) {
  reduced.clear();
  for (int64_t axis = 0; axis < int64_t(shape.rank()); ++axis)
    if (!llvm::is_contained(kept, axis))
      reduced.push_back(axis);
}

void NormGradient::overRanks(StringRef node) { ranksNode = int64_t(llvm::xxh3_64bits(node) >> 1); }

ResultRange NormGradient::combine(StringRef kind, Value first, Value second) {
  return core.makeAll("over_ranks", {first, second}, {first.getType(), second.getType()},
                      {core.text("kind", kind), core.number("node", *ranksNode)});
}

void NormGradient::predict(Value mean, Value variance) {
  if (!mean || !core.predicts())
    return;
  meanOfRows = core.byMode(meanOfRows, ofRows(mean));
  varianceOfRows = core.byMode(varianceOfRows, ofRows(variance));
}

void NormGradient::measure(double eps, Value predictedMean, Value predictedVariance) {
  Shape rows = shape;
  for (int64_t axis : reduced)
    rows[axis] = core.dim(1);
  if (reduced.empty()) { // a row is one element
    meanOfRows = data;
    varianceOfRows = core.fillLike(data, 0);
    predict(predictedMean, predictedVariance);
    inverses = core.unary("rsqrt", core.scalar("add", varianceOfRows, eps));
    return;
  }
  Type type = core.withShape(data, rows);
  ResultRange moments = core.makeAll("moments", data, {type, type},
                                     {core.numbers("axes", reduced), core.flag("keepdims", true)});
  if (ranksNode)
    moments = combine("moments", moments[0], moments[1]);
  meanOfRows = moments[0];
  varianceOfRows = moments[1];
  predict(predictedMean, predictedVariance);
  inverses = core.unary("rsqrt", core.scalar("add", varianceOfRows, eps));
}

void NormGradient::take(Value mean, Value variance, double eps) {
  meanOfRows = ofRows(mean);
  varianceOfRows = ofRows(variance);
  inverses = core.unary("rsqrt", core.scalar("add", varianceOfRows, eps));
}

Value NormGradient::ofRows(Value perRow) {
  Shape rows = shape;
  for (int64_t axis : reduced)
    rows[axis] = core.dim(1);
  return core.reshape(perRow, rows);
}

Value NormGradient::normalised(Value scale, Value shift) {
  Value factor = scale ? core.binary("mul", inverses, scale) : inverses;
  Value scaled = with("mul", with("sub", data, meanOfRows), factor);
  return shift ? with("add", scaled, shift) : scaled;
}

NormGradient::Sums NormGradient::sumsAlong(Value slope, ArrayRef<int64_t> axes) {
  Shape rows = shape;
  for (int64_t axis : axes)
    rows[axis] = core.dim(1);
  Type type = core.withShape(data, rows);
  ResultRange sums = core.makeAll("norm_sums", {slope, data, meanOfRows, inverses}, {type, type},
                                  core.numbers("axes", axes));
  return {sums[0], sums[1]};
}

Value NormGradient::gradientAlone(Value slope) {
  return core.make("norm_gradient", {slope, data, meanOfRows, inverses}, data.getType(),
                   core.numbers("axes", reduced));
}

// (g - total / n) * s - (x - m) * (along / n * inverse * s), s = inverse * scale.
Value NormGradient::gradient(Value slope, const Sums &sums, Value scale) {
  Value factor = scale ? core.binary("mul", inverses, scale) : inverses;
  Sums all = sums;
  if (ranksNode) {
    ResultRange means = combine("mean", sums.along, sums.total);
    all = {means[0], means[1]};
  }
  Value shift = core.overCount(all.total, data, reduced);
  Value along = core.binary(
      "mul", core.binary("mul", core.overCount(all.along, data, reduced), factor), inverses);
  Value direct = with("mul", with("sub", slope, shift), factor);
  return core.binary("sub", direct, with("mul", with("sub", data, meanOfRows), along));
}

LogicalResult BatchNormWithReLUOp::buildGradient(GradientScope &scope) {
  return buildBatchNormGradient(*this, scope);
}

LogicalResult LayerNormOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value data = getData(), slope = scope.of();
  int64_t axis = scope.axisOf(getAxis(), data);
  Shape shape = shapeOf(data.getType()), aligned(shape.rank());
  SmallVector<int64_t> others;
  for (size_t i = 0; i < shape.rank(); ++i) {
    bool own = int64_t(i) == axis;
    aligned[i] = own ? shape[i] : core.dim(1);
    if (!own)
      others.push_back(i);
  }
  NormGradient norm(core, data, elementTypeOf(data.getType()));
  norm.reduceAlong({axis});
  norm.measure(getEps().convertToDouble());
  // gamma and beta stand for places along the axis, not for rows.
  if (scope.needs(1) || scope.needs(2)) {
    NormGradient::Sums sums = norm.sumsAlong(slope, others);
    for (auto [operand, sum] : {std::pair(1u, sums.along), std::pair(2u, sums.total)})
      if (scope.needs(operand))
        scope.give(operand, core.reshapeTo(sum, (*this)->getOperand(operand).getType()));
  }
  if (scope.needs(0)) {
    Value scaled = norm.with("mul", slope, core.reshape(getGamma(), aligned));
    scope.give(0, norm.gradientAlone(scaled));
  }
  return success();
}

// Rows [N, C, elements], and gamma and beta of each C: sums over rows serve the data's gradient,
// and added up those of gamma and beta.
static void normaliseRows(Operation *op, GradientScope &scope, Shape rows, double eps) {
  CoreBuilder &core = scope.core;
  Value data = core.reshape(op->getOperand(0), rows), slope = core.reshape(scope.of(), rows);
  NormGradient norm(core, data, elementTypeOf(data.getType()));
  norm.reduceAlong({2});
  norm.measure(eps);
  NormGradient::Sums sums = norm.sums(slope);
  for (auto [operand, sum] : {std::pair(1u, sums.along), std::pair(2u, sums.total)})
    if (scope.needs(operand))
      scope.give(operand, core.reshapeTo(core.reduce("sum", sum, {0}, true),
                                         op->getOperand(operand).getType()));
  if (scope.needs(0)) {
    Value scale = core.reshape(op->getOperand(1), Shape({core.dim(1), rows[1], core.dim(1)}));
    scope.give(0, core.reshapeTo(norm.gradient(slope, sums, scale), op->getOperand(0).getType()));
  }
}

LogicalResult InstanceNormOp::buildGradient(GradientScope &scope) {
  Shape shape = shapeOf(getData().getType());
  Shape rows({shape[0], shape[1], shape.product(2, shape.rank(), getContext())});
  normaliseRows(*this, scope, rows, getEps().convertToDouble());
  return success();
}

// gamma and beta stand for groups.
LogicalResult GroupNormOp::buildGradient(GradientScope &scope) {
  Shape shape = shapeOf(getData().getType());
  Dim groups = scope.core.dim(getNumGroups());
  Dim count = floorDiv(shape.product(1, shape.rank(), getContext()), getNumGroups());
  normaliseRows(*this, scope, Shape({shape[0], groups, count}), getEps().convertToDouble());
  return success();
}

// y = x / n, n = sqrt(sum(x^2) + eps): (g - y * sum(g * y)) / n.
LogicalResult L2NormalizationOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value data = getData(), slope = scope.of(), result = getResult(0);
  Shape shape = shapeOf(data.getType());
  SmallVector<int64_t> axes;
  SmallVector<bool> reduced = getReducedAxes();
  for (auto [axis, isReduced] : llvm::enumerate(reduced))
    if (isReduced)
      axes.push_back(axis);
  auto sum = [&](Value value) { return core.reduce("sum", value, axes, true); };
  Value norm = core.unary(
      "sqrt", core.scalar("add", sum(core.unary("square", data)), getEps().convertToDouble()));
  Value along = sum(core.binary("mul", slope, result));
  Value rest = core.binary("sub", slope, core.broadcast("mul", result, along, shape));
  scope.give(0, core.broadcast("div", rest, norm, shape));
  return success();
}

// y = x * t^-beta, t = knorm + a * (sum of x^2 over channels around), a = alpha / nsize:
// g * t^-beta - 2 * a * beta * x * (sum of g * x * t^(-beta - 1) over the same channels).
LogicalResult LRNOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value data = getData(), slope = scope.of();
  Shape shape = shapeOf(data.getType());
  int64_t size = getNsize();
  double beta = getBeta().convertToDouble(), share = getAlpha().convertToDouble() / double(size);
  auto around = [&](Value value) {
    Shape flat({shape[0], core.dim(1), shape[1], shape.product(2, shape.rank(), getContext())});
    Value sums = core.make("pooling", core.reshape(value, flat), core.withShape(value, flat),
                           {core.numbers("kernel", {size, 1}), core.text("pool_type", "sum"),
                            core.numbers("pad", {size / 2, 0})});
    return core.reshapeTo(sums, value.getType());
  };
  Value norm = core.scalar("add", core.scalar("mul", around(core.unary("square", data)), share),
                           getKnorm().convertToDouble());
  Value direct = core.binary("mul", slope, core.scalar("power", norm, -beta));
  Value inner =
      core.binary("mul", core.binary("mul", slope, data), core.scalar("power", norm, -beta - 1));
  Value others = core.binary("mul", core.scalar("mul", around(inner), -2 * share * beta), data);
  scope.give(0, core.binary("add", direct, others));
  return success();
}
