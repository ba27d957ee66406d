// Matrix.cpp: shapes of matrix products; the numbered constraints are those of
// Matrix.td.
#include "ir/ops/Matrix.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Matrix.cpp.inc"

void symc::sg::registerMatrixOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Matrix.cpp.inc"
      >();
}

// Both operands with the extents that are summed over, where those differ.
static LogicalResult checkSummed(ShapeScope &scope, Dim left, Dim right) {
  if (left.isKnown() && right.isKnown() && left != right)
    return scope.error() << "lhs has shape " << scope.input(0).str() << " and rhs "
                         << scope.input(1).str() << ": the extents " << left.str() << " and "
                         << right.str() << " are summed over, needs equal ones";
  return success();
}

LogicalResult DotOp::inferShape(ShapeScope &scope) {
  const Shape &lhs = scope.input(0), &rhs = scope.input(1);
  if (!lhs.isRanked() || !rhs.isRanked())
    return success();
  if (lhs.rank() < 1 || rhs.rank() < 1) // C1
    return scope.error() << "lhs has shape " << lhs.str() << " and rhs " << rhs.str()
                         << ", needs at least one extent each";
  size_t summedLeft = getTransposeA() ? 0 : lhs.rank() - 1;
  size_t summedRight = getTransposeB() ? rhs.rank() - 1 : 0;
  if (failed(checkSummed(scope, lhs[summedLeft], rhs[summedRight]))) // C2
    return failure();
  Shape output{size_t(0)};
  for (size_t i = 0; i < lhs.rank(); ++i)
    if (i != summedLeft)
      output.push_back(lhs[i]);
  for (size_t i = 0; i < rhs.rank(); ++i)
    if (i != summedRight)
      output.push_back(rhs[i]);
  if (output.rank() == 0)
    output.push_back(scope.dim(1));
  return scope.refineOutput(0, output); // C3
}

LogicalResult BatchDotOp::inferShape(ShapeScope &scope) {
  const Shape &lhs = scope.input(0), &rhs = scope.input(1);
  if (!lhs.isRanked() || !rhs.isRanked())
    return success();
  if (lhs.rank() < 3 || lhs.rank() != rhs.rank()) // C1
    return scope.error() << "lhs has shape " << lhs.str() << " and rhs " << rhs.str()
                         << ", needs equal ranks of at least 3";
  size_t rank = lhs.rank();
  Shape output = lhs;
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (lhs[i].isKnown() && rhs[i].isKnown() && lhs[i] != rhs[i]) // C2
      return scope.error() << "lhs has shape " << lhs.str() << " and rhs " << rhs.str()
                           << ", needs equal extents along axis " << i;
    if (!output[i].isKnown())
      output[i] = rhs[i];
  }
  size_t summedLeft = getTransposeA() ? rank - 2 : rank - 1;
  size_t summedRight = getTransposeB() ? rank - 1 : rank - 2;
  if (failed(checkSummed(scope, lhs[summedLeft], rhs[summedRight]))) // C2
    return failure();
  output[rank - 2] = lhs[getTransposeA() ? rank - 1 : rank - 2];
  output[rank - 1] = rhs[getTransposeB() ? rank - 2 : rank - 1];
  return scope.refineOutput(0, output); // C3
}

LogicalResult KhatriRaoOp::inferShape(ShapeScope &scope) {
  Shape output{scope.dim(1), Dim()};
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    const Shape &part = scope.input(i);
    if (!part.isRanked())
      return success();
    bool fits =
        part.rank() == 2 && (!part[1].isKnown() || !output[1].isKnown() || part[1] == output[1]);
    if (!fits) // C1
      return scope.error() << "operand " << i << " has shape " << part.str() << ", needs [?, "
                           << output[1].str() << "]";
    output[0] = output[0] * part[0];
    if (!output[1].isKnown())
      output[1] = part[1];
  }
  return scope.refineOutput(0, output); // C2
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t DotOp::getRowAxis(RowScope &rows) {
  if (!rows.onlyFirst(1) || !rows.apart(getTransposeA() ? 0 : -1))
    return kNoRows;
  if (!getTransposeA())
    return rows.axis();
  return rows.rank() == 2 ? 0 : rows.noRule();
}

// Each element of the result is a sum over the axis that both have.
CheckedSize DotOp::getReferenceWork(const LargestShapes &shapes) {
  ArrayRef<CheckedSize> lhs = shapes.operands[0];
  return lhs.empty() ? shapes.largestCount()
                     : shapes.resultCount(0) * (getTransposeA() ? lhs.front() : lhs.back());
}
CheckedSize BatchDotOp::getReferenceWork(const LargestShapes &shapes) {
  ArrayRef<CheckedSize> lhs = shapes.operands[0];
  return shapes.resultCount(0) * lhs[getTransposeA() ? 1 : 2];
}
