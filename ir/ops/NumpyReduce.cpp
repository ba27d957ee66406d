// NumpyReduce.cpp: shapes and types of NumPy's reductions; the numbered
// constraints are those of NumpyReduce.td.
#include "ir/ops/NumpyReduce.h"
#include "ir/Axes.h"
#include "ir/NumberText.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpyReduce.cpp.inc"

void symc::sg::registerNumpyReduceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpyReduce.cpp.inc"
      >();
}

// Data's shape without the axes, all where none are given, or with 1 there.
static LogicalResult inferReduced(ShapeScope &scope, std::optional<ArrayRef<int64_t>> axes,
                                  bool keep, StringRef what) {
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> output = shapeWithout(scope, axes, keep, scope.input(0), what); // C1
  if (failed(output))
    return failure();
  return scope.refineOutput(0, *output); // C2
}

static Type named(StringRef name, TypeScope &scope) { return typeFromName(name, scope.context()); }

std::string NumpyReduceOp::checkParams(const ParamView &params) { // C3
  if (params.isNone("initial"))
    return {};
  return "parameter 'initial' is " + numberText(params.getFloat("initial")) + ", needs None";
}
LogicalResult NumpyReduceOp::inferShape(ShapeScope &scope) {
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyReduceOp::inferType(TypeScope &scope) {
  StringRef kind = getKind();
  Type type = scope.input(0);
  if (kind == "any" || kind == "all")
    return scope.refineOutput(0, named("bool", scope));
  if (getDtype())
    return scope.refineOutput(0, named(*getDtype(), scope));
  if (type && kind == "mean" && !isa<FloatType>(type))
    type = named("float32", scope);
  if (type && (kind == "sum" || kind == "prod") && type.isInteger(1))
    type = named("int64", scope);
  return scope.refineOutput(0, type);
}

static LogicalResult inferNamed(TypeScope &scope, std::optional<StringRef> dtype) {
  return dtype ? scope.refineOutput(0, named(*dtype, scope)) : inferSameType(scope);
}
LogicalResult NumpyVarOp::inferShape(ShapeScope &scope) {
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyVarOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyStdOp::inferShape(ShapeScope &scope) {
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyStdOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }

std::string NumpyNormOp::checkParams(const ParamView &params) { // C3
  return params.getInt("flag") == -2 && !params.isNone("axis")
             ? "parameter 'axis' is given, needs None with flag = -2"
             : "";
}
SmallVector<int64_t> NumpyNormOp::getAxes(int64_t rank) {
  if (getAxis())
    return SmallVector<int64_t>(*getAxis());
  return llvm::to_vector(llvm::seq<int64_t>(std::max<int64_t>(rank - 2, 0), rank));
}
bool NumpyNormOp::takesSingularValues(int64_t rank) {
  int64_t flag = getFlag();
  double ord = getOrd().convertToDouble();
  return flag != -2 && flag != 1 && std::abs(ord) == 2 && getAxes(rank).size() == 2;
}
LogicalResult NumpyNormOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t flag = getFlag();
  if (flag == -2)
    return inferReduced(scope, std::nullopt, getKeepdims(), "data"); // C2
  SmallVector<int64_t> axes = getAxes(data.rank());
  if (axes.size() != 2 && (axes.size() != 1 || flag == 2)) // C1
    return scope.error() << "reduces " << axes.size() << " axes with flag = " << flag << ", needs "
                         << (flag == 2 ? "2" : "1 or 2");
  if (failed(inferReduced(scope, ArrayRef<int64_t>(axes), getKeepdims(), "data"))) // C1, C2
    return failure();
  if (!takesSingularValues(data.rank()))
    return success();
  for (int64_t axis : axes)
    if (Dim extent = data[axis < 0 ? axis + data.rank() : axis];
        extent.isKnown() && !extent.isStatic()) // C5
      return scope.error() << "data has shape " << data.str()
                           << ", whose matrices need fixed extents";
  return success();
}
LogicalResult NumpyNormOp::inferType(TypeScope &scope) {
  Type type = scope.input(0);
  if (type && !isa<FloatType>(type)) // C4
    return scope.error() << "data is " << typeName(type) << ", needs floats";
  auto tensor = dyn_cast<RankedTensorType>(getData().getType());
  if (type && tensor && typeBytes(type) < 4 && takesSingularValues(tensor.getRank())) // C4
    return scope.error() << "data is " << typeName(type) << ", whose singular values are not taken";
  return inferSameType(scope);
}

LogicalResult NumpyArgReduceOp::inferShape(ShapeScope &scope) {
  if (!getAxis())
    return inferReduced(scope, std::nullopt, getKeepdims(), "data"); // C2
  int64_t axis = *getAxis();
  return inferReduced(scope, ArrayRef<int64_t>(axis), getKeepdims(), "data"); // C1, C2
}
LogicalResult NumpyArgReduceOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, named("int64", scope));
}

bool NumpyAverageOp::hasOperand(StringRef, const ParamView &params) {
  return params.getBool("weighted");
}
LogicalResult NumpyAverageOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked() || (getWeighted() && !scope.input(1).isRanked()))
    return success();
  if (failed(inferReduced(scope, getAxis(), false, "a"))) // C1, C3
    return failure();
  bool along = getWeighted() && scope.input(1).rank() != a.rank();
  if (along) {
    const Shape &weights = scope.input(1);
    if (weights.rank() != 1 || !getAxis() || getAxis()->size() != 1) // C2
      return scope.error() << "weights has shape " << weights.str() << " but a " << a.str()
                           << ", needs a's shape or one axis";
    int64_t axis = (*getAxis())[0];
    if (failed(scope.refineInput(1, Shape({a[axis < 0 ? axis + a.rank() : axis]})))) // C2
      return failure();
  } else if (getWeighted() && failed(scope.refineInput(1, a))) { // C2
    return failure();
  }
  if (!getReturned())
    return success();
  return scope.refineOutput(1, along || !getWeighted() ? Shape(size_t(0)) : scope.output(0)); // C3
}
LogicalResult NumpyAverageOp::inferType(TypeScope &scope) { // C4
  Type type = scope.input(0);
  if (type && !isa<FloatType>(type))
    return scope.error() << "a is " << typeName(type) << ", needs floats";
  if (scope.numInputs() > 1 && failed(scope.refineInput(1, type)))
    return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, type)))
      return failure();
  return success();
}
