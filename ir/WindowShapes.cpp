// WindowShapes.cpp: see WindowShapes.h.
#include "ir/WindowShapes.h"
#include "ir/Conditions.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult symc::sg::needChannels(ShapeScope &scope, const Shape &data, size_t axis,
                                     int64_t groups, StringRef name) {
  Dim channels = data[axis];
  if (channels.isKnown() && !channels.isStatic())
    return scope.error() << "data has shape " << data.str()
                         << " with channels that are known only at run time, needs a constant";
  return scope.need(multipleOf(channels, groups), [&](raw_ostream &message) {
    message << "data has " << channels.str() << " channels, needs a multiple of " << name << " = "
            << groups;
  });
}

LogicalResult symc::sg::needWindow(ShapeScope &scope, const Shape &data, size_t axis, Dim padded,
                                   int64_t span) {
  return scope.need(atLeast(padded, span), [&](raw_ostream &message) {
    message << "data has shape " << data.str() << ": the kernel spans " << span << " along axis "
            << axis << " but the padded image has " << padded.str();
  });
}

double symc::sg::partOfWindow(ArrayRef<int64_t> kernel) {
  int64_t count = 1;
  for (int64_t extent : kernel)
    count *= extent;
  return double(1.0f / float(count));
}

std::string symc::sg::checkConvolution(const ParamView &params) {
  ArrayRef<int64_t> kernel = params.getTuple("kernel");
  if (kernel.empty() || kernel.size() > 3)
    return "parameter 'kernel' is " + tupleText(kernel) + ", needs one to three extents";
  for (auto [name, least] :
       {std::pair<StringRef, int64_t>{"kernel", 1}, {"stride", 1}, {"dilate", 1}, {"pad", 0}})
    if (std::string message = checkWindow(name, params.getTuple(name), kernel, least);
        !message.empty())
      return message;
  int64_t groups = params.getInt("num_group"), filters = params.getInt("num_filter");
  if (filters % groups != 0)
    return "parameter 'num_filter' is " + std::to_string(filters) +
           ", needs a multiple of num_group = " + std::to_string(groups);
  return {};
}

LogicalResult symc::sg::inferConvolution(ShapeScope &scope, const ConvolutionWindow &window) {
  size_t spatial = window.kernel.size();
  bool last = window.channelLast;
  size_t channelAxis = last ? spatial + 1 : 1, firstSpatial = last ? 1 : 2;
  const Shape &data = scope.input(0);
  Shape weight(spatial + 2), output(spatial + 2);
  Dim filters = scope.dim(window.filters);
  int64_t groups = window.groups;
  size_t weightSpatial = last ? 1 : 2, weightChannel = last ? spatial + 1 : 1;
  weight[0] = filters;
  output[channelAxis] = filters;
  for (size_t i = 0; i < spatial; ++i)
    weight[weightSpatial + i] = scope.dim(window.kernel[i]);
  if (data.isRanked()) {
    if (data.rank() != spatial + 2)
      return scope.error() << "data has shape " << data.str() << " but kernel "
                           << tupleText(window.kernel) << " needs rank " << spatial + 2;
    Dim channels = data[channelAxis];
    if (failed(needChannels(scope, data, channelAxis, groups, "num_group")))
      return failure();
    weight[weightChannel] = floorDiv(channels, groups);
    output[0] = data[0];
    for (size_t i = 0; i < spatial; ++i) {
      int64_t extent = at(window.dilate, i, 1) * (window.kernel[i] - 1) + 1;
      Dim padded = data[firstSpatial + i] + window.pad.sum(i);
      if (failed(needWindow(scope, data, firstSpatial + i, padded, extent)))
        return failure();
      output[firstSpatial + i] = floorDiv(padded - extent, at(window.stride, i, 1)) + 1;
    }
  }
  if (failed(scope.refineInput(1, weight)) || failed(scope.refineOutput(0, output)))
    return failure();
  if (window.hasBias && failed(scope.refineInput(2, Shape({filters}))))
    return failure();
  const Shape &known = scope.output(0);
  if (data.isRanked() && known.isRanked()) {
    Shape refined = data;
    if (!refined[0].isKnown())
      refined[0] = known[0];
    for (size_t i = 0; i < spatial; ++i) // Exact only where the stride is 1.
      if (!refined[firstSpatial + i].isKnown() && at(window.stride, i, 1) == 1)
        refined[firstSpatial + i] =
            known[firstSpatial + i] +
            (at(window.dilate, i, 1) * (window.kernel[i] - 1) - window.pad.sum(i));
    return scope.refineInput(0, refined);
  }
  return success();
}

