// Quantized.cpp: shapes and types of operators over quantised integers; the
// numbered constraints are those of Quantized.td.
#include "ir/ops/Quantized.h"
#include "ir/Axes.h"
#include "ir/WindowShapes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Quantized.cpp.inc"

void symc::sg::registerQuantizedOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Quantized.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What all share
//===----------------------------------------------------------------------===//

// Operands from `first` on and results 1 and 2 are limits: [1].
static LogicalResult inferLimits(ShapeScope &scope, size_t first) {
  Shape one({scope.dim(1)});
  for (size_t i = first; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, one)))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, one)))
      return failure();
  return success();
}

// Data and result 0 have one shape.
static LogicalResult inferAlike(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

static Type signedByte(TypeScope &scope) { return typeFromName("int8", scope.context()); }
static Type unsignedByte(TypeScope &scope) { return typeFromName("uint8", scope.context()); }
static Type wide(TypeScope &scope) { return typeFromName("int32", scope.context()); }
static Type real(TypeScope &scope) { return Float32Type::get(scope.context()); }

// Operands from `first` on and results 1 and 2 are float32.
static LogicalResult inferLimitTypes(TypeScope &scope, size_t first) {
  for (size_t i = first; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, real(scope))))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, real(scope))))
      return failure();
  return success();
}

// An error where operand `i` is known and neither int8 nor uint8.
static LogicalResult checkByte(TypeScope &scope, size_t i, StringRef name) {
  Type type = scope.input(i);
  if (!type || type == signedByte(scope) || type == unsignedByte(scope))
    return success();
  return scope.error() << name << " has element type " << typeName(type)
                       << " but needs int8 or uint8";
}

// int8 or uint8, as the parameters of (re)quantisation specify.
template <class Op> static Type quantizedType(Op op, TypeScope &scope) {
  bool isUnsigned =
      op.getOutType() == "uint8" || (op.getOutType() == "auto" && op.getMinCalibRange() &&
                                     op.getMaxCalibRange() && !op.getMinCalibRange()->isNegative());
  if (op.getOutType() == "auto" && op.getMinCalibRange() && op.getMinCalibRange()->isZero())
    isUnsigned = op.getMaxCalibRange().has_value();
  return isUnsigned ? unsignedByte(scope) : signedByte(scope);
}

//===----------------------------------------------------------------------===//
// quantize, quantize_v2, dequantize, requantize
//===----------------------------------------------------------------------===//

LogicalResult QuantizeOp::inferShape(ShapeScope &scope) { // C1
  return failure(failed(inferAlike(scope)) || failed(inferLimits(scope, 1)));
}
LogicalResult QuantizeOp::inferType(TypeScope &scope) { // C1
  if (failed(inferLimitTypes(scope, 0)))
    return failure();
  return scope.refineOutput(0, typeFromName(getOutType(), scope.context()));
}

LogicalResult QuantizeV2Op::inferShape(ShapeScope &scope) { // C1
  return failure(failed(inferAlike(scope)) || failed(inferLimits(scope, 1)));
}
LogicalResult QuantizeV2Op::inferType(TypeScope &scope) {
  Type data = scope.input(0);
  if (data && data != real(scope) && failed(checkByte(scope, 0, "data"))) // C2
    return failure();
  if (failed(inferLimitTypes(scope, 1)))
    return failure();
  return scope.refineOutput(0, data && data != real(scope) ? data : quantizedType(*this, scope));
}

LogicalResult DequantizeOp::inferShape(ShapeScope &scope) { // C1
  return failure(failed(inferAlike(scope)) || failed(inferLimits(scope, 1)));
}
LogicalResult DequantizeOp::inferType(TypeScope &scope) { // C1
  if (failed(checkByte(scope, 0, "data")) || failed(inferLimitTypes(scope, 1)))
    return failure();
  return scope.refineOutput(0, real(scope));
}

