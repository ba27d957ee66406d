// ZeroRows.h: `zero_rows` and `zero_columns` of a kernel.conv, whose data has rows of zeros at
// its top and bottom and columns of them at its sides, the padding of its image. Products with
// them may be left out: at 7x7 pixels rows are a tenth of a 3x3 layer, and with dilation 12 over
// 20x20 pixels both are two thirds.
#ifndef SYMC_CODEGEN_KERNEL_ZEROROWS_H
#define SYMC_CODEGEN_KERNEL_ZEROROWS_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

struct ZeroRows {
  int64_t top = 0, bottom = 0, left = 0, right = 0;
};

void setZeroRowsOf(ConvOp conv, ZeroRows rows);
ZeroRows zeroRowsOf(ConvOp conv);

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_ZEROROWS_H
