// Pieces.h: steps that a pass has cut into several. All pieces carry the number of
// the step that they were and how many they are, so that reports, profiles and
// probes know them as one; a step without the attribute is a step of its own.
#ifndef SYMC_CODEGEN_KERNEL_PIECES_H
#define SYMC_CODEGEN_KERNEL_PIECES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// On a step: array<i64: number of the whole, pieces>.
inline constexpr llvm::StringLiteral kPieceAttr = "kernel.piece";

/// A number for a step of the program that is to be cut.
int64_t newStepNumber(ProgramOp program);

void setPiece(mlir::Operation *step, int64_t number, int64_t pieces);

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
