// Nn.cpp: shapes, types and parameter checks of the layer operations; the
// numbered constraints are those of Nn.td.
#include "ir/ops/Nn.h"
#include "ir/Axes.h"
#include "ir/Conditions.h"
#include "ir/Gradient.h"
#include "ir/Labels.h"

#include "ir/WindowShapes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Nn.cpp.inc"

void symc::sg::registerNnOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Nn.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// fully_connected
//===----------------------------------------------------------------------===//

bool FullyConnectedOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bias" || !params.getBool("no_bias");
}

// MXNet takes a bias of [num_hidden, 1] too.
static LogicalResult inferBias(ShapeScope &scope, Dim hidden, const Twine &because) {
  const Shape &bias = scope.input(2);
  if (bias.isRanked() && bias.rank() == 2 && bias[1].isStatic(1))
    return scope.refineInput(2, Shape({hidden, scope.dim(1)}), because);
  return scope.refineInput(2, Shape({hidden}), because);
}

LogicalResult FullyConnectedOp::inferShape(ShapeScope &scope) {
  if (failed(inferFullyConnected(scope, getNumHidden(), getFlatten()))) // C1
    return failure();
  if (scope.numInputs() <= 2)
    return success();
  return inferBias(scope, scope.dim(getNumHidden()),
                   "with num_hidden = " + std::to_string(getNumHidden())); // C2
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

bool ConvolutionOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bias" || !params.getBool("no_bias");
}

std::string ConvolutionOp::checkParams(const ParamView &params) { // C1, C3
  if (std::string message = checkConvolution(params); !message.empty())
    return message;
  ArrayRef<int64_t> shuffle = params.getTuple("shuffle"); // C6
  if (shuffle.size() > 1 || llvm::any_of(shuffle, [](int64_t parts) { return parts < 1; }))
    return "parameter 'shuffle' is " + tupleText(shuffle) + ", needs one number of parts";
  return checkWindow("pad_end", params.getTuple("pad_end"), params.getTuple("kernel"), 0);
}

LogicalResult ConvolutionOp::inferShape(ShapeScope &scope) { // C2, C3, C4, C5
  return inferConvolution(scope, {getKernel(),
                                  getStride(),
                                  getDilate(),
                                  {getPad(), getPadEnd()},
                                  static_cast<int64_t>(getNumFilter()),
                                  static_cast<int64_t>(getNumGroup()),
                                  isChannelLast(getLayout()),
                                  scope.numInputs() > 2});
}

//===----------------------------------------------------------------------===//
// deconvolution
//===----------------------------------------------------------------------===//

bool DeconvolutionOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bias" || !params.getBool("no_bias");
}

static bool hasTarget(ArrayRef<int64_t> target) {
  return llvm::any_of(target, [](int64_t extent) { return extent != 0; });
}

std::string DeconvolutionOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> kernel = params.getTuple("kernel");
  if (kernel.empty() || kernel.size() > 3)
    return "parameter 'kernel' is " + tupleText(kernel) + ", needs one to three extents";
  for (auto [name, least] : {std::pair<StringRef, int64_t>{"kernel", 1},
                             {"stride", 1},
                             {"dilate", 1},
                             {"pad", 0},
                             {"adj", 0},
                             {"target_shape", 0}})
    if (std::string message = checkWindow(name, params.getTuple(name), kernel, least);
        !message.empty())
      return message;
  ArrayRef<int64_t> adj = params.getTuple("adj"), stride = params.getTuple("stride");
  for (size_t i = 0; i < adj.size() && !hasTarget(params.getTuple("target_shape")); ++i)
    if (adj[i] >= at(stride, i, 1))
      return "parameter 'adj' is " + tupleText(adj) + ", needs extents smaller than stride " +
             (stride.empty() ? std::string("1") : tupleText(stride));
  int64_t groups = params.getInt("num_group"), filters = params.getInt("num_filter");
  if (filters % groups != 0) // C3
    return "parameter 'num_filter' is " + std::to_string(filters) +
           ", needs a multiple of num_group = " + std::to_string(groups);
  return {};
}

