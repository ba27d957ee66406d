// Deconvolution.cpp: see Deconvolution.h. With stride s and taps k, output q*s + r is the sum
// over t of data[q - t] * weight[s*t + r]: for each of the s remainders along each axis a
// convolution without stride over ceil(k/s) taps, read backwards. They are one convolution to
// s*s (s*s*s for volumes) times the channels, whose results are put between each other and cut
// to the output. By the example of images, with groups g of c channels in and o out:
//
//   weight [g*c, o, k, k] -> zeros behind -> [g, c, o, T, s, T, s] -> taps reversed
//          -> [g*s*s*o, c, T, T]                                  (weights alone: @prepare)
//   data [N, g*c, H, W] -> [N, g*s*s*o, H+T-1, W+T-1] -> [N, g*o, s*(H+T-1), s*(W+T-1)] -> slices
//
// Of H+T-1 results those are left out that padding cuts off at both ends: with stride 1 and equal
// padding all that are cut off, so that nothing is sliced.
//
// Where each channel is alone (g > 1, c = o = 1) there is a convolution for each remainder, which
// reads the data as it lies, and in blocks writes each result in its place; for a few remainders.
// Such layers that double images for a head alone stay as they are (ir/DoubledImages.h).
//
// Where the stride is 1, taps may lie d apart: data[q - d*t]. Of a window smaller than the stride
// the remainders beyond it are zeros: there is no convolution for them.
//
// Gradients of square strides that do not divide the window, in one group or with each channel
// alone, have a convolution for each remainder of the output's places, over the taps that are there
// instead of zeros, and over the data that those places read: of 3x3 with a stride of 2 four of
// 2x2, 2x1, 1x2 and 1x1 taps, 9 products instead of 16.
//
// Float32 layers without target_shape, and without dilation or groups of volumes where the stride
// is not 1. The batch and the extents of images may be known only at run time: how far the results
// go beyond the output is a constant.
#include "passes/Deconvolution.h"

#include "ir/DoubledImages.h"
#include "ir/Gradient.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// One axis of the image.
struct Axis {
  int64_t kernel, stride, dilate, pad, taps;
  int64_t border; // zeros around the data, as far as sums over them are part of the output
  Dim positions, output;
  Dim behind; // how many results lie behind the output

  Axis(DeconvolutionOp op, unsigned i) {
    auto at = [&](ArrayRef<int64_t> list, int64_t other) { return list.empty() ? other : list[i]; };
    kernel = op.getKernel()[i];
    stride = at(op.getStride(), 1);
    dilate = at(op.getDilate(), 1);
    pad = at(op.getPad(), 0);
    taps = (kernel + stride - 1) / stride;
    positions = shapeOf(op.getData().getType())[2 + i] + reach();
    output = shapeOf(op.getOutput().getType())[2 + i];
    behind = positions * stride - output - pad;
    behind = simplifyAffineExpr(behind.getExpr(), 0, largestSizes(op).size());
    border = reach();
    if (fits())
      trim(std::min({pad / stride, behind.get() / stride, border}));
  }
  bool fits() const {
    return behind.isStatic() && behind.get() >= 0 && (dilate == 1 || stride == 1);
  }
  // From the first tap of a sum to the last.
  int64_t reach() const { return (taps - 1) * dilate; }

private:
  // Sums at both ends that are cut off are not computed.
  void trim(int64_t count) {
    border -= count;
    positions = positions - 2 * count;
    pad -= count * stride;
    behind = behind - count * stride;
  }
};

// What lies between has as many planes as remainders, however few of them output shows.
constexpr int64_t mostStride = 256, mostPhases = 65536, mostLayers = 16;

} // namespace

static bool isPlain(DeconvolutionOp op) {
  auto all = [](ArrayRef<int64_t> list, int64_t value) {
    return llvm::all_of(list, [&](int64_t each) { return each == value; });
  };
  auto isKnown = [](Value value) {
    Shape shape = shapeOf(value.getType());
    return shape.isFullyKnown() && shape[1].isStatic();
  };
  return (op.getKernel().size() < 3 || op.getNumGroup() == 1 || all(op.getStride(), 1)) &&
         all(op.getTargetShape(), 0) && op.getLayout().value_or("NC").starts_with("NC") &&
         elementTypeOf(op.getOutput().getType()).isF32() && isKnown(op.getData()) &&
         isKnown(op.getOutput());
}

