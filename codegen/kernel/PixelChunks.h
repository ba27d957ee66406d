// PixelChunks.h: how the pixels that a weight's gradient is summed over are cut, by extents alone:
// a chunk is as many whole images, else rows of one, as hold at most 4,096 pixels, at least one
// row. Each chunk is one chain of sums; chunks are added by a binary tree of neighbours.
#ifndef SYMC_CODEGEN_KERNEL_PIXELCHUNKS_H
#define SYMC_CODEGEN_KERNEL_PIXELCHUNKS_H

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace symc::kernel {

struct PixelChunks {
  int64_t images, rows; // of a chunk: rows are all where it is of whole images, which is one else
  int64_t perImage;     // chunks of an image; 1: chunks of whole images
  int64_t count;

  static constexpr int64_t mostPixels = 4096;

  static PixelChunks of(int64_t images, int64_t rows, int64_t columns) {
    int64_t pixels = std::max<int64_t>(rows * columns, 1);
    if (pixels <= mostPixels) {
      int64_t each = std::max<int64_t>(std::min(images, mostPixels / pixels), 1);
      return {each, rows, 1, int64_t(llvm::divideCeil(images, each))};
    }
    int64_t each = std::max<int64_t>(mostPixels / columns, 1);
    int64_t perImage = llvm::divideCeil(rows, each);
    return {1, each, perImage, perImage * images};
  }

  static constexpr int64_t mostSlots = 20; // sums of chunks that lie in memory at once
  /// The chunks of one slot of sums, a power of two, so that there are at most so many slots.
  int64_t perSlot(int64_t most = mostSlots) const {
    int64_t each = 1;
    while (int64_t(llvm::divideCeil(count, each)) > most)
      each *= 2;
    return each;
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_PIXELCHUNKS_H
