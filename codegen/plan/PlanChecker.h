// PlanChecker.h: a second opinion on a planned arena. Shares no analysis with the
// planner: it evaluates sizes with concrete numbers, at every corner of the
// symbolic sizes' ranges, and follows bytes instead of buffers.
//
//   P1  every buffer has an offset, a multiple of 64, and ends inside the arena;
//   P2  every view of a step lies inside its buffer, weight or argument;
//   P3  a buffer is written before it is read;
//   P4  no step writes bytes that a later step still needs from another buffer;
//   P5  a step's inputs touch the bytes of its outputs only where it reads, for
//       each index, the very bytes that it then writes. Parts of one buffer that lie between each
//       other, such as channels of a block, do not touch;
//   P6  of a program with gradients, no step of one part touches an input or output of the other;
//   P7  what forward writes and backward reads stays as forward left it, by P4 to the end of the
//       program, and no step of backward writes it;
//   P8  @prepare_program writes every prepared weight of the module.
#ifndef SYMC_CODEGEN_PLAN_PLANCHECKER_H
#define SYMC_CODEGEN_PLAN_PLANCHECKER_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// Emits an error for the first violation found.
mlir::LogicalResult checkPlan(kernel::ProgramOp program);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_PLANCHECKER_H
