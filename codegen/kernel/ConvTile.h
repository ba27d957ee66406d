// ConvTile.h: the `tile` of kernel.conv and its kin as a struct, what a tuner varies of them,
// and whether the pixels of views are one row.
#ifndef SYMC_CODEGEN_KERNEL_CONVTILE_H
#define SYMC_CODEGEN_KERNEL_CONVTILE_H

#include "mlir/IR/Value.h"

namespace symc::codegen {

/// Output vectors of a block's channels by rows by columns of pixels (the op's `tile`).
struct ConvTile {
  int64_t blocks, rows, columns;
};

/// What a tuner varies of a step.
struct StepChoice {
  ConvTile tile;
  bool pixelsOutside; // direct: pixel tiles outside, channels inside
};

/// [row, column] strides in elements of views [N, B, H, W, 16]; nothing where a layout has none.
std::optional<llvm::SmallVector<std::pair<int64_t, int64_t>>>
pixelStrides(llvm::ArrayRef<mlir::Value> views);

/// True if pixels of all views lie at one distance: stride-1 1x1 kernels over
/// images without a halo. `viewStrides` are their pixelStrides.
bool isFlat(int64_t columns, llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> strides,
            llvm::ArrayRef<std::pair<int64_t, int64_t>> viewStrides);

/// The same of a 1x1 kernel of stride 1 over views [N, B, H, W, 16] of one extent.
bool viewsAreFlat(llvm::ArrayRef<mlir::Value> views);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_KERNEL_CONVTILE_H
