// StrassenShape.h: the sizes inside of a kernel.strassen, all derived from its constant
// extents and attributes: halves, units, tasks, and the layout of a row of scratch. One
// home, since the schedule reserves the memory that the lowering fills.
#ifndef SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSHAPE_H
#define SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSHAPE_H

#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// A row of scratch holds, in elements:
///   sums   [sum of data][input block of a half][pixel of the unit][16]
///   tiles  two register tiles that one chain keeps for another
/// Input blocks lie an odd number of 64-byte lines apart: else their pixels would
/// share sets of L1.
struct StrassenShape {
  int64_t images = 1, rows = 1, columns = 1; // output
  int64_t inChannels = 32, outChannels = 32;
  bool flat = false;
  int64_t unit = 1;                         // pixels of the first half, in whole rows
  int64_t unitsPerTask = 1, lastPieces = 1; // the op's `per_task`

  int64_t blockWidth = 16; // channels side by side in data, weights and out

  int64_t tileElements() const { return 32 * blockWidth; } // as many vectors as there are registers

  int64_t inBlocks() const { return inChannels / (2 * blockWidth); }   // of a half
  int64_t outBlocks() const { return outChannels / (2 * blockWidth); } // of a half
  /// The first half of the pixels; the second begins so many further on.
  int64_t halfRows() const { return flat ? 1 : rows / 2; }
  int64_t halfColumns() const { return flat ? (rows * columns + 1) / 2 : columns; }
  int64_t shiftRows() const { return flat ? 0 : rows / 2; }
  int64_t shiftColumns() const { return flat ? rows * columns / 2 : 0; }
  /// The halves share a pixel, which the second one stores.
  bool sharesPixel() const { return flat && rows * columns % 2 != 0; }

  int64_t unitRows() const { return flat ? 1 : unit / columns; }
  int64_t unitsPerImage() const {
    return flat ? llvm::divideCeil(halfColumns(), unit) : llvm::divideCeil(halfRows(), unitRows());
  }
  int64_t units() const { return images * unitsPerImage(); }
  int64_t unitTasks() const { return llvm::divideCeil(units(), unitsPerTask); }
  int64_t tasks() const { return unitTasks() - 1 + lastPieces; }

  /// Elements from one input block of a sum to the next, and from sum to sum.
  int64_t blockStride() const { return (unit | 1) * blockWidth; }
  int64_t sumStride() const { return inBlocks() * blockStride(); }
  int64_t tilesOffset() const { return strassenDataSums * sumStride(); }
  int64_t scratchElements() const { return tilesOffset() + 2 * tileElements(); }
  int64_t weightElements() const { return strassenProductCount * inChannels * outChannels / 4; }

  static StrassenShape of(StrassenOp op) {
    llvm::ArrayRef<int64_t> out = mlir::cast<mlir::MemRefType>(op.getOut().getType()).getShape();
    return {out[0],
            out[2],
            out[3],
            static_cast<int64_t>(op.getInChannels()),
            static_cast<int64_t>(op.getOutChannels()),
            op.getFlat(),
            static_cast<int64_t>(op.getUnit()),
            op.getPerTask()[0],
            op.getPerTask()[1],
            out[4]};
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSHAPE_H
