// ConvSource.cpp: kernel.conv as an implicit product of matrices: the threads of a block sum a tile
// of pixels x outputs (DeviceModel.h chooses it), 16 terms at a time, which they bring to shared
// memory together; a thread has 4 x 4 or 8 x 8 sums.
//
// An output is one chain of multiply-adds over blocks of inputs, kernel rows, kernel columns and
// inputs of a block, in this order, beginning with 0, whatever the tile and the grid.
//
// Where a layer has one pixel, its weights are read once and nothing is shared: 16 threads an
// output (256 over the outputs of a block) have such a chain over each 16th of these terms, and
// the chains are added from the first to the last.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/DeviceModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

constexpr int64_t slice = cudaSlice, mostTiles = 1 << 15;

class ConvSource {
public:
  ConvSource(kernel::ConvOp op, KernelWriter &writer) : op(op), w(writer) {}
  LogicalResult write();

private:
  LogicalResult findViews();
  void writePlaces();
  std::string writeTerm(const std::string &text);
  std::string placeOfWeight(const std::string &term, const std::string &output);
  void writeSums();
  LogicalResult writeResult(ArrayRef<std::string> pixel, const std::string &sum);
  LogicalResult writeResults();
  LogicalResult writeTiles();
  LogicalResult writeRow();
  CudaConvolution problem();
  /// Elements of a slice that each thread brings, of `rows` pixels or outputs.
  std::string loads(int64_t rows) { return std::to_string(rows * slice / tile->threads); }
  /// The number of a thread's sum `text` along an axis of `count` threads with `each` sums: in
  /// groups of four, so that neighbours read different banks of shared memory.
  static std::string place(const std::string &thread, const std::string &text, int64_t count,
                           int64_t each);
  int64_t pixelThreads() { return tile->pixels / tile->threadPixels; }
  int64_t outputThreads() { return tile->outputs / tile->threadOutputs; }
  std::string number(AffineExpr expr) { return w.size(expr); }
  /// The number of image, row and column of pixel `text`, as names.
  SmallVector<std::string> pixel(const std::string &text);

  kernel::ConvOp op;
  KernelWriter &w;
  View data, weights, out;
  SmallVector<View> extras;
  bool bytes = false, eachImage = false; // weights of each image
  int64_t lanes = 0, terms = 0, outputBlocks = 0, block = 0;
  StringRef sumType;
  const CudaTile *tile = nullptr;
};

} // namespace

static std::optional<int64_t> valueOf(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt;
}

