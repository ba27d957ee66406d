// Init.cpp: shapes and types of tensors that are made from parameters; the
// numbered constraints are those of Init.td.
#include "ir/ops/Init.h"
#include "ir/Axes.h"
#include "ir/Conditions.h"
#include "ir/NumberText.h"
#include "ir/NumpyShapes.h"

#include <cmath>

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Init.cpp.inc"

void symc::sg::registerInitOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Init.cpp.inc"
      >();
}

LogicalResult FullOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}
LogicalResult ArangeOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}
LogicalResult EyeOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}
LogicalResult LinspaceOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}

std::string FullOp::checkParams(const ParamView &params) {
  for (int64_t extent : params.getTuple("shape"))
    if (extent < 0 && extent != kOpenExtent)
      return "parameter 'shape' has the extent " + std::to_string(extent) +
             ", needs extents of at least 0";
  return {};
}

LogicalResult FullOp::inferShape(ShapeScope &scope) { // C1
  if (getShape().empty() && !hasNumpyShapes(scope))
    return success();
  Shape output(getShape().size());
  for (auto [i, extent] : llvm::enumerate(getShape()))
    if (extent != kOpenExtent && (extent != 0 || hasNumpyShapes(scope)))
      output[i] = scope.dim(extent);
  if (failed(scope.refineOutput(0, output)))
    return failure();
  const Shape &known = scope.output(0);
  for (auto [i, extent] : llvm::enumerate(getShape()))
    if (extent == kOpenExtent && known.isRanked() && known[i].isKnown() &&
        failed(scope.need(atLeast(known[i], 0), [&, i = i](raw_ostream &message) {
          message << "output has the extent " << known[i].str() << " along axis " << i
                  << " but needs at least 0";
        })))
      return failure();
  return success();
}

std::string ArangeOp::checkParams(const ParamView &params) { // C1
  double start = params.getFloat("start"), step = params.getFloat("step");
  if (step == 0 || std::isnan(step))
    return "parameter 'step' is " + numberText(step) + ", needs a number other than 0";
  if (params.getInt("repeat") < 1)
    return "parameter 'repeat' is " + std::to_string(params.getInt("repeat")) +
           ", needs at least 1";
  bool hasStop = !params.isNone("stop");
  if (!hasStop && params.getBool("infer_range"))
    return {};
  double stop = hasStop ? params.getFloat("stop") : start;
  if (!hasStop)
    start = 0;
  double count = std::ceil((stop - start) / step);
  std::string range = "start " + numberText(start) + ", stop " + numberText(stop) + " and step " +
                      numberText(step) + " give ";
  if (!(count >= 1))
    return range + "no range; stop must lie in the direction of step";
  constexpr int64_t most = 0x7fffffff;
  if (count * params.getInt("repeat") > most)
    return range + numberText(count) + " numbers with repeat " +
           std::to_string(params.getInt("repeat")) + ", more than " + std::to_string(most);
  return {};
}

LogicalResult ArangeOp::inferShape(ShapeScope &scope) { // C2
  if (!getStop() && getInferRange())
    return scope.refineOutput(0, Shape(1));
  double start = getStart().convertToDouble(), step = getStep().convertToDouble();
  double stop = getStop() ? getStop()->convertToDouble() : start;
  if (!getStop())
    start = 0;
  int64_t count = static_cast<int64_t>(std::ceil((stop - start) / step));
  return scope.refineOutput(0, Shape({scope.dim(count * static_cast<int64_t>(getRepeat()))}));
}

LogicalResult ArangeLikeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (!getAxis())
    return scope.refineOutput(0, data);                          // C2
  FailureOr<int64_t> axis = normalAxis(scope, *getAxis(), data); // C1
  if (failed(axis))
    return failure();
  return scope.refineOutput(0, Shape({data[*axis]})); // C2
}

LogicalResult EyeOp::inferShape(ShapeScope &scope) { // C1
  int64_t rows = getN(), columns = getM();
  return scope.refineOutput(0, Shape::of({rows, columns ? columns : rows}, scope.context()));
}

LogicalResult LinspaceOp::inferShape(ShapeScope &scope) { // C1
  return scope.refineOutput(0, Shape({scope.dim(getNum())}));
}
