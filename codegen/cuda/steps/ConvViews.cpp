// ConvViews.cpp: see ConvViews.h.
#include "codegen/cuda/steps/ConvViews.h"

#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/VectorWalk.h"
#include "codegen/cuda/ZeroFrames.h"
#include "codegen/kernel/Extents.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t mostTiles = 1 << 15;

// What memory holds of operands and, of float32, what tensor cores round it to.
static StringRef operandsOf(const CudaConvolution &problem) {
  if (problem.bytes)
    return "s8";
  if (problem.halves || problem.precision == CudaPrecision::TF32)
    return nameOf(problem.precision);
  return problem.precision == CudaPrecision::F16    ? "f32-f16"
         : problem.precision == CudaPrecision::BF16 ? "f32-bf16"
                                                    : "f32";
}

// "conv/n1/i64/o256/56x56/k1x1/s1x1/d1x1/l16/e2/f16": images, channels, the output, how the window
// moves, inputs side by side in a block, extras, operands and, where they are, weights of each
// image.
static std::string keyOf(kernel::ConvOp op, const CudaConvolution &problem, int64_t images,
                         int64_t rows, int64_t columns, int64_t lanes) {
  auto pair = [](StringRef name, ArrayRef<int64_t> values) {
    return (name + Twine(values[0]) + "x" + Twine(values[1])).str();
  };
  std::string key = ("conv/n" + Twine(images) + "/i" + Twine(op.getInChannels()) + "/o" +
                     Twine(op.getOutChannels()))
                        .str();
  key += pair("/", {rows, columns}) + pair("/k", op.getKernel()) + pair("/s", op.getStrides()) +
         pair("/d", op.getDilations());
  key += ("/l" + Twine(lanes) + "/e" + Twine(op.getExtras().size()) + "/" + operandsOf(problem) +
          (problem.images > 1 ? "/each" : ""))
             .str();
  return key;
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
  if (result.pixels > 1)
    result.key = keyOf(op, result, largest(out->sizes[0]), largest(out->sizes[2]),
                       largest(out->sizes[3]), largest(data->sizes[4]));
  const MeasuredForm *measured = choices.formOf(result.key);
  int64_t parts = measured ? measured->form.parts : choices.parts;
  result.setParts(parts && result.pixels > 1 ? parts : cudaPartsOf(result));
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
  leavesOut = leavesOutZeros(op);
  std::optional<int64_t> blocks = constantOf(data.sizes[1]), inputs = constantOf(data.sizes[4]),
                         outputs = constantOf(out.sizes[1]), width = constantOf(out.sizes[4]);
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
  int64_t walks = std::min(tiles, mostTiles);
  if (tile->isRow())
    w.grid(walks, groups, problem.images, tile->threads);
  else // blocks that read the same pixels run side by side
    w.grid(groups * problem.parts, walks, problem.images, tile->threads);
  return success();
}

