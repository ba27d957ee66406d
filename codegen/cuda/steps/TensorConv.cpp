// TensorConv.cpp: kernel.conv on tensor cores: convolutions and (batched) products as an implicit
// product of matrices by mma.sync, for float32 rounded to tf32, f16 or bf16, and for bytes.
//
// A block of threads computes a tile of pixels x outputs, a warp some rows of it x 32 outputs, in
// slices of 16 words of 4 bytes along the terms: 16 floats, 32 halves, or 64 bytes. Copies in the
// background (cp.async) bring slices to shared memory some stages ahead of the products; what a
// slice lacks, lanes beyond the channels and pixels beyond the image, they fill with 0. Shared
// memory holds the bits of memory; operands that are float32 there are rounded, to nearest, where
// registers take them.
//
//   inputs[stage]    a row of 16 words for each pixel. Piece c of 4 words of row m lies at piece
//                    c ^ (m / 2 % 4), so that ldmatrix reads 8 rows from different banks.
//   filters[stage]   16 rows of words, one a column. Word n of row k lies at n ^ (8 * (k % 4)), so
//                    that the 4 rows x 8 columns of a fragment are in different banks.
//                    Of halves 32 rows, a term each. Piece c of 8 columns of row k lies at piece
//                    c ^ (k % 8), so that ldmatrix, which transposes, reads 8 rows likewise.
//
// A lane has words t, t + 4, t + 8 and t + 12 of a row, t = lane % 4. For halves, tf32 and bytes
// these are the fragments of two mma. Of float32 that is rounded to 16 bits words t and t + 4 are
// the pair that a fragment calls 2 t and 2 t + 1, and so on: terms in another order than in memory,
// the same on both sides.
//
// A warp's sums go to its results through shared memory, 16 rows and 32 columns at a time, so that
// a lane has four neighbouring outputs, which it moves as one.
//
// Sums of an output are in float32, in the order of slices, whatever the grid, and of parts as in
// ConvSource.cpp; the order within an mma is the device's. Sums of bytes are exact.
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/steps/ConvViews.h"
#include "codegen/cuda/steps/TensorMaps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

constexpr int64_t slice = cudaSlice;

class TensorConv {
public:
  explicit TensorConv(ConvViews &conv)
      : c(conv), w(conv.w), halves(conv.problem.halves), perWord(conv.problem.termsOfWord()),
        words(conv.lanes / perWord) {}
  bool fits();
  LogicalResult write(const CudaTile &tile);

private:
  bool strideIsMultiple(int64_t bytes);
  void writePlaces();
  void writeColumn();
  void writeFetch();
  void writeProducts();
  void writeProductsOfHalves();
  void writeStarts();
  void writeSums(int64_t slices);
  LogicalResult writeResults();
  LogicalResult writeVectors();
  std::string stage(StringRef array, StringRef number) const;
  StringRef precision() const;
  bool packsPairs() const; // of float32, to 16 bits

  // Filters of a slice: rows of terms or, of bytes, of quads, in pieces of 16 bytes.
  int64_t filterRows() const { return halves ? 32 : 16; }
  int64_t termsOfRow() const { return halves ? 1 : perWord; }
  int64_t columnsOfPiece() const { return halves ? 8 : 4; }
  int64_t wordsOfFilterRow() const {
    return tile.groups ? 32 : halves ? tile.outputs / 2 : tile.outputs;
  }
  /// Between rows that a thread copies a piece of: a multiple of 4 and, of halves, of 8.
  int64_t rowsApart() const { return tile.threads / (tile.outputs / columnsOfPiece()); }

  ConvViews &c;
  KernelWriter &w;
  CudaTile tile;
  int64_t rowsOfWarp = 0; // of the tile's pixels
  bool halves;            // operands are 16 bits in memory
  int64_t perWord, words; // elements of a word, words of a tap
  bool pieces = false;    // four words at a time
};

} // namespace

static std::string text(int64_t value) { return std::to_string(value); }

StringRef TensorConv::precision() const {
  if (c.bytes)
    return "bytes";
  return nameOf(w.choices().precision);
}

