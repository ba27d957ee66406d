// ConvViews.h: what all kernels of a convolution share: its views, its output's pixels as numbers,
// what becomes of a sum, and the grid.
#ifndef SYMC_CODEGEN_CUDA_STEPS_CONVVIEWS_H
#define SYMC_CODEGEN_CUDA_STEPS_CONVVIEWS_H

#include "codegen/cuda/KernelWriter.h"

namespace symc::codegen::cuda {

class ConvViews {
public:
  ConvViews(kernel::ConvOp op, KernelWriter &writer) : op(op), w(writer) {}
  mlir::LogicalResult find();

  /// Takes a tile and sets its grid; fails after an error where it is too large.
  mlir::LogicalResult setGrid(const CudaTile &tile);
  /// Whether pieces of 16 bytes of the panels begin at multiples of these.
  bool panelsAreWhole();
  /// Lines that name the `panels` of the block's image, which ends where it has none.
  void writePanels();
  /// Opens a walk over tiles of pixels behind names for what the block has: `outputs`, its first
  /// block of outputs, `pixels` of an image or of all, `panels` and, of several parts of the terms,
  /// the number `portion` of its own. close() ends it.
  void openTiles();
  /// Behind the lines that compute a thread's sums, an array of `counts`, and before those that
  /// have the results. Where terms are in parts, all threads of the block have to come here: each
  /// block keeps its sums in memory, and the last one of a tile adds those of all parts, in order.
  mlir::LogicalResult joinSums(llvm::StringRef array, llvm::ArrayRef<int64_t> counts,
                               llvm::function_ref<mlir::LogicalResult()> writeResults);
  /// Image, row and column of pixel `text`, as names.
  llvm::SmallVector<std::string> pixel(const std::string &text);
  /// Whether four neighbouring outputs are one access in all that results are made of and are.
  bool hasVectors();
  /// Whether results are made of operands of each pixel, such as what a sum is added to.
  bool hasPixelExtras();
  /// Requests these operands of the tile at `first` while its sums are computed: they are read from
  /// memory, as far as the cache that all multiprocessors share.
  void writePrefetch();
  /// Variables for these operands of as many pixels, and for those of outputs `channel` to
  /// `channel` + 3 alone, which are read here; and lines that read those of pixel `number`, which
  /// lies at `at`.
  void declareVectors(int64_t count);
  void fetchVectors(llvm::ArrayRef<std::string> at, const std::string &number);
  /// Outputs `channel` to `channel` + 3 of the pixel at `at` from array `sums` of four and what was
  /// fetched as `number`.
  mlir::LogicalResult writeVector(llvm::ArrayRef<std::string> at, const std::string &sums,
                                  const std::string &number);
  /// Output `channel` of the pixel at `at` from its sum.
  mlir::LogicalResult writeResult(llvm::ArrayRef<std::string> at, const std::string &sum);
  /// A line that sets `there[number]`, whether a pixel, which lies at `at`, is one; of kernels that
  /// leave zeros out, which of its taps meet others, a bit each. `isThere` is of the tap of
  /// writeTap().
  std::string thereType() const { return leavesOut ? "unsigned" : "bool"; }
  void writeThere(const std::string &number, const std::string &inside,
                  llvm::ArrayRef<std::string> at);
  std::string isThere(const std::string &number);
  /// The first element that the taps of pixel `at` read.
  std::string firstInput(llvm::ArrayRef<std::string> at);
  /// Element `lane` of block `part` at a tap of the pixel whose inputs begin at `source`.
  std::string input(const std::string &source);
  /// Lines that cut number `tap` of a tap into `column`, `row` and `part`.
  void writeTap();

  kernel::ConvOp op;
  KernelWriter &w;
  View data, weights, out;
  llvm::SmallVector<View> extras;
  bool bytes = false, eachImage = false; // weights of each image
  bool leavesOut = false;                // zeros around the image
  // Inputs of a block, terms of a sum, blocks of outputs and outputs of one.
  int64_t lanes = 0, terms = 0, outputBlocks = 0, block = 0;
  llvm::StringRef sumType;
  CudaConvolution problem; // as the cost model sees it

private:
  /// Whether an operand has elements of its own for each pixel.
  bool isOfPixels(const View &view);
  bool isOfOutputs(const View &view); // for all pixels
  /// Of output `channel` of the pixel at `at`, in the output and what it is made of.
  llvm::SmallVector<std::string> placeOf(llvm::ArrayRef<std::string> at) const;

  const CudaTile *tile = nullptr;
  int64_t groups = 1; // of outputs, a tile each
};

/// Whether it computes one pixel, of one image or of each, at its largest sizes.
bool hasOnePixel(kernel::ConvOp op);

/// What a convolution whose terms are in parts needs behind the arena; zeros where they are not.
struct PartsMemory {
  int64_t counters = 0; // words, each 0 before the launch and behind it
  int64_t sumBytes = 0;
};
PartsMemory partsMemoryOf(kernel::ConvOp op, const CudaChoices &choices);

/// Whether tensor cores take the form that the step has, and the program has them for it.
bool fitsTensorCores(ConvViews &conv);
/// Whether they take it where its inputs and weights are 16 bits in memory; the views are those of
/// float32.
bool takesHalvesOnTensorCores(kernel::ConvOp op);
/// The step on tensor cores, its operands rounded as the program's choices require.
mlir::LogicalResult writeTensorConv(ConvViews &conv, const CudaTile &tile);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_STEPS_CONVVIEWS_H
