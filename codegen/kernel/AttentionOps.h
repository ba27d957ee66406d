// AttentionOps.h: the step of AttentionOps.td, which is in a header of its own.
#ifndef SYMC_CODEGEN_KERNEL_ATTENTIONOPS_H
#define SYMC_CODEGEN_KERNEL_ATTENTIONOPS_H

#include "codegen/kernel/KernelDialect.h"

#define GET_OP_CLASSES
#include "codegen/kernel/AttentionOps.h.inc"

#endif // SYMC_CODEGEN_KERNEL_ATTENTIONOPS_H