// [g*c, o, k...] as [g*phases*o, c, T...], taps reversed.
static Value weightOfPhases(Value weight, int64_t groups, ArrayRef<Axis> axes, CoreBuilder &core) {
  Shape have = shapeOf(weight.getType());
  int64_t channels = have[0].get() / groups, filters = have[1].get();
  auto shape = [&](ArrayRef<int64_t> extents) { return Shape::of(extents, core.b.getContext()); };
  SmallVector<int64_t> padded{have[0].get(), filters}, around(4, 0);
  bool rest = false;
  for (const Axis &axis : axes) {
    padded.push_back(axis.taps * axis.stride);
    around.append({0, axis.taps * axis.stride - axis.kernel});
    rest |= around.back() != 0;
  }
  if (rest && axes.size() == 1) { // a border is one of images
    weight = core.reshape(weight, shape({have[0].get(), filters, 1, axes[0].kernel}));
    padded.insert(padded.begin() + 2, 1);
    around.insert(around.begin() + 4, {0, 0});
  }
  if (rest)
    weight = core.make("pad", weight, core.withShape(weight, shape(padded)),
                       {core.text("mode", "constant"), core.numbers("pad_width", around)});
  // [(g,) c, o, T, s, ...]: a group of its own is no axis, as ranks end at 8.
  SmallVector<int64_t> split, taps, result{0, channels}, order, behind;
  if (groups > 1) {
    split.push_back(groups);
    order.push_back(0);
  }
  int64_t first = split.size();
  split.append({channels, filters});
  int64_t phases = 1;
  for (const Axis &axis : axes) {
    taps.push_back(split.size());
    split.push_back(axis.taps);
    if (axis.stride > 1) {
      order.push_back(split.size());
      split.push_back(axis.stride);
    }
    result.push_back(axis.taps);
    phases *= axis.stride;
  }
  order.append({first + 1, first});
  order.append(taps);
  result[0] = groups * phases * filters;
  weight = core.reverse(core.reshape(weight, shape(split)), taps);
  return core.reshape(core.transpose(weight, order), shape(result));
}

// Of each channel alone its sums for each remainder: [N, s*s*C, Q, Q].
static Value layersOfPhases(DeconvolutionOp op, Value weight, ArrayRef<Axis> axes,
                            CoreBuilder &core) {
  Shape data = shapeOf(op.getData().getType());
  int64_t phases = axes[0].stride * axes[1].stride;
  Shape sums({data[0], data[1], axes[0].positions, axes[1].positions});
  weight = core.reshape(
      weight, Shape({data[1], core.dim(phases), core.dim(axes[0].taps), core.dim(axes[1].taps)}));
  SmallVector<Value> layers;
  for (int64_t phase = 0; phase < phases; ++phase) {
    SmallVector<Value> operands{op.getData(), core.slice(weight, 1, phase, phase + 1)};
    if (Value bias = op.getBias())
      operands.push_back(bias);
    layers.push_back(core.make("convolution", operands, core.withShape(op.getData(), sums),
                               {core.numbers("kernel", {axes[0].taps, axes[1].taps}),
                                core.numbers("pad", {axes[0].border, axes[1].border}),
                                core.number("num_filter", data[1].get()),
                                core.number("num_group", data[1].get()),
                                core.flag("no_bias", operands.size() == 2)}));
  }
  return core.concat(layers, 1);
}

// [N, s*s*C, Q, Q] -> [N, C, s*Q, s*Q]
static Value spread(Value sums, ArrayRef<Axis> axes, CoreBuilder &core) {
  Shape shape = shapeOf(sums.getType());
  int64_t stride = axes[0].stride;
  Shape result({shape[0], core.dim(shape[1].get() / (stride * stride)), shape[2] * stride,
                shape[3] * stride});
  return core.make("depth_to_space", sums, core.withShape(sums, result),
                   core.number("block_size", stride));
}

// One slice: in blocks of channels it is a view.
static Value cutToOutput(DeconvolutionOp op, Value result, ArrayRef<Axis> axes, CoreBuilder &core) {
  Shape shape = shapeOf(result.getType());
  SmallVector<int64_t> first(2, kNoneElement), last(2, kNoneElement);
  bool whole = true;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    bool atEnd = axis.behind.isStatic(0);
    whole &= axis.pad == 0 && atEnd;
    first.push_back(axis.pad);
    if (axis.output.isStatic())
      last.push_back(axis.pad + axis.output.get());
    else
      last.push_back(atEnd ? kNoneElement : -axis.behind.get());
    shape[2 + i] = axis.output;
  }
  if (whole) { // extents of sizes known at run time may be written in two ways
    result.setType(op.getOutput().getType());
    return result;
  }
  return core.make("slice", result, core.withShape(result, shape),
                   {core.numbers("begin", first), core.numbers("end", last)});
}

