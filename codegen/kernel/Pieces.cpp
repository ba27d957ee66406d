// Pieces.cpp: see Pieces.h.
#include "codegen/kernel/Pieces.h"

using namespace mlir;

namespace symc::kernel {

static DenseI64ArrayAttr pieceOf(Operation *step) {
  return step->getAttrOfType<DenseI64ArrayAttr>(kPieceAttr);
}

int64_t newStepNumber(ProgramOp program) {
  int64_t next = 0;
  for (Operation &op : program.getBody().front())
    if (DenseI64ArrayAttr piece = pieceOf(&op))
      next = std::max(next, piece[0] + 1);
  return next;
}

void setPiece(Operation *step, int64_t number, int64_t pieces) {
  step->setAttr(kPieceAttr, DenseI64ArrayAttr::get(step->getContext(), {number, pieces}));
}

int64_t piecesOf(Operation *step) {
  DenseI64ArrayAttr piece = pieceOf(step);
  return piece ? piece[1] : 1;
}

int64_t StepNumbers::of(Operation *step) {
  DenseI64ArrayAttr piece = pieceOf(step);
  if (!piece)
    return next++;
  auto [place, isNew] = numbers.try_emplace(piece[0], next);
  next += isNew;
  return place->second;
}

} // namespace symc::kernel