bool ConvViews::panelsAreWhole() {
  int64_t width = kernel::elementBytes(weights.elementType);
  return weights.alignment % 16 == 0 &&
         (!eachImage || weights.strides[0].getLargestKnownDivisor() * width % 16 == 0);
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
  std::string group = "blockIdx.x";
  if (problem.parts > 1) {
    group += " % " + std::to_string(groups);
    w.line("const int portion = blockIdx.x / " + std::to_string(groups) + ";");
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
  w.open("for (" + type + " first = blockIdx.y * " + width +
         "; first < pixels; first += gridDim.y * " + width + ")");
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
         "ll * (blockIdx.x % " + text(groups) +
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

void ConvViews::writeThere(const std::string &number, const std::string &inside,
                           ArrayRef<std::string> at) {
  if (!leavesOut)
    return w.line("there[" + number + "] = " + inside + ";");
  auto text = [](int64_t value) { return std::to_string(value); };
  kernel::Padding zero = kernel::paddingOf(op.getZerosAttr());
  auto data = cast<MemRefType>(op.getData().getType());
  int64_t columns = op.getKernel()[1];
  // Whether tap `tap` of an axis is none of the zeros.
  auto met = [&](unsigned axis, const std::string &tap, int64_t before, int64_t behind) {
    std::string place = "(" + times(at[1 + axis], op.getStrides()[axis]) + " + " +
                        times("(" + tap + ")", op.getDilations()[axis]) + ")";
    return place + " >= " + text(before) + " && " + place + " < " +
           text(data.getDimSize(2 + axis) - behind);
  };
  w.line("there[" + number + "] = 0;");
  w.line("#pragma unroll");
  w.open("for (int t = 0; t < " + text(op.getKernel()[0] * columns) + "; ++t)");
  w.line("if (" + inside + " && " + met(0, "t / " + text(columns), zero.top, zero.bottom) + " && " +
         met(1, "t % " + text(columns), zero.left, zero.right) + ")");
  w.line("  there[" + number + "] |= 1u << t;");
  w.close();
}

std::string ConvViews::isThere(const std::string &number) {
  std::string there = "there[" + number + "]";
  return leavesOut
             ? "(" + there + " >> (row * " + std::to_string(op.getKernel()[1]) + " + column) & 1)"
             : there;
}

void ConvViews::writeTap() {
  std::string rows = std::to_string(op.getKernel()[0]), columns = std::to_string(op.getKernel()[1]);
  w.line("const unsigned natural = tap;"); // whose divisions are shorter
  w.line("const int column = natural % " + columns + ", row = natural / " + columns + " % " + rows +
         ", part = natural / " + std::to_string(op.getKernel()[0] * op.getKernel()[1]) + ";");
}

std::string ConvViews::input(const std::string &source) {
  View taps = data;
  taps.pointer = source;
  return w.element(taps, {"0", "part", "(" + times("row", op.getDilations()[0]) + ")",
                          "(" + times("column", op.getDilations()[1]) + ")", "lane"});
}

SmallVector<std::string> ConvViews::placeOf(ArrayRef<std::string> at) const {
  std::string width = std::to_string(block);
  return {at[0], "(channel / " + width + ")", at[1], at[2], "(channel % " + width + ")"};
}

bool ConvViews::hasVectors() {
  auto fits = [](const View &view) {
    return cuda::hasVectors(view) ||
           view.strides.back() == getAffineConstantExpr(0, view.strides.back().getContext());
  };
  return op.getOutChannels() % 4 == 0 && block % 4 == 0 && cuda::hasVectors(out) &&
         llvm::all_of(extras, fits);
}

bool ConvViews::isOfPixels(const View &view) {
  AffineExpr zero = getAffineConstantExpr(0, op.getContext());
  return cuda::hasVectors(view) &&
         (view.strides[0] != zero || view.strides[2] != zero || view.strides[3] != zero);
}

bool ConvViews::isOfOutputs(const View &view) {
  return cuda::hasVectors(view) && !isOfPixels(view);
}

bool ConvViews::hasPixelExtras() {
  return llvm::any_of(extras, [&](const View &view) { return isOfPixels(view); });
}

// A thread asks for the blocks of outputs of one pixel, a sector of memory or two each.
void ConvViews::writePrefetch() {
  int64_t blocks = tile->outputs / block, atOnce = tile->threads / tile->pixels;
  std::string rows = std::to_string(tile->pixels);
  w.open("if (first + thread % " + rows + " < pixels)");
  SmallVector<std::string> at = pixel("(first + thread % " + rows + ")");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + std::to_string(llvm::divideCeil(blocks, atOnce)) + "; ++i)");
  w.line("const int group = outputs + thread / " + rows + " + " + std::to_string(atOnce) + " * i;");
  w.line("if (group >= " + std::to_string(outputBlocks) + ")");
  w.line("  break;");
  for (const View &view : extras)
    if (isOfPixels(view))
      w.line("prefetch(&" + w.element(view, {at[0], "group", at[1], at[2], "0"}) + ");");
  w.close();
  w.close();
}

void ConvViews::declareVectors(int64_t count) {
  for (auto [number, view] : llvm::enumerate(extras)) {
    std::string type = ("Four<" + storageType(view.elementType) + ">::type ").str();
    if (isOfPixels(view))
      w.line(type + "near" + Twine(number) + "[" + Twine(count) + "];");
    if (!isOfOutputs(view))
      continue;
    w.line(type + "near" + Twine(number) + ";");
    w.line("if (channel < " + Twine(op.getOutChannels()) + ")");
    w.line("  near" + Twine(number) + " = fetch4(&" + w.element(view, placeOf({"0", "0", "0"})) +
           ");");
  }
}

void ConvViews::fetchVectors(ArrayRef<std::string> at, const std::string &number) {
  for (auto [i, view] : llvm::enumerate(extras))
    if (isOfPixels(view))
      w.line("near" + Twine(i) + "[" + number + "] = fetch4(&" + w.element(view, placeOf(at)) +
             ");");
}

LogicalResult ConvViews::writeVector(ArrayRef<std::string> at, const std::string &sums,
                                     const std::string &number) {
  VectorWalk walk(w, 4);
  SmallVector<std::string> place = placeOf(at);
  SmallVector<VectorWalk::Access> accesses;
  for (auto [i, view] : llvm::enumerate(extras)) {
    if (!cuda::hasVectors(view)) {
      accesses.push_back(walk.fetch(view, place));
      continue;
    }
    VectorWalk::Access access{view, {}, w.fresh("e"), true};
    w.line(storageType(view.elementType) + " " + access.name + "[4];");
    w.line("unpack4(" + access.name + ", near" + Twine(i) +
           (isOfPixels(view) ? "[" + number + "]" : "") + ");");
    accesses.push_back(access);
  }
  VectorWalk::Access target = walk.target(out, place);
  walk.openLanes();
  SmallVector<std::string> arguments{walk.own(sums)};
  for (const VectorWalk::Access &access : accesses)
    arguments.push_back(walk.value(access));
  FailureOr<SmallVector<std::string>> result = writeBody(w, op.getBody(), arguments);
  if (failed(result))
    return failure();
  walk.set(target, result->front());
  walk.closeLanes();
  walk.flush(target);
  return success();
}

LogicalResult ConvViews::writeResult(ArrayRef<std::string> at, const std::string &sum) {
  SmallVector<std::string> place = placeOf(at);
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
