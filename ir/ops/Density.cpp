// Density.cpp: shapes of densities; the numbered constraints are those of Density.td.
#include "ir/ops/Density.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Density.cpp.inc"

void symc::sg::registerDensityOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Density.cpp.inc"
      >();
}

// Whether `parameters` begins `sample`, as far as both are known; `tail` extents of it end both.
static LogicalResult checkBegins(ShapeScope &scope, size_t tail) {
  const Shape &sample = scope.input(0), &parameters = scope.input(1);
  if (!sample.isRanked() || !parameters.isRanked())
    return success();
  bool fits = sample.rank() >= parameters.rank() && parameters.rank() >= tail;
  auto meets = [](Dim a, Dim b) { return !a.isKnown() || !b.isKnown() || a == b; };
  for (size_t i = 0; fits && i + tail < parameters.rank(); ++i)
    fits = meets(sample[i], parameters[i]);
  if (fits && tail)
    fits = meets(sample[sample.rank() - 1], parameters[parameters.rank() - 1]);
  if (!fits)
    return scope.error() << "sample has shape " << sample.str()
                         << ", which does not begin with the "
                         << "parameters' shape " << parameters.str();
  return success();
}

LogicalResult RandomPdfOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(1, scope.input(2))) ||                                // C1
      failed(scope.refineInput(2, scope.input(1))) || failed(checkBegins(scope, 0))) // C1
    return failure();
  if (failed(scope.refineOutput(0, scope.input(0)))) // C2
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult RandomPdfOneOp::inferShape(ShapeScope &scope) {
  if (failed(checkBegins(scope, 0)) || failed(scope.refineOutput(0, scope.input(0)))) // C1, C2
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult RandomPdfDirichletOp::inferShape(ShapeScope &scope) {
  const Shape &sample = scope.input(0);
  if (failed(checkBegins(scope, 1))) // C1
    return failure();
  if (!sample.isRanked() || sample.rank() == 0)
    return success();
  if (sample.rank() == 1)
    return scope.refineOutput(0, Shape({scope.dim(1)}));          // C2
  return scope.refineOutput(0, Shape(sample.list().drop_back())); // C2
}
