// RowsOps.h: the steps of RowsOps.td, which are in a header of their own.
#ifndef SYMC_CODEGEN_KERNEL_ROWSOPS_H
#define SYMC_CODEGEN_KERNEL_ROWSOPS_H

#include "codegen/kernel/KernelDialect.h"

#define GET_OP_CLASSES
#include "codegen/kernel/RowsOps.h.inc"

#endif // SYMC_CODEGEN_KERNEL_ROWSOPS_H
