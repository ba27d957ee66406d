// ConvSource.cpp: kernel.conv as an implicit product of matrices: the threads of a block sum a tile
// of pixels x outputs (DeviceModel.h chooses it), 16 terms at a time, which they bring to shared
// memory together; a thread has 4 x 4 or 8 x 8 sums. On tensor cores: TensorConv.cpp.
//
// An output is one chain of multiply-adds over blocks of inputs, kernel rows, kernel columns and
// inputs of a block, in this order, beginning with 0, whatever the tile and the grid. Where extents
// put the terms in parts, each has such a chain, and the chains are added from the first to the
// last.
//
// Where a layer has one pixel, its weights are read once and nothing is shared: 64 threads of a
// block have such a chain each for four neighbouring outputs, over every 64th of these terms. Four
// neighbouring chains are added from the first to the last, and then these sums. Of bytes 16
// threads have a chain for one output, and integers have no order.
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/steps/ConvViews.h"
#include "codegen/cuda/steps/TensorMaps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

constexpr int64_t slice = cudaSlice;

class ConvSource {
public:
  ConvSource(ConvViews &conv, const CudaTile &tile) : c(conv), w(conv.w), tile(tile) {}
  LogicalResult writeTiles();
  LogicalResult writeRow();

private:
  LogicalResult writeRowResult(ArrayRef<std::string> at, int64_t count);
  void writePlaces();
  std::string writeTerm(const std::string &text);
  std::string weight(const std::string &term, const std::string &output);
  void writeSums();
  LogicalResult writeResults();
  /// Elements of a slice that each thread brings, of `rows` pixels or outputs.
  std::string loads(int64_t rows) { return std::to_string(rows * slice / tile.threads); }
  /// The number of a thread's sum `text` along an axis of `count` threads with `each` sums: in
  /// groups of four, so that neighbours read different banks of shared memory.
  static std::string place(const std::string &thread, const std::string &text, int64_t count,
                           int64_t each);
  int64_t pixelThreads() { return tile.pixels / tile.threadPixels; }
  int64_t outputThreads() { return tile.outputs / tile.threadOutputs; }

  ConvViews &c;
  KernelWriter &w;
  const CudaTile &tile;
};

} // namespace

static std::string text(int64_t value) { return std::to_string(value); }

std::string ConvSource::place(const std::string &thread, const std::string &text, int64_t count,
                              int64_t each) {
  std::string group = thread + " * 4";
  return each == 4
             ? group + " + " + text
             : group + " + " + text + " / 4 * " + std::to_string(4 * count) + " + " + text + " % 4";
}

// Where the inputs of this thread's pixels begin.
void ConvSource::writePlaces() {
  StringRef type = storageType(c.data.elementType);
  std::string count = loads(tile.pixels), apart = text(tile.threads / slice);
  w.line("const " + type + " *source[" + count + "];");
  w.line(c.thereType() + " there[" + count + "];");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + count + "; ++j)");
  w.line("const " + w.indexType(w.count(c.data.sizes)) + " p = first + thread / 16 + " + apart +
         " * j;");
  w.line("const bool isPixel = p < pixels;");
  SmallVector<std::string> at = c.pixel("(isPixel ? p : 0)");
  c.writeThere("j", "isPixel", at);
  w.line("source[j] = &" + c.firstInput(at) + ";");
  w.close();
}

// The input of term `number` at a pixel whose inputs begin at `source`, and whether it is `real`.
std::string ConvSource::writeTerm(const std::string &source) {
  w.line("const int lane = term % " + text(c.lanes) + ", tap = term / " + text(c.lanes) + ";");
  c.writeTap();
  w.line("const bool real = part * " + text(c.lanes) + " + lane < " + text(c.op.getInChannels()) +
         " && term < " + text(c.terms) + ";");
  std::string element = loaded(c.data.elementType, c.input(source));
  if (c.bytes)
    element = c.op.getShifted() ? "((int)" + element + " + 128)" : "(int)(unsigned char)" + element;
  return element;
}

// The weight of a term and of an output of block `group`, whose panel lies in one piece.
std::string ConvSource::weight(const std::string &term, const std::string &output) {
  int64_t perBlock = llvm::alignTo(c.terms, c.bytes ? 4 : 1) * c.block;
  std::string place =
      c.bytes ? term + " / 4 * " + text(4 * c.block) + " + " + output + " * 4 + " + term + " % 4"
              : term + " * " + text(c.block) + " + " + output;
  return loaded(c.weights.elementType, "panels[group * " + text(perBlock) + "ll + " + place + "]");
}

