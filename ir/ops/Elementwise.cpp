// Elementwise.cpp: shapes, types and scalar bodies of the elementwise
// operations; the numbered constraints are those of Elementwise.td.
#include "ir/ops/Elementwise.h"
#include "ir/OpenBroadcast.h"
#include <cmath>

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

// Most operations have one shape, known from any operand or result that has it.
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
LogicalResult BlockGradOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }   // C1
LogicalResult GradientMultiplierOp::inferShape(ShapeScope &scope) {
  return scope.refineAllSame(); // C1
}
LogicalResult CopyLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1
LogicalResult FillLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1

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

using P = ScalarPrimitive;
using Scalars = ArrayRef<Scalar>;

// A parameter for data of that type: integers cut it off, 16 bits round it.
static double numberFor(Value data, const APFloat &value) {
  Type type = elementTypeOf(data.getType());
  if (type && (type.isF16() || type.isBF16())) {
    APFloat narrow = value;
    bool losesInfo;
    narrow.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return narrow.convertToDouble();
  }
  double number = value.convertToDouble();
  return type && type.isInteger() && std::isfinite(number) ? std::trunc(number) : number;
}

Scalar UnaryOp::buildScalar(ScalarBuilder &b, Scalars x) { return buildScalarFn(b, getFn(), x); }

Scalar BinaryOp::buildScalar(ScalarBuilder &b, Scalars x) { return buildScalarFn(b, getFn(), x); }

Scalar ScalarOp::buildScalar(ScalarBuilder &b, Scalars x) {
  double value = numberFor(getData(), getScalar());
  Scalar number = b.number(value);
  // The number is no NaN mostly: data's alone has to pass, which costs nothing this way.
  bool isMaximum = getFn() == "maximum";
  if ((isMaximum || getFn() == "minimum") && !std::isnan(value))
    return b.apply(isMaximum ? P::max : P::min, {number, x[0]});
  if (getReverse())
    return buildScalarFn(b, getFn(), {number, x[0]});
  return buildScalarFn(b, getFn(), {x[0], number});
}

Scalar ActivationOp::buildScalar(ScalarBuilder &b, Scalars x) {
  return buildScalarFn(b, getActType(), x);
}

Scalar LeakyReLUOp::buildScalar(ScalarBuilder &b, Scalars x) {
  StringRef type = getActType();
  double slope = getSlope().convertToDouble();
  if (type == "prelu")
    return buildScalarFn(b, "leaky", x);
  if (type == "rrelu")
    slope = (getLowerBound().convertToDouble() + getUpperBound().convertToDouble()) / 2;
  if (type == "leaky" || type == "rrelu")
    return buildScalarFn(b, "leaky", {x[0], b.number(slope)});
  if (type == "elu")
    return buildScalarFn(b, "elu", {x[0], b.number(slope)});
  return buildScalarFn(b, type, x);
}

Scalar ClipOp::buildScalar(ScalarBuilder &b, Scalars x) {
  return buildScalarFn(
      b, "clip",
      {x[0], b.number(numberFor(getData(), getAMin())), b.number(numberFor(getData(), getAMax()))});
}

Scalar HardSigmoidOp::buildScalar(ScalarBuilder &b, Scalars x) {
  return buildScalarFn(
      b, "hard_sigmoid",
      {x[0], b.number(getAlpha().convertToDouble()), b.number(getBeta().convertToDouble())});
}

Scalar SmoothL1Op::buildScalar(ScalarBuilder &b, Scalars x) {
  return buildScalarFn(b, "smooth_l1", {x[0], b.number(getScalar().convertToDouble())});
}

Scalar QuadraticOp::buildScalar(ScalarBuilder &b, Scalars x) {
  return buildScalarFn(b, "quadratic",
                       {x[0], b.number(getA().convertToDouble()),
                        b.number(getB().convertToDouble()), b.number(getC().convertToDouble())});
}

Scalar AddNOp::buildScalar(ScalarBuilder &b, Scalars x) {
  Scalar sum = x[0];
  for (Scalar more : x.drop_front())
    sum = b.apply(P::add, {sum, more});
  return sum;
}