LogicalResult RequantizeOp::inferShape(ShapeScope &scope) { // C1
  return failure(failed(inferAlike(scope)) || failed(inferLimits(scope, 1)));
}
LogicalResult RequantizeOp::inferType(TypeScope &scope) { // C1
  if (failed(scope.refineInput(0, wide(scope))) || failed(inferLimitTypes(scope, 1)))
    return failure();
  return scope.refineOutput(0, quantizedType(*this, scope));
}

//===----------------------------------------------------------------------===//
// quantized_conv, quantized_fully_connected
//===----------------------------------------------------------------------===//

static bool hasBiasOperand(StringRef name, const ParamView &params) {
  return !name.ends_with("bias") || !params.getBool("no_bias");
}

// data, weight, [bias], limits -> sums of int32.
static LogicalResult inferSumTypes(TypeScope &scope, bool hasBias) {
  size_t first = hasBias ? 3 : 2;
  if (failed(checkByte(scope, 0, "data")))
    return failure();
  for (size_t i = 1; i < first; ++i)
    if (failed(scope.refineInput(i, signedByte(scope))))
      return failure();
  if (failed(inferLimitTypes(scope, first)))
    return failure();
  return scope.refineOutput(0, wide(scope));
}

static std::string channelsFirst(const ParamView &params) {
  if (params.isNone("layout") || params.getStr("layout").starts_with("NC"))
    return {};
  return "parameter 'layout' is " + params.getStr("layout").str() +
         ", needs channels first over integers";
}

bool QuantizedConvOp::hasOperand(StringRef name, const ParamView &params) {
  return hasBiasOperand(name, params);
}

std::string QuantizedConvOp::checkParams(const ParamView &params) { // C1
  std::string message = checkConvolution(params);
  return message.empty() ? channelsFirst(params) : message;
}

LogicalResult QuantizedConvOp::inferShape(ShapeScope &scope) { // C2
  bool hasBias = static_cast<bool>(getBias());
  if (failed(inferConvolution(scope, {getKernel(), getStride(), getDilate(), getPad(),
                                      static_cast<int64_t>(getNumFilter()),
                                      static_cast<int64_t>(getNumGroup()), false, hasBias})))
    return failure();
  return inferLimits(scope, hasBias ? 3 : 2);
}

LogicalResult QuantizedConvOp::inferType(TypeScope &scope) { // C2
  return inferSumTypes(scope, static_cast<bool>(getBias()));
}

bool QuantizedFullyConnectedOp::hasOperand(StringRef name, const ParamView &params) {
  return hasBiasOperand(name, params);
}

LogicalResult QuantizedFullyConnectedOp::inferShape(ShapeScope &scope) { // C1
  Dim hidden = scope.dim(getNumHidden());
  std::string because = "with num_hidden = " + std::to_string(getNumHidden());
  if (failed(inferFullyConnected(scope, getNumHidden(), getFlatten())))
    return failure();
  bool hasBias = static_cast<bool>(getBias());
  if (hasBias && failed(scope.refineInput(2, Shape({hidden}), because)))
    return failure();
  return inferLimits(scope, hasBias ? 3 : 2);
}

LogicalResult QuantizedFullyConnectedOp::inferType(TypeScope &scope) { // C1
  return inferSumTypes(scope, static_cast<bool>(getBias()));
}

//===----------------------------------------------------------------------===//
// quantized_pooling, quantized_act, quantized_flatten
//===----------------------------------------------------------------------===//

