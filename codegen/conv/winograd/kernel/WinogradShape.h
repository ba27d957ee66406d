// WinogradShape.h: the sizes inside of a kernel.winograd, all derived from its
// constant extents: tiles and their groups, tasks, and the layout of a row of
// scratch. One home, since the schedule reserves the memory that the lowering fills.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADSHAPE_H
#define SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADSHAPE_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// F(m x m, taps x taps) over an output image, and F(m, taps) along one axis where the
/// window has one element along the other. A row of scratch holds, in elements:
///   inputs   [position][summed block][tile of the group][16], perhaps of 16 bits
///   sums     [position][output block of the group][tile of the group][16]
///   patch    [span][span][16], one tile between its two transforms
///   panels   [column of positions][summed block][16][16], where weights are expanded
/// A window of more taps is a sum of pieces: each piece reads the image some taps further on,
/// and its input channels stand behind those of the piece before.
/// Of a dilated kernel the pixels at one place modulo the dilations are an image of their own, and
/// images, rows and columns are theirs here.
/// The last row and column of positions, those of the point at infinity, serve the last
/// row and column of a tile's outputs only. Where extents are no multiples of m, and
/// that many products are saved, the last tiles have m - 1 outputs each instead of one
/// tile having few, and those positions of theirs are not summed. Such tiles are
/// ordered so that a position's tiles follow each other.
/// Positions lie an odd number of 64-byte lines apart: else all lines that one
/// tile scatters to would share a set of L1.
struct WinogradShape {
  int64_t m = 4;
  int64_t images = 1, rows = 1, columns = 1; // output
  int64_t inChannels = 1, outChannels = 1;
  int64_t blockWidth = 16;                      // channels side by side in data, weights and out
  int64_t tilesAtOnce = 1, blocksAtOnce = 1;    // the op's `block`
  int64_t groupsPerTask = 1, blocksPerTask = 1; // the op's `per_task`
  bool onTheFly = false;      // weights are transformed by the step: [OB, IB, 16, 9, 16]
  bool expands = false;       // these, by rows of positions in scratch
  bool pairs = false;         // transformed inputs and weights are 16 bits, in pairs of channels
  int64_t stride = 1;         // of the layer whose phases are the input channels; 1: there are none
  int64_t window[2] = {0, 0}; // rows and columns of a kernel in pieces; 0: taps()
  int64_t dilations[2] = {1, 1};

  /// Four points of interpolation where m is 2, else six: m + taps - 1.
  static int64_t tapsOf(int64_t m) { return m == 2 ? 3 : 7 - m; }
  int64_t taps() const { return tapsOf(m); }
  int64_t span() const { return m + taps() - 1; }

  // Along an axis: 0 for rows, 1 for columns.
  int64_t extent(int axis) const { return window[axis] ? window[axis] : taps(); }
  int64_t outputs(int axis) const { return window[axis] == 1 ? 1 : m; }
  int64_t taps(int axis) const { return window[axis] == 1 ? 1 : taps(); }
  int64_t span(int axis) const { return outputs(axis) + taps(axis) - 1; }
  int64_t pieces(int axis) const { return llvm::divideCeil(extent(axis), taps(axis)); }
  /// The axis that is transformed where only one is.
  std::optional<int> line() const {
    if (window[0] != 1 && window[1] != 1)
      return std::nullopt;
    return window[0] == 1 ? 1 : 0;
  }

  bool isDilated() const { return dilations[0] * dilations[1] > 1; }
  int64_t pieces() const { return pieces(0) * pieces(1); }
  int64_t positions() const { return span(0) * span(1); }
  int64_t weightElements() const { return onTheFly ? 9 : positions(); } // a pair of channels
  int64_t dataBlocks() const { return llvm::divideCeil(inChannels, blockWidth); }
  int64_t inBlocks() const { return pieces() * dataBlocks(); } // that products sum over
  int64_t summedChannels() const { return pieces() == 1 ? inChannels : inBlocks() * blockWidth; }
  int64_t outBlocks() const { return llvm::divideCeil(outChannels, blockWidth); }
  int64_t tileRows() const { return llvm::divideCeil(rows, outputs(0)); }
  int64_t tileColumns() const { return llvm::divideCeil(columns, outputs(1)); }
  int64_t tiles() const { return images * tileRows() * tileColumns(); }

  /// Rows and columns of tiles with m - 1 outputs, the last ones.
  int64_t shortRows() const { return isBalanced() ? shortOf(0) : 0; }
  int64_t shortColumns() const { return isBalanced() ? shortOf(1) : 0; }
  /// Those of all images with m outputs, above the short ones.
  int64_t upperTiles() const { return images * (tileRows() - shortRows()) * tileColumns(); }

