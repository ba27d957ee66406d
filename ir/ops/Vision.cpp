// Vision.cpp: shapes and parameter checks of the image operators; the numbered
// constraints are those of Vision.td.
#include "ir/ops/Vision.h"
#include "ir/Conditions.h"

#include "ir/Windows.h"
#include <cmath>

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Vision.cpp.inc"

void symc::sg::registerVisionOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Vision.cpp.inc"
      >();
}

static LogicalResult checkRank4(ShapeScope &scope, size_t operand, StringRef name) {
  const Shape &shape = scope.input(operand);
  if (!shape.isRanked() || shape.rank() == 4)
    return success();
  return scope.error() << name << " has shape " << shape.str() << ", needs rank 4";
}

static std::string checkTwoExtents(StringRef name, ArrayRef<int64_t> values) {
  if (values.size() == 2 && values[0] >= 1 && values[1] >= 1)
    return {};
  return ("parameter '" + name + "' is " + tupleText(values) + ", needs two extents of at least 1")
      .str();
}

//===----------------------------------------------------------------------===//
// upsampling
//===----------------------------------------------------------------------===//

// Whether every value of `part` divides that of `whole` because it is a constant share of it.
static bool isMultiple(Dim whole, Dim part) {
  int64_t share = part.getExpr().getLargestKnownDivisor();
  return share > 0 && part * (whole.getExpr().getLargestKnownDivisor() / share) == whole;
}

static LogicalResult inferNearest(UpSamplingOp op, ShapeScope &scope) {
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (!scope.input(i).isRanked())
      return success();
  const Shape &first = scope.input(0);
  bool sum = op.getMultiInputMode() == "sum";
  int64_t scale = op.getScale();
  Shape output({first[0], first[1], first[2] * scale, first[3] * scale});
  for (size_t i = 1; i < scope.numInputs(); ++i) {
    const Shape &image = scope.input(i);
    Shape wanted(4);
    wanted[0] = first[0]; // C2
    if (sum)
      wanted[1] = first[1]; // C2
    if (failed(scope.refineInput(i, wanted)))
      return failure();
    for (size_t axis = 2; axis < 4; ++axis) {
      auto wrong = [&](raw_ostream &message) {
        message << "image " << i << " has shape " << image.str() << ", whose extent along axis "
                << axis << " does not divide output's " << output[axis].str();
      };
      if (!image[axis].isKnown() || !output[axis].isKnown())
        continue;
      if (!image[axis].isStatic() ? !isMultiple(output[axis], image[axis])
                                  : image[axis].get() < 1) // C3
        return scope.refuse(wrong);
      if (image[axis].isStatic() &&
          failed(scope.need(multipleOf(output[axis], image[axis].get()), wrong)))
        return failure();
    }
    if (!sum)
      output[1] = output[1] + image[1];
  }
  return scope.refineOutput(0, output);
}

LogicalResult UpSamplingOp::inferShape(ShapeScope &scope) {
  bool bilinear = getSampleType() == "bilinear";
  size_t wanted = bilinear ? 2 : getNumArgs();
  if (scope.numInputs() != wanted) // C1
    return scope.error() << "has " << scope.numInputs() << " inputs, needs "
                         << (bilinear ? "data and weight with sample_type = bilinear"
                                      : "num_args = " + std::to_string(wanted));
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (failed(checkRank4(scope, i, bilinear && i == 1 ? "weight" : "image"))) // C1
      return failure();
  if (!bilinear) // C2, C3
    return inferNearest(*this, scope);
  int64_t scale = getScale(), kernel = 2 * scale - scale % 2;
  Dim filters = scope.dim(getNumFilter());
  Shape data(4), weight({filters, scope.dim(1), scope.dim(kernel), scope.dim(kernel)});
  data[1] = filters;
  std::string because = "with num_filter = " + std::to_string(getNumFilter());
  if (failed(scope.refineInput(0, data, because)) ||
      failed(scope.refineInput(1, weight, because))) // C4
    return failure();
  const Shape &known = scope.input(0);
  return scope.refineOutput(0, Shape({known[0], known[1], known[2] * scale, known[3] * scale}));
}

//===----------------------------------------------------------------------===//
// crop, pad
//===----------------------------------------------------------------------===//

bool CropOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "crop_like" || params.getInt("num_args") == 2;
}

std::string CropOp::checkParams(const ParamView &params) {
  if (params.getInt("num_args") == 1)
    if (std::string message = checkTwoExtents("h_w", params.getTuple("h_w")); !message.empty())
      return message;
  ArrayRef<int64_t> offset = params.getTuple("offset");
  if (offset.size() != 2 || offset[0] < 0 || offset[1] < 0)
    return "parameter 'offset' is " + tupleText(offset) + ", needs two numbers of at least 0";
  return {};
}

