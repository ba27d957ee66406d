// Loss.cpp: shapes of the loss heads; the numbered constraints are those of
// Loss.td.
#include "ir/ops/Loss.h"
#include "ir/Labels.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Loss.cpp.inc"

void symc::sg::registerLossOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Loss.cpp.inc"
      >();
}

// Output and data have one shape.
static LogicalResult inferLikeData(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult RegressionOutputOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &label = scope.input(1);
  if (data.isRanked() && hasLabel(*this)) {
    Shape wanted = data;
    if (data.rank() == 2 && data[1].isStatic(1))
      wanted = Shape({data[0]});
    auto elements = [&](const Shape &shape) {
      return shape.product(0, shape.rank(), scope.context());
    };
    bool fits = label.isFullyKnown() && data.isFullyKnown() && label.rank() > 0 &&
                data.rank() > 0 && label[0] == data[0] && elements(label) == elements(data);
    if (!fits && failed(scope.refineInput(1, wanted))) // C2
      return failure();
  }
  return inferLikeData(scope); // C1
}

Value RegressionOutputOp::getPassThrough() { return getKind() == "logistic" ? Value() : getData(); }

LogicalResult SVMOutputOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && data.rank() > 0 && hasLabel(*this) &&
      failed(scope.refineInput(1, Shape(data.list().drop_back(1))))) // C2
    return failure();
  return inferLikeData(scope); // C1
}

Value SVMOutputOp::getPassThrough() { return getData(); }

LogicalResult MakeLossOp::inferShape(ShapeScope &scope) { return inferLikeData(scope); } // C1

Value MakeLossOp::getPassThrough() { return getData(); }

LogicalResult LossOp::inferShape(ShapeScope &scope) { return inferLikeData(scope); } // C1

Value LossOp::getPassThrough() { return getData(); }

LogicalResult IdentityAttachKLSparseRegOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked() && data.rank() > 1 && failed(scope.refineInput(1, Shape({data[1]})))) // C2
    return failure();
  return inferLikeData(scope); // C1
}

Value IdentityAttachKLSparseRegOp::getPassThrough() { return getData(); }

LogicalResult SoftmaxCrossEntropyOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked()) {
    if (data.rank() != 2) // C1
      return scope.error() << "data has shape " << data.str() << ", needs rank 2";
    if (failed(scope.refineInput(1, Shape({data[0]})))) // C2
      return failure();
  }
  return scope.refineOutput(0, Shape({scope.dim(1)}));
}
