// Elementwise.cpp: shapes, types and scalar bodies of the elementwise
// operations; the numbered constraints are those of Elementwise.td.
#include "ir/ops/Elementwise.h"
#include "ir/Broadcast.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Elementwise.cpp.inc"

void symc::sg::registerElementwiseOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Elementwise.cpp.inc"
      >();
}

// Most operations have one shape, known from whoever knows it.
LogicalResult UnaryOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }       // C1
LogicalResult ScalarOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }      // C1
LogicalResult ActivationOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }  // C1
LogicalResult ClipOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }        // C1
LogicalResult HardSigmoidOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1
LogicalResult SmoothL1Op::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }    // C1
LogicalResult QuadraticOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }   // C1
LogicalResult AddNOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }        // C1
LogicalResult CastOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }        // C1
LogicalResult CopyOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }        // C1
LogicalResult CopyLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }    // C1
LogicalResult FillLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }    // C1

// Whole numbers are a condition of lcm and of the functions of bits.
static LogicalResult inferBits(TypeScope &scope, StringRef fn) {
  Type type = scope.input(0);
  if (type && !type.isInteger() && (fn == "lcm" || fn.starts_with("bit_")))
    return scope.error() << "has element type " << typeName(type) << " but " << fn
                         << " needs integers";
  return inferSameType(scope);
}
LogicalResult UnaryOp::inferType(TypeScope &scope) { return inferBits(scope, getFn()); }  // C2
LogicalResult BinaryOp::inferType(TypeScope &scope) { return inferBits(scope, getFn()); } // C3
LogicalResult ScalarOp::inferType(TypeScope &scope) {
  Type type = scope.input(0);
  bool bits = getFn() == "lcm" || getFn().starts_with("bit_");
  if (!type || isa<FloatType>(type) || bits || (getIsInt() && !type.isInteger(1)))
    return inferBits(scope, getFn()); // C2
  return scope.refineOutput(0, typeFromName(getIsInt() ? "int64" : "float64", scope.context()));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

// A parameter as a literal for data of that type: integers cut it off.
static std::string literalFor(Value data, double value) {
  Type type = elementTypeOf(data.getType());
  if (type && type.isInteger() && std::isfinite(value))
    value = std::trunc(value);
  return scalarLiteral(value);
}

std::string UnaryOp::getScalarBody() { return applyScalarFn(getFn(), {"x0"}); }

std::string BinaryOp::getScalarBody() { return applyScalarFn(getFn(), {"x0", "x1"}); }

std::string ScalarOp::getScalarBody() {
  std::string number = literalFor(getData(), getScalar().convertToDouble());
  // The number is no NaN mostly: data's alone has to pass, which costs nothing this way.
  bool isMaximum = getFn() == "maximum";
  if ((isMaximum || getFn() == "minimum") && number != "nan")
    return (isMaximum ? "max(" : "min(") + number + ", x0)";
  if (getReverse())
    return applyScalarFn(getFn(), {number, "x0"});
  return applyScalarFn(getFn(), {"x0", number});
}

std::string ActivationOp::getScalarBody() { return applyScalarFn(getActType(), {"x0"}); }

std::string LeakyReLUOp::getScalarBody() {
  StringRef type = getActType();
  double slope = getSlope().convertToDouble();
  if (type == "prelu")
    return applyScalarFn("leaky", {"x0", "x1"});
  if (type == "rrelu")
    slope = (getLowerBound().convertToDouble() + getUpperBound().convertToDouble()) / 2;
  if (type == "leaky" || type == "rrelu")
    return applyScalarFn("leaky", {"x0", scalarLiteral(slope)});
  if (type == "elu")
    return applyScalarFn("elu", {"x0", scalarLiteral(slope)});
  return applyScalarFn(type, {"x0"});
}

std::string ClipOp::getScalarBody() {
  return applyScalarFn("clip", {"x0", literalFor(getData(), getAMin().convertToDouble()),
                                literalFor(getData(), getAMax().convertToDouble())});
}

std::string HardSigmoidOp::getScalarBody() {
  return applyScalarFn("hard_sigmoid", {"x0", scalarLiteral(getAlpha().convertToDouble()),
                                        scalarLiteral(getBeta().convertToDouble())});
}

std::string SmoothL1Op::getScalarBody() {
  return applyScalarFn("smooth_l1", {"x0", scalarLiteral(getScalar().convertToDouble())});
}

std::string QuadraticOp::getScalarBody() {
  return applyScalarFn("quadratic", {"x0", scalarLiteral(getA().convertToDouble()),
                                     scalarLiteral(getB().convertToDouble()),
                                     scalarLiteral(getC().convertToDouble())});
}

std::string AddNOp::getScalarBody() {
  std::string body = "x0";
  for (size_t i = 1; i < getArgs().size(); ++i)
    body += " + x" + std::to_string(i);
  return body;
}

std::string CastOp::getScalarBody() { return "x0"; }
std::string CopyOp::getScalarBody() { return "x0"; }
std::string CopyLikeOp::getScalarBody() { return "x0"; }
std::string WhereOp::getScalarBody() { return "where(x0 != 0, x1, x2)"; }
std::string FillLikeOp::getScalarBody() { return scalarLiteral(getValue().convertToDouble()); }

//===----------------------------------------------------------------------===//
// binary
//===----------------------------------------------------------------------===//

LogicalResult BinaryOp::inferShape(ShapeScope &scope) {
  if (!getBroadcast())
    return scope.refineAllSame();                                                   // C1
  FailureOr<Shape> output = broadcastShapes(scope, scope.input(0), scope.input(1)); // C2
  if (failed(output))
    return failure();
  return scope.refineOutput(0, *output);
}

//===----------------------------------------------------------------------===//
// leaky_relu
//===----------------------------------------------------------------------===//

bool LeakyReLUOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "gamma" || params.getStr("act_type") == "prelu";
}

