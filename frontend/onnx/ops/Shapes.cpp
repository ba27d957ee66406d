//===- Shapes.cpp - ONNX's operators that move elements --------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Fold.h"
#include "frontend/onnx/ops/Places.h"
#include "ir/ReshapeCodes.h"
#include <array>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// The known value of operand 0 under another shape.
static std::optional<Known> reshaped(NodeScope &node, const sg::Shape &shape) {
  const Known *value = node.known(0);
  if (!value || !shape.isStatic())
    return std::nullopt;
  Known known = *value;
  known.dims.clear();
  for (sg::Dim dim : shape.list())
    known.dims.push_back(dim.get());
  return known;
}

static bool giveReshaped(NodeScope &node, const sg::Shape &shape) {
  return node.give(node.reshape(node.in(0), shape), reshaped(node, shape));
}

// Axes of an operand, or of the attribute `axes` in older opsets; nothing given: none.
static std::optional<SmallVector<int64_t>> axesOf(NodeScope &node, size_t operand) {
  if (node.given("axes"))
    return SmallVector<int64_t>(node.integers("axes"));
  if (!node.has(operand))
    return SmallVector<int64_t>();
  return node.numbers(operand);
}

// Where the wanted extents have a size by another name than the data, they fit if both are the
// same: they are, or the run is refused.
static bool takeNames(NodeScope &node, const sg::Shape &have, SmallVector<sg::Dim> &wanted,
                      bool hasRest) {
  auto fits = [&](ArrayRef<sg::Dim> extents) {
    std::optional<sg::Dim> left = sg::divideExtents(have.list(), extents, node.context());
    return left && left->isKnown() && (hasRest || left->isStatic(1));
  };
  auto isIn = [&](ArrayRef<sg::Dim> list, sg::Dim dim) {
    return dim.isStatic() || !dim.isKnown() ||
           llvm::any_of(list, [&](sg::Dim each) { return node.areSame(each, dim); });
  };
  if (have.isStatic() || llvm::any_of(wanted, [](sg::Dim dim) { return dim.isStatic(0); }) ||
      fits(wanted))
    return true;
  for (size_t i = 0; i < wanted.size(); ++i)
    for (sg::Dim dim : have.list()) {
      if (isIn(have.list(), wanted[i]) || isIn(wanted, dim))
        continue;
      SmallVector<sg::Dim> renamed(wanted);
      renamed[i] = dim;
      if (!fits(renamed))
        continue;
      if (!node.require(sg::Need::zero(wanted[i] - dim), "the extents " + dim.str() + " and " +
                                                             wanted[i].str() + " are not the same"))
        return false;
      wanted = std::move(renamed);
      return true;
    }
  return true; // what does not fit is refused later
}

bool reshapeOp(NodeScope &node) {
  std::optional<SmallVector<sg::Dim>> codes = node.extents(1);
  if (!codes)
    return false;
  sg::Shape have = node.shape(0), shape{size_t(0)};
  bool allowZero = node.integer("allowzero") != 0;
  std::optional<size_t> rest;
  SmallVector<sg::Dim> known;
  for (auto [i, code] : enumerate(*codes)) {
    if (code.isStatic(-1)) {
      if (rest)
        return node.refuse("its shape has more than one -1");
      rest = i;
      shape.push_back(sg::Dim());
      continue;
    }
    if (code.isStatic(0) && !allowZero) {
      if (i >= have.rank())
        return node.refuse("its shape copies the extent " + Twine(i) + " of " + have.str());
      code = have[i];
    }
    known.push_back(code);
    shape.push_back(code);
  }
  if (!takeNames(node, have, known, rest.has_value()))
    return false;
  for (size_t i = 0, at = 0; i < shape.rank(); ++i)
    if (i != rest)
      shape[i] = known[at++];
  if (rest) {
    std::optional<sg::Dim> left = sg::divideExtents(have.list(), known, node.context());
    bool isEmpty = llvm::any_of(known, [](sg::Dim dim) { return dim.isStatic(0); });
    if (isEmpty || !left || !left->isKnown())
      return node.refuse("the elements of " + have.str() + " do not fill the shape " + shape.str());
    shape[*rest] = *left;
  }
  return giveReshaped(node, shape);
}