bool TensorConv::packsPairs() const {
  return !halves && llvm::is_contained({"f16", "bf16"}, precision());
}

// Of the inputs' view, where an index of more than 0 takes it.
bool TensorConv::strideIsMultiple(int64_t bytes) {
  int64_t width = kernel::elementBytes(c.data.elementType);
  for (auto [size, stride] : llvm::zip(ArrayRef(c.data.sizes).drop_back(), c.data.strides))
    if (size != getAffineConstantExpr(1, size.getContext()) &&
        (width * stride.getLargestKnownDivisor()) % bytes != 0 &&
        stride != getAffineConstantExpr(0, stride.getContext()))
      return false;
  return c.data.alignment % bytes == 0;
}

bool TensorConv::fits() {
  if (!w.choices().tensorCores || (!c.bytes && !rounds(w.choices().precision)))
    return false;
  if (c.data.elementType != c.weights.elementType)
    return false;
  bool dense = c.data.strides.back() == getAffineConstantExpr(1, c.op.getContext());
  pieces = dense && words % 4 == 0 && strideIsMultiple(16);
  bool wordsAreWhole = c.lanes % perWord == 0 && strideIsMultiple(4) && (dense || perWord == 1);
  return wordsAreWhole && c.panelsAreWhole() && c.block == 16;
}

// Where the inputs of the pixels begin that this thread copies.
void TensorConv::writePlaces() {
  int64_t threads = tile.threads, perRow = pieces ? 4 : 16;
  int64_t rows = tile.pixels * perRow / threads;
  w.line("const " + storageType(c.data.elementType) + " *source[" + text(rows) + "];");
  w.line(c.thereType() + " there[" + text(rows) + "];");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + text(rows) + "; ++i)");
  w.line("const " + w.indexType(w.count(c.data.sizes)) + " p = first + thread / " + text(perRow) +
         " + " + text(threads / perRow) + " * i;");
  w.line("const bool isPixel = p < pixels;");
  SmallVector<std::string> at = c.pixel("(isPixel ? p : 0)");
  c.writeThere("i", "isPixel", at);
  w.line("source[i] = &" + c.firstInput(at) + ";");
  w.close();
}

// The words of filters that this thread copies: `n` and three more of row `k` of a slice, and of
// every `rowsApart`th row behind it, from `panel` on; whether they are any.
void TensorConv::writeColumn() {
  std::string perRow = text(tile.outputs / columnsOfPiece());
  w.line("const int k = thread / " + perRow + ", n = thread % " + perRow + " * " +
         text(columnsOfPiece()) + ", block = outputs + n / 16;");
  w.line("const bool filled = block < " + text(c.outputBlocks) + ";");
  std::string first = "k";
  if (c.problem.parts > 1)
    first = "(k + portion * " + text(c.problem.termsOfPart() / termsOfRow()) + ")";
  std::string type = halves ? "unsigned short" : "unsigned"; // a row's column
  w.line("const " + type + " *const panel = (const " + type + " *)panels + (filled ? block * " +
         text(c.terms / termsOfRow() * c.block) + "ll + " + first + " * 16 + n % 16 : 0);");
}

// Where stage `number`, counted from the first slice, of an array begins.
std::string TensorConv::stage(StringRef array, StringRef number) const {
  std::string place = (number + " % " + text(tile.stages)).str();
  if (!tile.groups)
    return (array + "[" + place + "]").str();
  int64_t words = (array == "inputs" ? tile.pixels : tile.outputs) * slice;
  return (array + " + " + place + " * " + text(words)).str();
}