Scalar CastOp::buildScalar(ScalarBuilder &, Scalars x) { return x[0]; }
Scalar CopyOp::buildScalar(ScalarBuilder &, Scalars x) { return x[0]; }
Scalar BlockGradOp::buildScalar(ScalarBuilder &, Scalars x) { return x[0]; }
Scalar GradientMultiplierOp::buildScalar(ScalarBuilder &, Scalars x) { return x[0]; }
Scalar CopyLikeOp::buildScalar(ScalarBuilder &, Scalars x) { return x[0]; }
Scalar WhereOp::buildScalar(ScalarBuilder &b, Scalars x) {
  Scalar holds = b.apply(P::not_equal, {x[0], b.number(0)});
  return b.apply(P::where, {holds, x[1], x[2]});
}
Scalar FillLikeOp::buildScalar(ScalarBuilder &b, Scalars) {
  return b.number(getValue().convertToDouble());
}

//===----------------------------------------------------------------------===//
// binary
//===----------------------------------------------------------------------===//

LogicalResult BinaryOp::inferShape(ShapeScope &scope) {
  if (!getBroadcast())
    return scope.refineAllSame();                                                       // C1
  FailureOr<Shape> output = broadcastOpenShapes(scope, scope.input(0), scope.input(1)); // C2
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

// The axes of data that gamma's run along (C2); nothing where they fit none. What is open is
// compared with what has to be there, the channels.
static std::optional<SmallVector<int64_t>> axesOfGamma(const Shape &data, const Shape &gamma) {
  SmallVector<int64_t> axes(gamma.rank());
  size_t left = gamma.rank();
  for (int64_t axis = data.rank() > 1 ? 1 : 0; axis >= 0 && left > 0; --axis) {
    Dim extent = gamma[left - 1];
    if (extent == data[axis] || extent.isStatic(1))
      axes[--left] = axis;
    else if (!extent.isStatic() || !data[axis].isStatic())
      return std::nullopt;
  }
  return left ? std::nullopt : std::optional(axes);
}

SmallVector<int64_t> LeakyReLUOp::getOperandAxes(unsigned operand) {
  if (operand == 0)
    return alignedAxes(*this, operand);
  Shape data = shapeOf(getData().getType()), gamma = shapeOf(getGamma().getType());
  if (auto axes = axesOfGamma(data, gamma))
    return *axes;
  if (gamma.rank() == 2) // extents that are equal in the sizes that may run
    return {0, 1};
  return {data.rank() > 1 ? 1 : 0};
}

Shape LeakyReLUOp::alignedGamma() {
  Shape gamma = shapeOf(getGamma().getType());
  Shape aligned(shapeOf(getData().getType()).rank());
  for (size_t axis = 0; axis < aligned.rank(); ++axis)
    aligned[axis] = Dim::constant(1, getContext());
  for (auto [own, axis] : llvm::enumerate(getOperandAxes(1)))
    aligned[axis] = gamma[own];
  return aligned;
}

bool LeakyReLUOp::hasSlopesOfChannels() {
  Shape gamma = shapeOf(getGamma().getType());
  return gamma.rank() == 1 && (gamma[0].isStatic(1) || getOperandAxes(1)[0] == 1 ||
                               shapeOf(getData().getType()).rank() == 1);
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
  if (gamma.isRanked() && axesOfGamma(data, gamma)) // C2
    return success();
  if (gamma.isRanked() && gamma.rank() == 2 && data.rank() > 1)
    return scope.refineInput(1, Shape({data[0], data[1]}));
  return scope.refineInput(1, Shape({data[data.rank() > 1 ? 1 : 0]}));
}

//===----------------------------------------------------------------------===//
// cast, copies, amp_multicast
//===----------------------------------------------------------------------===//

Value CastOp::getPassThrough() { return getData(); } // where the element types are equal
Value CopyOp::getPassThrough() { return getData(); }
Value BlockGradOp::getPassThrough() { return getData(); }
Value GradientMultiplierOp::getPassThrough() { return getData(); }
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