bool flatten(NodeScope &node) {
  sg::Shape have = node.shape(0);
  int64_t rank = node.rank(0), axis = node.integer("axis");
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis > rank)
    return node.refuse("the axis " + Twine(node.integer("axis")) + " is not within rank " +
                       Twine(rank));
  return giveReshaped(node, sg::Shape({have.product(0, axis, node.context()),
                                       have.product(axis, rank, node.context())}));
}

bool squeeze(NodeScope &node) {
  std::optional<SmallVector<int64_t>> given = axesOf(node, 1);
  if (!given)
    return false;
  sg::Shape have = node.shape(0), shape{size_t(0)};
  auto axes = node.axes(*given, node.rank(0));
  if (!axes)
    return false;
  bool all = !node.given("axes") && !node.has(1);
  for (auto [i, dim] : enumerate(have.list())) {
    bool named = llvm::is_contained(*axes, int64_t(i));
    if (named && !dim.isStatic(1))
      return node.refuse("axis " + Twine(i) + " of " + have.str() + " is not 1");
    if (!(all ? dim.isStatic(1) : named))
      shape.push_back(dim);
  }
  return giveReshaped(node, shape);
}

bool unsqueeze(NodeScope &node) {
  std::optional<SmallVector<int64_t>> given = axesOf(node, 1);
  if (!given)
    return false;
  sg::Shape have = node.shape(0), shape{size_t(0)};
  int64_t rank = node.rank(0) + int64_t(given->size());
  auto axes = node.axes(*given, rank);
  if (!axes)
    return false;
  size_t from = 0;
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(*axes, i) ? node.dim(1) : have[from++]);
  return giveReshaped(node, shape);
}

bool transposeOp(NodeScope &node) {
  int64_t rank = node.rank(0);
  SmallVector<int64_t> order(node.integers("perm"));
  if (!node.given("perm"))
    for (int64_t i = rank; i-- > 0;)
      order.push_back(i);
  auto axes = node.axes(order, rank);
  if (!axes)
    return false;
  if (int64_t(axes->size()) != rank)
    return node.refuse("perm names " + Twine(axes->size()) + " axes of " + Twine(rank));
  std::optional<Known> known;
  if (const Known *value = node.known(0)) {
    SmallVector<int64_t> dims, steps(rank, 1);
    for (int64_t i = rank - 1; i-- > 0;)
      steps[i] = steps[i + 1] * value->dims[i + 1];
    for (int64_t axis : *axes)
      dims.push_back(value->dims[axis]);
    known = pickPlaces(value, dims, [&](ArrayRef<int64_t> at) {
      size_t place = 0;
      for (int64_t i = 0; i < rank; ++i)
        place += at[i] * steps[(*axes)[i]];
      return place;
    });
  }
  return node.give(node.transpose(node.in(0), *axes), std::move(known));
}

bool concatOp(NodeScope &node) {
  std::optional<int64_t> axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  SmallVector<Value> parts;
  std::optional<Known> known;
  bool isKnown = true;
  for (size_t i = 0; i < node.count(); ++i) {
    if (!node.has(i))
      return node.refuse("operand " + Twine(i) + " is left out");
    if (node.type(i) != node.type(0))
      return node.refuse("its operands have the element types " + sg::typeName(node.type(0)) +
                         " and " + sg::typeName(node.type(i)) + ", needs one");
    parts.push_back(node.in(i));
    const Known *part = node.known(i);
    isKnown &= part && part->dims.size() == 1;
    if (!isKnown)
      continue;
    if (!known)
      known = Known{part->type, {0}, {}, {}};
    std::optional<Known> sizes; // whole floats beside those that depend on sizes
    if (known->count() != 0 && part->count() != 0 && known->isWhole() != part->isWhole()) {
      known = known->asWhole();
      sizes = part->asWhole();
      isKnown &= known && sizes;
      if (!isKnown)
        continue;
      part = &*sizes;
    }
    llvm::append_range(known->whole, part->whole);
    llvm::append_range(known->real, part->real);
    known->dims[0] += part->dims[0];
  }
  if (!isKnown)
    known.reset();
  return node.give(node.concat(parts, *axis), std::move(known));
}