// One slice after the other of the terms.
void ConvSource::writeSums() {
  std::string sums = text(tile.threadPixels), perOutput = text(tile.threadOutputs);
  std::string first = "0", last = text(c.terms);
  if (c.problem.parts > 1) {
    std::string each = text(c.problem.termsOfPart());
    w.line("const int end = min(" + last + ", (portion + 1) * " + each + ");");
    first = "portion * " + each, last = "end";
  }
  w.open("for (int k = " + first + "; k < " + last + "; k += " + text(slice) + ")");
  w.line("const int term = k + thread % 16;");
  std::string element = writeTerm("source[j]");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + loads(tile.pixels) + "; ++j)");
  std::string there = c.isThere("j");
  if (c.leavesOut && c.op.getShifted()) // zeros that are left out count 128, too
    element = "(" + there + " ? " + element + " : 128)", there = "true";
  w.line("inputs[thread % 16][thread / 16 + " + text(tile.threads / slice) + " * j] = real && " +
         there + " ? " + element + " : 0;");
  w.close();
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + loads(tile.outputs) + "; ++j)");
  w.line("const int o = thread % " + text(tile.outputs) + ", t = thread / " + text(tile.outputs) +
         " + " + text(tile.threads / tile.outputs) + " * j;");
  w.line("const int group = outputs + o / " + text(c.block) + ";");
  w.line("filters[t][o] = group < " + text(c.outputBlocks) + " && k + t < " + text(c.terms) +
         " ? " + weight("(k + t)", "o % " + text(c.block)) + " : 0;");
  w.close();
  w.line("__syncthreads();");
  w.line("#pragma unroll");
  w.open("for (int t = 0; t < " + text(slice) + "; ++t)");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + sums + "; ++j)");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < " + perOutput + "; ++o)");
  std::string wide = text(outputThreads());
  std::string x = "inputs[t][" + place("thread / " + wide, "j", pixelThreads(), tile.threadPixels) +
                  "]",
              y = "filters[t][" +
                  place("thread % " + wide, "o", outputThreads(), tile.threadOutputs) + "]";
  w.line(c.bytes ? "sum[j][o] += " + x + " * " + y + ";"
                 : "sum[j][o] = fmaf(" + x + ", " + y + ", sum[j][o]);");
  w.close();
  w.close();
  w.close();
  w.line("__syncthreads();");
  w.close();
}

LogicalResult ConvSource::writeResults() {
  std::string wide = text(outputThreads());
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + text(tile.threadPixels) + "; ++j)");
  w.line("const " + w.indexType(w.count(c.out.sizes)) + " p = first + " +
         place("thread / " + wide, "j", pixelThreads(), tile.threadPixels) + ";");
  w.line("if (p >= pixels)");
  w.line("  continue;");
  SmallVector<std::string> at = c.pixel("p");
  w.line("#pragma unroll");
  w.open("for (int o = 0; o < " + text(tile.threadOutputs) + "; ++o)");
  w.line("const int channel = outputs * " + text(c.block) + " + " +
         place("thread % " + wide, "o", outputThreads(), tile.threadOutputs) + ";");
  w.line("if (channel >= " + text(c.op.getOutChannels()) + ")");
  w.line("  continue;");
  if (failed(c.writeResult(at, "sum[j][o]")))
    return failure();
  w.close();
  w.close();
  return success();
}

