// blocked_product.h: the loops of every reference product of matrices. A block of the right
// operand is copied beside each other, and a row of sums stays in registers, so that the loops
// are vector code; each element is still one sum over the depth in rising order.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_BLOCKED_PRODUCT_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_BLOCKED_PRODUCT_H

#include "threads.h"

#include "scalar_primitives.h"

namespace symc::ref {

// Calls out(i, j, sum over k of left(i, k) * right(k, j)) for each element of the result.
// 24 KiB of stack.
template <class Wide, class Left, class Right, class Out>
void multiply_blocks(int64_t rows, int64_t columns, int64_t depth, Left left, Right right,
                     Out out) {
  if constexpr (kOnDevice)
    return each_of(rows * columns, [&](int64_t n) {
      Wide sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum = symc::scalar::add(
            sum, symc::scalar::mul(Wide(left(n / columns, k)), Wide(right(k, n % columns))));
      out(n / columns, n % columns, sum);
    });
  constexpr int64_t kRows = 32, kColumns = 32, kDepth = 64;
  Wide sums[kRows][kColumns], block[kDepth][kColumns];
  auto less = [](int64_t a, int64_t b) { return a < b ? a : b; };
  for (int64_t j0 = 0; j0 < columns; j0 += kColumns)
    for (int64_t i0 = 0; i0 < rows; i0 += kRows) {
      int64_t high = less(kRows, rows - i0), wide = less(kColumns, columns - j0);
      for (int64_t i = 0; i < high; ++i)
        for (int64_t j = 0; j < kColumns; ++j)
          sums[i][j] = 0;
      for (int64_t k0 = 0; k0 < depth; k0 += kDepth) {
        int64_t deep = less(kDepth, depth - k0);
        for (int64_t k = 0; k < deep; ++k)
          for (int64_t j = 0; j < kColumns; ++j)
            block[k][j] = j < wide ? Wide(right(k0 + k, j0 + j)) : Wide(0);
        for (int64_t i = 0; i < high; ++i) {
          Wide row[kColumns];
          for (int64_t j = 0; j < kColumns; ++j)
            row[j] = sums[i][j];
          for (int64_t k = 0; k < deep; ++k) {
            Wide factor = Wide(left(i0 + i, k0 + k));
            for (int64_t j = 0; j < kColumns; ++j)
              row[j] = symc::scalar::add(row[j], symc::scalar::mul(factor, block[k][j]));
          }
          for (int64_t j = 0; j < kColumns; ++j)
            sums[i][j] = row[j];
        }
      }
      for (int64_t i = 0; i < high; ++i)
        for (int64_t j = 0; j < wide; ++j)
          out(i0 + i, j0 + j, sums[i][j]);
    }
}

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_BLOCKED_PRODUCT_H