int64_t LeakyReLUOp::countResults(const ParamView &params) {
  return params.getStr("act_type") == "rrelu" ? 2 : 1;
}

// The mask is computed where it is listed.
std::optional<int64_t> LeakyReLUOp::countHiddenResults(const ParamView &) { return 0; }

SmallVector<int64_t> LeakyReLUOp::getOperandAxes(unsigned operand) {
  if (operand == 0)
    return alignedAxes(*this, operand);
  return {cast<RankedTensorType>(getData().getType()).getRank() > 1 ? 1 : 0};
}

LogicalResult LeakyReLUOp::inferShape(ShapeScope &scope) {
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(0))) || // C1
        failed(scope.refineInput(0, scope.output(i))))
      return failure();
  const Shape &data = scope.input(0);
  if (scope.numInputs() < 2 || !data.isRanked() || data.rank() == 0)
    return success();
  const Shape &gamma = scope.input(1);
  if (gamma.isRanked() && gamma.rank() == 1 && gamma[0].isStatic(1))
    return success();
  return scope.refineInput(1, Shape({data[data.rank() > 1 ? 1 : 0]})); // C2
}

//===----------------------------------------------------------------------===//
// cast, copies, amp_multicast
//===----------------------------------------------------------------------===//

Value CastOp::getPassThrough() { return getData(); } // where the element types are equal
Value CopyOp::getPassThrough() { return getData(); }
Value CopyLikeOp::getPassThrough() { return getLhs(); }

LogicalResult CastOp::inferType(TypeScope &scope) {
  if (getFloatsOnly() && !scope.input(0))
    return success();
  Type type = scope.input(0);
  if (getFloatsOnly() && (!isa<FloatType>(type) || type.isF64()))
    return scope.refineOutput(0, type);
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}

int64_t AmpMulticastOp::countResults(const ParamView &params) {
  return params.getInt("num_outputs");
}

LogicalResult AmpMulticastOp::inferShape(ShapeScope &scope) { // C1
  for (size_t i = 0; i < scope.numInputs() && i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(i))) ||
        failed(scope.refineInput(i, scope.output(i))))
      return failure();
  return success();
}

// Short floats get one type: float32 where any operand is, else the first operand's,
// whatever that is; to the narrowest: the last shorter type, else float32.
LogicalResult AmpMulticastOp::inferType(TypeScope &scope) {
  auto isShort = [](Type type) { return type.isF16() || type.isBF16() || type.isF32(); };
  Type chosen = getCastNarrow() ? Type(Float32Type::get(getContext())) : scope.input(0);
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    Type type = scope.input(i);
    if (!type)
      return success();
    if (isShort(type) && type.isF32() != getCastNarrow())
      chosen = type;
  }
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, isShort(scope.input(i)) ? chosen : scope.input(i))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// where
//===----------------------------------------------------------------------===//

SmallVector<int64_t> WhereOp::getOperandAxes(unsigned operand) {
  bool alongFirst = operand == 0 && cast<RankedTensorType>(getCondition().getType()).getRank() == 1;
  return alongFirst ? SmallVector<int64_t>{0} : alignedAxes(*this, operand);
}

LogicalResult WhereOp::inferShape(ShapeScope &scope) {
  for (auto [a, b] : {std::pair<size_t, size_t>{1, 2}, {2, 1}}) // C1
    if (failed(scope.refineInput(b, scope.input(a))))
      return failure();
  if (failed(scope.refineOutput(0, scope.input(1))) || // C1
      failed(scope.refineInput(1, scope.output(0))) ||
      failed(scope.refineInput(2, scope.output(0))))
    return failure();
  const Shape &condition = scope.input(0), &x = scope.input(1);
  if (!x.isRanked() || x.rank() == 0)
    return success();
  if (condition.isRanked() && condition.rank() == 1 && x.rank() > 1) // C2
    return scope.refineInput(0, Shape({x[0]}));
  return scope.refineInput(0, x); // C2
}

LogicalResult WhereOp::inferType(TypeScope &scope) {
  Type known = scope.input(1) ? scope.input(1) : scope.input(2) ? scope.input(2) : scope.output(0);
  if (failed(scope.refineInput(1, known)) || failed(scope.refineInput(2, known)))
    return failure();
  return scope.refineOutput(0, known);
}
