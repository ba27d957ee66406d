// Trees.cpp: shapes and types of decision trees; the numbered constraints are those of Trees.td.
#include "ir/ops/Trees.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Trees.cpp.inc"

void symc::sg::registerTreesOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Trees.cpp.inc"
      >();
}

LogicalResult TreeLeavesOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(0, Shape({Dim(), Dim()}))) || // C1
      failed(scope.refineInput(1, Shape({Dim()}))) ||        // C2
      failed(scope.refineInput(2, Shape({scope.input(1)[0], scope.dim(4)}))) ||
      failed(scope.refineInput(3, Shape({Dim()}))))
    return failure();
  return scope.refineOutput(0, Shape({scope.input(0)[0], scope.input(3)[0]})); // C3
}

LogicalResult TreeLeavesOp::inferType(TypeScope &scope) { // C4
  Type whole = IntegerType::get(scope.context(), 64);
  if (scope.input(0) && failed(scope.refineInput(1, scope.input(0))))
    return failure();
  for (size_t i : {2, 3})
    if (failed(scope.refineInput(i, whole)))
      return failure();
  return scope.refineOutput(0, whole);
}
