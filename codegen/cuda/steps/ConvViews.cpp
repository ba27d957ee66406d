// ConvViews.cpp: see ConvViews.h.
#include "codegen/cuda/steps/ConvViews.h"

#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t mostTiles = 1 << 15;

static std::optional<int64_t> valueOf(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt;
}

LogicalResult ConvViews::find() {
  auto findView = [&](Value operand, const std::string &name, View &view) {
    FailureOr<View> found = w.view(operand, name);
    if (succeeded(found))
      view = *found;
    return LogicalResult(found);
  };
  if (failed(findView(op.getData(), "data", data)) ||
      failed(findView(op.getWeights(), "filter", weights)) ||
      failed(findView(op.getOut(), "out", out)))
    return failure();
  for (auto [i, operand] : llvm::enumerate(op.getExtras())) {
    extras.emplace_back();
    if (failed(findView(operand, "extra" + std::to_string(i), extras.back())))
      return failure();
  }
  bytes = data.elementType.isInteger(8);
  if (!bytes && !data.elementType.isF32())
    return op.emitOpError("internal error: no code on a CUDA device for ") << data.elementType;
  sumType = bytes ? "int" : "float";
  eachImage = weights.sizes.size() == 7;
  std::optional<int64_t> blocks = valueOf(data.sizes[1]), inputs = valueOf(data.sizes[4]),
                         outputs = valueOf(out.sizes[1]), width = valueOf(out.sizes[4]);
  if (!blocks || !inputs || !outputs || !width)
    return op.emitOpError("internal error: channels that are no constants");
  lanes = *inputs, block = *width, outputBlocks = *outputs;
  terms = *blocks * op.getKernel()[0] * op.getKernel()[1] * lanes;
  return success();
}

CudaConvolution ConvViews::problem() {
  SmallVector<AffineExpr> image{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    image.push_back(out.sizes[0]);
  CudaConvolution result = {std::max<int64_t>(1, w.largest(w.count(image))), outputBlocks * block,
                            terms, eachImage ? std::max<int64_t>(1, w.largest(out.sizes[0])) : 1};
  result.bytes = bytes;
  result.precision = w.choices().precision;
  return result;
}

LogicalResult ConvViews::setGrid(const CudaTile &tile) {
  CudaConvolution wanted = problem();
  int64_t tiles = llvm::divideCeil(wanted.pixels, tile.pixels);
  int64_t groups = llvm::divideCeil(wanted.outputs, tile.isRow() ? block : tile.outputs);
  if (groups > 65535 || wanted.images > 65535)
    return op.emitOpError("is too large for a grid: ")
           << groups << " groups of outputs and " << wanted.images << " images, at most 65535";
  w.grid(std::min(tiles, mostTiles), groups, wanted.images, tile.threads);
  return success();
}

void ConvViews::writePanels() {
  std::string panels = "filter";
  if (eachImage) {
    w.line("const int image = blockIdx.z;");
    w.line("if (image >= " + w.size(out.sizes[0]) + ")");
    w.line("  return;");
    panels += " + image * " + w.size(weights.strides[0]) + "ll";
  }
  w.line("const " + storageType(weights.elementType) + " *const panels = " + panels + ";");
}

void ConvViews::openTiles(const CudaTile &tile) {
  w.line("const int thread = threadIdx.x, outputs = blockIdx.y * " +
         std::to_string(tile.outputs / block) + ";");
  SmallVector<AffineExpr> image{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    image.push_back(out.sizes[0]);
  AffineExpr pixels = w.count(image);
  StringRef type = w.indexType(pixels);
  w.line("const " + type + " pixels = " + w.size(pixels) + ";");
  writePanels();
  std::string width = std::to_string(tile.pixels) + (type == "int" ? "" : "ll");
  w.open("for (" + type + " first = blockIdx.x * " + width +
         "; first < pixels; first += gridDim.x * " + width + ")");
}

SmallVector<std::string> ConvViews::pixel(const std::string &text) {
  SmallVector<AffineExpr> sizes{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    sizes.insert(sizes.begin(), out.sizes[0]);
  SmallVector<std::string> indices = w.split(text, sizes);
  if (eachImage)
    indices.insert(indices.begin(), "image");
  return indices;
}

std::string ConvViews::firstInput(ArrayRef<std::string> at) {
  auto step = [&](unsigned axis) {
    return at[1 + axis] == "0" ? at[1 + axis] : times(at[1 + axis], op.getStrides()[axis]);
  };
  return w.element(data, {at[0], "0", step(0), step(1), "0"});
}

void ConvViews::writeTap() {
  std::string rows = std::to_string(op.getKernel()[0]), columns = std::to_string(op.getKernel()[1]);
  w.line("const int column = tap % " + columns + ", row = tap / " + columns + " % " + rows +
         ", part = tap / " + std::to_string(op.getKernel()[0] * op.getKernel()[1]) + ";");
}

std::string ConvViews::input(const std::string &source) {
  View taps = data;
  taps.pointer = source;
  return w.element(taps, {"0", "part", "(" + times("row", op.getDilations()[0]) + ")",
                          "(" + times("column", op.getDilations()[1]) + ")", "lane"});
}

LogicalResult ConvViews::writeResult(ArrayRef<std::string> at, const std::string &sum) {
  auto text = [](int64_t value) { return std::to_string(value); };
  SmallVector<std::string> place{at[0], "(channel / " + text(block) + ")", at[1], at[2],
                                 "(channel % " + text(block) + ")"};
  SmallVector<std::string> arguments{sum};
  for (const View &view : extras)
    arguments.push_back(w.load(view, place));
  FailureOr<SmallVector<std::string>> result = writeBody(w, op.getBody(), arguments);
  if (failed(result))
    return failure();
  w.store(out, place, result->front());
  return success();
}

} // namespace symc::codegen::cuda
