//===- Resize.cpp - ONNX's images in another size --------------------------===//
//
// Interpolation is separable: one axis after the other. The places that an axis reads and their
// weights are known when a graph is read, so that an axis is
//
//   repeated elements, a slice      where each result is one element at even distances
//   take                            where each result is one element
//   a sum of takes with weights     linear, cubic: as many as the window has taps
//   a product with a matrix         windows of more than six taps (antialias)
//
// Bilinear images as MXNet has them are sg.bilinear_resize, which has a step of its own.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"
#include "ir/ReshapeCodes.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {

/// What an axis reads: for each place of the result `taps` places and weights.
struct AxisWindows {
  int64_t axis = 0, from = 0, to = 0;
  size_t taps = 1;
  std::vector<int64_t> places; // to * taps
  std::vector<double> weights; // the same
  std::vector<bool> outside;   // to; empty: nowhere

  bool isOneTap() const { return taps == 1; }
  bool isIdentity() const {
    if (!isOneTap() || from != to)
      return false;
    for (int64_t i = 0; i < to; ++i)
      if (places[i] != i)
        return false;
    return true;
  }
  // Each element `often` times, or 0.
  int64_t repeats() const {
    if (!isOneTap() || from == 0 || to % from != 0)
      return 0;
    int64_t often = to / from;
    for (int64_t i = 0; i < to; ++i)
      if (places[i] != i / often)
        return 0;
    return often;
  }
  // The step of a slice that begins at places[0], or 0.
  int64_t step() const {
    if (!isOneTap() || to < 1)
      return 0;
    int64_t step = to == 1 ? 1 : places[1] - places[0];
    for (int64_t i = 0; step > 0 && i < to; ++i)
      if (places[i] != places[0] + i * step)
        return 0;
    return std::max<int64_t>(step, 0);
  }
};

class Resize {
public:
  explicit Resize(NodeScope &node) : node(node) {}

