// LayerChain.h: steps over images that follow each other, each reading what the one before wrote,
// for the passes that cut them into pieces: rows (RowBands.h) or channels (ChannelBands.h).
#ifndef SYMC_CODEGEN_CPU_LAYERCHAIN_H
#define SYMC_CODEGEN_CPU_LAYERCHAIN_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/KernelDialect.h"
#include <optional>
#include <vector>

namespace symc::codegen {

/// Bytes of f32 and other elements alike.
struct BandLimits {
  double largeBytes; // images of so many bytes in all are gone before the next layer reads them
  double bandBytes;  // what one band of all layers may touch

  /// The last cache, and half of it: weights pass, and other cores use it.
  static BandLimits of(const TargetDescription &target);
  /// Twice a core's own cache, and the whole of it.
  static BandLimits ofCore(const TargetDescription &target);
};

/// A chain that needs more pieces stays whole: each piece of each layer is code of its own.
inline constexpr double mostPieces = 2048;

/// The dimensions of an image [N, C, H, W, L].
inline constexpr unsigned imageDim = 0, blockDim = 1, rowDim = 2, columnDim = 3;

/// A view of constant extents in plain numbers.
struct Place {
  mlir::Value root;
  mlir::Type elementType;
  int64_t offset;
  llvm::SmallVector<int64_t, 6> sizes, strides;

  /// Of one row of one image.
  int64_t rowBytes() const;
  /// As an operation.
  mlir::Value view(mlir::OpBuilder &b, mlir::Location location) const;
};

/// An operand whose rows another layer of the chain writes.
struct Link {
  unsigned operand;
  size_t producer;
  int64_t shift; // row 0 of the view is that row of the producer's output
};

/// A step of a chain.
struct Layer {
  kernel::RowwiseInterface step;
  kernel::RowWindow window;
  llvm::SmallVector<Place> places; // of all operands
  unsigned out;                    // the operand that is written
  llvm::SmallVector<Link> links;

  int64_t rows() const { return places[out].sizes[rowDim]; }
  int64_t images() const { return places[out].sizes[imageDim]; }
  /// What it writes for one image.
  double imageBytes() const { return double(places[out].rowBytes()) * rows(); }
  /// What the rows `of` the output read of an operand.
  kernel::RowRange rowsOf(unsigned operand, kernel::RowRange of) const {
    return operand == 0 ? window.reads(of, places[0].sizes[rowDim]) : of;
  }
  bool hasRows(unsigned operand) const { return kernel::RowwiseInterface(step).hasRows(operand); }
};

using Chain = std::vector<Layer>;

/// The step as a layer of images with rows; nothing where it is none, or a piece already.
std::optional<Layer> layerOf(mlir::Operation *step);
/// Adds what `layer` reads of the chain; false where it can't be a layer of it.
bool link(Layer &layer, const Chain &chain);
/// Whether the step has an operand in memory that the chain reads or writes.
bool touches(mlir::Operation *step, const Chain &chain);
/// What all layers but the last write for one image.
double bytesBetween(const Chain &chain);
/// Calls cut() with the program's steps, then with those behind the ones that it has done: it
/// returns how many, 1 at least, and may replace these.
void cutChains(kernel::ProgramOp program,
               llvm::function_ref<size_t(llvm::ArrayRef<mlir::Operation *> steps)> cut);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_LAYERCHAIN_H