// Windows of one element, in one group without bias: a convolution, and zeros in the places of the
// other remainders.
static Value spreadPixels(DeconvolutionOp op, ArrayRef<Axis> axes, CoreBuilder &core) {
  Shape data = shapeOf(op.getData().getType());
  int64_t phases = axes[0].stride * axes[1].stride, filters = op.getNumFilter();
  auto channels = [&](int64_t count) {
    return Shape({data[0], core.dim(count), data[2], data[3]});
  };
  Value weight = core.transpose(op.getWeight(), {1, 0, 2, 3});
  Value sums = core.make("convolution", {op.getData(), weight},
                         core.withShape(op.getData(), channels(filters)),
                         {core.numbers("kernel", {1, 1}), core.number("num_filter", filters),
                          core.flag("no_bias", true)});
  Value zeros = core.zeros(core.withShape(op.getData(), channels((phases - 1) * filters)));
  return cutToOutput(op, spread(core.concat({sums, zeros}, 1), axes, core), axes, core);
}

namespace {
// Along an axis: the places j * stride + number of the output, which read data[j + shift - t] for
// each tap t * stride + first.
struct PlacesOfRemainder {
  int64_t first, shift, taps, count;

  PlacesOfRemainder(const Axis &axis, int64_t pad, int64_t number)
      : first((number + pad) % axis.stride), shift((number + pad) / axis.stride),
        taps(axis.kernel > first ? llvm::divideCeil(axis.kernel - first, axis.stride) : 0),
        count(llvm::divideCeil(axis.output.get(), axis.stride)) {}

  int64_t begin() const { return shift - taps + 1; } // of what is read
  int64_t end() const { return shift + count; }
  bool meets(int64_t extent) const { return taps > 0 && begin() < extent && end() > 0; }
};
} // namespace

// [N, C, s*J, s*J] or more: each remainder's convolution, between each other.
static Value convolutionsOfPhases(DeconvolutionOp op, ArrayRef<Axis> axes, CoreBuilder &core) {
  Shape data = shapeOf(op.getData().getType());
  int64_t stride = axes[0].stride, filters = op.getNumFilter(), groups = op.getNumGroup();
  auto placesOf = [&](unsigned axis, int64_t number) {
    int64_t pad = op.getPad().empty() ? 0 : op.getPad()[axis];
    return PlacesOfRemainder(axes[axis], pad, number);
  };
  SmallVector<Value> layers;
  for (int64_t phase = 0; phase < stride * stride; ++phase) {
    PlacesOfRemainder places[] = {placesOf(0, phase / stride), placesOf(1, phase % stride)};
    bool meets = true; // some tap some pixel
    for (unsigned axis : {0u, 1u})
      meets &= places[axis].meets(data[2 + axis].get());
    Shape sums({data[0], core.dim(filters), core.dim(places[0].count), core.dim(places[1].count)});
    if (!meets) {
      layers.push_back(core.zeros(core.withShape(op.getData(), sums)));
      continue;
    }
    Value image = op.getData();
    SmallVector<int64_t> kernel, before, behind, first(2, kNoneElement);
    for (unsigned axis : {0u, 1u}) {
      const PlacesOfRemainder &at = places[axis];
      int64_t extent = data[2 + axis].get();
      int64_t begin = at.begin(), end = at.end();
      if (begin > 0 || end < extent)
        image = core.slice(image, 2 + axis, std::max<int64_t>(begin, 0), std::min(end, extent));
      before.push_back(std::max<int64_t>(-begin, 0));
      behind.push_back(std::max<int64_t>(end - extent, 0));
      kernel.push_back(at.taps);
      first.push_back(at.first);
    }
    Shape taps = shapeOf(op.getWeight().getType());
    for (unsigned axis : {0u, 1u})
      taps[2 + axis] = core.dim(kernel[axis]);
    Value weight = core.make(
        "slice", op.getWeight(), core.withShape(op.getWeight(), taps),
        {core.numbers("begin", first),
         core.numbers("end", {kNoneElement, kNoneElement, axes[0].kernel, axes[1].kernel}),
         core.numbers("step", {1, 1, stride, stride})});
    weight = core.reverse(weight, {2, 3});
    if (groups == 1) // else each channel has a weight of its own
      weight = core.transpose(weight, {1, 0, 2, 3});
    layers.push_back(core.make("convolution", {image, weight}, core.withShape(op.getData(), sums),
                               {core.numbers("kernel", kernel), core.numbers("pad", before),
                                core.numbers("pad_end", behind), core.number("num_filter", filters),
                                core.number("num_group", groups), core.flag("no_bias", true)}));
  }
  Value result = spread(core.concat(layers, 1), axes, core);
  for (unsigned axis : {0u, 1u})
    if (shapeOf(result.getType())[2 + axis] != axes[axis].output)
      result = core.slice(result, 2 + axis, 0, axes[axis].output.get());
  return result;
}

