// Statistics.cpp: shapes and types of percentiles and counts; the numbered constraints are
// those of Statistics.td.
#include "ir/ops/Statistics.h"
#include "ir/Axes.h"
#include "ir/NumberText.h"
#include "ir/ValueSizes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Statistics.cpp.inc"

void symc::sg::registerStatisticsOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Statistics.cpp.inc"
      >();
}

bool PercentileOp::hasOperand(StringRef, const ParamView &params) {
  return params.isNone("q_scalar");
}

std::string PercentileOp::checkParams(const ParamView &params) { // C2
  if (params.isNone("q_scalar"))
    return {};
  double q = params.getFloat("q_scalar");
  if (q >= 0 && q <= 100)
    return {};
  return "parameter 'q_scalar' is " + numberText(q) + ", needs 0 to 100";
}

LogicalResult PercentileOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> left = shapeWithout(scope, getAxis(), getKeepdims(), scope.input(0), "a"); // C1
  if (failed(left))
    return failure();
  if (!getQ())
    return scope.refineOutput(0, *left); // C3
  const Shape &q = scope.input(1);
  if (!q.isRanked())
    return success();
  if (q.rank() > 1) // C2
    return scope.error() << "q has shape " << q.str() << ", needs rank 0 or 1";
  Shape output = q;
  for (Dim extent : left->list())
    output.push_back(extent);
  return scope.refineOutput(0, output); // C3
}

LogicalResult PercentileOp::inferType(TypeScope &scope) {
  Type type = scope.input(0);
  if (!type)
    return success();
  return scope.refineOutput(0, type.isF64() ? type : Type(Float32Type::get(scope.context()))); // C4
}

// The elements of one percentile, and places to put them in order.
CheckedSize PercentileOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize count = 1;
  int64_t rank = shapes.operands[0].size();
  auto axes = getAxis();
  if (!axes)
    count = shapes.operandCount(0);
  else
    for (int64_t axis : *axes)
      count *= shapes.operands[0][axis < 0 ? axis + rank : axis];
  return 3 * 8 * count;
}

bool BincountOp::hasOperand(StringRef, const ParamView &params) {
  return params.getBool("has_weights");
}

LogicalResult BincountOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (getWeights() && failed(scope.refineInput(1, data))) // C1
    return failure();
  if (getWeights() && failed(scope.refineInput(0, scope.input(1)))) // C1
    return failure();
  if (!data.isRanked())
    return success();
  if (data.rank() > 1) // C1
    return scope.error() << "data has shape " << data.str() << ", needs rank 0 or 1";
  if (failed(checkDecides(scope))) // C3
    return failure();
  int64_t least = getMinlength(), most = 256; // C2
  return scope.refineOutput(0, Shape({sizeOf(*this, scope.dim(std::max(least, most)))}));
}

LogicalResult BincountOp::inferType(TypeScope &scope) {
  Type type = scope.input(0);
  if (type && !type.isInteger(8)) // C2
    return scope.error()
           << "data is " << typeName(type)
           << ", whose values leave the size of the result without a bound; needs uint8 or int8";
  return scope.refineOutput(0, scope.input(getWeights() ? 1 : 0));
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t PercentileOp::getRowAxis(RowScope &rows) {
  SmallVector<bool> mask(rows.rank(), !getAxis()); // () reduces none
  for (int64_t axis : getAxis().value_or(ArrayRef<int64_t>()))
    mask[rows.normal(axis, rows.rank())] = true;
  int64_t axis = rows.onlyFirst(1) ? rows.reduced(mask, getKeepdims()) : kNoRows;
  return axis == kNoRows || !getQ() ? axis : axis + rows.rank(1);
}
