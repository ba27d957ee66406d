// Place.cpp: shapes and types of operators on places; the numbered constraints are those
// of Place.td.
#include "ir/ops/Place.h"
#include "ir/Conditions.h"

#include "ir/Axes.h"
#include "ir/Windows.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Place.cpp.inc"

void symc::sg::registerPlaceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Place.cpp.inc"
      >();
}

static Type int64(TypeScope &scope) { return IntegerType::get(scope.context(), 64); }

std::string UnravelIndexOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> shape = params.getTuple("shape");
  if (!shape.empty() && llvm::all_of(shape.drop_front(), [](int64_t e) { return e >= 1; }) &&
      (shape[0] >= 1 || shape[0] == -1))
    return {};
  return "parameter 'shape' is " + tupleText(shape) +
         ", needs extents of at least 1 (the first may be -1)";
}

LogicalResult UnravelIndexOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  Dim columns = data.rank() ? data[0] : scope.dim(1);
  return scope.refineOutput(0, Shape({scope.dim(getShape().size()), columns})); // C2
}

LogicalResult IndexArrayOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, int64(scope));
}

LogicalResult IndexArrayOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t count = data.rank();
  if (std::optional<ArrayRef<int64_t>> axes = getAxes()) {
    for (int64_t axis : *axes)
      if (failed(normalAxis(scope, axis, data))) // C1
        return failure();
    count = axes->size();
  }
  Shape output = data;
  output.push_back(scope.dim(count));
  return scope.refineOutput(0, output); // C2
}

LogicalResult IndexCopyOp::inferType(TypeScope &scope) {
  for (Type type : {scope.input(0), scope.input(2), scope.output(0)})
    if (failed(scope.refineInput(0, type)) || failed(scope.refineInput(2, type)) ||
        failed(scope.refineOutput(0, type)))
      return failure();
  return success();
}

LogicalResult IndexCopyOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(1, Shape(1)))) // C1
    return failure();
  if (failed(scope.refineOutput(0, scope.input(0))) || // C2
      failed(scope.refineInput(0, scope.output(0))))
    return failure();
  const Shape &old = scope.input(0);
  if (!old.isRanked())
    return success();
  if (old.rank() < 1) // C1
    return scope.error() << "old_tensor has shape " << old.str() << ", needs at least one extent";
  Shape slices = old;
  slices[0] = scope.input(1)[0];
  return scope.refineInput(2, slices); // C1
}

bool HistogramOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bins" || params.isNone("bin_cnt");
}

std::string HistogramOp::checkParams(const ParamView &params) { // C1
  bool counted = !params.isNone("bin_cnt");
  if (counted == params.isNone("range"))
    return counted ? "parameter 'bin_cnt' is given and 'range' is not, needs both or none"
                   : "parameter 'range' is given and 'bin_cnt' is not, needs both or none";
  if (!counted)
    return {};
  if (params.getInt("bin_cnt") < 1)
    return "parameter 'bin_cnt' is " + std::to_string(params.getInt("bin_cnt")) +
           ", needs at least 1";
  ArrayRef<double> range = params.getFloats("range");
  if (range.size() != 2 || !(range[0] < range[1]))
    return "parameter 'range' needs two rising numbers";
  return {};
}

LogicalResult HistogramOp::inferType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, int64(scope))))
    return failure();
  if (scope.numInputs() > 1 && (failed(scope.refineInput(1, scope.input(0))) ||
                                failed(scope.refineInput(0, scope.input(1)))))
    return failure();
  return scope.refineOutput(1, scope.input(0));
}

LogicalResult HistogramOp::inferShape(ShapeScope &scope) {
  Dim count = getBinCnt() ? scope.dim(*getBinCnt()) : Dim();
  if (scope.numInputs() > 1) {
    const Shape &bins = scope.input(1);
    if (!bins.isRanked())
      return success();
    auto wrong = [&](raw_ostream &message) {
      message << "bins has shape " << bins.str() << ", needs at least 2 bounds [B + 1]";
    };
    if (bins.rank() != 1) // C2
      return scope.refuse(wrong);
    if (failed(scope.need(atLeast(bins[0], 2), wrong)))
      return failure();
    count = bins[0] - 1;
  }
  if (failed(scope.refineOutput(0, Shape({count})))) // C3
    return failure();
  return scope.refineOutput(1, Shape({count + 1}));
}

// Of hawkesll and of its gradients: marks are whole numbers, all others have one type.
static LogicalResult inferHawkesType(TypeScope &scope, size_t outputs) {
  Type marks = IntegerType::get(scope.context(), 32);
  Type real = scope.input(0);
  for (size_t i = 1; i < scope.numInputs() && !real; ++i)
    real = i == 5 ? Type() : scope.input(i);
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, i == 5 ? marks : real)))
      return failure();
  for (size_t i = 0; i < outputs; ++i)
    if (failed(scope.refineOutput(i, real)))
      return failure();
  return success();
}

