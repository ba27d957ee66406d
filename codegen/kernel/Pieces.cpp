// Pieces.cpp: see Pieces.h.
#include "codegen/kernel/Pieces.h"

using namespace mlir;

namespace symc::kernel {

// Null for a whole step.
static PieceAttr pieceOf(Operation *step) {
  auto rowwise = dyn_cast<RowwiseInterface>(step);
  return rowwise ? rowwise.getPieceAttr() : PieceAttr();
}

int64_t newStepNumber(ProgramOp program) {
  int64_t next = 0;
  for (Operation &op : program.getBody().front())
    if (PieceAttr piece = pieceOf(&op))
      next = std::max(next, piece.getStep() + 1);
  return next;
}

int64_t piecesOf(Operation *step) {
  PieceAttr piece = pieceOf(step);
  return piece ? piece.getPieces() : 1;
}

int64_t StepNumbers::of(Operation *step) {
  PieceAttr piece = pieceOf(step);
  if (!piece)
    return next++;
  auto [place, isNew] = numbers.try_emplace(piece.getStep(), next);
  next += isNew;
  return place->second;
}

} // namespace symc::kernel
