// NumpyElementwise.cpp: shapes and types of the elementwise numpy operators; the
// numbered constraints are those of NumpyElementwise.td.
#include "ir/ops/NumpyElementwise.h"
#include "ir/OpenBroadcast.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpyElementwise.cpp.inc"

void symc::sg::registerNumpyElementwiseOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpyElementwise.cpp.inc"
      >();
}

LogicalResult NumpyScalarOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }   // C1
LogicalResult NumpyTestOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }     // C1
LogicalResult NumpyAroundOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }   // C1
LogicalResult NumpyNanToNumOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1
LogicalResult NumpyWhereNumbersOp::inferShape(ShapeScope &scope) {                             // C1
  return scope.refineAllSame();
}

LogicalResult NumpyBinaryOp::inferShape(ShapeScope &scope) {
  FailureOr<Shape> output = broadcastOpenShapes(scope, scope.input(0), scope.input(1)); // C1
  return failed(output) ? failure() : scope.refineOutput(0, *output);
}

static bool isComparison(StringRef fn) {
  return fn.contains("equal") || fn == "greater" || fn == "lesser";
}
static Type boolType(TypeScope &scope) { return IntegerType::get(scope.context(), 1); }

// The type that operands of two types meet in; null where they cannot.
static Type meet(Type left, Type right, StringRef fn) {
  bool leftFloat = isa<FloatType>(left), rightFloat = isa<FloatType>(right);
  if (leftFloat != rightFloat)
    return leftFloat ? left : right;
  if (leftFloat)
    return typeBytes(left) >= typeBytes(right) ? left : right;
  bool oneType = left == right && !left.isInteger(1);
  if (fn == "div")
    return oneType || left == right ? Float32Type::get(left.getContext()) : Type();
  if (!oneType && (fn == "sub" || fn == "mod"))
    return {};
  if (left.isInteger(1) || right.isInteger(1))
    return left.isInteger(1) ? right : left;
  if (left != right && typeBytes(left) == typeBytes(right))
    return {};
  return typeBytes(left) >= typeBytes(right) ? left : right;
}

LogicalResult NumpyBinaryOp::inferType(TypeScope &scope) {
  Type left = scope.input(0), right = scope.input(1);
  if (isComparison(getFn())) {
    if (failed(scope.refineInput(1, left)) || failed(scope.refineInput(0, right))) // C2
      return failure();
    return scope.refineOutput(0, boolType(scope));
  }
  if (!left || !right)
    return success();
  Type type = meet(left, right, getFn());
  if (!type) // C3
    return scope.error() << "lhs has element type " << typeName(left) << " and rhs "
                         << typeName(right) << ", which do not meet in " << getFn();
  return scope.refineOutput(0, type);
}

LogicalResult NumpyScalarOp::inferType(TypeScope &scope) {
  if (isComparison(getFn()))
    return scope.refineOutput(0, boolType(scope));
  Type type = scope.input(0);
  if (!type)
    return success();
  if (!isa<FloatType>(type)) {
    if (getFn() == "div")
      type = Float32Type::get(getContext());
    else if (!getIsInt())
      type = Float64Type::get(getContext());
    else if (type.isInteger(1))
      type = IntegerType::get(getContext(), 64);
  }
  return scope.refineOutput(0, type);
}

LogicalResult NumpyTestOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, boolType(scope));
}

//===----------------------------------------------------------------------===//
// where
//===----------------------------------------------------------------------===//

LogicalResult NumpyWhereOp::inferShape(ShapeScope &scope) {
  FailureOr<Shape> values = broadcastShapes(scope, scope.input(1), scope.input(2), "x", "y"); // C1
  if (failed(values))
    return failure();
  FailureOr<Shape> output =
      broadcastShapes(scope, scope.input(0), *values, "condition", "x with y"); // C1
  return failed(output) ? failure() : scope.refineOutput(0, *output);
}

LogicalResult NumpyWhereOp::inferType(TypeScope &scope) { // C2
  Type known = scope.input(1) ? scope.input(1) : scope.input(2) ? scope.input(2) : scope.output(0);
  if (failed(scope.refineInput(1, known)) || failed(scope.refineInput(2, known)))
    return failure();
  return scope.refineOutput(0, known);
}

LogicalResult NumpyWhereScalarOp::inferShape(ShapeScope &scope) {
  FailureOr<Shape> output = // C1
      broadcastShapes(scope, scope.input(0), scope.input(1), "condition", "x");
  return failed(output) ? failure() : scope.refineOutput(0, *output);
}

LogicalResult NumpyWhereScalarOp::inferType(TypeScope &scope) { // C2
  if (failed(scope.refineInput(1, scope.output(0))))
    return failure();
  return scope.refineOutput(0, scope.input(1));
}

LogicalResult NumpyWhereNumbersOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, Float32Type::get(getContext()));
}
