// RecurrentOp.cpp: what kernel.recurrent verifies, and what its interfaces return.
#include "codegen/conv/strassen/kernel/StrassenRecurrent.h"
#include "codegen/kernel/StepVerifiers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult RecurrentOp::verify() {
  auto gates = cast<MemRefType>(getGates().getType()), out = cast<MemRefType>(getOut().getType());
  auto areConstants = [](ArrayRef<int64_t> extents) {
    return llvm::none_of(extents, ShapedType::isDynamic);
  };
  if (gates.getRank() != 4 || out.getRank() != 3 || !areConstants(gates.getShape().drop_front(2)) ||
      !areConstants(out.getShape().drop_front(2)))
    return emitOpError("needs gates [T, N, G, H] and out [T, N, H], G and H constants");
  ArrayRef<int64_t> weights = cast<MemRefType>(getWeights().getType()).getShape();
  int64_t width = weights.empty() ? 1 : std::max<int64_t>(weights.back(), 1); // units of a block
  int64_t units = out.getDimSize(2), count = gates.getDimSize(2);
  int64_t blocks = llvm::divideCeil(units, width);
  Type factor = cast<MemRefType>(getWeights().getType()).getElementType();
  int64_t together = factor.isBF16() ? 2 : 1; // rows
  int64_t panels[] = {blocks, units / together, count, 1, together, width};
  if (!getScratch() && weights != ArrayRef<int64_t>(panels))
    return emitOpError("weights need ")
           << panels[0] << " blocks of panels, " << panels[1] << " by " << count
           << (together > 1 ? " pairs of rows in each" : " rows in each");
  if (getScratch()) {
    RecurrentHalves halves{out.getDimSize(1), units, count, width};
    std::array<int64_t, 6> sums = halves.weights();
    std::array<int64_t, 2> row = halves.scratch();
    if (ShapedType::isDynamic(halves.batch) || halves.batch % 2 || units % (2 * width) ||
        weights != ArrayRef<int64_t>(sums) ||
        cast<MemRefType>(getScratch().getType()).getShape() != ArrayRef<int64_t>(row))
      return emitOpError(
                 "with scratch needs an even batch, whole pairs of blocks of units, weights [")
             << ArrayRef<int64_t>(sums) << "] and scratch [" << ArrayRef<int64_t>(row) << "]";
  }
  if (Value rounded = getRounded()) {
    auto type = cast<MemRefType>(rounded.getType());
    int64_t states[] = {2, out.getDimSize(1), units};
    if (getScratch() || type.getElementType() != factor || factor.isF32() ||
        type.getShape() != ArrayRef<int64_t>(states))
      return emitOpError("rounded needs two states [")
             << ArrayRef<int64_t>(states) << "] of the type of weights of 16 bits, found " << type;
  }
  if (bool(getCell()) != bool(getCellOut()))
    return emitOpError("has a cell before or after its steps, needs both or none");
  if (std::optional<ArrayRef<int64_t>> tile = getTile();
      tile && (tile->size() != 3 || llvm::any_of(*tile, [](int64_t n) { return n < 1; }) ||
               count % tile->back()))
    return emitOpError("tile needs [vectors, rows, gates] of at least 1, gates that divide ")
           << count << ", found [" << *tile << "]";
  if (getPerTask() && int64_t(*getPerTask()) < 1)
    return emitOpError("per_task needs a number of at least 1, found ") << int64_t(*getPerTask());
  Type element = out.getElementType();
  SmallVector<Type> expected((getBias() ? 3 : 2) * count + 1 + (getCell() ? 1 : 0), element);
  return verifyBody(*this, getBody(), expected, SmallVector<Type>(getCell() ? 2 : 1, element));
}

bool RecurrentOp::isChosen() { return getTile() && getPerTask(); }

int64_t RecurrentOp::getFlops() {
  return 2 * staticElements(getGates(), 0) * cast<MemRefType>(getOut().getType()).getDimSize(2);
}

int64_t RecurrentOp::getRounds() { return cast<MemRefType>(getOut().getType()).getDimSize(0); }
