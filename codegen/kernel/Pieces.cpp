// Pieces.cpp: see Pieces.h.
#include "codegen/kernel/Pieces.h"

using namespace mlir;

namespace symc::kernel {

// Empty for a whole step.
static ArrayRef<int64_t> pieceOf(Operation *step) {
  auto rowwise = dyn_cast<RowwiseInterface>(step);
  return rowwise ? rowwise.getPiece() : ArrayRef<int64_t>();
}

int64_t newStepNumber(ProgramOp program) {
  int64_t next = 0;
  for (Operation &op : program.getBody().front())
    if (ArrayRef<int64_t> piece = pieceOf(&op); !piece.empty())
      next = std::max(next, piece[0] + 1);
  return next;
}

int64_t piecesOf(Operation *step) {
  ArrayRef<int64_t> piece = pieceOf(step);
  return piece.empty() ? 1 : piece[1];
}

int64_t StepNumbers::of(Operation *step) {
  ArrayRef<int64_t> piece = pieceOf(step);
  if (piece.empty())
    return next++;
  auto [place, isNew] = numbers.try_emplace(piece[0], next);
  next += isNew;
  return place->second;
}

} // namespace symc::kernel