LogicalResult ConvSource::findViews() {
  auto find = [&](Value operand, const std::string &name, View &view) {
    FailureOr<View> found = w.view(operand, name);
    if (succeeded(found))
      view = *found;
    return LogicalResult(found);
  };
  if (failed(find(op.getData(), "data", data)) ||
      failed(find(op.getWeights(), "filter", weights)) || failed(find(op.getOut(), "out", out)))
    return failure();
  for (auto [i, operand] : llvm::enumerate(op.getExtras())) {
    extras.emplace_back();
    if (failed(find(operand, "extra" + std::to_string(i), extras.back())))
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

SmallVector<std::string> ConvSource::pixel(const std::string &text) {
  SmallVector<AffineExpr> sizes{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    sizes.insert(sizes.begin(), out.sizes[0]);
  SmallVector<std::string> indices = w.split(text, sizes);
  if (eachImage)
    indices.insert(indices.begin(), "image");
  return indices;
}

std::string ConvSource::place(const std::string &thread, const std::string &text, int64_t count,
                              int64_t each) {
  std::string group = thread + " * 4";
  return each == 4
             ? group + " + " + text
             : group + " + " + text + " / 4 * " + std::to_string(4 * count) + " + " + text + " % 4";
}

// Where the inputs of this thread's pixels begin.
void ConvSource::writePlaces() {
  StringRef type = storageType(data.elementType);
  std::string count = loads(tile->pixels), apart = std::to_string(tile->threads / slice);
  w.line("const " + type + " *source[" + count + "];");
  w.line("bool there[" + count + "];");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + count + "; ++j)");
  w.line("const " + w.indexType(w.count(data.sizes)) + " p = first + thread / 16 + " + apart +
         " * j;");
  w.line("there[j] = p < pixels;");
  SmallVector<std::string> at = pixel("(there[j] ? p : 0)");
  auto step = [&](unsigned axis) {
    return at[1 + axis] == "0" ? at[1 + axis] : times(at[1 + axis], op.getStrides()[axis]);
  };
  w.line("source[j] = &" + w.element(data, {at[0], "0", step(0), step(1), "0"}) + ";");
  w.close();
}

// The input of term `number` at a pixel whose inputs begin at `source`, and whether it is `real`.
std::string ConvSource::writeTerm(const std::string &source) {
  int64_t rows = op.getKernel()[0], columns = op.getKernel()[1];
  auto text = [](int64_t value) { return std::to_string(value); };
  w.line("const int lane = term % " + text(lanes) + ", tap = term / " + text(lanes) + ";");
  w.line("const int column = tap % " + text(columns) + ", row = tap / " + text(columns) + " % " +
         text(rows) + ", part = tap / " + text(rows * columns) + ";");
  w.line("const bool real = part * " + text(lanes) + " + lane < " + text(op.getInChannels()) +
         " && term < " + text(terms) + ";");
  View taps = data;
  taps.pointer = source;
  std::string element =
      w.element(taps, {"0", "part", "(" + times("row", op.getDilations()[0]) + ")",
                       "(" + times("column", op.getDilations()[1]) + ")", "lane"});
  if (bytes)
    element = op.getShifted() ? "((int)" + element + " + 128)" : "(int)(unsigned char)" + element;
  return element;
}

// The weight of a term and of an output of block `group`, whose panel lies in one piece.
std::string ConvSource::placeOfWeight(const std::string &term, const std::string &output) {
  auto text = [](int64_t value) { return std::to_string(value); };
  int64_t perBlock = llvm::alignTo(terms, bytes ? 4 : 1) * block;
  std::string place =
      bytes ? term + " / 4 * " + text(4 * block) + " + " + output + " * 4 + " + term + " % 4"
            : term + " * " + text(block) + " + " + output;
  return "panels[group * " + text(perBlock) + "ll + " + place + "]";
}

// One slice after the other of the terms.
void ConvSource::writeSums() {
  auto text = [](int64_t value) { return std::to_string(value); };
  std::string sums = text(tile->threadPixels), perOutput = text(tile->threadOutputs);
  w.line(sumType + " sum[" + sums + "][" + perOutput + "] = {};");
  w.open("for (int k = 0; k < " + text(terms) + "; k += " + text(slice) + ")");
  w.line("const int term = k + thread % 16;");
  std::string element = writeTerm("source[j]");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + loads(tile->pixels) + "; ++j)");
  w.line("inputs[thread % 16][thread / 16 + " + text(tile->threads / slice) +
         " * j] = real && there[j] ? " + element + " : 0;");
  w.close();
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + loads(tile->outputs) + "; ++j)");
  w.line("const int o = thread % " + text(tile->outputs) + ", t = thread / " + text(tile->outputs) +
         " + " + text(tile->threads / tile->outputs) + " * j;");
  w.line("const int group = outputs + o / " + text(block) + ";");
  w.line("filters[t][o] = group < " + text(outputBlocks) + " && k + t < " + text(terms) + " ? " +
         placeOfWeight("(k + t)", "o % " + text(block)) + " : 0;");
  w.close();
  w.line("__syncthreads();");
  w.line("#pragma unroll");
  w.open("for (int t = 0; t < " + text(slice) + "; ++t)");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + sums + "; ++j)");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < " + perOutput + "; ++o)");
  std::string wide = text(outputThreads());
  std::string x = "inputs[t][" +
                  place("thread / " + wide, "j", pixelThreads(), tile->threadPixels) + "]",
              y = "filters[t][" +
                  place("thread % " + wide, "o", outputThreads(), tile->threadOutputs) + "]";
  w.line(bytes ? "sum[j][o] += " + x + " * " + y + ";"
               : "sum[j][o] = fmaf(" + x + ", " + y + ", sum[j][o]);");
  w.close();
  w.close();
  w.close();
  w.line("__syncthreads();");
  w.close();
}

// What output `channel` of a pixel becomes of its sum.
LogicalResult ConvSource::writeResult(ArrayRef<std::string> at, const std::string &sum) {
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

LogicalResult ConvSource::writeResults() {
  auto text = [](int64_t value) { return std::to_string(value); };
  std::string wide = text(outputThreads());
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + text(tile->threadPixels) + "; ++j)");
  w.line("const " + w.indexType(w.count(out.sizes)) + " p = first + " +
         place("thread / " + wide, "j", pixelThreads(), tile->threadPixels) + ";");
  w.line("if (p >= pixels)");
  w.line("  continue;");
  SmallVector<std::string> at = pixel("p");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < " + text(tile->threadOutputs) + "; ++o)");
  w.line("const int channel = outputs * " + text(block) + " + " +
         place("thread % " + wide, "o", outputThreads(), tile->threadOutputs) + ";");
  w.line("if (channel >= " + text(op.getOutChannels()) + ")");
  w.line("  continue;");
  if (failed(writeResult(at, "sum[j][o]")))
    return failure();
  w.close();
  w.close();
  return success();
}

