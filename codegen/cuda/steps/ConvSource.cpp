// ConvSource.cpp: kernel.conv as an implicit product of matrices: 256 threads sum 64 pixels x 64
// outputs, 16 inputs at a time, which they bring to shared memory together; a thread has 4 x 4
// sums.
//
// An output is one chain of multiply-adds over blocks of inputs, kernel rows, kernel columns and
// inputs of a block, in this order, beginning with 0, whatever the grid.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

constexpr int64_t tilePixels = 64, tileOutputs = 64, slice = 16, threads = 256, mostTiles = 1 << 15;

class ConvSource {
public:
  ConvSource(kernel::ConvOp op, KernelWriter &writer) : op(op), w(writer) {}
  LogicalResult write();

private:
  LogicalResult findViews();
  void writePlaces();
  void writeSums();
  LogicalResult writeResults();
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

// Where the inputs of this thread's four pixels begin.
void ConvSource::writePlaces() {
  StringRef type = storageType(data.elementType);
  w.line("const " + type + " *source[4];");
  w.line("bool there[4];");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("const " + w.indexType(w.count(data.sizes)) + " p = first + thread / 16 + 16 * j;");
  w.line("there[j] = p < pixels;");
  SmallVector<std::string> at = pixel("(there[j] ? p : 0)");
  auto step = [&](unsigned axis) {
    return at[1 + axis] == "0" ? at[1 + axis] : times(at[1 + axis], op.getStrides()[axis]);
  };
  w.line("source[j] = &" + w.element(data, {at[0], "0", step(0), step(1), "0"}) + ";");
  w.close();
}

// One slice after the other of the terms.
void ConvSource::writeSums() {
  int64_t rows = op.getKernel()[0], columns = op.getKernel()[1];
  auto text = [](int64_t value) { return std::to_string(value); };
  w.line(sumType + " sum[4][4] = {};");
  w.open("for (int k = 0; k < " + text(terms) + "; k += " + text(slice) + ")");
  w.line("const int term = k + thread % 16;");
  w.line("const int lane = term % " + text(lanes) + ", tap = term / " + text(lanes) + ";");
  w.line("const int column = tap % " + text(columns) + ", row = tap / " + text(columns) + " % " +
         text(rows) + ", part = tap / " + text(rows * columns) + ";");
  w.line("const bool real = part * " + text(lanes) + " + lane < " + text(op.getInChannels()) +
         " && term < " + text(terms) + ";");
  View taps = data;
  taps.pointer = "source[j]";
  std::string element =
      w.element(taps, {"0", "part", "(" + times("row", op.getDilations()[0]) + ")",
                       "(" + times("column", op.getDilations()[1]) + ")", "lane"});
  if (bytes)
    element = op.getShifted() ? "((int)" + element + " + 128)" : "(int)(unsigned char)" + element;
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("inputs[thread % 16][thread / 16 + 16 * j] = real && there[j] ? " + element + " : 0;");
  w.close();
  int64_t perBlock = llvm::alignTo(terms, bytes ? 4 : 1) * block;
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("const int o = thread % 64, t = thread / 64 + 4 * j;");
  w.line("const int group = outputs + o / " + text(block) + ";");
  std::string place =
      bytes ? "(k + t) / 4 * " + text(4 * block) + " + o % " + text(block) + " * 4 + (k + t) % 4"
            : "(k + t) * " + text(block) + " + o % " + text(block);
  w.line("filters[t][o] = group < " + text(outputBlocks) + " && k + t < " + text(terms) +
         " ? panels[group * " + text(perBlock) + "ll + " + place + "] : 0;");
  w.close();
  w.line("__syncthreads();");
  w.line("#pragma unroll");
  w.open("for (int t = 0; t < " + text(slice) + "; ++t)");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < 4; ++o)");
  std::string x = "inputs[t][thread / 16 * 4 + j]", y = "filters[t][thread % 16 * 4 + o]";
  w.line(bytes ? "sum[j][o] += " + x + " * " + y + ";"
               : "sum[j][o] = fmaf(" + x + ", " + y + ", sum[j][o]);");
  w.close();
  w.close();
  w.close();
  w.line("__syncthreads();");
  w.close();
}

LogicalResult ConvSource::writeResults() {
  auto text = [](int64_t value) { return std::to_string(value); };
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("const " + w.indexType(w.count(out.sizes)) + " p = first + thread / 16 * 4 + j;");
  w.line("if (p >= pixels)");
  w.line("  continue;");
  SmallVector<std::string> at = pixel("p");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < 4; ++o)");
  w.line("const int channel = outputs * " + text(block) + " + thread % 16 * 4 + o;");
  w.line("if (channel >= " + text(op.getOutChannels()) + ")");
  w.line("  continue;");
  SmallVector<std::string> place{at[0], "(channel / " + text(block) + ")", at[1], at[2],
                                 "(channel % " + text(block) + ")"};
  SmallVector<std::string> arguments{"sum[j][o]"};
  for (const View &view : extras)
    arguments.push_back(w.load(view, place));
  FailureOr<SmallVector<std::string>> result = writeBody(w, op.getBody(), arguments);
  if (failed(result))
    return failure();
  w.store(out, place, result->front());
  w.close();
  w.close();
  return success();
}

LogicalResult ConvSource::write() {
  if (failed(findViews()))
    return failure();
  auto text = [](int64_t value) { return std::to_string(value); };
  StringRef element = sumType;
  w.line("__shared__ " + element + " inputs[" + text(slice) + "][" + text(tilePixels + 4) + "];");
  w.line("__shared__ " + element + " filters[" + text(slice) + "][" + text(tileOutputs) + "];");
  w.line("const int thread = threadIdx.x, outputs = blockIdx.y * " + text(tileOutputs / block) +
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
  std::string width = text(tilePixels) + (type == "int" ? "" : "ll");
  w.open("for (" + type + " first = blockIdx.x * " + width +
         "; first < pixels; first += gridDim.x * " + width + ")");
  writePlaces();
  writeSums();
  if (failed(writeResults()))
    return failure();
  w.close();
  int64_t tiles = llvm::divideCeil(std::max<int64_t>(1, w.largest(pixels)), tilePixels);
  int64_t groups = llvm::divideCeil(outputBlocks * block, tileOutputs);
  int64_t images = eachImage ? w.largest(out.sizes[0]) : 1;
  if (groups > 65535 || images > 65535)
    return op.emitOpError("is too large for a grid: ")
           << groups << " groups of outputs and " << images << " images, at most 65535";
  w.grid(std::min(tiles, mostTiles), groups, std::max<int64_t>(1, images), threads);
  return success();
}

static LogicalResult writeConv(kernel::ConvOp op, KernelWriter &writer) {
  return ConvSource(op, writer).write();
}

void registerConvSource(DialectRegistry &registry) {
  addSource<kernel::ConvOp, writeConv>(registry);
}

} // namespace symc::codegen::cuda