// One slice of inputs and filters, in the background.
void TensorConv::writeFetch() {
  int64_t threads = tile.threads, perRow = pieces ? 4 : 16, bytes = pieces ? 16 : 4;
  int64_t elementBytes = kernel::elementBytes(c.data.elementType);
  int64_t width = bytes / elementBytes; // elements of a copy
  int64_t inChannels = c.op.getInChannels(), wordTerms = c.terms / perWord;
  bool ragged = inChannels % c.lanes != 0;
  std::string number = "fetched";
  if (c.problem.parts > 1) {
    w.line("const int number = fetched + portion * " +
           text(c.problem.termsOfPart() / perWord / slice) + ";");
    number = "number";
  }
  // Whether a slice may end behind the terms.
  bool ends = wordTerms % slice != 0 || c.problem.parts > 1;
  w.line("unsigned *const x = " + stage("inputs", "fetched") + ";");
  w.line("unsigned *const y = " + stage("filters", "fetched") + ";");
  w.line("const int word = thread % " + text(perRow) + (pieces ? " * 4" : "") + ";");
  std::string term = number + " * " + text(slice) + " + word",
              scale = perWord == 1 ? "" : " * " + text(perWord);
  if (words == slice) // the same tap for the whole block of threads
    w.line("const int tap = " + number + ", lane = word" + scale + ";");
  else if (slice % words == 0)
    w.line("const int tap = " + number + " * " + text(slice / words) + " + word / " + text(words) +
           ", lane = word % " + text(words) + scale + ";");
  else
    w.line("const int tap = (" + term + ") / " + text(words) + ", lane = (" + term + ") % " +
           text(words) + scale + ";");
  c.writeTap();
  std::string real = text(bytes);
  if (ragged) {
    w.line("const int left = " + text(inChannels) + " - part * " + text(c.lanes) + " - lane;");
    real = "left <= 0 ? 0 : left >= " + text(width) + " ? " + text(bytes) + " : left" +
           (elementBytes == 1 ? "" : " * " + text(elementBytes));
  }
  if (ends)
    real = term + " >= " + text(wordTerms) + " ? 0 : " + real;
  w.line("const int real = " + real + ";");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + text(tile.pixels * perRow / threads) + "; ++i)");
  w.line("const int m = thread / " + text(perRow) + " + " + text(threads / perRow) + " * i;");
  // Of several taps a multiprocessor reads the same inputs again and again.
  bool near = bytes == 16 && c.op.getKernel()[0] * c.op.getKernel()[1] > 1;
  w.line("copy" + text(bytes) + (near ? "_near" : "") + "(&x[m * 16 + (word / 4 ^ m / 2 % 4) * 4" +
         (pieces ? "" : " + word % 4") + "], &" + c.input("source[i]") + ", " + c.isThere("i") +
         " ? real : 0);"); // of 0 bytes from anywhere
  w.close();
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + text(filterRows() / rowsApart()) + "; ++i)");
  w.line("const int row = k + " + text(rowsApart()) + " * i;");
  std::string any = "filled", t = "(" + number + " * " + text(filterRows()) + " + row)";
  int64_t rowsOfTap = c.lanes / termsOfRow();
  if (ends)
    any += " && " + t + " < " + text(c.terms / termsOfRow());
  if (ragged)
    any += " && " + t + " / " + text(rowsOfTap * c.op.getKernel()[0] * c.op.getKernel()[1]) +
           " * " + text(c.lanes) + " + " + t + " % " + text(rowsOfTap) +
           (termsOfRow() == 1 ? "" : " * " + text(termsOfRow())) + " < " + text(inChannels);
  w.line("const bool any = " + any + ";");
  std::string place = halves ? "(n / 8 ^ row % 8) * 4" : "(n ^ row % 4 * 8)";
  if (tile.groups)
    place = "n / 64 * 1024 + (n / 8 % 8 ^ row % 8) * 4";
  w.line("copy16(&y[row * " + text(wordsOfFilterRow()) + " + " + place + "], panel + fetched * " +
         text(filterRows() * 16) + " + " + text(rowsApart() * 16) + " * i, any ? 16 : 0);");
  w.close();
}

// Sixteen terms after the other.
void TensorConv::writeProductsOfHalves() {
  std::string rows = text(rowsOfWarp / 16), mma = "mma_" + precision().str();
  w.line("#pragma unroll");
  w.open("for (int s = 0; s < 2; ++s)");
  w.line("unsigned a[" + rows + "][4];");
  w.line("#pragma unroll");
  w.line("for (int i = 0; i < " + rows + "; ++i)");
  w.line("  load_matrices(a[i], &x[(rowOfWarp + 16 * i + self % 16) * 16 + (2 * s + self / 16 ^ "
         "self / 2 % 4) * 4]);");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; j += 2)");
  w.line("unsigned b[4];");
  w.line("load_transposed(b, &y[(16 * s + self % 16) * " + text(wordsOfFilterRow()) +
         " + (columnOfWarp / 8 + j + self / 16 ^ self % 8) * 4]);");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + rows + "; ++i)");
  w.line(mma + "(sum[i][j], a[i], b[0], b[1]);");
  w.line(mma + "(sum[i][j + 1], a[i], b[2], b[3]);");
  w.close();
  w.close();
  w.close();
}

