// Fused.cpp: shapes and types of quantised layers with what follows them; the
// numbered constraints are those of Fused.td.
#include "ir/ops/Fused.h"
#include "ir/WindowShapes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Fused.cpp.inc"

void symc::sg::registerFusedOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Fused.cpp.inc"
      >();
}

// Whether a function gives no negative numbers; `squares` counts those that a fully
// connected layer has beside a convolution's.
static bool isNeverNegative(StringRef fn, bool squares) {
  return llvm::StringSwitch<bool>(fn)
      .Cases({"relu", "sigmoid", "softrelu", "clip"}, true)
      .Cases({"square", "sqrt", "exp", "abs"}, squares)
      .Default(false);
}

static bool isByte(Type type) {
  return !type || type.isInteger(8); // int8 and uint8 alike
}

//===----------------------------------------------------------------------===//
// fused_conv
//===----------------------------------------------------------------------===//

bool FusedConvOp::hasOperand(StringRef name, const ParamView &params) {
  if (name == "bias")
    return !params.getBool("no_bias");
  return name.starts_with("sum") ? params.getBool("with_sum") : params.getBool("with_bn");
}

std::string FusedConvOp::checkParams(const ParamView &params) {
  if (std::string message = checkConvolution(params); !message.empty()) // C1
    return message;
  if (!params.isNone("layout") && !params.getStr("layout").starts_with("NC"))
    return "parameter 'layout' is " + params.getStr("layout").str() +
           ", needs channels first over integers";
  if (!params.getBool("quantized")) // C2
    return "parameter 'quantized' is false, needs true";
  return {};
}

LogicalResult FusedConvOp::inferShape(ShapeScope &scope) { // C3
  bool hasBias = static_cast<bool>(getBias());
  if (failed(inferConvolution(scope, {getKernel(), getStride(), getDilate(), getPad(),
                                      static_cast<int64_t>(getNumFilter()),
                                      static_cast<int64_t>(getNumGroup()), false, hasBias})))
    return failure();
  size_t next = hasBias ? 3 : 2;
  if (getWithBn())
    for (size_t end = next + 4; next < end; ++next)
      if (failed(scope.refineInput(next, Shape({scope.dim(getNumFilter())}))))
        return failure();
  if (getWithSum() && failed(scope.refineInput(next++, scope.output(0))))
    return failure();
  for (; next < scope.numInputs(); ++next)
    if (failed(scope.refineInput(next, Shape({scope.dim(1)}))))
      return failure();
  for (size_t i = 1; i < 3; ++i)
    if (failed(scope.refineOutput(i, Shape({scope.dim(1)}))))
      return failure();
  return success();
}

LogicalResult FusedConvOp::inferType(TypeScope &scope) { // C3
  if (!isByte(scope.input(0)))
    return scope.error() << "data has element type " << typeName(scope.input(0))
                         << " but needs int8 or uint8";
  size_t sum = 2 + (getBias() ? 1 : 0) + (getWithBn() ? 4 : 0);
  Type real = Float32Type::get(scope.context()), wide = typeFromName("int32", scope.context());
  for (size_t i = 1; i < scope.numInputs(); ++i) {
    if (getWithSum() && i == sum) {
      if (!isByte(scope.input(i)) && scope.input(i) != wide)
        return scope.error() << "sum has element type " << typeName(scope.input(i))
                             << " but needs int8, uint8 or int32";
    } else if (failed(scope.refineInput(i, real))) {
      return failure();
    }
  }
  for (size_t i = 1; i < 3; ++i)
    if (failed(scope.refineOutput(i, real)))
      return failure();
  if (!getMinCalibRange() || !getMaxCalibRange())
    return scope.refineOutput(0, wide);
  StringRef last = !getWithSum() && getWithAct() ? getAct()
                   : getWithPostsumAct()         ? getPostsumAct()
                                                 : "none";
  return scope.refineOutput(
      0, typeFromName(isNeverNegative(last, false) ? "uint8" : "int8", scope.context()));
}

// Integers of the weights and bias, scales of the channels, sums of one channel.
CheckedSize FusedConvOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize plane =
      shapes.resultCount(0) / std::max<CheckedSize>(1, shapes.results[0][0] * shapes.results[0][1]);
  return alignTo(shapes.operandCount(1), 64) + alignTo(CheckedSize(getNumFilter()) * 8, 64) +
         plane * 4;
}

//===----------------------------------------------------------------------===//
// fused_fully_connected
//===----------------------------------------------------------------------===//

static bool isChannelWise(const ParamView &params) {
  return !params.isNone("channel_wise_quantize") && params.getBool("channel_wise_quantize");
}

bool FusedFullyConnectedOp::hasOperand(StringRef name, const ParamView &params) {
  if (name.ends_with("bias") && params.getBool("no_bias"))
    return false;
  return name == "bias" || !isChannelWise(params);
}

int64_t FusedFullyConnectedOp::countResults(const ParamView &params) {
  return params.getBool("enable_float_output") ? 1 : 3;
}

std::string FusedFullyConnectedOp::checkParams(const ParamView &params) { // C1
  if (!params.getBool("quantized"))
    return "parameter 'quantized' is false, needs true";
  bool calibrated = !params.isNone("min_calib_range") && !params.isNone("max_calib_range");
  if (isChannelWise(params) && !calibrated && !params.getBool("enable_float_output"))
    return "parameter 'channel_wise_quantize' is true, needs calibration limits or "
           "enable_float_output";
  return {};
}