// The result has data's type.
static LogicalResult inferPassedType(TypeScope &scope) {
  if (failed(checkByte(scope, 0, "data")) || failed(inferLimitTypes(scope, 1)) ||
      failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

std::string QuantizedPoolingOp::checkParams(const ParamView &params) { // C1
  if (params.getStr("pool_type") != "max" && params.getStr("pool_type") != "avg")
    return "parameter 'pool_type' is " + params.getStr("pool_type").str() +
           ", needs max or avg over integers";
  if (std::string message = channelsFirst(params); !message.empty())
    return message;
  return checkPooling(params, /*insidePad=*/false);
}

LogicalResult QuantizedPoolingOp::inferShape(ShapeScope &scope) { // C2
  if (failed(inferPooling(scope, {getKernel(), getStride(), getPad(), getGlobalPool(),
                                  getPoolingConvention(), false})))
    return failure();
  return inferLimits(scope, 1);
}
LogicalResult QuantizedPoolingOp::inferType(TypeScope &scope) { return inferPassedType(scope); }

std::string QuantizedActOp::checkParams(const ParamView &params) { // C1
  if (params.getStr("act_type") == "relu")
    return {};
  return "parameter 'act_type' is " + params.getStr("act_type").str() +
         ", needs relu over integers";
}
LogicalResult QuantizedActOp::inferShape(ShapeScope &scope) { // C2
  return failure(failed(inferAlike(scope)) || failed(inferLimits(scope, 1)));
}
LogicalResult QuantizedActOp::inferType(TypeScope &scope) { // C2
  return inferPassedType(scope);
}

LogicalResult QuantizedFlattenOp::inferShape(ShapeScope &scope) { // C1
  const Shape &data = scope.input(0);
  if (data.isRanked()) {
    if (data.rank() < 1)
      return scope.error() << "data has no extents, needs at least 1";
    Shape output({data[0], data.product(1, data.rank(), scope.context())});
    if (failed(scope.refineOutput(0, output)))
      return failure();
  }
  return inferLimits(scope, 1);
}
LogicalResult QuantizedFlattenOp::inferType(TypeScope &scope) { // C1
  return inferPassedType(scope);
}

//===----------------------------------------------------------------------===//
// quantized_concat
//===----------------------------------------------------------------------===//

LogicalResult QuantizedConcatOp::inferShape(ShapeScope &scope) {
  size_t count = getNumArgs();
  if (scope.numInputs() != 3 * count) // C1
    return scope.error() << "there are " << scope.numInputs() << " operands, num_args = " << count
                         << " needs " << 3 * count << " (tensors, then two limits for each)";
  Shape common;
  for (size_t i = 0; i < count && !common.isRanked(); ++i)
    common = scope.input(i);
  if (failed(inferLimits(scope, count)))
    return failure();
  if (!common.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getDim(), common, "data0"); // C2
  if (failed(axis))
    return failure();
  for (size_t i = 0; i < count; ++i) {
    const Shape &shape = scope.input(i);
    for (size_t d = 0; shape.isRanked() && shape.rank() == common.rank() && d < shape.rank(); ++d)
      if (!common[d].isKnown())
        common[d] = shape[d];
  }
  common[*axis] = Dim();
  Dim sum = scope.dim(0);
  for (size_t i = 0; i < count; ++i) {
    if (failed(scope.refineInput(i, common, "to lie along axis " + Twine(*axis)))) // C3
      return failure();
    sum = sum + scope.input(i)[*axis];
  }
  common[*axis] = sum;
  return scope.refineOutput(0, common);
}

LogicalResult QuantizedConcatOp::inferType(TypeScope &scope) { // C3
  size_t count = std::min<size_t>(getNumArgs(), scope.numInputs());
  bool isSigned = false, allKnown = true;
  for (size_t i = 0; i < count; ++i) {
    if (failed(checkByte(scope, i, "data" + std::to_string(i))))
      return failure();
    isSigned |= scope.input(i) == signedByte(scope);
    allKnown &= static_cast<bool>(scope.input(i));
  }
  if (failed(inferLimitTypes(scope, count)))
    return failure();
  if (!allKnown && !isSigned)
    return success();
  return scope.refineOutput(0, isSigned ? signedByte(scope) : unsignedByte(scope));
}

//===----------------------------------------------------------------------===//
// quantized_elemwise_add, quantized_elemwise_mul
//===----------------------------------------------------------------------===//

static LogicalResult inferPair(ShapeScope &scope) {
  for (int round = 0; round < 2; ++round)
    if (failed(inferAlike(scope)) || failed(scope.refineInput(1, scope.input(0))) ||
        failed(scope.refineInput(0, scope.input(1))))
      return failure();
  return inferLimits(scope, 2);
}

LogicalResult QuantizedElemwiseAddOp::inferShape(ShapeScope &scope) { // C1
  return inferPair(scope);
}
LogicalResult QuantizedElemwiseAddOp::inferType(TypeScope &scope) { // C1
  if (failed(checkByte(scope, 0, "lhs")) || failed(checkByte(scope, 1, "rhs")) ||
      failed(inferLimitTypes(scope, 2)))
    return failure();
  if (!getMinCalibRange() || !getMaxCalibRange())
    return scope.refineOutput(0, wide(scope));
  if (!scope.input(0) || !scope.input(1))
    return success();
  return scope.refineOutput(0,
                            scope.input(0) == scope.input(1) ? scope.input(0) : signedByte(scope));
}

int64_t QuantizedElemwiseMulOp::countResults(const ParamView &params) {
  return params.getBool("enable_float_output") ? 1 : 3;
}
LogicalResult QuantizedElemwiseMulOp::inferShape(ShapeScope &scope) { // C1
  return inferPair(scope);
}
LogicalResult QuantizedElemwiseMulOp::inferType(TypeScope &scope) { // C1
  if (failed(scope.refineInput(0, signedByte(scope))) ||
      failed(scope.refineInput(1, signedByte(scope))) || failed(inferLimitTypes(scope, 2)))
    return failure();
  bool inRange = getMinCalibRange() && getMaxCalibRange();
  return scope.refineOutput(0, getEnableFloatOutput() ? real(scope)
                               : inRange              ? signedByte(scope)
                                                      : wide(scope));
}

//===----------------------------------------------------------------------===//
// quantized_embedding, quantized_batch_norm
//===----------------------------------------------------------------------===//

LogicalResult QuantizedEmbeddingOp::inferShape(ShapeScope &scope) { // C1
  Dim length = scope.dim(getOutputDim());
  if (failed(scope.refineInput(1, Shape({scope.dim(getInputDim()), length}),
                               "with input_dim = " + Twine(getInputDim()))))
    return failure();
  if (const Shape &data = scope.input(0); data.isRanked()) {
    Shape output = data;
    output.push_back(length);
    if (failed(scope.refineOutput(0, output)))
      return failure();
  }
  return inferLimits(scope, 2);
}
LogicalResult QuantizedEmbeddingOp::inferType(TypeScope &scope) { // C1
  if (failed(scope.refineInput(1, signedByte(scope))) ||
      failed(scope.refineOutput(0, signedByte(scope))))
    return failure();
  return inferLimitTypes(scope, 2);
}

std::string QuantizedBatchNormOp::checkParams(const ParamView &params) { // C1
  if (!params.isNone("min_calib_range") && !params.isNone("max_calib_range"))
    return {};
  return "parameter 'min_calib_range' or 'max_calib_range' is None, needs both limits of the "
         "result";
}
LogicalResult QuantizedBatchNormOp::inferShape(ShapeScope &scope) {
  if (failed(inferAlike(scope)) || failed(inferLimits(scope, 5)))
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data); // C2
  if (failed(axis))
    return failure();
  for (size_t i = 1; i < 5; ++i) // C3
    if (failed(scope.refineInput(i, Shape({data[*axis]}))))
      return failure();
  return success();
}
LogicalResult QuantizedBatchNormOp::inferType(TypeScope &scope) { // C3
  if (failed(checkByte(scope, 0, "data")) || failed(inferLimitTypes(scope, 1)))
    return failure();
  return scope.refineOutput(0, signedByte(scope));
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

template <typename Op> static int64_t rowsInRange(Op op, RowScope &rows) {
  if (op.getMinCalibRange() && op.getMaxCalibRange())
    return rows.leading();
  return rows.mixed("it finds the range of its numbers in all rows of the batch");
}
int64_t QuantizeV2Op::getRowAxis(RowScope &rows) { return rowsInRange(*this, rows); }
int64_t RequantizeOp::getRowAxis(RowScope &rows) { return rowsInRange(*this, rows); }