LogicalResult DeconvolutionOp::inferShape(ShapeScope &scope) {
  size_t spatial = getKernel().size();
  bool last = isChannelLast(getLayout()), target = hasTarget(getTargetShape());
  size_t channelAxis = last ? spatial + 1 : 1, firstSpatial = last ? 1 : 2;
  const Shape &data = scope.input(0);
  Shape weight(spatial + 2), output(spatial + 2);
  int64_t groups = getNumGroup();
  weight[channelAxis] = scope.dim(getNumFilter() / groups);
  output[channelAxis] = scope.dim(getNumFilter());
  for (size_t i = 0; i < spatial; ++i)
    weight[firstSpatial + i] = scope.dim(getKernel()[i]);
  if (data.isRanked()) {
    if (data.rank() != spatial + 2) // C2
      return scope.error() << "data has shape " << data.str() << " but kernel "
                           << tupleText(getKernel()) << " needs rank " << spatial + 2;
    weight[0] = data[channelAxis];
    if (failed(needChannels(scope, data, channelAxis, groups, "num_group"))) // C3
      return failure();
    output[0] = data[0];
    for (size_t i = 0; i < spatial; ++i) {
      Dim total = (data[firstSpatial + i] - 1) * at(getStride(), i, 1) +
                  (at(getDilate(), i, 1) * (getKernel()[i] - 1) + 1);
      Dim extent = target ? scope.dim(getTargetShape()[i])
                          : total + (at(getAdj(), i, 0) - 2 * at(getPad(), i, 0));
      if (target && failed(scope.need(atLeast(total, extent), [&](raw_ostream &message) { // C4
            message << "target_shape is " << tupleText(getTargetShape()) << " but data's shape "
                    << data.str() << " gives at most " << total.str() << " along axis "
                    << firstSpatial + i;
          })))
        return failure();
      if (failed(scope.need(atLeast(extent, 1), [&](raw_ostream &message) { // C4
            message << "output would have " << extent.str() << " elements along axis "
                    << firstSpatial + i << ": data has shape " << data.str();
          })))
        return failure();
      output[firstSpatial + i] = extent;
    }
  }
  if (failed(scope.refineInput(1, weight)) || failed(scope.refineOutput(0, output))) // C5
    return failure();
  if (scope.numInputs() > 2 &&
      failed(scope.refineInput(2, Shape({scope.dim(getNumFilter())})))) // C5
    return failure();
  const Shape &known = scope.output(0);
  if (!data.isRanked() || data[0].isKnown() || !known.isRanked())
    return success();
  Shape refined = data;
  refined[0] = known[0];
  return scope.refineInput(0, refined);
}

//===----------------------------------------------------------------------===//
// pooling
//===----------------------------------------------------------------------===//

std::string PoolingOp::checkParams(const ParamView &params) { // C1, C2, C5
  int64_t p = params.isNone("p_value") ? 1 : params.getInt("p_value");
  StringRef type = params.getStr("pool_type");
  if (type == "lp" && (p < 1 || p > 3))
    return "parameter 'p_value' is " + std::to_string(p) + ", needs 1, 2 or 3 with pool_type = lp";
  if (std::string message = checkPooling(params, /*insidePad=*/type == "sum" || type == "lp");
      !message.empty())
    return message;
  ArrayRef<int64_t> kernel = params.getTuple("kernel"), padEnd = params.getTuple("pad_end");
  if (std::string message = checkWindow("pad_end", padEnd, kernel, 0); !message.empty())
    return message;
  for (size_t i = 0; i < padEnd.size() && (type == "max" || type == "avg"); ++i)
    if (padEnd[i] >= kernel[i])
      return "parameter 'pad_end' is " + tupleText(padEnd) +
             ", needs extents smaller than kernel " + tupleText(kernel);
  return {};
}

LogicalResult PoolingOp::inferShape(ShapeScope &scope) {
  return inferPooling(scope, {getKernel(),
                              getStride(),
                              {getPad(), getPadEnd()},
                              getGlobalPool(),
                              getPoolingConvention(),
                              isChannelLast(getLayout())}); // C3, C4
}

