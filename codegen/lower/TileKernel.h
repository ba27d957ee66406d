// TileKernel.h: the one register-tiled micro-kernel of convolutions and matrix
// products. A tile holds `channels` output channels (in vectors of the target's
// lanes) by rows x columns output pixels in registers over the whole reduction
// (channel blocks, kernel rows, kernel columns, channels, in this order), then
// runs the step's body on them and stores.
//
// Every output is one chain of multiply-adds in that order, from its bias on (SumStart.h), whatever
// the tile, so bits don't depend on the tile, on tails or on tasks. Reduction loops are real loops:
// unrolled ones keep too many values alive (spills).
#ifndef SYMC_CODEGEN_LOWER_TILEKERNEL_H
#define SYMC_CODEGEN_LOWER_TILEKERNEL_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

/// A kernel.conv as its lowering sees it. Views are rank 5 ([N, B, H, W, 16]),
/// weights rank 6 (panels [OB, IB, kH, kW, L, 16], packed without gaps): those of the
/// first image where each has its own.
struct ConvSite {
  View data, weights, out;
  llvm::SmallVector<View> extras;
  llvm::SmallVector<int64_t> kernel, strides, dilations; // rows, columns
  int64_t inChannels, outChannels;
  mlir::Region *body;                 // of the epilogue
  std::optional<unsigned> start = {}; // the extra that sums begin with; else zero (SumStart.h)
  kernel::Padding zeros = {};         // of data; some tiles leave their products out
  bool shifted = false;               // data is signed bytes, read plus 128
  int64_t groups = 0, parts = 1;     // of channels (codegen/kernel/Groups.h); 0: inChannels are all
  mlir::OpFoldResult imageStep = {}; // elements from one image's weights to the next; null: shared
  const ProductRow *product = nullptr; // null: the one of the types of data and weights
  mlir::Value room = {};               // on the stack, of a row of matrices (MatrixTile.h)
};

/// Where a tile lies: output image, first block of 16 channels, first pixel.
struct TilePosition {
  mlir::OpFoldResult image, block, row, column;
  /// Weights that the tile fetches into the caches for a later one: of each panel of
  /// 16 lines that it reads, so many lines, this many elements further on.
  int64_t aheadLines = 0;
  mlir::OpFoldResult ahead = {};
};

/// How much a tile computes; `channels` is at most the channels left.
struct TileExtent {
  int64_t channels, rows, columns;
};

/// Emits one tile at the builder.
void emitTile(Emission &e, const ConvSite &site, const TilePosition &position,
              const TileExtent &extent);

/// The vectors of a tile's sums, [pixel][vector].
int64_t tileVectors(Emission &e, const TileExtent &extent);

/// `sums` plus the products of the site's whole reduction; `data` points to the first
/// pixel of the tile, `weights` to its first panel. Channels fill whole vectors.
llvm::SmallVector<mlir::Value> addProducts(Emission &e, const ConvSite &site,
                                           const TileExtent &extent, mlir::Value data,
                                           mlir::Value weights, llvm::ArrayRef<mlir::Value> sums);

/// Fetches what the epilogue of the tile reads and writes, unless the reduction is short.
void prefetchTile(Emission &e, const ConvSite &site, const TilePosition &position,
                  const TileExtent &extent);

/// `lanes` elements of an extra that is the same for all pixels, from channel `channel` of
/// the tile on; of the tile's last vector those that are channels.
mlir::Value readCommon(Emission &e, const View &extra, const TilePosition &position,
                       const TileExtent &extent, int64_t channel, int64_t lanes);

/// Stores body(accumulator, extras...) for `channels` channels of one pixel row
/// of vectors; accumulators are [pixel][vector]. Shared with depthwise kernels.
void emitEpilogue(Emission &e, const View &out, llvm::ArrayRef<View> extras, mlir::Region &body,
                  const TilePosition &position, const TileExtent &extent,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> accumulators);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_TILEKERNEL_H
