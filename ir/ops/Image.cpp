// Image.cpp: shapes and parameter checks of operators on pictures; the numbered
// constraints are those of Image.td.
#include "ir/ops/Image.h"
#include "ir/Conditions.h"

#include "ir/Windows.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Image.cpp.inc"

void symc::sg::registerImageOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Image.cpp.inc"
      >();
}

// Whether the shape is known; an error where it is no picture.
static FailureOr<bool> isPicture(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && data.rank() != 3 && data.rank() != 4)
    return scope.error() << "data has shape " << data.str() << ", needs rank 3 or 4";
  return data.isRanked();
}

LogicalResult ImageToTensorOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, Float32Type::get(scope.context()));
}

LogicalResult ImageToTensorOp::inferShape(ShapeScope &scope) {
  FailureOr<bool> known = isPicture(scope); // C1
  if (failed(known) || !*known)
    return known;
  Shape output = scope.input(0);
  size_t rank = output.rank();
  for (size_t i : {rank - 1, rank - 2})
    std::swap(output[i], output[i - 1]);
  return scope.refineOutput(0, output); // C2
}

LogicalResult ImageNormalizeOp::inferShape(ShapeScope &scope) {
  FailureOr<bool> known = isPicture(scope); // C1
  if (failed(known))
    return known;
  if (*known) {
    Dim channels = scope.input(0)[scope.input(0).rank() - 3];
    if (failed(scope.need(oneOf(channels, 1, 3), [&](raw_ostream &message) { // C1
          message << "data has shape " << scope.input(0).str()
                  << ", needs 1 or 3 channels before height and width";
        })))
      return failure();
    for (auto [name, values] : {std::pair("mean", getMean()), {"std", getStd()}})
      if (size_t count = values.size();
          count != 1 &&
          failed(scope.need(atMost(channels, count), [&, name = name](raw_ostream &message) { // C2
            message << "parameter '" << name << "' has " << count << " numbers, needs 1 or "
                    << channels.str();
          })))
        return failure();
  }
  return scope.refineAllSame(); // C3
}

LogicalResult ImageCropOp::inferShape(ShapeScope &scope) {
  FailureOr<bool> known = isPicture(scope); // C1
  if (failed(known) || !*known)
    return known;
  Shape output = scope.input(0);
  size_t height = output.rank() - 3, width = output.rank() - 2;
  int64_t bottom = getY() + getHeight(), right = getX() + getWidth();
  Need inside = atLeast(output[height], bottom) & atLeast(output[width], right);
  if (failed(scope.need(inside, [&](raw_ostream &message) { // C2
        message << "the rectangle ends at row " << bottom << " and column " << right
                << " but data has shape " << output.str();
      })))
    return failure();
  output[height] = scope.dim(getHeight());
  output[width] = scope.dim(getWidth());
  return scope.refineOutput(0, output); // C3
}

LogicalResult ImageFlipOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && data.rank() != 3) // C1
    return scope.error() << "data has shape " << data.str() << ", needs rank 3";
  return scope.refineAllSame(); // C2
}

std::string ImageResizeOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> size = params.getTuple("size");
  int64_t interp = params.getInt("interp");
  if (size.empty() || size.size() > 2 || llvm::any_of(size, [](int64_t e) { return e < 1; }))
    return "parameter 'size' is " + tupleText(size) + ", needs one or two extents of at least 1";
  if (interp < 0 || interp > 4)
    return "parameter 'interp' is " + std::to_string(interp) +
           ", needs 0 (nearest), 1 (bilinear), 2 (bicubic), 3 (area) or 4 (Lanczos)";
  return {};
}

LogicalResult ImageResizeOp::inferShape(ShapeScope &scope) {
  FailureOr<bool> known = isPicture(scope); // C2
  if (failed(known) || !*known)
    return known;
  Shape output = scope.input(0);
  Dim &height = output[output.rank() - 3], &width = output[output.rank() - 2];
  int64_t wide = getSize()[0], high = getSize().back();
  if (getSize().size() == 1 && getKeepRatio()) {
    if (!height.isStatic() || !width.isStatic() || height.get() < 1 || width.get() < 1) // C2
      return height.isKnown() && width.isKnown()
                 ? LogicalResult(scope.error()
                                 << "data has shape " << scope.input(0).str()
                                 << ", needs constant extents above 0 with keep_ratio")
                 : success();
    bool upright = height.get() > width.get();
    wide = upright ? wide : width.get() * high / height.get();
    high = upright ? height.get() * wide / width.get() : high;
  }
  height = scope.dim(high);
  width = scope.dim(wide);
  return scope.refineOutput(0, output); // C3
}

std::string ImageAdjustLightingOp::checkParams(const ParamView &params) { // C2
  size_t count = params.getFloats("alpha").size();
  if (count == 3)
    return {};
  return "parameter 'alpha' has " + std::to_string(count) + " numbers, needs 3";
}

static LogicalResult inferColours(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  auto wrong = [&](raw_ostream &message) {
    message << "data has shape " << data.str() << ", needs [H, W, C] with 1 or 3 channels";
  };
  if (data.isRanked() && data.rank() != 3)
    return scope.refuse(wrong);
  if (data.isRanked() && failed(scope.need(oneOf(data[2], 1, 3), wrong)))
    return failure();
  return scope.refineAllSame();
}

LogicalResult ImageAdjustLightingOp::inferShape(ShapeScope &scope) {
  return inferColours(scope);
} // C1, C3

//===----------------------------------------------------------------------===//
// Random augmentation of pictures
//===----------------------------------------------------------------------===//

static std::string asText(double value) {
  llvm::SmallString<16> text;
  llvm::APFloat(value).toString(text, /*FormatPrecision=*/6);
  return text.str().str();
}

LogicalResult ImageRandomFlipOp::inferShape(ShapeScope &scope) {
  return inferColours(scope);
} // C1, C2

std::string ImageRandomAdjustOp::checkParams(const ParamView &params) { // C1
  double least = params.getFloat("min_factor"), most = params.getFloat("max_factor");
  if (least <= most)
    return {};
  return "parameter 'max_factor' is " + asText(most) +
         ", needs at least min_factor = " + asText(least);
}
LogicalResult ImageRandomAdjustOp::inferShape(ShapeScope &scope) {
  return inferColours(scope);
} // C2, C3

std::string ImageRandomLightingOp::checkParams(const ParamView &params) { // C1
  if (params.getFloat("alpha_std") >= 0)
    return {};
  return "parameter 'alpha_std' is " + asText(params.getFloat("alpha_std")) +
         ", needs a number that is not negative";
}
LogicalResult ImageRandomLightingOp::inferShape(ShapeScope &scope) {
  return inferColours(scope);
} // C2, C3

LogicalResult ImageRandomJitterOp::inferShape(ShapeScope &scope) {
  return inferColours(scope);
} // C1, C2
