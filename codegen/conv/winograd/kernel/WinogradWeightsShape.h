// WinogradWeightsShape.h: the sizes inside of a kernel.winograd_weights, all derived from its
// constant extents and attributes: chunks of pixels, their tiles, tasks, and the layout of a row of
// scratch. One home, since the schedule reserves the memory that the lowering fills.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H
#define SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// Sums of a 3x3 window over the pixels of chunks, of 4 x 4 pixels a tile. A row of scratch
/// holds, in elements:
///   inputs   [position][input block of the task][tile of the group][16]
///   slopes   [position][output block of the task][tile of the group][16]
///   sums     [position][output block that is summed][input channel that is summed][16]
///   patch    [6][6][16], one tile between its two transforms
/// Where the tiles of a chunk are one group, sums are made and transformed back for some pairs of
/// blocks after the other, else for all of a task, over the groups.
struct WinogradWeightsShape {
  static constexpr int64_t m = 4, taps = 3, span = m + taps - 1, positions = span * span;

  int64_t images = 1, rows = 1, columns = 1; // of slope
  int64_t inChannels = 1, outChannels = 1;
  int64_t blockWidth = 1;                                           // channels side by side
  int64_t perSlot = 1;                                              // chunks of a slot
  int64_t tilesAtOnce = 1, inBlocksOfTask = 1, outBlocksOfTask = 1; // the op's `block`
  int64_t inBlocksSummed = 1, outBlocksSummed = 1;                  // `together`
  int64_t slotsOfTask = 1;

  PixelChunks chunks() const { return PixelChunks::of(images, rows, columns); }
  int64_t slots() const { return llvm::divideCeil(chunks().count, perSlot); }
  int64_t inBlocks() const { return llvm::divideCeil(inChannels, blockWidth); }
  int64_t outBlocks() const { return llvm::divideCeil(outChannels, blockWidth); }

  int64_t tileColumns() const { return llvm::divideCeil(columns, m); }
  /// The most that a chunk has.
  int64_t tilesOfChunk() const {
    PixelChunks all = chunks();
    return all.images * llvm::divideCeil(all.rows, m) * tileColumns();
  }
  /// Those of all chunks.
  int64_t tiles() const {
    PixelChunks all = chunks();
    int64_t ofImage = all.rows >= rows ? llvm::divideCeil(rows, m)
                                       : rows / all.rows * llvm::divideCeil(all.rows, m) +
                                             llvm::divideCeil(rows % all.rows, m);
    return images * ofImage * tileColumns();
  }
  /// Whether some tile has fewer than m rows.
  bool hasShortRows() const {
    int64_t each = chunks().rows;
    return std::min(each, rows) % m != 0 || (each < rows && rows % each % m != 0);
  }
  bool hasShortColumns() const { return columns % m != 0; }

  int64_t groups() const { return llvm::divideCeil(tilesOfChunk(), tilesAtOnce); }
  bool isOneGroup() const { return groups() == 1; }
  int64_t inTasks() const { return llvm::divideCeil(inBlocks(), inBlocksOfTask); }
  int64_t outTasks() const { return llvm::divideCeil(outBlocks(), outBlocksOfTask); }
  int64_t slotTasks() const { return llvm::divideCeil(slots(), slotsOfTask); }
  int64_t tasks() const { return slotTasks() * outTasks() * inTasks(); }

  /// Elements from one position to the next, an odd number of lines, so that those that one tile
  /// scatters to share no set of L1.
  int64_t inputStride() const { return (inBlocksOfTask * tilesAtOnce | 1) * blockWidth; }
  int64_t slopeStride() const { return (outBlocksOfTask * tilesAtOnce | 1) * blockWidth; }
  int64_t sumStride() const {
    return (outBlocksSummed * inBlocksSummed * blockWidth | 1) * blockWidth;
  }
  int64_t slopesOffset() const { return positions * inputStride(); }
  int64_t sumsOffset() const { return slopesOffset() + positions * slopeStride(); }
  int64_t patchOffset() const { return sumsOffset() + positions * sumStride(); }
  int64_t scratchElements() const { return patchOffset() + positions * blockWidth; }

  static WinogradWeightsShape of(WinogradWeightsOp op) {
    llvm::ArrayRef<int64_t> slope =
        mlir::cast<mlir::MemRefType>(op.getSlope().getType()).getShape();
    WinogradWeightsShape shape;
    shape.images = slope[0];
    shape.rows = slope[2];
    shape.columns = slope[3];
    shape.blockWidth = slope[4];
    shape.inChannels = op.getInChannels();
    shape.outChannels = op.getOutChannels();
    shape.perSlot = op.getPerSlot();
    shape.tilesAtOnce = op.getBlock()[0];
    shape.inBlocksOfTask = op.getBlock()[1];
    shape.outBlocksOfTask = op.getBlock()[2];
    shape.inBlocksSummed = op.getTogether()[0];
    shape.outBlocksSummed = op.getTogether()[1];
    shape.slotsOfTask = op.getSlotsOfTask();
    return shape;
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H