std::string symc::sg::checkPooling(const ParamView &params, bool insidePad) {
  ArrayRef<int64_t> kernel = params.getTuple("kernel");
  if (params.getBool("global_pool"))
    return {};
  if (kernel.empty() || kernel.size() > 3)
    return "parameter 'kernel' is " + tupleText(kernel) +
           ", needs one to three extents unless global_pool is set";
  for (auto [name, least] : {std::pair<StringRef, int64_t>{"kernel", 1}, {"stride", 1}, {"pad", 0}})
    if (std::string message = checkWindow(name, params.getTuple(name), kernel, least);
        !message.empty())
      return message;
  ArrayRef<int64_t> pad = params.getTuple("pad");
  for (size_t i = 0; !insidePad && i < pad.size(); ++i)
    if (pad[i] >= kernel[i])
      return "parameter 'pad' is " + tupleText(pad) + ", needs extents smaller than kernel " +
             tupleText(kernel);
  return {};
}

LogicalResult symc::sg::inferPooling(ShapeScope &scope, const PoolWindow &window) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  size_t firstSpatial = window.channelLast ? 1 : 2;
  if (data.rank() < 3 || data.rank() > 5 ||
      (!window.global && data.rank() != window.kernel.size() + 2)) {
    if (window.global)
      return scope.error() << "data has shape " << data.str() << ", needs rank 3 to 5";
    return scope.error() << "data has shape " << data.str() << " but kernel "
                         << tupleText(window.kernel) << " needs rank " << window.kernel.size() + 2;
  }
  Shape output = data;
  for (size_t i = 0; i < data.rank() - 2; ++i) {
    Dim &extent = output[firstSpatial + i];
    if (window.global) {
      extent = scope.dim(1);
      continue;
    }
    int64_t kernel = window.kernel[i], stride = at(window.stride, i, 1);
    Dim padded = extent + window.pad.sum(i);
    if (window.convention == "same") {
      extent = ceilDiv(padded, stride);
      continue;
    }
    if (failed(needWindow(scope, data, firstSpatial + i, padded, kernel)))
      return failure();
    extent = (window.convention == "full" ? ceilDiv(padded - kernel, stride)
                                          : floorDiv(padded - kernel, stride)) +
             1;
  }
  return scope.refineOutput(0, output);
}

// How many elements lie at most between the image's end and the begin of the last window behind it;
// negative where this window begins before the end. With m the padded extent, less the kernel for
// `full`, the last window begins ceil(m / stride) * stride - pad behind the image's begin, for
// `same` one stride before. By how much ceil rounds up is certain where the extent is.
static int64_t mostBehind(StringRef convention, Interval extent, int64_t kernel, int64_t stride,
                          int64_t begin, int64_t end) {
  if (convention == "valid") // windows end in the padding
    return end - kernel;
  bool full = convention == "full";
  int64_t m = extent.min + begin + end - (full ? kernel : 0);
  int64_t roundedUp =
      extent.min == extent.max ? llvm::divideCeilSigned(m, stride) * stride - m : stride - 1;
  return roundedUp + end - (full ? kernel : stride);
}

bool symc::sg::everyWindowHoldsAnElement(const PoolWindow &window, const Shape &data,
                                         const SymbolRanges &ranges) {
  size_t firstSpatial = window.channelLast ? 1 : 2;
  for (size_t i = 0; i + 2 < data.rank(); ++i) {
    Dim dim = data[firstSpatial + i];
    if (!dim.isKnown())
      return false;
    Interval extent = intervalOf(dim.getExpr(), ranges);
    if (extent.min < 1)
      return false;
    if (window.global)
      continue;
    int64_t kernel = window.kernel[i], begin = window.pad.begin(i);
    if (begin >= kernel) // the first window lies in front of the image
      return false;
    if (mostBehind(window.convention, extent, kernel, at(window.stride, i, 1), begin,
                   window.pad.end(i)) >= 0)
      return false;
  }
  return true;
}

LogicalResult symc::sg::inferFullyConnected(ShapeScope &scope, int64_t numHidden, bool flatten) {
  const Shape &data = scope.input(0);
  Dim hidden = scope.dim(numHidden);
  std::string because = "with num_hidden = " + std::to_string(numHidden);
  Shape weight(2), output;
  weight[0] = hidden;
  if (!data.isRanked()) // nothing is required of weights before, as in MXNet
    return success();
  if (data.rank() < 1)
    return scope.error() << "data has no extents, needs at least 1";
  if (flatten) {
    weight[1] = data.product(1, data.rank(), scope.context());
    output = Shape({data[0], hidden});
  } else {
    weight[1] = data[data.rank() - 1];
    output = data;
    output[output.rank() - 1] = hidden;
  }
  if (failed(scope.refineInput(1, weight, because)) ||
      failed(scope.refineOutput(0, output, because)))
    return failure();
  // The batch extent flows back from the result.
  const Shape &known = scope.output(0);
  if (known.isRanked() && !data[0].isKnown() && known[0].isKnown()) {
    Shape refined = data;
    refined[0] = known[0];
    return scope.refineInput(0, refined);
  }
  return success();
}