// One pixel, of one image or of each.
LogicalResult ConvSource::writeRow() {
  auto text = [](int64_t value) { return std::to_string(value); };
  std::string width = text(block), parts = text(tile->threads / block);
  w.line("__shared__ " + sumType + " chains[" + parts + "][" + width + "];");
  w.line("const int output = threadIdx.x % " + width + ", chain = threadIdx.x / " + width +
         ", group = blockIdx.y;");
  std::string panels = "filter";
  SmallVector<std::string> at(3, "0");
  if (eachImage) {
    w.line("const int image = blockIdx.z;");
    w.line("if (image >= " + number(out.sizes[0]) + ")");
    w.line("  return;");
    panels += " + image * " + number(weights.strides[0]) + "ll";
    at[0] = "image";
  }
  w.line("const " + storageType(weights.elementType) + " *const panels = " + panels + ";");
  w.line("const " + storageType(data.elementType) + " *const source = &" +
         w.element(data, {at[0], "0", "0", "0", "0"}) + ";");
  w.line(sumType + " sum = 0;");
  w.line("#pragma unroll 8");
  w.open("for (int term = chain; term < " + text(terms) + "; term += " + parts + ")");
  std::string element = writeTerm("source");
  w.line("const " + sumType + " x = real ? " + element +
         " : 0, y = " + placeOfWeight("term", "output") + ";");
  w.line(bytes ? "sum += x * y;" : "sum = fmaf(x, y, sum);");
  w.close();
  w.line("chains[chain][output] = sum;");
  w.line("__syncthreads();");
  w.line("const int channel = group * " + width + " + output;");
  w.line("if (chain > 0 || channel >= " + text(op.getOutChannels()) + ")");
  w.line("  return;");
  w.open("for (int c = 1; c < " + parts + "; ++c)");
  w.line("sum += chains[c][output];");
  w.close();
  return writeResult(at, "sum");
}

CudaConvolution ConvSource::problem() {
  SmallVector<AffineExpr> image{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    image.push_back(out.sizes[0]);
  return {std::max<int64_t>(1, w.largest(w.count(image))), outputBlocks * block, terms,
          eachImage ? std::max<int64_t>(1, w.largest(out.sizes[0])) : 1};
}

LogicalResult ConvSource::write() {
  if (failed(findViews()))
    return failure();
  CudaConvolution wanted = problem();
  tile = &w.chooseTile(wanted);
  int64_t tiles = llvm::divideCeil(wanted.pixels, tile->pixels);
  int64_t width = tile->isRow() ? block : tile->outputs;
  int64_t groups = llvm::divideCeil(wanted.outputs, width);
  if (groups > 65535 || wanted.images > 65535)
    return op.emitOpError("is too large for a grid: ")
           << groups << " groups of outputs and " << wanted.images << " images, at most 65535";
  w.grid(std::min(tiles, mostTiles), groups, wanted.images, tile->threads);
  return tile->isRow() ? writeRow() : writeTiles();
}

LogicalResult ConvSource::writeTiles() {
  auto text = [](int64_t value) { return std::to_string(value); };
  StringRef element = sumType;
  w.line("__shared__ " + element + " inputs[" + text(slice) + "][" + text(tile->pixels + 4) + "];");
  w.line("__shared__ " + element + " filters[" + text(slice) + "][" + text(tile->outputs) + "];");
  w.line("const int thread = threadIdx.x, outputs = blockIdx.y * " + text(tile->outputs / block) +
         ";");
  SmallVector<AffineExpr> image{out.sizes[2], out.sizes[3]};
  if (!eachImage)
    image.push_back(out.sizes[0]);
  AffineExpr pixels = w.count(image);
  StringRef type = w.indexType(pixels);
  w.line("const " + type + " pixels = " + number(pixels) + ";");
  if (eachImage) {
    w.line("const int image = blockIdx.z;");
    w.line("if (image >= " + number(out.sizes[0]) + ")");
    w.line("  return;");
    w.line("const " + storageType(weights.elementType) + " *const panels = filter + image * " +
           number(weights.strides[0]) + "ll;");
  } else {
    w.line("const " + storageType(weights.elementType) + " *const panels = filter;");
  }
  std::string width = text(tile->pixels) + (type == "int" ? "" : "ll");
  w.open("for (" + type + " first = blockIdx.x * " + width +
         "; first < pixels; first += gridDim.x * " + width + ")");
  writePlaces();
  writeSums();
  if (failed(writeResults()))
    return failure();
  w.close();
  return success();
}

static LogicalResult writeConv(kernel::ConvOp op, KernelWriter &writer) {
  return ConvSource(op, writer).write();
}

void registerConvSource(DialectRegistry &registry) {
  addSource<kernel::ConvOp, writeConv>(registry);
}

} // namespace symc::codegen::cuda
