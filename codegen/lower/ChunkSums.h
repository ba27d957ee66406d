// ChunkSums.h: the chunks of pixels over which gradients of weights are summed (PixelChunks.h), and
// the tree by which the chunks of a slot become one sum.
#ifndef SYMC_CODEGEN_LOWER_CHUNKSUMS_H
#define SYMC_CODEGEN_LOWER_CHUNKSUMS_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

/// First and end of a range.
struct Span {
  mlir::OpFoldResult first, end;
};

/// `count` indices from `first` on, fewer at `end`.
inline Span spanOf(Emission &e, mlir::OpFoldResult first, int64_t count, mlir::OpFoldResult end) {
  return {first, e.min(e.add(first, e.constant(count)), end)};
}

void forSpan(Emission &e, Span span, llvm::function_ref<void(mlir::OpFoldResult)> body,
             int64_t step = 1);

/// The pixels of one chunk.
struct ChunkPixels {
  Span images, rows;
};
ChunkPixels pixelsOf(Emission &e, const kernel::PixelChunks &chunks, const View &slope,
                     mlir::OpFoldResult chunk);

/// How far the pointers to data and slope move from one pixel to the next, in elements.
struct PixelSteps {
  mlir::Type element;
  mlir::OpFoldResult data, slope;
};

/// A loop over pixels that carries the pointers and the sums; `iteration` makes new sums.
llvm::SmallVector<mlir::Value>
sumPixels(Emission &e, Span span, PixelSteps steps, mlir::Value data, mlir::Value slope,
          llvm::ArrayRef<mlir::Value> sums,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value data, mlir::Value slope,
                                                            llvm::ArrayRef<mlir::Value> sums)>
              iteration);

/// What a step does with its sums of a slot: those of one chunk are computed to [s, 0]; what waits
/// at [s, 1 + level] is added to [s, 0], or [s, 0] is stored there.
struct SlotSums {
  llvm::function_ref<void(mlir::OpFoldResult chunk)> compute;
  llvm::function_ref<void(mlir::OpFoldResult level)> add, store;
};

/// Sums all chunks of a slot, the left and the right of neighbours at a time.
void emitSlot(Emission &e, const kernel::PixelChunks &chunks, int64_t perSlot,
              mlir::OpFoldResult slot, const SlotSums &sums);

/// Emission of `add` and `store` for one vector at [s, 0], where levels are `step` elements apart.
void addLevel(Emission &e, mlir::Value place, mlir::OpFoldResult level, mlir::OpFoldResult step,
              mlir::Type element, int64_t lanes);
void storeLevel(Emission &e, mlir::Value place, mlir::OpFoldResult level, mlir::OpFoldResult step,
                mlir::Type element, int64_t lanes);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_CHUNKSUMS_H