void TensorConv::writeProducts() {
  std::string outputs = text(tile.outputs), rows = text(rowsOfWarp / 16);
  w.line("const unsigned *const x = " + stage("inputs", "slice") + ";");
  w.line("const unsigned *const y = " + stage("filters", "slice") + ";");
  if (tile.groups) {
    w.line("start_group_" + precision() + "(sum[0], x + warp / 4 * 1024, y);");
    return;
  }
  if (halves)
    return writeProductsOfHalves();
  int64_t steps = packsPairs() ? 1 : 2; // mma along a slice
  w.line("unsigned a[" + rows + "][" + text(steps) + "][4];");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + rows + "; ++i)");
  std::string row = "(rowOfWarp + 16 * i + self % 16) * 16";
  auto load = [&](const std::string &to, const std::string &half) {
    w.line("load_matrices(" + to + ", &x[" + row + " + (" + half +
           " + self / 16 ^ self / 2 % 4) * 4]);");
  };
  if (packsPairs()) {
    w.line("unsigned low[4], high[4];");
    load("low", "0");
    load("high", "2");
    std::string pack = ("pack_" + precision()).str();
    w.line("a[i][0][0] = " + pack + "(low[0], low[2]);");
    w.line("a[i][0][1] = " + pack + "(low[1], low[3]);");
    w.line("a[i][0][2] = " + pack + "(high[0], high[2]);");
    w.line("a[i][0][3] = " + pack + "(high[1], high[3]);");
  } else {
    w.line("#pragma unroll");
    w.open("for (int s = 0; s < 2; ++s)");
    load("a[i][s]", "2 * s");
    if (precision() == "tf32" || c.op.getShifted()) {
      w.line("#pragma unroll");
      w.line("for (int r = 0; r < 4; ++r)");
      w.line(c.bytes ? "  a[i][s][r] = a[i][s][r] ^ 0x80808080;"
                     : "  a[i][s][r] = to_tf32(a[i][s][r]);");
    }
    w.close();
  }
  w.close();
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 4; ++j)");
  w.line("unsigned b[4];");
  w.line("load_words<4 * " + outputs + ">(b, &y[self % 4 * " + outputs +
         " + (columnOfWarp + 8 * j + self / 4 ^ self % 4 * 8)]);");
  if (packsPairs()) {
    std::string pack = ("pack_" + precision()).str();
    w.line("b[0] = " + pack + "(b[0], b[1]);");
    w.line("b[1] = " + pack + "(b[2], b[3]);");
  } else if (precision() == "tf32") {
    w.line("#pragma unroll");
    w.line("for (int r = 0; r < 4; ++r)");
    w.line("  b[r] = to_tf32(b[r]);");
  }
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + rows + "; ++i)");
  for (int64_t s = 0; s < steps; ++s)
    w.line("mma_" + precision() + "(sum[i][j], a[i][" + text(s) + "], b[" + text(2 * s) + "], b[" +
           text(2 * s + 1) + "]);");
  w.close();
  w.close();
}