std::string PoolingV1Op::checkParams(const ParamView &params) {
  size_t rank = params.getTuple("kernel").size();
  if (!params.getBool("global_pool") && rank != 2 && rank != 3) // C1
    return "parameter 'kernel' is " + tupleText(params.getTuple("kernel")) +
           ", needs two or three extents unless global_pool is set";
  return checkPooling(params, /*insidePad=*/true); // C2
}

LogicalResult PoolingV1Op::inferShape(ShapeScope &scope) {
  return inferPooling(scope, {getKernel(), getStride(), getPad(), getGlobalPool(),
                              getPoolingConvention(), false}); // C3, C4
}

//===----------------------------------------------------------------------===//
// batch_norm
//===----------------------------------------------------------------------===//

int64_t BatchNormOp::countResults(const ParamView &params) {
  return params.getBool("output_mean_var") ? 3 : 1;
}

LogicalResult BatchNormOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return scope.refineInput(0, scope.output(0));
  int64_t rank = data.rank(), axis = getAxis();
  if (axis < -rank || axis >= rank) // C1
    return scope.error() << "axis " << axis << " is outside data's shape " << data.str();
  Shape channels({data[axis < 0 ? axis + rank : axis]});
  for (size_t i = 1; i < 5; ++i) // C2
    if (failed(scope.refineInput(i, channels)))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, channels)))
      return failure();
  if (failed(scope.refineOutput(0, data)))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

// Statistics of float16 data are float32.
LogicalResult BatchNormOp::inferType(TypeScope &scope) {
  Type data = scope.input(0) ? scope.input(0) : scope.output(0);
  if (!data)
    return success();
  Type statistics = data.isF16() ? Float32Type::get(scope.context()) : data;
  if (failed(scope.refineInput(0, data)) || failed(scope.refineOutput(0, data)))
    return failure();
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, statistics)))
      return failure();
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, statistics)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// softmax, softmax_output, softmax_activation, dropout
//===----------------------------------------------------------------------===//

bool SoftmaxOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "length" || params.getBool("use_length");
}

LogicalResult SoftmaxOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return scope.refineInput(0, scope.output(0));
  int64_t rank = data.rank(), axis = getAxis();
  if (axis < -rank || axis >= rank) // C1
    return scope.error() << "axis " << axis << " is outside data's shape " << data.str();
  if (scope.numInputs() > 1) { // C2
    SmallVector<Dim> rest(data.list());
    rest.erase(rest.begin() + (axis < 0 ? axis + rank : axis));
    if (failed(scope.refineInput(1, Shape(rest))))
      return failure();
  }
  if (failed(scope.refineOutput(0, data)))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult SoftmaxOp::inferType(TypeScope &scope) {
  if (std::optional<StringRef> dtype = getDtype())
    return scope.refineOutput(0, typeFromName(*dtype, scope.context()));
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult SoftmaxOutputOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &label = scope.input(1);
  if (data.isRanked()) {
    if (data.rank() < 1)
      return scope.error() << "data has no extents, needs at least 1";
    // A label has a class for each place, in one row of places or as the data lies, or is as the
    // data.
    bool multi = getMultiOutput() && data.rank() > 1;
    SmallVector<Dim> places(data.list()), image(data.list());
    if (multi) {
      image[1] = scope.dim(1);
      places.erase(places.begin() + 1);
    } else if (data.rank() > 1) {
      places.pop_back();
    }
    Shape wanted(places);
    if (multi)
      wanted = Shape({data[0], data.product(2, data.rank(), scope.context())});
    bool fits = label.isFullyKnown() &&
                (label.list() == data.list() || label.list() == ArrayRef<Dim>(places) ||
                 (multi && label.list() == ArrayRef<Dim>(image)));
    if (hasLabel(*this) && !fits && failed(scope.refineInput(1, wanted))) // C1
      return failure();
  }
  if (failed(scope.refineOutput(0, data)))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult DropoutOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }

bool DropoutOp::drawsNumbers() { return !getPassThrough(); }
// In training it draws, unless no element becomes zero.
Value DropoutOp::getPassThrough() {
  bool acts = getMode() == "always" || (isTraining(*this) && getP().convertToDouble() != 0);
  return acts ? Value() : getData();
}

LogicalResult SoftmaxActivationOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  size_t least = getMode() == "channel" ? 3 : 1;
  if (data.isRanked() && data.rank() < least) // C1
    return scope.error() << "data has shape " << data.str() << ", needs rank " << least
                         << " at least with mode = " << getMode();
  return scope.refineAllSame();
}

//===----------------------------------------------------------------------===//
// embedding
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::inferShape(ShapeScope &scope) {
  Dim length = scope.dim(getOutputDim());
  if (failed(scope.refineInput(1, Shape({scope.dim(getInputDim()), length}),
                               "with input_dim = " + Twine(getInputDim())))) // C1
    return failure();
  if (const Shape &data = scope.input(0); data.isRanked()) {
    Shape output = data;
    output.push_back(length);
    return scope.refineOutput(0, output);
  }
  const Shape &output = scope.output(0);
  if (!output.isRanked() || output.rank() == 0)
    return success();
  return scope.refineInput(0, Shape(output.list().drop_back()));
}

LogicalResult EmbeddingOp::inferType(TypeScope &scope) {
  Type type = scope.input(1) ? scope.input(1) : scope.output(0);
  if (!type)
    type = typeFromName(getDtype(), scope.context());
  if (failed(scope.refineInput(1, type)))
    return failure();
  return scope.refineOutput(0, type);
}

//===----------------------------------------------------------------------===//
// Reduced axes, rows of a batch
//===----------------------------------------------------------------------===//

SmallVector<bool> SoftmaxOp::getReducedAxes() { return maskOfAxis(getAxis(), rankOf(getData())); }

SmallVector<bool> SoftmaxOutputOp::getReducedAxes() {
  int64_t rank = rankOf(getData());
  if (getMultiOutput())
    return maskOfAxis(1, rank);
  return maskFrom(getPreserveShape() || rank == 1 ? rank - 1 : 1, rank);
}

SmallVector<bool> SoftmaxActivationOp::getReducedAxes() {
  int64_t rank = rankOf(getData());
  return maskOfAxis(getMode() == "channel" ? 1 : rank - 1, rank);
}

int64_t FullyConnectedOp::getRowAxis(RowScope &rows) {
  if (getFlatten())
    return rows.leading();
  return rows.onlyFirst(1) ? rows.along(-1) : kNoRows;
}

int64_t SoftmaxOp::getRowAxis(RowScope &rows) {
  return rows.apart(getAxis()) && rows.at(1, rows.without(getAxis())) ? rows.axis() : kNoRows;
}

int64_t EmbeddingOp::getRowAxis(RowScope &rows) {
  return rows.onlyFirst(1) ? rows.axis() : kNoRows;
}

//===----------------------------------------------------------------------===//
// What reference kernels take
//===----------------------------------------------------------------------===//

// Each output, or for a deconvolution each input, meets the window of one filter.
CheckedSize ConvolutionOp::getReferenceWork(const LargestShapes &shapes) {
  int64_t filters = getNumFilter();
  return shapes.resultCount(0) * (shapes.operandCount(1) / std::max<int64_t>(filters, 1));
}
CheckedSize DeconvolutionOp::getReferenceWork(const LargestShapes &shapes) {
  int64_t channels = std::max<int64_t>(shapes.operands[0][1].get(), 1);
  return shapes.operandCount(0) * (shapes.operandCount(1) / channels);
}
CheckedSize PoolingOp::getReferenceWork(const LargestShapes &shapes) {
  CheckedSize window = 1;
  for (int64_t extent : getKernel())
    window *= extent;
  return getGlobalPool() ? shapes.operandCount(0) : shapes.resultCount(0) * window;
}
CheckedSize FullyConnectedOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.resultCount(0) *
         (shapes.operandCount(1) / std::max<int64_t>(int64_t(getNumHidden()), 1));
}
