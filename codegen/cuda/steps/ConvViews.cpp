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

// At the largest sizes; fails after an error where views cannot be traced.
static FailureOr<CudaConvolution> problemOf(kernel::ConvOp op, const CudaChoices &choices) {
  FailureOr<kernel::ViewOrigin> data = kernel::traceView(op.getData()),
                                weights = kernel::traceView(op.getWeights()),
                                out = kernel::traceView(op.getOut());
  if (failed(data) || failed(weights) || failed(out))
    return failure();
  sg::SymbolRanges ranges = kernel::symbolRanges(op->getParentOfType<kernel::ProgramOp>());
  auto largest = [&](AffineExpr expr) {
    return std::max<int64_t>(1, sg::intervalOf(expr, ranges).max);
  };
  CudaConvolution result = {
      largest(out->sizes[2] * out->sizes[3]), largest(out->sizes[1] * out->sizes[4]),
      largest(data->sizes[1] * data->sizes[4]) * op.getKernel()[0] * op.getKernel()[1],
      largest(out->sizes[0])};
  if (weights->sizes.size() != 7)
    result.pixels *= std::exchange(result.images, 1);
  result.bytes = data->elementType.isInteger(8);
  result.halves = isHalf(data->elementType) && data->elementType == weights->elementType;
  result.weightBytes = kernel::elementBytes(weights->elementType);
  result.precision = choices.precision;
  result.parts = choices.parts && result.pixels > 1 ? choices.parts : cudaPartsOf(result);
  result.parts = llvm::divideCeil(result.terms, result.termsOfPart()); // none is empty
  return result;
}

bool hasOnePixel(kernel::ConvOp op) {
  FailureOr<CudaConvolution> problem = problemOf(op, CudaChoices());
  return succeeded(problem) && problem->pixels == 1;
}

PartsMemory partsMemoryOf(kernel::ConvOp op, const CudaChoices &choices) {
  FailureOr<CudaConvolution> problem = problemOf(op, choices);
  if (failed(problem) || problem->parts == 1)
    return {};
  constexpr int64_t largestTile = 128; // of which others are parts
  PartsMemory memory;
  memory.sumBytes = 4 * problem->parts * problem->images *
                    llvm::alignTo(problem->pixels, largestTile) *
                    llvm::alignTo(problem->outputs, largestTile);
  for (const CudaTile &tile : cudaTiles()) {
    int64_t tiles = llvm::divideCeil(problem->pixels, tile.pixels) *
                    llvm::divideCeil(problem->outputs, tile.outputs) * problem->images;
    if (!tile.isRow())
      memory.counters = std::max(memory.counters, tiles);
  }
  return memory;
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
  if (!bytes && !op.getBody().getArgument(0).getType().isF32())
    return op.emitOpError("internal error: no code on a CUDA device for ") << data.elementType;
  sumType = bytes ? "int" : "float";
  eachImage = weights.sizes.size() == 7;
  std::optional<int64_t> blocks = valueOf(data.sizes[1]), inputs = valueOf(data.sizes[4]),
                         outputs = valueOf(out.sizes[1]), width = valueOf(out.sizes[4]);
  if (!blocks || !inputs || !outputs || !width)
    return op.emitOpError("internal error: channels that are no constants");
  lanes = *inputs, block = *width, outputBlocks = *outputs;
  terms = *blocks * op.getKernel()[0] * op.getKernel()[1] * lanes;
  FailureOr<CudaConvolution> described = problemOf(op, w.choices());
  if (succeeded(described))
    problem = *described;
  return LogicalResult(described);
}

LogicalResult ConvViews::setGrid(const CudaTile &chosen) {
  tile = &chosen;
  int64_t tiles = llvm::divideCeil(problem.pixels, tile->pixels);
  groups = llvm::divideCeil(problem.outputs, tile->isRow() ? block : tile->outputs);
  if (groups * problem.parts > 65535 || problem.images > 65535)
    return op.emitOpError("is too large for a grid: ")
           << groups * problem.parts << " groups of outputs and " << problem.images
           << " images, at most 65535";
  w.grid(std::min(tiles, mostTiles), groups * problem.parts, problem.images, tile->threads);
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

void ConvViews::openTiles() {
  std::string group = "blockIdx.y";
  if (problem.parts > 1) {
    group += " % " + std::to_string(groups);
    w.line("const int portion = blockIdx.y / " + std::to_string(groups) + ";");
  }
  w.line("const int thread = threadIdx.x, outputs = " + group + " * " +
         std::to_string(tile->outputs / block) + ";");
  SmallVector<AffineExpr> image{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    image.push_back(out.sizes[0]);
  AffineExpr pixels = w.count(image);
  StringRef type = w.indexType(pixels);
  w.line("const " + type + " pixels = " + w.size(pixels) + ";");
  writePanels();
  std::string width = std::to_string(tile->pixels) + (type == "int" ? "" : "ll");
  w.open("for (" + type + " first = blockIdx.x * " + width +
         "; first < pixels; first += gridDim.x * " + width + ")");
}

LogicalResult ConvViews::joinSums(StringRef array, ArrayRef<int64_t> counts,
                                  function_ref<LogicalResult()> writeResults) {
  if (problem.parts == 1)
    return writeResults();
  auto text = [](int64_t value) { return std::to_string(value); };
  // Of each part's sums the threads' first ones, then their second ones, and so on.
  int64_t tiles = llvm::divideCeil(problem.pixels, tile->pixels), each = 1;
  int64_t apart = tiles * groups * problem.images * tile->threads;
  w.line("const long long number = first / " + text(tile->pixels) + " + " + text(tiles) +
         "ll * (blockIdx.y % " + text(groups) +
         (eachImage ? " + " + text(groups) + "ll * image" : "") + ");");
  std::string pointer = sumType.str() + " *const mine = ";
  w.line(pointer + w.partialSums(sumType) + " + number * " + text(tile->threads) + " + thread;");
  // Lines for each sum, whose element and number among the thread's they get.
  auto forEach = [&](auto write) {
    std::string element = array.str(), number;
    each = 1;
    for (auto [axis, count] : llvm::enumerate(counts)) {
      std::string index = "i" + text(axis);
      w.line("#pragma unroll");
      w.open("for (int " + index + " = 0; " + index + " < " + text(count) + "; ++" + index + ")");
      element += "[" + index + "]";
      number = axis ? "(" + number + " * " + text(count) + " + " + index + ")" : index;
      each *= count;
    }
    write(element, number + " * " + text(apart) + "ll");
    for (size_t i = 0; i < counts.size(); ++i)
      w.close();
  };
  forEach([&](const std::string &element, const std::string &place) {
    w.line("mine[" + place + " + portion * " + text(apart * each) + "ll] = " + element + ";");
    w.line(element + " = 0;");
  });
  // The barrier puts the stores of all threads before the count, the next one their loads behind
  // it.
  w.line("__syncthreads();");
  std::string last = text(problem.parts - 1);
  w.line("const bool isLast = thread == 0 && count_block(&" + w.counters() + "[number], " + last +
         ") == " + last + ";");
  w.open("if (__syncthreads_or(isLast))");
  w.open("for (int p = 0; p < " + text(problem.parts) + "; ++p)");
  forEach([&](const std::string &element, const std::string &place) {
    w.line(element + " += __ldcg(&mine[" + place + " + p * " + text(apart * each) + "ll]);");
  });
  w.close();
  if (failed(writeResults()))
    return failure();
  w.close();
  return success();
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