LogicalResult CropOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data")) || // C1
      (scope.numInputs() > 1 && failed(checkRank4(scope, 1, "crop_like"))))
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked() || (scope.numInputs() > 1 && !scope.input(1).isRanked()))
    return success();
  Shape output = data;
  for (size_t i = 0; i < 2; ++i) {
    Dim extent = scope.numInputs() > 1 ? scope.input(1)[2 + i] : scope.dim(getHW()[i]);
    output[2 + i] = extent;
    int64_t first = getCenterCrop() ? 0 : getOffset()[i];
    if (failed(scope.need(atLeast(data[2 + i], extent + first), [&](raw_ostream &message) { // C2
          message << "data has shape " << data.str() << " but the window has " << extent.str()
                  << " elements from " << first << " on along axis " << 2 + i;
        })))
      return failure();
  }
  return scope.refineOutput(0, output);
}

std::string PadOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> width = params.getTuple("pad_width");
  bool good = width.size() == 8 || width.size() == 10;
  for (auto [i, value] : llvm::enumerate(width))
    good &= value >= 0 && (i >= 4 || value == 0);
  if (good)
    return {};
  return "parameter 'pad_width' is " + tupleText(width) +
         ", needs two numbers of at least 0 for each of 4 or 5 axes, 0 for the first two axes";
}

LogicalResult PadOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  ArrayRef<int64_t> width = getPadWidth();
  if (data.rank() * 2 != width.size()) // C2
    return scope.error() << "data has shape " << data.str() << " but pad_width " << tupleText(width)
                         << " needs rank " << width.size() / 2;
  Shape output = data;
  for (size_t i = 0; i < data.rank(); ++i) {
    int64_t widest = std::max(width[2 * i], width[2 * i + 1]);
    if (getMode() == "reflect" && widest > 0 &&
        failed(scope.need(atLeast(data[i] - 1, widest), [&](raw_ostream &message) { // C3
          message << "data has shape " << data.str() << " but a reflected border of " << widest
                  << " along axis " << i << " needs more elements than that";
        })))
      return failure();
    if (getMode() == "edge" && widest > 0 &&
        failed(scope.need(atLeast(data[i], 1), [&](raw_ostream &message) { // C3
          message << "data has shape " << data.str() << " with nothing to repeat along axis " << i;
        })))
      return failure();
    output[i] = data[i] + (width[2 * i] + width[2 * i + 1]);
  }
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// bilinear_resize, adaptive_avg_pooling
//===----------------------------------------------------------------------===//

bool BilinearResizeOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "like" || params.getStr("mode") == "like";
}

// A product of an extent and a factor, rounded down; nothing reaches 2^62.
static int64_t scaledExtent(double product) {
  return std::isnan(product) ? 0 : static_cast<int64_t>(std::clamp(product, -0x1p62, 0x1p62));
}

// The extent of output along one axis; nothing where it is not affine.
static std::optional<Dim> resizedExtent(ShapeScope &scope, StringRef mode, Dim extent,
                                        int64_t fixed, std::optional<double> factor) {
  if (mode == "to_even_down")
    return floorDiv(extent, 2) * 2;
  if (mode == "to_even_up")
    return ceilDiv(extent, 2) * 2;
  if (mode == "to_odd_down")
    return floorDiv(extent - 1, 2) * 2 + 1;
  if (mode == "to_odd_up")
    return floorDiv(extent, 2) * 2 + 1;
  if (!factor)
    return scope.dim(fixed);
  float scale = static_cast<float>(*factor);
  if (mode == "size" && scale == std::floor(scale))
    return extent * scaledExtent(scale);
  if (!extent.isKnown())
    return Dim();
  if (!extent.isStatic())
    return std::nullopt;
  int64_t value = extent.get();
  if (mode == "odd_scale" && value % 2 != 0)
    return scope.dim(scaledExtent((value - 1) * scale) + 1);
  return scope.dim(scaledExtent(value * scale));
}