// The shapes of hawkesll's operands.
static LogicalResult inferHawkesInputs(ShapeScope &scope) {
  if (failed(scope.refineInput(0, Shape(2))) || failed(scope.refineInput(4, Shape(2)))) // C1
    return failure();
  Dim items = scope.input(0)[0], kinds = scope.input(0)[1], steps = scope.input(4)[1];
  Shape byKind({kinds}), byItem({items}), state({items, kinds}), events({items, steps});
  const Shape *wanted[] = {&state, &byKind, &byKind, &state, &events, &events, &byItem, &byItem};
  for (size_t i = 0; i < 8; ++i)
    if (failed(scope.refineInput(i, *wanted[i]))) // C1
      return failure();
  return success();
}

LogicalResult HawkesllOp::inferType(TypeScope &scope) { return inferHawkesType(scope, 2); }
LogicalResult HawkesllOp::inferShape(ShapeScope &scope) {
  if (failed(inferHawkesInputs(scope))) // C1
    return failure();
  Dim items = scope.input(0)[0], kinds = scope.input(0)[1];
  return failed(scope.refineOutput(0, Shape({items})))
             ? failure()
             : scope.refineOutput(1, Shape({items, kinds}));
}

// When a mark was seen last, for each of them.
CheckedSize HawkesllOp::getScratchBytes(const LargestShapes &shapes) {
  return shapes.operands[0][1] * 8;
}

LogicalResult HawkesllGradientOp::inferType(TypeScope &scope) { return inferHawkesType(scope, 3); }
LogicalResult HawkesllGradientOp::inferShape(ShapeScope &scope) {
  if (failed(inferHawkesInputs(scope)) ||
      failed(scope.refineInput(8, Shape({scope.input(0)[0]})))) // C1
    return failure();
  for (size_t i : {0, 1, 2})
    if (failed(scope.refineOutput(i, scope.input(i)))) // C1
      return failure();
  return success();
}

// For each mark: when it was seen last, its state, the state's slope by beta, and two sums.
CheckedSize HawkesllGradientOp::getScratchBytes(const LargestShapes &shapes) {
  return shapes.operands[0][1] * (5 * 8);
}

//===----------------------------------------------------------------------===//
// Whole tensors measured and compared
//===----------------------------------------------------------------------===//

LogicalResult AllcloseOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(1, scope.input(0))) ||
      failed(scope.refineInput(0, scope.input(1)))) // C1
    return failure();
  return scope.refineOutput(0, Shape(size_t(0))); // C2
}
LogicalResult AllcloseOp::inferType(TypeScope &scope) {
  if (failed(scope.refineInput(1, scope.input(0))) ||
      failed(scope.refineInput(0, scope.input(1)))) // C1
    return failure();
  return scope.refineOutput(0, typeFromName("uint8", scope.context()));
}

std::string CalibrateEntropyOp::checkParams(const ParamView &params) { // C1
  if (params.getInt("num_quantized_bins") >= 1)
    return {};
  return "parameter 'num_quantized_bins' is " +
         std::to_string(params.getInt("num_quantized_bins")) + ", needs at least 1";
}
LogicalResult CalibrateEntropyOp::inferShape(ShapeScope &scope) {
  const Shape &hist = scope.input(0);
  if (hist.isRanked()) {
    int64_t least = getNumQuantizedBins();
    auto wrong = [&](raw_ostream &message) {
      message << "hist has shape " << hist.str()
              << ", needs an odd number of ranges, at least num_quantized_bins = " << least;
    };
    if (hist.rank() != 1) // C2
      return scope.refuse(wrong);
    if (failed(scope.need(atLeast(hist[0], least) & multipleOf(hist[0] - 1, 2), wrong)))
      return failure();
    if (failed(scope.refineInput(1, Shape({hist[0] + 1})))) // C3
      return failure();
  }
  for (size_t i : {0, 1})
    if (failed(scope.refineOutput(i, Shape({scope.dim(1)})))) // C3
      return failure();
  return success();
}
LogicalResult CalibrateEntropyOp::inferType(TypeScope &scope) { // C3
  Type type = Float32Type::get(scope.context());
  for (size_t i : {0, 1})
    if (failed(scope.refineInput(i, type)) || failed(scope.refineOutput(i, type)))
      return failure();
  return success();
}
CheckedSize CalibrateEntropyOp::getScratchBytes(const LargestShapes &shapes) {
  return 3 * 4 * shapes.operandCount(0); // counts, and the two distributions
}