// As below, by way of shared memory, whose rows are 40 numbers apart: pairs of 16 lanes, and fours
// of 8, are in different banks.
LogicalResult TensorConv::writeVectors() {
  constexpr int64_t columns = 32, apart = 40;
  bool fromInputs = tile.groups || tile.pixels > tile.outputs;
  int64_t words = tile.stages * slice * std::max(tile.pixels, tile.outputs);
  assert(tile.threads / 32 * 16 * apart <= words && "warps' sums fit what slices had");
  (void)words;
  w.line("__syncthreads();");
  w.line(c.sumType + " *const mine = (" + c.sumType + " *)" +
         (tile.groups  ? "inputs"
          : fromInputs ? "inputs[0]"
                       : "filters[0]") +
         " + warp * " + text(16 * apart) + ";");
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + text(rowsOfWarp / 16) + "; ++i)");
  w.line("#pragma unroll");
  w.open("for (int q = 0; q < " + text(tile.outputsOfWarp() / columns) + "; ++q)");
  auto openFours = [&] {
    w.line("#pragma unroll");
    w.open("for (int j = 0; j < 4; ++j)");
    w.line("const int line = self / 8 + 4 * j;");
    w.line("const " + w.indexType(w.count(c.out.sizes)) +
           " p = first + rowOfWarp + 16 * i + line;");
    w.line("if (p >= pixels || channel >= " + text(c.op.getOutChannels()) + ")");
    w.line("  continue;");
    return c.pixel("p");
  };
  w.line("const int channel = outputs * " + text(c.block) + " + columnOfWarp + " + text(columns) +
         " * q + self % 8 * 4;");
  c.declareVectors(4);
  if (c.hasPixelExtras()) { // all under way before one is needed
    c.fetchVectors(openFours(), "j");
    w.close();
  }
  w.line("__syncwarp();");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < 8; ++j)");
  w.line("*(" + c.sumType + "2 *)&mine[(self / 4 + j % 2 * 8) * " + text(apart) +
         " + j / 2 * 8 + self % 4 * 2] = make_" + c.sumType +
         "2(sum[i][4 * q + j / 2][j % 2 * 2], sum[i][4 * q + j / 2][j % 2 * 2 + 1]);");
  w.close();
  w.line("__syncwarp();");
  SmallVector<std::string> at = openFours();
  w.line(c.sumType + " four[4];");
  w.line("load4(four, &mine[line * " + text(apart) + " + self % 8 * 4]);");
  if (failed(c.writeVector(at, "four", "j")))
    return failure();
  w.close();
  w.close();
  w.close();
  return success();
}

// A lane has rows lane / 4 and 8 more of each 16, and two columns of each 8.
LogicalResult TensorConv::writeResults() {
  if (c.hasVectors())
    return writeVectors();
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < " + text(rowsOfWarp / 8) + "; ++i)");
  w.line("const " + w.indexType(w.count(c.out.sizes)) +
         " p = first + rowOfWarp + 8 * i + self / 4;");
  w.line("if (p >= pixels)");
  w.line("  continue;");
  SmallVector<std::string> at = c.pixel("p");
  w.line("#pragma unroll");
  w.open("for (int j = 0; j < " + text(tile.outputsOfWarp() / 4) + "; ++j)");
  w.line("const int channel = outputs * " + text(c.block) +
         " + columnOfWarp + j / 2 * 8 + self % 4 * 2 + j % 2;");
  w.line("if (channel >= " + text(c.op.getOutChannels()) + ")");
  w.line("  continue;");
  if (failed(c.writeResult(at, "sum[i / 2][j / 2][i % 2 * 2 + j % 2]")))
    return failure();
  w.close();
  w.close();
  return success();
}

