// Norm.cpp: shapes, types and parameter checks of the normalisations; the
// numbered constraints are those of Norm.td.
#include "ir/ops/Norm.h"
#include "ir/Axes.h"
#include "ir/Conditions.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Norm.cpp.inc"

void symc::sg::registerNormOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Norm.cpp.inc"
      >();
}

// Result 0 and data have one shape.
static LogicalResult inferLikeData(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

// Results from 1 on have this shape, the first data's.
static LogicalResult inferStatistics(ShapeScope &scope, const Shape &shape) {
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, shape)))
      return failure();
  return inferLikeData(scope);
}

// Operands from 1 on are [extent].
static LogicalResult inferVectors(ShapeScope &scope, Dim extent) {
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, Shape({extent}))))
      return failure();
  return success();
}

static LogicalResult checkRank(ShapeScope &scope, size_t least) {
  const Shape &data = scope.input(0);
  if (data.rank() >= least)
    return success();
  return scope.error() << "data has shape " << data.str() << ", needs rank " << least
                       << " at least";
}

static FailureOr<size_t> checkAxis(ShapeScope &scope, int64_t axis) {
  int64_t rank = scope.input(0).rank();
  if (axis >= -rank && axis < rank)
    return static_cast<size_t>(axis < 0 ? axis + rank : axis);
  scope.error() << "axis " << axis << " is outside data's shape " << scope.input(0).str();
  return failure();
}

static int64_t countWithStatistics(const ParamView &params) {
  return params.getBool("output_mean_var") ? 3 : 1;
}

//===----------------------------------------------------------------------===//
// batch_norm_with_relu
//===----------------------------------------------------------------------===//

int64_t BatchNormWithReLUOp::countResults(const ParamView &params) {
  return countWithStatistics(params);
}

LogicalResult BatchNormWithReLUOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return scope.refineInput(0, scope.output(0));
  FailureOr<size_t> axis = checkAxis(scope, getAxis());                   // C1
  if (failed(axis) || failed(inferVectors(scope, scope.input(0)[*axis]))) // C2
    return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, Shape({scope.input(0)[*axis]}))))
      return failure();
  return inferLikeData(scope);
}

// Statistics of float16 data are float32.
LogicalResult BatchNormWithReLUOp::inferType(TypeScope &scope) {
  Type data = scope.input(0) ? scope.input(0) : scope.output(0);
  if (!data)
    return success();
  Type statistics = data.isF16() ? Float32Type::get(scope.context()) : data;
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, i == 0 ? data : statistics)))
      return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, i == 0 ? data : statistics)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// lrn, l2_normalization
//===----------------------------------------------------------------------===//

std::string LRNOp::checkParams(const ParamView &params) {
  int64_t size = params.getInt("nsize");
  if (size % 2 == 0) // C1
    return "parameter 'nsize' is " + std::to_string(size) + ", needs an odd number";
  return {};
}

int64_t LRNOp::countResults(const ParamView &params) {
  return params.getBool("show_hidden") ? 2 : 1;
}

LogicalResult LRNOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && data.rank() != 4) // C2
    return scope.error() << "data has shape " << data.str() << ", needs rank 4";
  return inferStatistics(scope, data.isRanked() ? data : scope.output(0));
}

int64_t L2NormalizationOp::countResults(const ParamView &params) {
  return params.getBool("show_hidden") ? 2 : 1;
}

LogicalResult L2NormalizationOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return inferLikeData(scope);
  if (failed(checkRank(scope, getMode() == "instance" ? 2 : 3))) // C1
    return failure();
  Shape norm = data;
  if (getMode() == "channel")
    norm[1] = scope.dim(1);
  else
    norm = Shape(SmallVector<Dim>(data.list().take_front(getMode() == "spatial" ? 2 : 1)));
  return inferStatistics(scope, norm);
}

//===----------------------------------------------------------------------===//
// instance_norm, layer_norm, group_norm
//===----------------------------------------------------------------------===//

int64_t InstanceNormOp::countResults(const ParamView &params) {
  return params.getBool("show_hidden") ? 3 : 1;
}

LogicalResult InstanceNormOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return scope.refineInput(0, scope.output(0));
  if (failed(checkRank(scope, 3)) ||                  // C1
      failed(inferVectors(scope, scope.input(0)[1]))) // C2
    return failure();
  return inferStatistics(scope, Shape({scope.input(0)[0], scope.input(0)[1]}));
}

int64_t LayerNormOp::countResults(const ParamView &params) { return countWithStatistics(params); }

LogicalResult LayerNormOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return scope.refineInput(0, scope.output(0));
  FailureOr<size_t> axis = checkAxis(scope, getAxis());                   // C1
  if (failed(axis) || failed(inferVectors(scope, scope.input(0)[*axis]))) // C2
    return failure();
  Shape moments = scope.input(0);
  moments[*axis] = scope.dim(1);
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, moments)))
      return failure();
  return inferLikeData(scope);
}

int64_t GroupNormOp::countResults(const ParamView &params) { return countWithStatistics(params); }

LogicalResult GroupNormOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return scope.refineInput(0, scope.output(0));
  if (failed(checkRank(scope, 3))) // C1
    return failure();
  int64_t groups = getNumGroups();
  Dim channels = scope.input(0)[1];
  if (failed(scope.need(multipleOf(channels, groups), [&](raw_ostream &message) { // C1
        message << "data has " << channels.str()
                << " channels, needs a multiple of num_groups = " << groups;
      })))
    return failure();
  if (failed(inferVectors(scope, scope.dim(groups)))) // C2
    return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, Shape({scope.input(0)[0], scope.dim(groups)}))))
      return failure();
  return inferLikeData(scope);
}

//===----------------------------------------------------------------------===//
// Reduced axes, rows of a batch
//===----------------------------------------------------------------------===//

SmallVector<bool> L2NormalizationOp::getReducedAxes() {
  int64_t rank = rankOf(getData());
  if (getMode() == "channel")
    return maskOfAxis(1, rank);
  return maskFrom(getMode() == "spatial" ? 2 : 1, rank);
}

SmallVector<bool> InstanceNormOp::getReducedAxes() { return maskFrom(2, rankOf(getData())); }

SmallVector<bool> LayerNormOp::getReducedAxes() { return maskOfAxis(getAxis(), rankOf(getData())); }

// Of the data whose channels are cut into [groups, channels of a group], the latter too.
SmallVector<bool> GroupNormOp::getReducedAxes() { return maskFrom(2, rankOf(getData())); }

int64_t LayerNormOp::getRowAxis(RowScope &rows) {
  return rows.onlyFirst(1) ? rows.along(getAxis()) : kNoRows;
}