  bool run() {
    if (!readAttributes() || !readSizes())
      return false;
    Value x = node.in(0);
    Type type = node.type(0);
    bool whole = !isa<FloatType>(type);
    if (Value done = asRepeats(x))
      return node.give(done);
    if (!node.reason.empty())
      return false;
    if (Value image = asOpenBilinear(x))
      return node.give(image);
    if (!node.reason.empty())
      return false;
    SmallVector<AxisWindows> windows;
    for (auto [i, axis] : enumerate(axes)) {
      auto from = sg::shapeOf(x.getType())[axis];
      if (wanted[i] == from && scales[i] == 1 && coordinates != "tf_crop_and_resize" &&
          !from.isStatic())
        continue;
      if (sizes[i] < 0 && isOdd)
        return node.refuse("its sizes are chosen at run time and are no whole multiples of its "
                           "data's extents");
      if (!from.isStatic())
        return node.refuse("axis " + Twine(axis) +
                           " has an extent that is chosen at run time, which is enlarged by whole "
                           "factors alone (nearest)");
      if (from.get() < 1)
        return node.refuse("axis " + Twine(axis) + " of its data is empty");
      AxisWindows w = windowsOf(axis, from.get());
      if (!w.isIdentity() || !w.outside.empty())
        windows.push_back(std::move(w));
    }
    if (Value image = asBilinear(x, windows))
      return node.give(image);
    if (Value volume = asBilinearParts(x, windows))
      return node.give(volume);
    bool blends = llvm::any_of(windows, [](const AxisWindows &w) { return !w.isOneTap(); });
    // Half floats and integers are blended in float32.
    Type inside = blends && !type.isF64() ? Type(Float32Type::get(node.context())) : type;
    x = node.cast(x, inside);
    for (const AxisWindows &w : windows) {
      x = w.isOneTap() ? chosen(x, w, w.places) : w.taps > 6 ? product(x, w) : blended(x, w);
      if (!w.outside.empty())
        x = extrapolated(x, w);
    }
    if (!x)
      return false;
    if (blends && whole) {
      unsigned bits = type.getIntOrFloatBitWidth();
      double most = type.isUnsignedInteger() ? std::ldexp(1.0, int(bits)) - 1
                                             : std::ldexp(1.0, int(bits) - 1) - 1;
      double least = type.isUnsignedInteger() ? 0 : -most - 1;
      x = node.make("clip", x, {node.realNumber("a_min", least), node.realNumber("a_max", most)});
    }
    return node.give(node.cast(x, type));
  }

private:
  bool readAttributes() {
    mode = node.text("mode");
    if (mode == "bilinear") // of Upsample's first opset
      mode = "linear";
    if (mode != "nearest" && mode != "linear" && mode != "cubic")
      return node.refuse("it has no mode " + inQuotes(mode));
    bool first = node.node.op == "Upsample" || node.opset < 11;
    coordinates = first ? "asymmetric" : node.text("coordinate_transformation_mode");
    rounding = first ? "floor" : node.text("nearest_mode");
    static constexpr StringLiteral known[] = {
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
        "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
    if (!llvm::is_contained(known, coordinates))
      return node.refuse("it has no coordinate_transformation_mode " + inQuotes(coordinates));
    static constexpr StringLiteral roundings[] = {"round_prefer_floor", "round_prefer_ceil",
                                                  "floor", "ceil"};
    if (!llvm::is_contained(roundings, rounding))
      return node.refuse("it has no nearest_mode " + inQuotes(rounding));
    if (!first) {
      a = node.real("cubic_coeff_a");
      excludes = node.integer("exclude_outside") != 0;
      beyond = node.real("extrapolation_value");
    }
    antialias = node.integer("antialias") != 0;
    if (antialias && mode == "nearest")
      return node.refuse("antialias is of linear and cubic interpolation");
    return true;
  }

  bool hasElements(size_t i) {
    return node.has(i) && !(node.rank(i) == 1 && node.shape(i)[0].isStatic(0));
  }

  bool readSizes() {
    int64_t rank = node.rank(0);
    if (node.given("axes")) {
      auto given = node.axes(node.integers("axes"), rank);
      if (!given)
        return false;
      axes = *given;
    } else {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    }
    scales.assign(axes.size(), 1);
    sizes.assign(axes.size(), -1);
    wanted.assign(axes.size(), sg::Dim());
    bool hasRoi = node.node.op == "Resize" && node.opset >= 11;
    size_t scaleOperand = hasRoi ? 2 : 1;
    if (coordinates == "tf_crop_and_resize") {
      if (!hasElements(1))
        return node.refuse("tf_crop_and_resize needs roi");
      auto given = node.reals(1);
      if (!given)
        return false;
      if (given->size() != 2 * axes.size())
        return node.refuse("its roi has " + Twine(given->size()) + " numbers for " +
                           Twine(axes.size()) + " axes");
      roi.assign(given->begin(), given->end());
    }
    if (const Attribute *given = node.find("scales"))
      return setScales(std::vector<double>(given->reals.begin(), given->reals.end()));
    if (hasElements(scaleOperand)) {
      auto given = node.reals(scaleOperand);
      return given && setScales(std::vector<double>(given->begin(), given->end()));
    }
    if (!hasRoi || !hasElements(3))
      return node.refuse("it has neither scales nor sizes");
    return setSizes();
  }

  bool setScales(const std::vector<double> &numbers) {
    if (numbers.size() != axes.size())
      return node.refuse("it has " + Twine(numbers.size()) + " scales for " + Twine(axes.size()) +
                         " axes");
    for (auto [i, scale] : enumerate(numbers)) {
      sg::Dim extent = node.shape(0)[axes[i]];
      if (!(scale > 0) || scale > 1e6)
        return node.refuse("it has a scale that is not above 0, or above a million");
      scales[i] = scale;
      if (extent.isStatic())
        sizes[i] = int64_t(std::floor(scale * double(extent.get())));
      if (extent.isStatic())
        wanted[i] = node.dim(sizes[i]);
      else if (scale == std::floor(scale))
        wanted[i] = extent * int64_t(scale);
    }
    return true;
  }

  bool setSizes() {
    auto given = node.extents(3);
    if (!given)
      return false;
    if (given->size() != axes.size())
      return node.refuse("it has " + Twine(given->size()) + " sizes for " + Twine(axes.size()) +
                         " axes");
    for (size_t i = 0; i < axes.size(); ++i) {
      sg::Dim from = node.shape(0)[axes[i]], to = (*given)[i];
      wanted[i] = to;
      if (from == to) {
        sizes[i] = from.isStatic() ? from.get() : -1;
        continue;
      }
      if (from.isStatic() && to.isStatic()) {
        if (from.get() < 1 || to.get() < 1)
          return node.refuse("it has a size below 1");
        sizes[i] = to.get();
        scales[i] = double(to.get()) / double(from.get());
        continue;
      }
      // A whole factor of an extent that is chosen at run time.
      std::optional<sg::Dim> factor = sg::divideExtents(to, {from}, node.context());
      isOdd |= !factor || !factor->isStatic();
      if (factor && factor->isStatic())
        scales[i] = double(factor->get());
    }
    StringRef policy = node.text("keep_aspect_ratio_policy");
    if (policy.empty() || policy == "stretch")
      return true;
    if (policy != "not_larger" && policy != "not_smaller")
      return node.refuse("it has no keep_aspect_ratio_policy " + inQuotes(policy));
    double one = policy == "not_larger" ? *llvm::min_element(scales) : *llvm::max_element(scales);
    for (size_t i = 0; i < axes.size(); ++i) {
      if (sizes[i] < 0)
        return node.refuse("keep_aspect_ratio_policy needs fixed extents");
      scales[i] = one;
      sizes[i] = int64_t(one * double(node.shape(0)[axes[i]].get()) + 0.5);
      wanted[i] = node.dim(sizes[i]);
    }
    return true;
  }

  // Where a place of the result lies in data.
  double place(size_t i, int64_t from, int64_t to, int64_t at) const {
    double scale = scales[i], length = scale * double(from);
    if (coordinates == "align_corners")
      return length == 1 ? 0 : double(at) * double(from - 1) / (length - 1);
    if (coordinates == "asymmetric")
      return double(at) / scale;
    if (coordinates == "tf_crop_and_resize") {
      double begin = roi[i], end = roi[i + axes.size()];
      double x = length == 1 ? (end - begin) * double(from - 1) / 2
                             : double(at) * (end - begin) * double(from - 1) / (length - 1);
      return x + begin * double(from - 1);
    }
    if (coordinates == "tf_half_pixel_for_nn")
      return (double(at) + 0.5) / scale;
    if (coordinates == "pytorch_half_pixel" && length == 1)
      return -0.5;
    double x = (double(at) + 0.5) / scale - 0.5;
    if (coordinates == "half_pixel_symmetric")
      x += double(from) / 2 * (1 - double(to) / length);
    return x;
  }

  std::vector<double> weightsOf(double ratio, double scale) const {
    double shrunk = std::min(scale, 1.0);
    auto cubic = [&](double x) {
      x = std::abs(x);
      if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
      return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0.0;
    };
    std::vector<double> weights;
    if (mode == "nearest") {
      if (ratio == 1)
        return {0, 1};
      bool second = rounding == "ceil" || (rounding == "round_prefer_floor" && ratio > 0.5) ||
                    (rounding == "round_prefer_ceil" && ratio >= 0.5);
      return {second ? 0.0 : 1.0, second ? 1.0 : 0.0};
    }
    if (mode == "linear" && !antialias)
      return {1 - ratio, ratio};
    if (mode == "cubic" && !antialias) {
      for (int i = -1; i < 3; ++i)
        weights.push_back(cubic(ratio - i));
      return weights;
    }
    auto begin = int64_t(std::floor((mode == "linear" ? -1 : -2) / shrunk) + 1);
    double sum = 0;
    for (int64_t i = begin; i < 2 - begin; ++i) {
      double x = (double(i) - ratio) * shrunk;
      weights.push_back(mode == "cubic" ? cubic(x) : std::clamp(1 - std::abs(x), 0.0, 1.0));
      sum += weights.back();
    }
    for (double &weight : weights)
      weight /= sum;
    return weights;
  }

  AxisWindows windowsOf(int64_t axis, int64_t from) const {
    AxisWindows w;
    size_t i = size_t(llvm::find(axes, axis) - axes.begin());
    w.axis = axis;
    w.from = from;
    w.to = sizes[i];
    if (scales[i] == 1 && w.to == from && coordinates != "tf_crop_and_resize") {
      for (int64_t at = 0; at < from; ++at)
        w.places.push_back(at);
      return w;
    }
    w.taps = w.to > 0 ? weightsOf(0.25, scales[i]).size() : 1;
    auto n = int64_t(w.taps);
    bool outside = false;
    for (int64_t at = 0; at < w.to; ++at) {
      double x = place(i, from, w.to, at), low = std::floor(x);
      bool isOutside = coordinates == "tf_crop_and_resize" && (x < 0 || x > double(from - 1));
      outside |= isOutside;
      w.outside.push_back(isOutside);
      // An element itself counts as the right one of two, so that windows begin further left.
      std::vector<double> weights = weightsOf(x == low ? 1 : x - low, scales[i]);
      auto first = int64_t(low) - n / 2 + (x == low ? 0 : 1);
      double sum = 0;
      for (int64_t t = 0; t < n; ++t) {
        if (excludes && (first + t < 0 || first + t >= from))
          weights[t] = 0;
        sum += weights[t];
      }
      for (int64_t t = 0; t < n; ++t) {
        w.places.push_back(std::clamp<int64_t>(first + t, 0, from - 1));
        w.weights.push_back(excludes && sum != 0 ? weights[t] / sum : weights[t]);
      }
    }
    if (!outside)
      w.outside.clear();
    if (mode == "nearest" && n == 2) { // the one that counts
      std::vector<int64_t> places;
      for (int64_t at = 0; at < w.to; ++at)
        places.push_back(w.places[2 * at + (w.weights[2 * at + 1] != 0 ? 1 : 0)]);
      w.places = std::move(places);
      w.weights.clear();
      w.taps = 1;
    }
    return w;
  }

  // Nearest by whole factors, which is the same for extents of any length.
  Value asRepeats(Value x) {
    if (isOdd || mode != "nearest" || coordinates == "align_corners" ||
        coordinates == "tf_crop_and_resize")
      return {};
    SmallVector<int64_t> often;
    for (double scale : scales) {
      if (scale != std::floor(scale))
        return {};
      often.push_back(int64_t(scale));
    }
    for (size_t i = 0; i < axes.size(); ++i) {
      if (sizes[i] == 0)
        return {};
      for (int64_t at = 0; at < 4 * often[i]; ++at) {
        double p = place(i, 4, 4 * often[i], at);
        bool second = weightsOf(p == std::floor(p) ? 1 : p - std::floor(p), scales[i])[1] != 0;
        auto chosen = int64_t(std::floor(p)) + (p != std::floor(p) && second ? 1 : 0);
        if (std::clamp<int64_t>(chosen, 0, 3) != at / often[i])
          return {};
      }
    }
    return repeated(x, often);
  }

  Value repeated(Value x, ArrayRef<int64_t> often) {
    // Images in blocks have a step of their own.
    if (axes.size() == 4 && isa<FloatType>(node.type(0)) && often[axes.size() - 1] > 1 &&
        often[2] == often[3] && often[0] == 1 && often[1] == 1 &&
        llvm::equal(axes, llvm::seq<int64_t>(0, 4)))
      return node.make("upsampling", x,
                       {node.number("scale", often[3]), node.word("sample_type", "nearest"),
                        node.number("num_args", 1)});
    for (size_t i = 0; i < axes.size(); ++i)
      if (often[i] > 1)
        x = node.make("repeat", x,
                      {node.number("repeats", often[i]), node.number("axis", axes[i])});
    return x;
  }

  // MXNet's bilinear images: half pixels, or corners that meet.
  bool isBilinear() const { return node.rank(0) == 4 && interpolatesAsMxnet(); }

  bool interpolatesAsMxnet() const {
    static constexpr StringLiteral known[] = {"align_corners", "half_pixel", "pytorch_half_pixel",
                                              "half_pixel_symmetric"};
    return mode == "linear" && !antialias && !excludes && isa<FloatType>(node.type(0)) &&
           llvm::is_contained(known, coordinates);
  }

  // Whether an axis is linear between the places where MXNet's images have theirs.
  bool isLinear(const AxisWindows &w) const {
    size_t i = size_t(llvm::find(axes, w.axis) - axes.begin());
    return w.taps == 2 && w.outside.empty() && scales[i] * double(w.from) == double(w.to) &&
           (w.to > 1 || coordinates == "align_corners");
  }

  Value bilinear(Value x, int64_t rows, int64_t columns) {
    return node.make("bilinear_resize", x,
                     {node.number("height", rows), node.number("width", columns),
                      node.flag("align_corners", coordinates == "align_corners")});
  }

  // Those whose rows and columns a run chooses, before or behind.
  Value asOpenBilinear(Value x) {
    if (!isBilinear())
      return {};
    sg::Shape have = node.shape(0), shape = have;
    for (auto [i, axis] : enumerate(axes)) {
      if (axis < 2 ? !(wanted[i] == have[axis]) || scales[i] != 1 : !wanted[i].isKnown())
        return {};
      shape[axis] = wanted[i];
    }
    if (have[2].isStatic() && have[3].isStatic() && shape[2].isStatic() && shape[3].isStatic())
      return {};
    bool corners = coordinates == "align_corners";
    for (size_t axis : {2, 3}) // of one row MXNet takes the first
      if (!corners && !(have[axis] == shape[axis]) &&
          !node.require(sg::atLeast(shape[axis], 2), "the image has an extent of 1 along axis " +
                                                         Twine(axis) + ", needs at least 2"))
        return {};
    Value like =
        node.filled(sg::Shape({node.dim(1), node.dim(1), shape[2], shape[3]}), 0, node.type(0));
    return node.make("bilinear_resize", {x, like},
                     {node.word("mode", "like"), node.flag("align_corners", corners)});
  }

  Value asBilinear(Value x, ArrayRef<AxisWindows> windows) {
    if (!isBilinear() || windows.empty())
      return {};
    sg::Shape shape = sg::shapeOf(x.getType());
    if (!shape[2].isStatic() || !shape[3].isStatic())
      return {};
    int64_t rows = shape[2].get(), columns = shape[3].get();
    for (const AxisWindows &w : windows) {
      if (w.axis < 2 || !isLinear(w))
        return {};
      (w.axis == 2 ? rows : columns) = w.to;
    }
    return bilinear(x, rows, columns);
  }

  // Lines, volumes and other axes: images of two axes beside each other, or of one axis and all
  // that lies behind it.
  Value asBilinearParts(Value x, ArrayRef<AxisWindows> windows) {
    if (!interpolatesAsMxnet() || windows.empty() || !node.shape(0).isStatic() ||
        !llvm::all_of(windows, [&](const AxisWindows &w) { return isLinear(w); }))
      return {};
    sg::Shape shape = node.shape(0);
    for (size_t left = windows.size(); x && left > 0;) {
      const AxisWindows &last = windows[--left];
      auto axis = size_t(last.axis), first = axis, end = shape.rank();
      if (axis + 1 == end && left > 0 && windows[left - 1].axis + 1 == last.axis)
        first = size_t(windows[--left].axis);
      else if (axis + 1 < end)
        ++axis; // all that lies behind it is one axis, as wide as before
      int64_t rows = first < axis ? shape[first].get() : 1, columns = 1, outer = 1;
      for (size_t i = 0; i < first; ++i)
        outer *= shape[i].get();
      for (size_t i = axis; i < end; ++i)
        columns *= shape[i].get();
      if (outer < 1 || columns < 1)
        return {};
      x = node.reshape(x, sg::Shape::of({1, outer, rows, columns}, node.context()));
      shape[size_t(last.axis)] = node.dim(last.to);
      if (first < size_t(last.axis))
        shape[first] = node.dim(windows[left].to);
      rows = first < axis ? shape[first].get() : 1;
      if (size_t(last.axis) == axis)
        columns = last.to;
      if (x)
        x = bilinear(x, rows, columns);
    }
    return x ? node.reshape(x, shape) : x;
  }

  // One element for each place.
  Value chosen(Value x, const AxisWindows &w, ArrayRef<int64_t> places) {
    if (!x)
      return x;
    if (int64_t often = w.repeats(); often > 1)
      return node.make("repeat", x, {node.number("repeats", often), node.number("axis", w.axis)});
    if (int64_t step = w.step(); step > 0)
      return node.slice(x, w.axis, places[0], places[0] + (w.to - 1) * step + 1, step);
    Value index = node.constant(Known::of(places, {w.to}, int64Type(node)));
    return node.make("take", {x, index}, {node.number("axis", w.axis)});
  }

  Value blended(Value x, const AxisWindows &w) {
    Value sum;
    if (!x)
      return x;
    Type type = sg::elementTypeOf(x.getType());
    auto rank = int64_t(sg::shapeOf(x.getType()).rank());
    for (size_t t = 0; t < w.taps; ++t) {
      std::vector<int64_t> places;
      std::vector<double> weights;
      for (int64_t at = 0; at < w.to; ++at) {
        places.push_back(w.places[size_t(at) * w.taps + t]);
        weights.push_back(w.weights[size_t(at) * w.taps + t]);
      }
      Value index = node.constant(Known::of(places, {w.to}, int64Type(node)));
      Value part = node.make("take", {x, index}, {node.number("axis", w.axis)});
      part = node.binary("mul", part, numbersAlong(node, w.axis, rank, weights, type));
      sum = t == 0 ? part : node.binary("add", sum, part);
    }
    return sum;
  }

  Value product(Value x, const AxisWindows &w) {
    if (!x)
      return x;
    std::vector<double> matrix(size_t(w.from * w.to), 0);
    for (int64_t at = 0; at < w.to; ++at)
      for (size_t t = 0; t < w.taps; ++t)
        matrix[size_t(w.places[size_t(at) * w.taps + t] * w.to + at)] +=
            w.weights[size_t(at) * w.taps + t];
    Type type = sg::elementTypeOf(x.getType());
    Value weights = node.constant(Known::real64(matrix, {w.from, w.to}, type));
    SmallVector<int64_t> order = axisLast(w.axis, int64_t(sg::shapeOf(x.getType()).rank()));
    Value y = node.matmul(node.transpose(x, order), weights);
    return y ? node.transpose(y, inverseOf(order)) : y;
  }

  Value extrapolated(Value x, const AxisWindows &w) {
    if (!x)
      return x;
    Type type = sg::elementTypeOf(x.getType());
    SmallVector<int64_t> dims(sg::shapeOf(x.getType()).rank(), 1), inside;
    dims[w.axis] = w.to;
    for (bool isOutside : w.outside)
      inside.push_back(!isOutside);
    Value mask = node.constant(Known::of(inside, dims, IntegerType::get(node.context(), 1)));
    return node.where(mask, x, node.scalarLike(beyond, type));
  }

  NodeScope &node;
  StringRef mode, coordinates, rounding;
  bool antialias = false, excludes = false;
  double a = -0.75, beyond = 0;
  SmallVector<int64_t> axes;
  SmallVector<double> scales, roi;
  SmallVector<int64_t> sizes;  // -1: open
  SmallVector<sg::Dim> wanted; // the same, as far as they are known
  bool isOdd = false;          // an open size is no whole multiple
};

} // namespace

bool resize(NodeScope &node) { return Resize(node).run(); }

} // namespace symc::onnx::ops
