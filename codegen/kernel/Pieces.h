// Pieces.h: steps that a pass has cut into several, which carry `piece`
// (RowwiseInterface); a step without it is a step of its own.
#ifndef SYMC_CODEGEN_KERNEL_PIECES_H
#define SYMC_CODEGEN_KERNEL_PIECES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// A number for a step of the program that is to be cut.
int64_t newStepNumber(ProgramOp program);

/// The pieces of which the step is one; 1 for a whole step.
int64_t piecesOf(mlir::Operation *step);

/// Numbers the steps of a program from 0 in their order, all pieces of one step alike.
class StepNumbers {
public:
  int64_t of(mlir::Operation *step);
  int64_t count() const { return next; }

private:
  llvm::DenseMap<int64_t, int64_t> numbers; // of cut steps
  int64_t next = 0;
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_PIECES_H
