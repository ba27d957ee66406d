// Fourier.cpp: shapes of Fourier transforms; the numbered constraints are those of Fourier.td.
#include "ir/ops/Fourier.h"
#include "ir/RowScratch.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Fourier.cpp.inc"

void symc::sg::registerFourierOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Fourier.cpp.inc"
      >();
}

static bool isProduct(int64_t length) {
  for (int64_t factor : {2, 3, 5})
    while (length > 1 && length % factor == 0)
      length /= factor;
  return length == 1;
}

LogicalResult DftOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &waves = scope.input(1);
  if (!data.isRanked() || !waves.isRanked())
    return success();
  size_t rank = data.rank();
  if (rank < 2 || !data[rank - 2].isStatic() ||
      !(data[rank - 1].isStatic(1) || data[rank - 1].isStatic(2))) // C1
    return scope.error() << "data has shape " << data.str()
                         << ", needs a fixed extent and behind it 1 or 2 numbers for each element";
  if (waves.rank() != 2 || !waves[0].isStatic() || !waves[1].isStatic(2) ||
      !isProduct(waves[0].get())) // C2
    return scope.error() << "waves has shape " << waves.str()
                         << ", needs [L, 2], where L is a product of factors 2, 3 and 5";
  bool toReal = getInverse() && getOnesided();
  if (toReal && data[rank - 1].isStatic(1)) // C3
    return scope.error() << "data has shape " << data.str()
                         << ", but half of a spectrum has real and imaginary parts";
  Shape output(data.list().drop_back(2));
  int64_t length = waves[0].get();
  output.push_back(scope.dim(getOnesided() && !getInverse() ? length / 2 + 1 : length));
  output.push_back(scope.dim(toReal ? 1 : 2));
  return scope.refineOutput(0, output); // C4
}

// Two complex rows.
CheckedSize DftOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize rows = 1, length = shapes.operands[1][0];
  for (CheckedSize extent : ArrayRef(shapes.operands[0]).drop_back(2))
    rows *= extent;
  int64_t bytes = elementTypeOf(getData().getType()).getIntOrFloatBitWidth() / 8;
  return rowScratchBytes(shapes, rows, 4 * length * bytes);
}