LogicalResult TensorConv::write(const CudaTile &chosen) {
  tile = chosen;
  rowsOfWarp = tile.rowsOfWarp();
  std::string stages = text(tile.stages), rows = text(tile.pixels / rowsOfWarp);
  w.line("// tensor cores: " + precision().str() + ", " + stages + " stages");
  int64_t inputWords = tile.pixels * slice, filterWords = tile.outputs * slice;
  if (tile.groups) {
    if (tile.threads == 256)
      w.fewestBlocks(2); // whose stages fit: 128 registers a thread
    w.sharedBytes(tile.sharedBytes());
    w.line("extern __shared__ __align__(1024) unsigned slices[];");
    w.line("unsigned *const inputs = slices, *const filters = slices + " +
           text(tile.stages * inputWords) + ";");
  } else {
    w.line("__shared__ __align__(128) unsigned inputs[" + stages + "][" + text(inputWords) + "];");
    w.line("__shared__ __align__(128) unsigned filters[" + stages + "][" + text(filterWords) +
           "];");
  }
  w.line("const int self = threadIdx.x % 32, warp = threadIdx.x / 32;");
  w.line("const int rowOfWarp = warp % " + rows + " * " + text(rowsOfWarp) +
         ", columnOfWarp = warp / " + rows + " * " + text(tile.outputsOfWarp()) + ";");
  if (tile.maps)
    writeTensorMaps(c, tile);
  c.openTiles();
  if (!tile.maps)
    writeStarts();
  int64_t columns = tile.outputsOfWarp() / 8;
  w.line(c.sumType + " sum[" + text(rowsOfWarp / 16) + "][" + text(columns) + "][4] = {};");
  int64_t ofPart = c.problem.parts > 1 ? c.problem.termsOfPart() : c.terms;
  int64_t slices = llvm::divideCeil(ofPart / perWord, slice);
  if (c.hasVectors() && c.hasPixelExtras() && c.problem.parts == 1)
    c.writePrefetch();
  if (tile.maps) {
    w.line("#ifdef SYMC_TENSOR_MAPS");
    writeSumsByMaps(c, tile, precision(), slices);
    w.line("#else");
    writeStarts();
  }
  writeSums(slices);
  if (tile.maps)
    w.line("#endif");
  if (failed(c.joinSums("sum", {rowsOfWarp / 16, columns, 4}, [&] { return writeResults(); })))
    return failure();
  if (tile.maps)
    w.line("publish_copies();"); // what results took shared memory for
  w.line("__syncthreads();");    // before the next tile's copies
  w.close();
  return success();
}

void TensorConv::writeStarts() {
  writePlaces();
  writeColumn();
}

void TensorConv::writeSums(int64_t slices) {
  // A group of warps still reads the slice before when it begins with one.
  int64_t ahead = tile.ahead();
  w.open("for (int fetched = 0; fetched < " + text(slices + ahead) + "; ++fetched)");
  w.line("const int slice = fetched - " + text(ahead) + ";");
  w.open("if (slice >= 0)");
  w.line("wait_copies<" + text(ahead - 1) + ">();");
  if (tile.groups)
    w.line("publish_copies();");
  w.line("__syncthreads();");
  if (tile.groups)
    writeProducts();
  w.close();
  w.open("if (fetched < " + text(slices) + ")");
  writeFetch();
  w.close();
  w.line("commit_copies();");
  if (tile.groups) {
    w.line("wait_groups<1>(sum[0]);");
  } else {
    w.open("if (slice >= 0)");
    writeProducts();
    w.close();
  }
  w.close();
  if (tile.groups)
    w.line("wait_groups<0>(sum[0]);");
}

// Words are pairs of terms in both operands, pieces of filters 8 outputs.
bool takesHalvesOnTensorCores(kernel::ConvOp op) {
  FailureOr<kernel::ViewOrigin> data = kernel::traceView(op.getData()),
                                weights = kernel::traceView(op.getWeights());
  if (failed(data) || failed(weights) || data->elementType.isInteger(8))
    return false;
  auto constant = [&](int64_t value) { return getAffineConstantExpr(value, op.getContext()); };
  auto isMultiple = [](AffineExpr expr, int64_t of) {
    return expr.getLargestKnownDivisor() % of == 0;
  };
  auto isEven = [&](auto axis) {
    auto [size, stride] = axis;
    return size == constant(1) || isMultiple(stride, 2);
  };
  bool pairs = data->strides.back() == constant(1) && isMultiple(data->sizes.back(), 2) &&
               isMultiple(data->offset, 2) &&
               llvm::all_of(llvm::zip(ArrayRef(data->sizes).drop_back(), data->strides), isEven);
  bool batch = weights->sizes.size() == 7;
  return pairs && weights->sizes.back() == constant(16) && isMultiple(weights->offset, 8) &&
         (!batch || isMultiple(weights->strides[0], 8));
}

bool fitsTensorCores(ConvViews &conv) { return TensorConv(conv).fits(); }

LogicalResult writeTensorConv(ConvViews &conv, const CudaTile &tile) {
  TensorConv tensor(conv);
  return tensor.fits() ? tensor.write(tile) : failure();
}

} // namespace symc::codegen::cuda
