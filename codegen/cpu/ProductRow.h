// ProductRow.h: how a CPU sums products: which types it multiplies and adds, how many terms of a
// sum one step takes, and how weights lie for it. Tiles, cost models, tasks and lowerings read the
// row of a step's types; a row is data, the code of one is a file of codegen/lower/products.
#ifndef SYMC_CODEGEN_CPU_PRODUCTROW_H
#define SYMC_CODEGEN_CPU_PRODUCTROW_H

#include "mlir/IR/BuiltinTypes.h"

namespace symc::codegen {

struct TargetDescription;

/// A register tile of the convolution/GEMM micro-kernel: `vectors` output
/// vectors (of the target's lanes) by at most `pixels` output pixels.
struct TileShape {
  int vectors;
  int pixels;
};

struct ProductRow {
  using TypeOf = mlir::Type (*)(mlir::MLIRContext *);

  llvm::StringLiteral name;      // of its emitter: "Fma"
  TypeOf lhs, rhs;               // of data and weights in memory, signless
  TypeOf accumulator;            // of sums, which a step's body gets
  int termsPerStep;              // input channels that one step of a sum takes
  int elementsPerStep;           // of data, and of an output's weights, that hold them
  bool sideBySide;               // an output's weights of one step lie side by side, else in rows
  llvm::StringLiteral panelForm; // #kernel.form of packed weights
  int weightBytesPerStep;        // of one output, for cost models
  double stepsPerFma;            // steps in the time of a multiply-add of float32
  llvm::StringLiteral needs;     // LLVM's name of the feature of instruction sets; none: ""
  llvm::StringLiteral architecture; // "x86_64", any: ""
  bool halves;                      // a last vector of which half is channels may be half as wide
  bool taps;                        // columns of pixels that a tap does not meet are left out
  /// Of each width of vectors in bytes the tiles without spills, best first; none: the target's.
  llvm::ArrayRef<TileShape> (*tileTable)(int vectorBytes) = nullptr;
  /// Sums of up to so many pixels of a row of the image, and of a block of outputs, are one
  /// register (MatrixTile.h); 0: those of each pixel are vectors.
  int matrixPixels = 0;
  int64_t leastPixels = 1; // fewer pixels side by side are left to the next row of these types

  /// Sums side by side in a vector.
  int64_t lanes(const TargetDescription &target) const;
  /// The tiles that a target's registers hold.
  llvm::ArrayRef<TileShape> tiles(const TargetDescription &target) const;
  /// The most rows of so many pixels that a tile of that shape has.
  int64_t rowsOf(const TileShape &shape, int64_t columns) const;
};

/// All rows, the better ones of a pair of types first.
llvm::ArrayRef<ProductRow> productRows();

/// The row by which a target sums products of data and weights of these types; null where it has
/// none. `pixels` lie side by side, or rows of a matrix.
const ProductRow *productRowOf(const TargetDescription &target, mlir::Type lhs, mlir::Type rhs,
                               int64_t pixels = 1);

/// The row of that name, or null.
const ProductRow *productRowNamed(llvm::StringRef name);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_PRODUCTROW_H
