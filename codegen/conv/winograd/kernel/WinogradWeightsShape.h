// WinogradWeightsShape.h: the sizes inside of a kernel.winograd_weights, all derived from its
// constant extents and attributes: chunks of pixels, their tiles, tasks, and the layout of a row of
// scratch. One home, since the schedule reserves the memory that the lowering fills.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H
#define SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// Sums of a window over the pixels of chunks, of m x m pixels a tile, or of m along one axis where
/// the window has one element along the other. Pixels at one place modulo the dilations are an
/// image of their own. A row of scratch holds, in elements:
///   inputs   [position][input block of the task][tile of the group][16]
///   slopes   [position][output block of the task][tile of the group][16]
///   sums     [position][output block that is summed][input channel that is summed][16]
///   patch    [6][6][16], one tile between its two transforms
/// Where the tiles of a chunk are one group, sums are made and transformed back for some pairs of
/// blocks after the other, else for all of a task, over the groups.
struct WinogradWeightsShape {
  static constexpr int64_t points = 6; // of interpolation: m + taps - 1

  int64_t window[2] = {3, 3}; // taps along an axis: 2 to 4, or 1
  int64_t dilations[2] = {1, 1};
  int64_t images = 1, rows = 1, columns = 1; // of slope
  int64_t inChannels = 1, outChannels = 1;
  int64_t blockWidth = 1;                                           // channels side by side
  int64_t perSlot = 1;                                              // chunks of a slot
  int64_t tilesAtOnce = 1, inBlocksOfTask = 1, outBlocksOfTask = 1; // the op's `block`
  int64_t inBlocksSummed = 1, outBlocksSummed = 1;                  // `together`
  int64_t slotsOfTask = 1;

  int64_t taps() const { return std::max(window[0], window[1]); }
  int64_t m() const { return points + 1 - taps(); }
  // Along an axis: 0 for rows, 1 for columns.
  int64_t outputs(int axis) const { return window[axis] == 1 ? 1 : m(); }
  int64_t span(int axis) const { return outputs(axis) + window[axis] - 1; }
  int64_t positions() const { return span(0) * span(1); }
  /// The axis that is transformed where only one is.
  std::optional<int> line() const {
    if (window[0] != 1 && window[1] != 1)
      return std::nullopt;
    return window[0] == 1 ? 1 : 0;
  }
  /// Whether a tile has such a window.
  static bool takes(int64_t rows, int64_t columns) {
    int64_t most = std::max(rows, columns), least = std::min(rows, columns);
    return most >= 2 && most <= 4 && (least == most || least == 1);
  }

  PixelChunks chunks() const { return PixelChunks::of(images, rows, columns); }
  int64_t slots() const { return llvm::divideCeil(chunks().count, perSlot); }
  int64_t inBlocks() const { return llvm::divideCeil(inChannels, blockWidth); }
  int64_t outBlocks() const { return llvm::divideCeil(outChannels, blockWidth); }

  int64_t phases() const { return dilations[0] * dilations[1]; }
  /// Along an axis the tiles of each image of so many pixels; of a dilated one, those of the place
  /// that has most.
  int64_t tilesAlong(int axis, int64_t pixels) const {
    return llvm::divideCeil(llvm::divideCeil(pixels, dilations[axis]), outputs(axis));
  }
  int64_t tileColumns() const { return tilesAlong(1, columns); }
  /// The most that a chunk has.
  int64_t tilesOfChunk() const {
    PixelChunks all = chunks();
    return all.images * phases() * tilesAlong(0, all.rows) * tileColumns();
  }
  /// Those of all chunks.
  int64_t tiles() const {
    PixelChunks all = chunks();
    int64_t ofImage = all.rows >= rows ? tilesAlong(0, rows)
                                       : rows / all.rows * tilesAlong(0, all.rows) +
                                             tilesAlong(0, rows % all.rows);
    return images * phases() * ofImage * tileColumns();
  }
  /// Whether some tile has fewer rows, or columns, than others; or none.
  bool hasShort(int axis) const { return !allDivide(axis, dilations[axis] * outputs(axis)); }
  bool hasEmpty(int axis) const { return !allDivide(axis, dilations[axis]); }

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
  int64_t slopesOffset() const { return positions() * inputStride(); }
  int64_t sumsOffset() const { return slopesOffset() + positions() * slopeStride(); }
  int64_t patchOffset() const { return sumsOffset() + positions() * sumStride(); }
  int64_t scratchElements() const { return patchOffset() + positions() * blockWidth; }

  static WinogradWeightsShape of(WinogradWeightsOp op) {
    llvm::ArrayRef<int64_t> slope =
        mlir::cast<mlir::MemRefType>(op.getSlope().getType()).getShape();
    WinogradWeightsShape shape;
    llvm::ArrayRef<int64_t> sums = mlir::cast<mlir::MemRefType>(op.getSums().getType()).getShape();
    for (int axis : {0, 1})
      shape.window[axis] = sums[4 + axis];
    llvm::ArrayRef<int64_t> data = mlir::cast<mlir::MemRefType>(op.getData().getType()).getShape();
    for (int axis : {0, 1})
      if (shape.window[axis] > 1)
        shape.dilations[axis] = (data[2 + axis] - slope[2 + axis]) / (shape.window[axis] - 1);
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

private:
  // Whether a number divides the pixels of each chunk along an axis.
  bool allDivide(int axis, int64_t number) const {
    if (axis == 1)
      return columns % number == 0;
    int64_t each = std::min(chunks().rows, rows);
    return each % number == 0 && rows % each % number == 0;
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADWEIGHTSSHAPE_H
