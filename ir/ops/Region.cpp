// Region.cpp: shapes and parameter checks of pooling over regions; the numbered constraints
// are those of Region.td.
#include "ir/ops/Region.h"
#include "ir/Conditions.h"

#include "ir/Windows.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Region.cpp.inc"

void symc::sg::registerRegionOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Region.cpp.inc"
      >();
}

static std::string checkWindows(const ParamView &params) {
  ArrayRef<int64_t> size = params.getTuple("pooled_size");
  if (size.size() == 2 && size[0] >= 1 && size[1] >= 1)
    return checkLargest("pooled_size", size);
  return "parameter 'pooled_size' is " + tupleText(size) + ", needs two extents of at least 1";
}

static std::string checkNotNegative(const ParamView &params, StringRef name) {
  if (params.getInt(name) >= 0)
    return {};
  return ("parameter '" + name + "' is " + std::to_string(params.getInt(name)) +
          ", needs 0 for pooled_size, or at least 1")
      .str();
}

// data is [N, channels, H, W], rois [R, columns].
static LogicalResult refineImages(ShapeScope &scope, Dim channels, int64_t columns) {
  if (failed(scope.refineInput(0, Shape({Dim(), channels, Dim(), Dim()}))))
    return failure();
  return scope.refineInput(1, Shape({Dim(), scope.dim(columns)}));
}

std::string ROIAlignOp::checkParams(const ParamView &params) { return checkWindows(params); } // C1

LogicalResult ROIAlignOp::inferShape(ShapeScope &scope) {
  if (failed(refineImages(scope, Dim(), 5))) // C2
    return failure();
  ArrayRef<int64_t> size = getPooledSize();
  Dim channels = scope.input(0)[1];
  if (getPositionSensitive()) {
    int64_t windows = size[0] * size[1];
    if (failed(scope.need(multipleOf(channels, windows), [&](raw_ostream &message) { // C3
          message << "data has " << channels.str() << " channels, needs a multiple of the "
                  << windows << " windows of pooled_size = " << tupleText(size);
        })))
      return failure();
    channels = floorDiv(channels, windows);
  }
  return scope.refineOutput(
      0, Shape({scope.input(1)[0], channels, scope.dim(size[0]), scope.dim(size[1])}));
}

// Memory for the points of many windows; a kernel does with less.
static const int64_t kPointBytes = 64 * 1024;

// The same, and where windows read an image more than once, data with a pixel's channels side by
// side, which runtime/kernels/reference/region.cpp reads in vectors.
CheckedSize ROIAlignOp::getScratchBytes(const LargestShapes &shapes) {
  ArrayRef<CheckedSize> data = shapes.operands[0], windows = shapes.results[0];
  CheckedSize points = 4 * windows[0] * windows[2] * windows[3], pixels = data[2] * data[3];
  if (getPositionSensitive() || getGreatest() || points.isTooLarge() || points.get() < pixels.get())
    return kPointBytes;
  int64_t bytes = elementTypeOf(getData().getType()).getIntOrFloatBitWidth() / 8;
  return shapes.operandCount(0) * bytes + kPointBytes;
}
CheckedSize RROIAlignOp::getScratchBytes(const LargestShapes &) { return kPointBytes; }

std::string RROIAlignOp::checkParams(const ParamView &params) { return checkWindows(params); } // C1

LogicalResult RROIAlignOp::inferShape(ShapeScope &scope) {
  if (failed(refineImages(scope, Dim(), 6))) // C2
    return failure();
  ArrayRef<int64_t> size = getPooledSize();
  return scope.refineOutput(
      0, Shape({scope.input(1)[0], scope.input(0)[1], scope.dim(size[0]), scope.dim(size[1])}));
}

std::string PSROIPoolingOp::checkParams(const ParamView &params) { // C1
  return checkNotNegative(params, "group_size");
}

// Channels and output of the two that give each window channels of its own.
static LogicalResult inferGrouped(ShapeScope &scope, int64_t channels, int64_t groups,
                                  int64_t pooled) {
  if (failed(refineImages(scope, scope.dim(channels) * groups * groups, 5)))
    return failure();
  return scope.refineOutput(
      0, Shape({scope.input(1)[0], scope.dim(channels), scope.dim(pooled), scope.dim(pooled)}));
}

LogicalResult PSROIPoolingOp::inferShape(ShapeScope &scope) {
  int64_t pooled = getPooledSize(), groups = getGroupSize();
  return inferGrouped(scope, getOutputDim(), groups ? groups : pooled, pooled); // C2
}

bool DeformablePSROIPoolingOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "trans" || !params.getBool("no_trans");
}

std::string DeformablePSROIPoolingOp::checkParams(const ParamView &params) { // C1
  return checkNotNegative(params, "part_size");
}

LogicalResult DeformablePSROIPoolingOp::inferShape(ShapeScope &scope) {
  int64_t pooled = getPooledSize(), channels = getOutputDim();
  if (failed(inferGrouped(scope, channels, getGroupSize(), pooled))) // C2
    return failure();
  if (scope.numInputs() < 3)
    return success();
  Dim part = scope.dim(getPartSize() ? (int64_t)getPartSize() : pooled);
  if (failed(scope.refineInput(2, Shape({scope.input(1)[0], Dim(), part, part})))) // C3
    return failure();
  Dim moves = scope.input(2)[1];
  if (moves.isKnown() && (!moves.isStatic() || moves.get() < 2 || moves.get() % 2 != 0 ||
                          channels % (moves.get() / 2) != 0)) // C3
    return scope.error()
           << "trans has shape " << scope.input(2).str()
           << ", needs two channels for each of a number of classes that divides output_dim = "
           << channels;
  return success();
}

LogicalResult ROIAlignGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(0)); // C1
}

LogicalResult PSROIGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(0)); // C1
}

LogicalResult DeformablePSROIGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(getOf() == "trans" ? 3 : 0)); // C1
}