LogicalResult BilinearResizeOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data")) || // C1
      (scope.numInputs() > 1 && failed(checkRank4(scope, 1, "like"))))
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  Shape output = data;
  for (size_t axis = 2; axis < 4; ++axis) {
    if (getMode() == "like") {
      output[axis] = scope.input(1).isRanked() ? scope.input(1)[axis] : Dim();
      continue;
    }
    std::optional<llvm::APFloat> given = axis == 2 ? getScaleHeight() : getScaleWidth();
    std::optional<double> factor;
    if (given)
      factor = given->convertToDouble();
    std::optional<Dim> extent =
        resizedExtent(scope, getMode(), data[axis], axis == 2 ? getHeight() : getWidth(), factor);
    if (!extent)
      return scope.error() << "data has shape " << data.str()
                           << ", needs a fixed extent along axis " << axis << " to be scaled by "
                           << std::to_string(*factor);
    if (failed(scope.need(atLeast(*extent, 1), [&](raw_ostream &message) { // C2
          message << "data has shape " << data.str() << ", which leaves no element along axis "
                  << axis;
        })))
      return failure();
    output[axis] = *extent;
  }
  return scope.refineOutput(0, output);
}

std::string AdaptiveAvgPoolingOp::checkParams(const ParamView &params) { // C2
  ArrayRef<int64_t> size = params.getTuple("output_size");
  if (size.size() <= 2 && llvm::all_of(size, [](int64_t extent) { return extent >= 1; }))
    return {};
  return "parameter 'output_size' is " + tupleText(size) +
         ", needs at most two extents of at least 1";
}

LogicalResult AdaptiveAvgPoolingOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data"))) // C1
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  Shape output = scope.input(0);
  ArrayRef<int64_t> size = getOutputSize();
  output[2] = scope.dim(size.empty() ? 1 : size.front());
  output[3] = scope.dim(size.empty() ? 1 : size.back());
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// roi_pooling
//===----------------------------------------------------------------------===//

std::string ROIPoolingOp::checkParams(const ParamView &params) {
  return checkTwoExtents("pooled_size", params.getTuple("pooled_size")); // C1
}

LogicalResult ROIPoolingOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data")) || // C2
      failed(scope.refineInput(1, Shape({Dim(), scope.dim(5)}))))
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  return scope.refineOutput(0,
                            Shape({scope.input(1)[0], scope.input(0)[1],
                                   scope.dim(getPooledSize()[0]), scope.dim(getPooledSize()[1])}));
}

//===----------------------------------------------------------------------===//
// grid_generator, bilinear_sampler, spatial_transformer
//===----------------------------------------------------------------------===//

std::string GridGeneratorOp::checkParams(const ParamView &params) {
  if (params.getStr("transform_type") == "warp")
    return {};
  return checkTwoExtents("target_shape", params.getTuple("target_shape")); // C1
}

LogicalResult GridGeneratorOp::inferShape(ShapeScope &scope) {
  if (getTransformType() == "warp") {
    if (failed(scope.refineInput(0, Shape({Dim(), scope.dim(2), Dim(), Dim()})))) // C2
      return failure();
    return scope.refineOutput(0, scope.input(0));
  }
  if (failed(scope.refineInput(0, Shape({Dim(), scope.dim(6)})))) // C2
    return failure();
  return scope.refineOutput(0,
                            Shape({scope.input(0)[0], scope.dim(2), scope.dim(getTargetShape()[0]),
                                   scope.dim(getTargetShape()[1])}));
}

LogicalResult BilinearSamplerOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data"))) // C1
    return failure();
  const Shape &data = scope.input(0);
  Dim items = data.isRanked() ? data[0] : Dim();
  if (failed(scope.refineInput(1, Shape({items, scope.dim(2), Dim(), Dim()})))) // C1
    return failure();
  const Shape &grid = scope.input(1);
  return scope.refineOutput(0,
                            Shape({grid[0], data.isRanked() ? data[1] : Dim(), grid[2], grid[3]}));
}

std::string SpatialTransformerOp::checkParams(const ParamView &params) {
  return checkTwoExtents("target_shape", params.getTuple("target_shape")); // C1
}

LogicalResult SpatialTransformerOp::inferShape(ShapeScope &scope) {
  if (failed(checkRank4(scope, 0, "data"))) // C2
    return failure();
  const Shape &data = scope.input(0);
  Dim items = data.isRanked() ? data[0] : Dim();
  if (failed(scope.refineInput(1, Shape({items, scope.dim(6)})))) // C2
    return failure();
  if (!data.isRanked())
    return success();
  return scope.refineOutput(
      0, Shape({data[0], data[1], scope.dim(getTargetShape()[0]), scope.dim(getTargetShape()[1])}));
}

LogicalResult ROIPoolingGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(0)); // C1
}

LogicalResult SamplerGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(getOf() == "grid" ? 1 : 0)); // C1
}

LogicalResult TransformerGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(getOf() == "loc" ? 1 : 0)); // C1
}
