// MatrixTile.h: a register tile whose sums lie in registers of matrices (AMX), of up to 16 pixels
// of a row of the image by a block of outputs each. It is what vectors and a ProductEmitter are to
// other rows of products; TileKernel.cpp has the loops around both. An instruction adds the
// products of a block's channels for all pixels and outputs of a register.
#ifndef SYMC_CODEGEN_LOWER_PRODUCTS_MATRIXTILE_H
#define SYMC_CODEGEN_LOWER_PRODUCTS_MATRIXTILE_H

#include "codegen/kernel/ConvTile.h"
#include "codegen/lower/TileKernel.h"

namespace symc::codegen {

class MatrixTile {
public:
  MatrixTile(Emission &e, const ConvSite &site, const TileExtent &extent, const ProductRow &row);

  /// Whether registers hold the sums and factors of such a tile.
  static bool fits(const ProductRow &row, const ConvTile &tile);
  /// Room on the stack for any tile up to that one (ConvSite::room).
  static mlir::Value roomFor(Emission &e, const ConvTile &tile);

  /// Channels that a step takes: of two blocks where these lie side by side, as rows of a matrix
  /// do.
  int64_t channelsAtOnce() const { return channels; }
  /// Sums start with these vectors, the same for all pixels; with zero where there are none.
  void begin(llvm::ArrayRef<mlir::Value> starts);
  /// Adds the products of so many channels: of channelsAtOnce(), or of what is left behind those.
  void step(mlir::Value data, mlir::Value weights, int64_t channels);
  /// The sums, [pixel][vector]. What the registers held is lost.
  llvm::SmallVector<mlir::Value> finish();

private:
  struct Factors; // the registers for data and weights of a step
  Factors factorsOf(int64_t channels) const;
  void
  forEachSum(llvm::function_ref<void(int64_t y, int64_t x, int64_t vector, int64_t tile)> body);
  void call(llvm::StringRef name, mlir::ValueRange operands);
  mlir::Value numberOf(int64_t tile);
  mlir::Value bytes(mlir::OpFoldResult count);
  mlir::Value inRoom(int64_t lines);
  void load(int64_t tile, mlir::Value from, mlir::OpFoldResult byteStride);

  Emission &e;
  const ConvSite &site;
  const TileExtent extent;
  mlir::Type element, sumType;
  int64_t vectors, groupsOfRow, pixels; // of a register: `pixels` of a row of the tile
  int64_t channels, kinds;              // sizes of steps: one, or another for the rest
  mlir::Value room;                     // lines of 64 bytes: configuration, starts, sums
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_PRODUCTS_MATRIXTILE_H