static std::optional<Known> knownSlice(const Known *from, int64_t axis, int64_t begin, int64_t step,
                                       int64_t count) {
  if (!from)
    return std::nullopt;
  SmallVector<int64_t> dims(from->dims), steps(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    steps[i - 1] = steps[i] * dims[i];
  dims[axis] = count;
  return pickPlaces(from, dims, [&](ArrayRef<int64_t> at) {
    size_t place = 0;
    for (size_t i = 0; i < at.size(); ++i)
      place += (int64_t(i) == axis ? begin + at[i] * step : at[i]) * steps[i];
    return place;
  });
}

bool split(NodeScope &node) {
  std::optional<int64_t> axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  size_t parts = node.node.outputs.size();
  sg::Dim extent = node.shape(0)[*axis];
  SmallVector<int64_t> sizes(node.integers("split"));
  if (node.has(1)) {
    std::optional<SmallVector<int64_t>> given = node.numbers(1);
    if (!given)
      return false;
    sizes = *given;
  }
  if (node.given("num_outputs") && node.integer("num_outputs") != int64_t(parts))
    return node.refuse("num_outputs is " + Twine(node.integer("num_outputs")) + ", it has " +
                       Twine(parts) + " outputs");
  if (!extent.isStatic())
    return node.refuse("the extent of the axis that is split is chosen at run time");
  if (sizes.empty()) {
    int64_t each = (extent.get() + int64_t(parts) - 1) / int64_t(parts);
    if (node.opset < 18 && extent.get() % int64_t(parts) != 0)
      return node.refuse(Twine(parts) + " parts of an extent of " + extent.str() +
                         " are not equal");
    for (size_t i = 0; i < parts; ++i)
      sizes.push_back(std::max<int64_t>(0, std::min(each, extent.get() - int64_t(i) * each)));
  }
  if (sizes.size() != parts)
    return node.refuse("it has " + Twine(parts) + " outputs, but split has " + Twine(sizes.size()) +
                       " sizes");
  if (!checkSplit(node, sizes, extent))
    return false;
  int64_t begin = 0;
  for (auto [i, size] : enumerate(sizes)) {
    Value part;
    if (size == extent.get()) {
      part = node.in(0);
    } else if (size == 0) {
      sg::Shape shape = node.shape(0);
      shape[*axis] = node.dim(0);
      if (!shape.isStatic())
        return node.refuse("an empty part has extents that are chosen at run time");
      SmallVector<int64_t> extents;
      for (sg::Dim dim : shape.list())
        extents.push_back(dim.get());
      part = node.constant(Known{node.type(0), extents, {}, {}});
    } else {
      part = node.slice(node.in(0), *axis, begin, begin + size);
    }
    if (!node.give(i, part, knownSlice(node.known(0), *axis, begin, 1, size)))
      return false;
    begin += size;
  }
  return true;
}

// Elements [begin, end) of axis `axis`, `entry` of the lists of places, where a run's sizes decide
// the extent or a place. Both have to lie within the extent in each run.
static Value openSlice(NodeScope &node, Value x, size_t entry, int64_t axis, sg::Dim begin,
                       sg::Dim end) {
  sg::Dim extent = sg::shapeOf(x.getType())[axis];
  if (end.isStatic() && end.get() >= INT32_MAX)
    end = extent;
  if (begin.isStatic() && begin.get() <= INT32_MIN)
    begin = node.dim(0);
  if (begin.isStatic() && (end == extent || (!extent.isStatic() && end.isStatic()))) {
    // Places that are numbers, which the operation counts from either end.
    if (begin.isStatic(0) && end == extent)
      return x;
    return node.slice(x, axis, begin.isStatic(0) ? sg::kNoneElement : begin.get(),
                      end == extent ? sg::kNoneElement : end.get());
  }
  bool isBehind[2] = {false, false}; // whether a place counts from the end
  for (auto [i, place] : enumerate(std::array<sg::Dim *, 2>{&begin, &end})) {
    if (node.holds(sg::atLeast(*place, 0)))
      continue;
    if (!node.holds(sg::atMost(*place, -1))) {
      node.refuse("the places of the slice of axis " + Twine(axis) +
                  " are chosen at run time, and may count from either end");
      return {};
    }
    isBehind[i] = true;
    *place = *place + extent;
  }
  begin = node.simplified(begin);
  end = node.simplified(end);
  if (node.areSame(end, extent) || node.holds(sg::atLeast(end, extent)))
    end = extent;
  sg::Dim count = node.simplified(end - begin);
  if (!node.require(sg::atLeast(extent, end) & sg::atLeast(end, begin),
                    "the slice of axis " + Twine(axis) + " goes from " + begin.str() + " to " +
                        end.str() + " of " + extent.str()))
    return {};
  if (begin.isStatic()) {
    if (!begin.isStatic(0))
      x = node.slice(x, axis, begin.get(), sg::kNoneElement);
    SmallVector<sg::Dim> like(size_t(axis) + 1, node.dim(1));
    like[axis] = count;
    return node.make("slice_like", {x, node.filled(sg::Shape(like), 0, node.type(0))},
                     {node.list("axes", axis)});
  }
  // The place of each element.
  Value first =
      node.slice(node.cast(node.in(1), int64Type(node)), 0, int64_t(entry), int64_t(entry) + 1);
  if (isBehind[0])
    first = node.binary("add", first, node.slice(node.make("shape_array", x), 0, axis, axis + 1));
  Value places = node.make("arange_like", node.filled(sg::Shape({count}), 0, int64Type(node)));
  return node.make("take", {x, node.binary("add", places, first)}, {node.number("axis", axis)});
}

bool sliceOp(NodeScope &node) {
  SmallVector<int64_t> axes, steps;
  SmallVector<sg::Dim> begins, ends;
  int64_t rank = node.rank(0);
  if (node.opset < 10) {
    auto asDims = [&](StringRef name) {
      SmallVector<sg::Dim> dims;
      for (int64_t value : node.integers(name))
        dims.push_back(node.dim(value));
      return dims;
    };
    begins = asDims("starts");
    ends = asDims("ends");
    axes.assign(node.integers("axes").begin(), node.integers("axes").end());
  } else {
    auto first = node.extents(1), last = node.extents(2);
    if (!first || !last)
      return false;
    begins = *first;
    ends = *last;
    if (node.has(3)) {
      auto given = node.numbers(3);
      if (!given)
        return false;
      axes = *given;
    }
    if (node.has(4)) {
      auto given = node.numbers(4);
      if (!given)
        return false;
      steps = *given;
    }
  }
  if (axes.empty())
    for (size_t i = 0; i < begins.size(); ++i)
      axes.push_back(int64_t(i));
  if (steps.empty())
    steps.assign(axes.size(), 1);
  if (begins.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
    return node.refuse("starts, ends, axes and steps differ in length");
  auto places = node.axes(axes, rank);
  if (!places)
    return false;
  Value value = node.in(0);
  std::optional<Known> known;
  if (node.known(0))
    known = *node.known(0);
  for (auto [i, axis] : enumerate(*places)) {
    int64_t step = steps[i];
    if (step == 0)
      return node.refuse("a step is 0");
    sg::Dim extent = sg::shapeOf(value.getType())[axis];
    if (!extent.isStatic() || !begins[i].isStatic() || !ends[i].isStatic()) {
      if (step != 1)
        return node.refuse((extent.isStatic() ? "the places of the slice of axis " + Twine(axis) +
                                                    " are chosen at run time, which"
                                              : "axis " + Twine(axis) +
                                                    " has an extent that is chosen at run time, a "
                                                    "slice of it") +
                           " needs the step 1");
      value = openSlice(node, value, i, axis, begins[i], ends[i]);
      known.reset();
      if (!value)
        return false;
      continue;
    }
    int64_t length = extent.get(), begin = begins[i].get(), end = ends[i].get();
    auto count = [&](int64_t at, int64_t least, int64_t most) {
      return std::clamp(at < 0 ? at + length : at, least, most);
    };
    begin = count(begin, 0, step > 0 ? length : length - 1);
    end = count(end, step > 0 ? 0 : -1, step > 0 ? length : length - 1);
    uint64_t distance =
        step > 0 ? std::max<int64_t>(0, end - begin) : std::max<int64_t>(0, begin - end);
    uint64_t stride = step > 0 ? uint64_t(step) : uint64_t(0) - uint64_t(step);
    auto elements = int64_t(distance / stride + (distance % stride != 0));
    if (elements == length && step == 1)
      continue;
    if (elements == 0) {
      sg::Shape shape = sg::shapeOf(value.getType());
      shape[axis] = node.dim(0);
      if (!shape.isStatic())
        return node.refuse("an empty part has extents that are chosen at run time");
      Known empty{node.type(0), {}, {}, {}};
      for (sg::Dim dim : shape.list())
        empty.dims.push_back(dim.get());
      value = node.constant(empty);
      known = empty;
      continue;
    }
    if (elements == 1)
      step = 1; // whatever it is
    int64_t behind = step > 0 ? end : end < 0 ? sg::kNoneElement : end;
    if (elements == 1)
      behind = begin + 1;
    value = node.slice(value, axis, begin, behind, step);
    known = knownSlice(known ? &*known : nullptr, axis, begin, step, elements);
    if (!value)
      return false;
  }
  return node.give(value, std::move(known));
}

bool expand(NodeScope &node) {
  std::optional<SmallVector<sg::Dim>> wanted = node.extents(1);
  if (!wanted)
    return false;
  sg::Shape have = node.shape(0);
  size_t rank = std::max(have.rank(), wanted->size());
  sg::Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) {
    sg::Dim a = i + have.rank() >= rank ? have[i + have.rank() - rank] : node.dim(1);
    sg::Dim b = i + wanted->size() >= rank ? (*wanted)[i + wanted->size() - rank] : node.dim(1);
    if (!node.areSame(a, b) && !a.isStatic(1) && !b.isStatic(1))
      return node.refuse("the shape " + have.str() + " does not repeat to " +
                         sg::Shape(*wanted).str());
    shape[i] = a.isStatic(1) ? b : a;
  }
  std::optional<Known> known;
  if (const Known *value = node.known(0); value && shape.isStatic()) {
    SmallVector<int64_t> dims;
    for (sg::Dim dim : shape.list())
      dims.push_back(dim.get());
    size_t i = 0;
    known =
        pickPlaces(value, dims, [&](ArrayRef<int64_t>) { return placeIn(value->dims, dims, i++); });
  }
  return node.give(node.broadcastTo(node.in(0), shape), std::move(known));
}

bool tile(NodeScope &node) {
  std::optional<SmallVector<int64_t>> repeats = node.numbers(1);
  if (!repeats)
    return false;
  if (int64_t(repeats->size()) != node.rank(0))
    return node.refuse("it has " + Twine(repeats->size()) + " repeats for rank " +
                       Twine(node.rank(0)));
  if (llvm::is_contained(*repeats, 0) && node.shape(0).isStatic()) {
    Known empty{node.type(0), {}, {}, {}};
    sg::Shape have = node.shape(0);
    for (auto [dim, often] : zip_equal(have.list(), *repeats))
      empty.dims.push_back(dim.get() * often);
    return node.give(node.constant(empty), empty);
  }
  std::optional<Known> known;
  if (const Known *value = node.known(0)) {
    SmallVector<int64_t> dims(value->dims);
    for (auto [dim, often] : zip_equal(dims, *repeats))
      dim *= often;
    known = pickPlaces(value, dims, [&](ArrayRef<int64_t> at) {
      size_t place = 0;
      for (size_t i = 0; i < at.size(); ++i)
        place = place * value->dims[i] + at[i] % value->dims[i];
      return place;
    });
  }
  if (repeats->empty())
    return node.give(node.in(0), std::move(known));
  return node.give(node.make("tile", node.in(0), {node.list("reps", *repeats)}), std::move(known));
}

static std::string widthText(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  std::string text = "(";
  for (auto [b, a] : zip_equal(before, after))
    text += "(" + std::to_string(b) + "," + std::to_string(a) + "),";
  return text + ")";
}

// One that is put around data; negative widths take away.
static Value padded(NodeScope &node, Value x, SmallVector<int64_t> before,
                    SmallVector<int64_t> after, StringRef mode, double value) {
  for (size_t axis = 0; axis < before.size(); ++axis) {
    if (before[axis] >= 0 && after[axis] >= 0)
      continue;
    if (!x)
      return x;
    sg::Dim extent = sg::shapeOf(x.getType())[axis];
    if (!extent.isStatic()) {
      node.refuse("negative pads of an extent that is chosen at run time");
      return {};
    }
    int64_t begin = std::max<int64_t>(0, -before[axis]);
    int64_t end = extent.get() - std::max<int64_t>(0, -after[axis]);
    if (begin >= end) {
      node.refuse("negative pads leave nothing of axis " + Twine(axis));
      return {};
    }
    x = node.slice(x, int64_t(axis), begin, end);
    before[axis] = std::max<int64_t>(0, before[axis]);
    after[axis] = std::max<int64_t>(0, after[axis]);
  }
  if (llvm::all_of(before, [](int64_t n) { return n == 0; }) &&
      llvm::all_of(after, [](int64_t n) { return n == 0; }))
    return x;
  if (mode == "wrap") {
    for (size_t axis = 0; axis < before.size() && x; ++axis) {
      sg::Dim extent = sg::shapeOf(x.getType())[axis];
      if (before[axis] == 0 && after[axis] == 0)
        continue;
      if (!extent.isStatic() || before[axis] > extent.get() || after[axis] > extent.get()) {
        node.refuse("it wraps around more than once, or by an extent that is chosen at run time");
        return {};
      }
      SmallVector<Value> parts;
      int64_t length = extent.get();
      if (before[axis])
        parts.push_back(
            before[axis] == length ? x : node.slice(x, axis, length - before[axis], length));
      parts.push_back(x);
      if (after[axis])
        parts.push_back(after[axis] == length ? x : node.slice(x, axis, 0, after[axis]));
      x = node.concat(parts, int64_t(axis));
    }
    return x;
  }
  return node.make("numpy_pad", x,
                   {node.word("pad_width", widthText(before, after)), node.word("mode", mode),
                    node.realNumber("constant_value", value)});
}

bool pad(NodeScope &node) {
  SmallVector<int64_t> pads(node.integers("pads")), axes;
  double value = node.real("value");
  int64_t rank = node.rank(0);
  StringRef mode = node.text("mode");
  if (node.opset >= 11) {
    auto given = node.numbers(1);
    if (!given)
      return false;
    pads = *given;
    if (node.has(2)) {
      auto number = mode == "constant" ? node.reals(2) : SmallVector<double>();
      if (!number)
        return false;
      value = number->size() == 1 ? number->front() : 0;
    }
    if (node.has(3)) {
      auto some = node.numbers(3);
      if (!some)
        return false;
      auto places = node.axes(*some, rank);
      if (!places)
        return false;
      axes = *places;
    }
  }
  if (!node.has(3))
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (pads.size() != 2 * axes.size())
    return node.refuse("it has " + Twine(pads.size()) + " pads for " + Twine(axes.size()) +
                       " axes");
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  for (auto [i, axis] : enumerate(axes)) {
    before[axis] = pads[i];
    after[axis] = pads[i + axes.size()];
  }
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return node.refuse("it has no mode " + inQuotes(mode));
  return node.give(padded(node, node.in(0), before, after, mode, value));
}

bool centerCropPad(NodeScope &node) {
  auto wanted = node.numbers(1);
  if (!wanted)
    return false;
  int64_t rank = node.rank(0);
  SmallVector<int64_t> given = node.given("axes") ? SmallVector<int64_t>(node.integers("axes"))
                                                  : llvm::to_vector(llvm::seq<int64_t>(0, rank));
  auto axes = node.axes(given, rank);
  if (!axes)
    return false;
  if (axes->size() != wanted->size())
    return node.refuse("its shape has " + Twine(wanted->size()) + " extents for " +
                       Twine(axes->size()) + " axes");
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  Value x = node.in(0);
  sg::Shape have = node.shape(0);
  for (auto [axis, extent] : zip_equal(*axes, *wanted)) {
    if (!have[axis].isStatic())
      return node.refuse("an extent is chosen at run time");
    int64_t more = extent - have[axis].get();
    if (more >= 0) {
      before[axis] = more / 2;
      after[axis] = more - more / 2;
    } else {
      before[axis] = -(-more / 2);
      after[axis] = more - before[axis];
    }
  }
  return node.give(padded(node, x, before, after, "constant", 0));
}

// [N, C, H, W]: blocks of channels spread over the plane, and back.
bool depthToSpace(NodeScope &node) {
  sg::Shape s = node.shape(0);
  int64_t block = node.integer("blocksize");
  if (s.rank() != 4 || block < 1 || !s[1].isStatic() || s[1].get() % (block * block) != 0)
    return node.refuse("its data has the shape " + s.str() + ", needs [N, C, H, W] with a C that " +
                       Twine(block) + " x " + Twine(block) + " divides");
  sg::Dim c = node.dim(s[1].get() / (block * block)), b = node.dim(block);
  bool crd = node.text("mode") == "CRD";
  if (!crd)
    return node.give(node.make("depth_to_space", node.in(0), {node.number("block_size", block)}));
  Value x = node.reshape(node.in(0), sg::Shape({s[0], c, b, b, s[2], s[3]}));
  x = node.transpose(x, {0, 1, 4, 2, 5, 3});
  return node.give(node.reshape(x, sg::Shape({s[0], c, s[2] * b, s[3] * b})));
}

bool spaceToDepth(NodeScope &node) {
  sg::Shape s = node.shape(0);
  int64_t block = node.integer("blocksize");
  if (s.rank() != 4 || block < 1 || !s[2].isStatic() || !s[3].isStatic() ||
      s[2].get() % block != 0 || s[3].get() % block != 0)
    return node.refuse("its data has the shape " + s.str() +
                       ", needs [N, C, H, W] with H and W that " + Twine(block) + " divides");
  if (node.text("mode") != "CRD")
    return node.give(node.make("space_to_depth", node.in(0), {node.number("block_size", block)}));
  sg::Dim b = node.dim(block), h = node.dim(s[2].get() / block), w = node.dim(s[3].get() / block);
  Value x = node.reshape(node.in(0), sg::Shape({s[0], s[1], h, b, w, b}));
  x = node.transpose(x, {0, 1, 3, 5, 2, 4});
  return node.give(node.reshape(x, sg::Shape({s[0], s[1] * b * b, h, w})));
}

} // namespace symc::onnx::ops