Value symc::decomposeDeconvolution(DeconvolutionOp op, CoreBuilder &core) {
  if (!isPlain(op) || doublesImages(op))
    return {};
  Shape data = shapeOf(op.getData().getType());
  SmallVector<Axis> axes;
  int64_t phases = 1;
  bool fits = true;
  for (unsigned i = 0; i < op.getKernel().size(); ++i) {
    axes.push_back(Axis(op, i));
    if (axes.back().stride > mostStride)
      return {};
    fits &= axes.back().fits();
    phases *= axes.back().stride;
  }
  int64_t groups = op.getNumGroup(), filters = int64_t(op.getNumFilter()) / groups;
  auto shape = [&](ArrayRef<int64_t> extents) { return Shape::of(extents, op.getContext()); };
  bool isSquare = axes.size() == 2 && axes[0].stride == axes[1].stride;

  bool isRagged = llvm::any_of(
      axes, [](const Axis &axis) { return axis.kernel % axis.stride != 0 && axis.kernel > 1; });
  bool isDense = llvm::all_of(axes, [](const Axis &axis) { return axis.dilate == 1; });
  bool isStatic = data.isStatic() && shapeOf(op.getOutput().getType()).isStatic();
  bool isAlone = groups > 1 && filters == 1 && data[1].isStatic(groups);
  if (isTraining(op) && isSquare && isRagged && isDense && (groups == 1 || isAlone) && phases > 1 &&
      phases <= mostLayers && !op.getBias() && isStatic)
    return convolutionsOfPhases(op, axes, core);
  if (!fits || phases > mostPhases)
    return {};
  bool isUnit = llvm::all_of(op.getKernel(), [](int64_t extent) { return extent == 1; });
  if (isSquare && isUnit && groups == 1 && phases > 1 && !op.getBias() && data.isStatic())
    return spreadPixels(op, axes, core);
  Value weight = weightOfPhases(op.getWeight(), groups, axes, core);
  if (isSquare && isAlone && phases > 1 && phases <= mostLayers)
    return cutToOutput(op, spread(layersOfPhases(op, weight, axes, core), axes, core), axes, core);

  SmallVector<Value> operands{op.getData(), weight};
  if (Value bias = op.getBias()) {
    bias = core.broadcastTo(core.reshape(bias, shape({groups, 1, filters})),
                            shape({groups, phases, filters}));
    operands.push_back(core.reshape(bias, shape({groups * phases * filters})));
  }

  Shape sums({data[0], core.dim(groups * phases * filters)});
  // [N, (g,) s..., o, Q...] -> [N, (g,) o, Q, s, ...] -> [N, g*o, Q*s, ...]
  Shape split({data[0]}), whole({data[0], core.dim(groups * filters)});
  SmallVector<int64_t> kernel, dilate, pad, order{0};
  if (groups > 1) {
    split.push_back(core.dim(groups));
    order.push_back(1);
  }
  int64_t first = split.rank(), rank = axes.size();
  for (const Axis &axis : axes) {
    kernel.push_back(axis.taps);
    dilate.push_back(axis.dilate);
    pad.push_back(axis.border);
    sums.push_back(axis.positions);
    split.push_back(core.dim(axis.stride));
    whole.push_back(axis.positions * axis.stride);
  }
  split.push_back(core.dim(filters));
  order.push_back(first + rank);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    split.push_back(axis.positions);
    order.append({first + rank + 1 + int64_t(i), first + int64_t(i)});
  }
  SmallVector<NamedAttribute> attributes{core.numbers("kernel", kernel), core.numbers("pad", pad),
                                         core.number("num_filter", groups * phases * filters),
                                         core.number("num_group", groups),
                                         core.flag("no_bias", operands.size() == 2)};
  if (llvm::any_of(dilate, [](int64_t distance) { return distance != 1; }))
    attributes.push_back(core.numbers("dilate", dilate));
  Value result = core.make("convolution", operands, core.withShape(op.getData(), sums), attributes);
  if (isSquare && groups == 1 && phases > 1)
    result = spread(result, axes, core);
  else if (phases > 1)
    result = core.reshape(core.transpose(core.reshape(result, split), order), whole);
  return cutToOutput(op, result, axes, core);
}
