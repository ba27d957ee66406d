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

  /// As the cost model sees it, by multiply-adds.
  CudaConvolution problem();
  /// The grid of a tile; fails after an error where it is too large.
  mlir::LogicalResult setGrid(const CudaTile &tile);
  /// Lines that name the `panels` of the block's image, which ends where it has none.
  void writePanels();
  /// Opens a walk over tiles of pixels behind names for what the block has: `outputs`, its first
  /// block of outputs, `pixels` of an image or of all, and `panels`. close() ends it.
  void openTiles(const CudaTile &tile);
  /// Image, row and column of pixel `text`, as names.
  llvm::SmallVector<std::string> pixel(const std::string &text);
  /// Output `channel` of the pixel at `at` from its sum.
  mlir::LogicalResult writeResult(llvm::ArrayRef<std::string> at, const std::string &sum);
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
  // Inputs of a block, terms of a sum, blocks of outputs and outputs of one.
  int64_t lanes = 0, terms = 0, outputBlocks = 0, block = 0;
  llvm::StringRef sumType;
};

/// Whether tensor cores take the form that the step has, and the program has them for it.
bool fitsTensorCores(ConvViews &conv);
/// The step on tensor cores, its operands rounded as the program's choices ask.
mlir::LogicalResult writeTensorConv(ConvViews &conv, const CudaTile &tile);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_STEPS_CONVVIEWS_H