  /// The tiles first <= t < end, in their order, that a position needs.
  struct TileRange {
    int64_t first, end;
  };
  TileRange tilesOf(bool lastRow, bool lastColumn) const {
    TileRange range{0, tiles()};
    int64_t fullColumns = tileColumns() - shortColumns();
    if (lastColumn && shortColumns() > 0)
      range = {images * (tileRows() - shortRows()) * shortColumns(),
               upperTiles() + images * shortRows() * fullColumns};
    if (lastRow)
      range.end = std::min(range.end, upperTiles());
    return range;
  }
  /// Whether products leave out what tilesOf does: all tiles are taken at once.
  bool skipsTiles() const { return shortRows() + shortColumns() > 0 && groups() == 1; }
  /// Products of one tile, position and pair of channels that the step computes.
  int64_t tileProducts() const {
    if (!skipsTiles())
      return positions() * groups() * tilesAtOnce;
    return images * neededPositions();
  }
  int64_t groups() const { return llvm::divideCeil(tiles(), tilesAtOnce); }
  int64_t groupTasks() const { return llvm::divideCeil(groups(), groupsPerTask); }
  int64_t blockTasks() const { return llvm::divideCeil(outBlocks(), blocksPerTask); }
  int64_t tasks() const { return groupTasks() * blockTasks(); }

  /// Elements of float32 from one position to the next; pairs take one.
  int64_t inputStride() const {
    int64_t blocks = inBlocks() * tilesAtOnce;
    return ((pairs ? llvm::divideCeil(blocks, 2) : blocks) | 1) * blockWidth;
  }
  int64_t sumStride() const { return (blocksAtOnce * tilesAtOnce | 1) * blockWidth; }
  int64_t sumsOffset() const { return positions() * inputStride(); }
  int64_t patchOffset() const { return sumsOffset() + positions() * sumStride(); }
  int64_t panelStride() const { return (inBlocks() * blockWidth | 1) * blockWidth; }
  int64_t panelsOffset() const { return patchOffset() + positions() * blockWidth; }
  int64_t scratchElements() const {
    return panelsOffset() + (expands ? span() * panelStride() : 0);
  }

private:
  // So many tiles have one output fewer each; none where the last must have still fewer.
  int64_t shortOf(int axis) const {
    int64_t extent = axis ? columns : rows, count = axis ? tileColumns() : tileRows();
    int64_t missing = count * outputs(axis) - extent;
    return missing <= count ? missing : 0;
  }
  // Positions of all tiles of an image without those that short ones do not need.
  int64_t neededPositions() const {
    return (tileRows() * span(0) - shortOf(0)) * (tileColumns() * span(1) - shortOf(1));
  }
  bool isBalanced() const {
    constexpr double leastShare = 0.92;
    return neededPositions() <= leastShare * (tileRows() * tileColumns() * positions());
  }

public:
  static WinogradShape of(WinogradOp op) {
    llvm::ArrayRef<int64_t> out = mlir::cast<mlir::MemRefType>(op.getOut().getType()).getShape();
    WinogradShape shape;
    shape.m = op.getOutputTile();
    if (llvm::ArrayRef<int64_t> apart = op.getDilations(); !apart.empty())
      llvm::copy(apart, shape.dilations);
    shape.images = out[0] * shape.dilations[0] * shape.dilations[1];
    shape.rows = out[2] / shape.dilations[0];
    shape.columns = out[3] / shape.dilations[1];
    shape.blockWidth = out[4];
    shape.inChannels = op.getInChannels();
    shape.outChannels = op.getOutChannels();
    shape.tilesAtOnce = op.getBlock()[0];
    shape.blocksAtOnce = op.getBlock()[1];
    shape.groupsPerTask = op.getPerTask()[0];
    shape.blocksPerTask = op.getPerTask()[1];
    shape.onTheFly = op.isOnTheFly();
    shape.expands = op.getExpand();
    shape.pairs = isHalf(mlir::cast<mlir::MemRefType>(op.getWeights().getType()).getElementType());
    if (auto layer = op.getLayer())
      shape.stride = (*layer)[1];
    for (int axis = 0; op.getLayer() && shape.stride == 1 && axis < 2; ++axis)
      shape.window[axis] = (*op.getLayer())[2 + axis];
    return shape;
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_WINOGRAD_KERNEL_WINOGRADSHAPE_H
