// Attention.cpp: shapes of products inside attention layers; the numbered constraints
// are those of Attention.td.
#include "ir/ops/Attention.h"
#include "ir/Conditions.h"
#include <cmath>

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Attention.cpp.inc"

void symc::sg::registerAttentionOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Attention.cpp.inc"
      >();
}

// Rank 3, and a last extent that `parts` of each head share alike.
static LogicalResult checkProjection(ShapeScope &scope, size_t operand, StringRef name,
                                     int64_t heads, int64_t parts) {
  const Shape &shape = scope.input(operand);
  if (!shape.isRanked())
    return success();
  auto wrong = [&](raw_ostream &message) {
    message << name << " has shape " << shape.str() << ", needs [length, batch, a multiple of "
            << heads * parts << "] with heads = " << heads;
  };
  if (shape.rank() == 3)
    return scope.need(multipleOf(shape[2], heads * parts), wrong);
  return scope.refuse(wrong);
}

bool InterleavedQkOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "keys_values" || !params.getBool("is_self");
}

LogicalResult InterleavedQkOp::inferShape(ShapeScope &scope) {
  int64_t heads = getHeads();
  if (failed(checkProjection(scope, 0, "queries", heads, getIsSelf() ? 3 : 1))) // C1
    return failure();
  const Shape &queries = scope.input(0), &keys = scope.input(getIsSelf() ? 0 : 1);
  if (!getIsSelf()) {
    if (failed(checkProjection(scope, 1, "keys_values", heads, 2))) // C1
      return failure();
    if (!queries.isRanked() || !keys.isRanked())
      return success();
    if (failed(scope.refineInput(1, Shape({Dim(), queries[1], queries[2] * 2}),
                                 " for queries " + queries.str()))) // C1
      return failure();
  }
  if (!queries.isRanked())
    return success();
  return scope.refineOutput(0, Shape({queries[1] * heads, queries[0], keys[0]})); // C2
}

LogicalResult InterleavedValattOp::inferShape(ShapeScope &scope) {
  int64_t heads = getHeads(), parts = getIsSelf() ? 3 : 2;
  if (failed(checkProjection(scope, 0, "keys_values", heads, parts))) // C1
    return failure();
  const Shape &values = scope.input(0), &attention = scope.input(1);
  if (!values.isRanked())
    return success();
  if (failed(scope.refineInput(1, Shape({values[1] * heads, Dim(), values[0]})))) // C1
    return failure();
  return scope.refineOutput(0, Shape({attention[1], values[1], floorDiv(values[2], parts)})); // C2
}

// Each element of the result is a sum over a head's width, or over all keys.
CheckedSize InterleavedQkOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.resultCount(0) * (shapes.operands[0][2] / (getHeads() * (getIsSelf() ? 3 : 1)));
}
CheckedSize InterleavedValattOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.resultCount(0) * shapes.operands[1][2];
}

LogicalResult DivSqrtDimOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && (data.rank() == 0 || (data[data.rank() - 1].isKnown() &&
                                               !data[data.rank() - 1].isStatic()))) // C1
    return scope.error() << "data has shape " << data.str() << ", needs a constant last extent";
  return scope.refineAllSame(); // C1
}

Scalar DivSqrtDimOp::buildScalar(ScalarBuilder &b, ArrayRef<Scalar> x) {
  int64_t extent = cast<RankedTensorType>(getData().getType()).getShape().back();
  return b.apply(ScalarPrimitive::div, {x[0], b.number(std::sqrt(double(extent)))});
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

// Heads stand before the rows of a batch in weights, behind them in projections.
int64_t InterleavedQkOp::getRowAxis(RowScope &rows) {
  rows.comparedExtents = true;
  return rows.all(1) == kNoRows ? kNoRows : 0;
}

int64_t InterleavedValattOp::getRowAxis(RowScope &rows) {
  rows.comparedExtents = true;
  return rows.at(0, 1) && rows.at(1, 0) ? 1 : kNoRows;
}