// One pixel, of one image or of each. A thread has `wide` neighbouring outputs.
LogicalResult ConvSource::writeRow() {
  if (!c.panelsAreWhole())
    return c.op.emitOpError("internal error: panels that vectors of four cannot be read from");
  int64_t wide = c.bytes ? 1 : 4, across = c.block / wide, count = tile.threads / across;
  std::string width = text(c.block), outputs = text(wide);
  w.line("__shared__ " + c.sumType + " chains[" + text(count) + "][" + width + "];");
  w.line("const int output = threadIdx.x % " + text(across) + " * " + outputs +
         ", chain = threadIdx.x / " + text(across) + ", group = blockIdx.y;");
  c.writePanels();
  SmallVector<std::string> at{c.eachImage ? "image" : "0", "0", "0"};
  w.line("const " + storageType(c.data.elementType) + " *const source = &" +
         w.element(c.data, {at[0], "0", "0", "0", "0"}) + ";");
  w.line(c.sumType + " sums[" + outputs + "] = {};");
  w.line("#pragma unroll 8");
  w.open("for (int term = chain; term < " + text(c.terms) + "; term += " + text(count) + ")");
  std::string element = writeTerm("source");
  w.line("const " + c.sumType + " x = real ? " + element + " : 0;");
  if (wide == 1) {
    w.line("sums[0] += x * " + weight("term", "output") + ";");
  } else {
    w.line(storageType(c.weights.elementType) + " y[4];");
    w.line("load4(y, &panels[group * " + text(c.terms * c.block) + "ll + term * " + width +
           " + output]);");
    w.line("#pragma unroll");
    w.line("for (int o = 0; o < 4; ++o)");
    w.line("  sums[o] = fmaf(x, " + loaded(c.weights.elementType, "y[o]") + ", sums[o]);");
  }
  w.close();
  w.line("#pragma unroll");
  w.line("for (int o = 0; o < " + outputs + "; ++o)");
  w.line("  chains[chain][output + o] = sums[o];");
  w.line("__syncthreads();");
  return writeRowResult(at, count);
}

// Of `count` chains side by side sixteen threads an output add as many each, one behind the other,
// and the first of them adds their sums.
LogicalResult ConvSource::writeRowResult(ArrayRef<std::string> at, int64_t count) {
  int64_t parts = tile.threads / c.block, each = count / parts;
  std::string width = text(c.block);
  w.line("const int column = threadIdx.x % " + width + ", part = threadIdx.x / " + width + ";");
  w.line(c.sumType + " sum = chains[part * " + text(each) + "][column];");
  if (each > 1) {
    w.line("#pragma unroll");
    w.line("for (int i = 1; i < " + text(each) + "; ++i)");
    w.line("  sum += chains[part * " + text(each) + " + i][column];");
    w.line("chains[part * " + text(each) + "][column] = sum;"); // which nobody else has read
    w.line("__syncthreads();");
  }
  w.line("const int channel = group * " + width + " + column;");
  w.line("if (part > 0 || channel >= " + text(c.op.getOutChannels()) + ")");
  w.line("  return;");
  w.open("for (int i = 1; i < " + text(parts) + "; ++i)");
  w.line("sum += chains[i * " + text(each) + "][column];");
  w.close();
  return c.writeResult(at, "sum");
}

LogicalResult ConvSource::writeTiles() {
  if (tile.threads == 64) // 80 registers of 65,536; masks of taps take more
    w.fewestBlocks(c.leavesOut ? 10 : 12);
  w.line("__shared__ " + c.sumType + " inputs[" + text(slice) + "][" + text(tile.pixels + 4) +
         "];");
  w.line("__shared__ " + c.sumType + " filters[" + text(slice) + "][" + text(tile.outputs) + "];");
  c.openTiles();
  writePlaces();
  w.line(c.sumType + " sum[" + text(tile.threadPixels) + "][" + text(tile.threadOutputs) +
         "] = {};");
  writeSums();
  if (failed(c.joinSums("sum", {tile.threadPixels, tile.threadOutputs},
                        [&] { return writeResults(); })))
    return failure();
  w.close();
  return success();
}

static LogicalResult writeConv(kernel::ConvOp op, KernelWriter &writer) {
  ConvViews conv(op, writer);
  if (failed(conv.find()))
    return failure();
  conv.problem.tensorCores = fitsTensorCores(conv);
  conv.problem.groups = writer.choices().groups;
  conv.problem.maps = hasTensorMaps(conv);
  if (failed(writer.checkForm(conv.problem)))
    return failure();
  const CudaTile &tile = writer.chooseTile(conv.problem);
  if (failed(conv.setGrid(tile)))
    return failure();
  if (tile.onTensorCores())
    return writeTensorConv(conv, tile);
  ConvSource source(conv, tile);
  return tile.isRow() ? source.writeRow() : source.writeTiles();
}

// Inputs and weights both or neither, which NarrowStorage sees to.
static bool takesHalves(kernel::ConvOp op, OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  bool isFactor = number == op.getDataMutable().getOperandNumber() ||
                  number == op.getWeightsMutable().getOperandNumber();
  return !isFactor || hasOnePixel(op) || takesHalvesOnTensorCores(op);
}

void registerConvSource(DialectRegistry &registry) {
  addSource<kernel::ConvOp, writeConv, takesHalves>(registry);
}

} // namespace symc::codegen::cuda