LogicalResult FusedFullyConnectedOp::inferShape(ShapeScope &scope) { // C2
  Dim hidden = scope.dim(getNumHidden());
  std::string because = "with num_hidden = " + std::to_string(getNumHidden());
  if (failed(inferFullyConnected(scope, getNumHidden(), getFlatten())))
    return failure();
  size_t next = 2;
  if (getBias() && failed(scope.refineInput(next++, Shape({hidden}), because)))
    return failure();
  for (; next < scope.numInputs(); ++next)
    if (failed(scope.refineInput(next, Shape({scope.dim(1)}))))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, Shape({scope.dim(1)}))))
      return failure();
  return success();
}

LogicalResult FusedFullyConnectedOp::inferType(TypeScope &scope) { // C2
  if (!isByte(scope.input(0)))
    return scope.error() << "data has element type " << typeName(scope.input(0))
                         << " but needs int8 or uint8";
  Type real = Float32Type::get(scope.context());
  Type stored =
      getChannelWiseQuantize().value_or(false) ? real : typeFromName("int8", scope.context());
  size_t limits = getBias() ? 3 : 2;
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, i < limits ? stored : real)))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, real)))
      return failure();
  StringRef name = "int32";
  if (getEnableFloatOutput())
    name = "float32";
  else if (getMinCalibRange() && getMaxCalibRange())
    name = getWithEltwise() && isNeverNegative(getEltwise(), true) ? "uint8" : "int8";
  return scope.refineOutput(0, typeFromName(name, scope.context()));
}

// Integers of the weights and bias, scales of the rows.
CheckedSize FusedFullyConnectedOp::getScratchBytes(const LargestShapes &shapes) {
  return alignTo(shapes.operandCount(1), 64) + alignTo(CheckedSize(getNumHidden()) * 8, 64);
}

//===----------------------------------------------------------------------===//
// quantize_rows, integer_conv
//===----------------------------------------------------------------------===//

bool QuantizeRowsOp::hasOperand(StringRef name, const ParamView &params) {
  if (name == "bias")
    return !params.getBool("no_bias");
  if (name.starts_with("data"))
    return params.isNone("data_reach");
  if (name.starts_with("sum"))
    return params.getBool("with_sum") && params.isNone("sum_reach");
  return params.getBool("with_bn");
}

LogicalResult QuantizeRowsOp::inferShape(ShapeScope &scope) {
  const Shape &weight = scope.input(0);
  if (!weight.isRanked())
    return success();
  Shape rows({weight[0]}), one({scope.dim(1)});
  for (size_t i = 1; i < 4; ++i)
    if (failed(scope.refineOutput(i, rows)))
      return failure();
  if (failed(scope.refineOutput(0, weight)))
    return failure();
  return scope.refineOutput(4, one);
}

// Its pass gives all types.
LogicalResult QuantizeRowsOp::inferType(TypeScope &scope) { return success(); }

// Integers of the bias, scales of the rows, and the rows themselves.
CheckedSize QuantizeRowsOp::getScratchBytes(const LargestShapes &shapes) {
  return alignTo(shapes.operandCount(0), 64) + alignTo(shapes.operands[0][0] * 8, 64);
}

bool IntegerConvOp::hasOperand(StringRef name, const ParamView &params) {
  return params.getBool("with_sum");
}

// The pass that makes it gives its shape.
LogicalResult IntegerConvOp::inferShape(ShapeScope &scope) { return success(); }

LogicalResult IntegerConvOp::inferType(TypeScope &scope) { return success(); }

// Sums of one channel.
CheckedSize IntegerConvOp::getScratchBytes(const LargestShapes &shapes) {
  return 4 * (shapes.resultCount(0) /
              std::max<CheckedSize>(1, shapes.results[0][0] * shapes.results[0][1]));
}

//===----------------------------------------------------------------------===//
// integer_product
//===----------------------------------------------------------------------===//

bool IntegerProductOp::hasOperand(StringRef name, const ParamView &params) {
  return params.getStr("out_type") != "int32";
}

LogicalResult IntegerProductOp::inferShape(ShapeScope &scope) { // C1
  const Shape &data = scope.input(0), &weight = scope.input(1);
  if (!data.isRanked() || !weight.isRanked())
    return success();
  if (data.rank() < 1 || weight.rank() != 2)
    return emitOpError("needs rows and a matrix, found " + data.str() + " and " + weight.str());
  if (failed(scope.refineInput(1, Shape({weight[0], data[data.rank() - 1]}))))
    return failure();
  for (size_t i = 2; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, Shape({weight[0]}))))
      return failure();
  SmallVector<Dim> dims(data.list().begin(), data.list().end());
  dims.back() = weight[0];
  return scope.refineOutput(0, Shape(dims));
}

LogicalResult IntegerProductOp::inferType(TypeScope &scope) { // C2
  if (!isByte(scope.input(0)))
    return scope.error() << "data has element type " << typeName(scope.input(0))
                         << " but needs int8 or uint8";
  constexpr StringLiteral types[] = {"int8", "int32", "float32", "float32"};
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, typeFromName(types[i - 1], scope.context()))))
      return failure();
  return scope.refineOutput(0, typeFromName(getOutType(), scope.context()));
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t FusedConvOp::getRowAxis(RowScope &rows) {
  for (auto [i, operand] : llvm::enumerate((*this)->getOperands()))
    if (operand != getData() && operand != getSum() && !rows.hasNone(i))
      return kNoRows;
  return rows.all(0);
}
