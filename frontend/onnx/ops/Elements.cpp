//===- Elements.cpp - ONNX's gathering and scattering of elements ----------===//
//
// Elements are rows of data as one long list, at places that are computed of the indices: a take,
// or copies into the list. An index outside of its axis makes the run fail.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// Places in flattened data of the elements that `indices` choose along an axis.
static Value flatPlaces(NodeScope &node, Value indices, const Known *known, ArrayRef<int64_t> data,
                        ArrayRef<int64_t> shape, int64_t axis) {
  auto rank = int64_t(data.size());
  SmallVector<int64_t> strides = stridesOf(data);
  Value extent = node.constant(Known::scalar(data[axis], int64Type(node)));
  Value own = fromStart(node, node.cast(indices, int64Type(node)), extent, known);
  own = checkedPlaces(node, own, data[axis]);
  // One that is outside stays below 0, wherever the others are.
  Value places = strides[axis] == 1 ? own : node.scalar("mul", own, double(strides[axis]));
  Value rest;
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis && shape[i] > 1) {
      Value part = countAlong(node, i, rank, shape[i], strides[i]);
      rest = rest ? node.binary("add", rest, part) : part;
    }
  if (!rest)
    return places;
  Value zero = node.scalarLike(0, int64Type(node));
  return node.where(node.compare("lesser", own, zero), own, node.binary("add", places, rest));
}

// The fixed shapes of data and indices, of one rank.
static bool readShapes(NodeScope &node, int64_t axis, SmallVectorImpl<int64_t> &data,
                       SmallVectorImpl<int64_t> &indices) {
  auto from = fixedExtents(node, node.shape(0), "data");
  auto at = from ? fixedExtents(node, node.shape(1), "indices") : std::nullopt;
  if (!at)
    return false;
  bool fits = from->size() == at->size();
  for (size_t i = 0; fits && i < from->size(); ++i)
    fits = int64_t(i) == axis || (*at)[i] <= (*from)[i];
  if (!fits)
    return node.refuse("its indices have the shape " + node.shape(1).str() + " for data of " +
                       node.shape(0).str());
  data.assign(from->begin(), from->end());
  indices.assign(at->begin(), at->end());
  return true;
}

// Numbers of an axis's elements, times `factor`, along it among `rank` axes.
static Value openCount(NodeScope &node, int64_t axis, int64_t rank, sg::Dim extent,
                       int64_t factor) {
  if (extent.isStatic())
    return countAlong(node, axis, rank, extent.get(), factor);
  Value numbers = node.make("arange_like", node.filled(sg::Shape({extent}), 0, int64Type(node)),
                            {node.realNumber("start", 0), node.realNumber("step", double(factor))});
  for (int64_t i = 0; i < axis; ++i)
    numbers = node.expandDims(numbers, 0);
  for (int64_t i = axis + 1; i < rank; ++i)
    numbers = node.expandDims(numbers, i);
  return numbers;
}

// The same of extents that a run chooses: those of the indices, and the first one of data, whose
// elements lie at fixed distances then.
static bool gatherOpen(NodeScope &node, int64_t axis) {
  sg::Shape data = node.shape(0), indices = node.shape(1);
  auto rank = int64_t(data.rank());
  bool isFixed = indices.rank() == data.rank() && data[axis].isStatic();
  for (int64_t i = 1; i < rank; ++i)
    isFixed &= data[i].isStatic();
  if (!isFixed)
    return node.refuse("its data has extents that are chosen at run time: " + data.str());
  SmallVector<int64_t> extents{1};
  for (int64_t i = 1; i < rank; ++i)
    extents.push_back(data[i].get());
  SmallVector<int64_t> strides = stridesOf(extents);
  Value extent = node.constant(Known::scalar(data[axis].get(), int64Type(node)));
  Value own = fromStart(node, node.cast(node.in(1), int64Type(node)), extent, node.known(1));
  own = checkedPlaces(node, own, data[axis].get());
  Value places = strides[axis] == 1 ? own : node.scalar("mul", own, double(strides[axis]));
  for (int64_t i = 0; i < rank; ++i) {
    if (i == axis || indices[i].isStatic(1))
      continue;
    if (!node.areSame(data[i], indices[i]) &&
        !node.require(sg::atLeast(data[i], indices[i]),
                      "its indices have the shape " + indices.str() + " for data of " + data.str()))
      return false;
    places = node.binary("add", places, openCount(node, i, rank, indices[i], strides[i]));
  }
  Value zero = node.scalarLike(0, int64Type(node));
  places = node.where(node.compare("lesser", own, zero), own, places);
  return node.give(node.make("take", {flattened(node, node.in(0)), places},
                             {node.number("axis", 0), node.word("mode", "raise")}));
}

bool gatherElements(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  SmallVector<int64_t> data, indices;
  if (axis && (!node.shape(0).isStatic() || !node.shape(1).isStatic()))
    return gatherOpen(node, *axis);
  if (!axis || !readShapes(node, *axis, data, indices))
    return false;
  Value places = flatPlaces(node, node.in(1), node.known(1), data, indices, *axis);
  return node.give(node.make("take", {flattened(node, node.in(0)), places},
                             {node.number("axis", 0), node.word("mode", "raise")}));
}

// Rows of `updates` put into rows of data, or combined with them.
static Value scattered(NodeScope &node, Value data, Value places, Value updates, StringRef how) {
  SmallVector<NamedAttribute> attributes;
  if (how != "none")
    attributes.push_back(node.word("combine", how));
  return node.make("index_copy", {data, places, updates}, attributes);
}

static std::optional<StringRef> reductionOf(NodeScope &node) {
  StringRef how = node.given("reduction") ? node.text("reduction") : StringRef("none");
  static constexpr StringLiteral known[] = {"none", "add", "mul", "max", "min"};
  if (llvm::is_contained(known, how))
    return how;
  node.refuse("it has no reduction " + inQuotes(how));
  return std::nullopt;
}

bool scatterElements(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  auto how = reductionOf(node);
  SmallVector<int64_t> data, indices;
  if (!axis || !how || !readShapes(node, *axis, data, indices))
    return false;
  Value places = flattened(node, flatPlaces(node, node.in(1), node.known(1), data, indices, *axis));
  Value y = scattered(node, flattened(node, node.in(0)), places, flattened(node, node.in(2)), *how);
  return node.give(node.reshape(y, node.shape(0)));
}

// The number of a slice of data for each column of indices, whose last axis names the first axes.
static Value slicePlaces(NodeScope &node, ArrayRef<int64_t> data, ArrayRef<int64_t> indices) {
  int64_t depth = indices.back(), last = int64_t(indices.size()) - 1;
  SmallVector<int64_t> strides = stridesOf(data.take_front(depth));
  Type type = int64Type(node);
  Value zero = node.scalarLike(0, type), places, bad;
  for (int64_t i = 0; i < depth; ++i) {
    Value own = node.cast(node.slice(node.in(1), last, i, i + 1), type);
    Value extent = node.constant(Known::scalar(data[i], type));
    own = checkedPlaces(node, fromStart(node, own, extent), data[i]);
    Value part = strides[i] == 1 ? own : node.scalar("mul", own, double(strides[i]));
    Value outside = node.compare("lesser", own, zero);
    places = places ? node.binary("add", places, part) : part;
    bad = bad ? node.binary("logical_or", bad, outside) : outside;
  }
  return flattened(node, node.where(bad, node.scalarLike(kOutside, type), places));
}

bool scatterNd(NodeScope &node) {
  auto how = reductionOf(node);
  auto data = fixedExtents(node, node.shape(0), "data");
  auto indices = data ? fixedExtents(node, node.shape(1), "indices") : std::nullopt;
  if (!how || !indices)
    return false;
  if (indices->empty() || indices->back() < 1 || indices->back() > int64_t(data->size()))
    return node.refuse("its indices have the shape " + node.shape(1).str() + " for data of " +
                       node.shape(0).str());
  int64_t depth = indices->back(), rows = productOf(ArrayRef(*data).take_front(depth)),
          width = productOf(ArrayRef(*data).drop_front(depth)),
          count = productOf(ArrayRef(*indices).drop_back());
  auto rowsOf = [&](Value x, int64_t n) {
    return node.reshape(x, sg::Shape({node.dim(n), node.dim(width)}));
  };
  if (productOf(*data) == 0 || count == 0)
    return node.give(node.in(0));
  Value y = scattered(node, rowsOf(node.in(0), rows), slicePlaces(node, *data, *indices),
                      rowsOf(node.in(2), count), *how);
  return node.give(node.reshape(y, node.shape(0)));
}

// Rows of a cache along an axis, behind those that are there already, or around its end.
bool tensorScatter(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  auto data = fixedExtents(node, node.shape(0), "cache");
  auto update = data ? fixedExtents(node, node.shape(1), "update") : std::nullopt;
  if (!axis || !update)
    return false;
  StringRef mode = node.text("mode");
  if (mode != "linear" && mode != "circular")
    return node.refuse("it has no mode " + inQuotes(mode));
  if (*axis == 0)
    return node.refuse("its axis is that of the batch");
  if (update->size() != data->size())
    return node.refuse("its update has the shape " + node.shape(1).str() + " for a cache of " +
                       node.shape(0).str());
  // As a scatter of the rows of [batch, ..., axis].
  int64_t outer = productOf(ArrayRef(*data).take_front(*axis)), batch = (*data)[0],
          steps = (*update)[*axis], extent = (*data)[*axis],
          width = productOf(ArrayRef(*data).drop_front(*axis + 1));
  Type type = int64Type(node);
  Value at = countAlong(node, 1, 2, steps);
  if (node.has(2)) {
    Value begins =
        node.reshape(node.cast(node.in(2), type), sg::Shape({node.dim(batch), node.dim(1)}));
    begins = node.make("repeat", begins,
                       {node.number("repeats", outer / batch), node.number("axis", 0)});
    at = node.binary("add", at, begins);
  }
  if (mode == "circular")
    at = node.scalar("mod", at, double(extent));
  at = checkedPlaces(node, at, extent);
  Value base = countAlong(node, 0, 2, outer, extent);
  Value places = node.where(node.compare("lesser", at, node.scalarLike(0, type)), at,
                            node.binary("add", at, base));
  places = node.broadcastTo(places, sg::Shape({node.dim(outer), node.dim(steps)}));
  auto rowsOf = [&](Value x, int64_t n) {
    return node.reshape(x, sg::Shape({node.dim(n), node.dim(width)}));
  };
  Value y = scattered(node, rowsOf(node.in(0), outer * extent), flattened(node, places),
                      rowsOf(node.in(1), outer * steps), "none");
  return node.give(node.reshape(y, node.shape(0)));
}

// Elements back at the places that MaxPool gave, zero elsewhere.
bool maxUnpool(NodeScope &node) {
  auto data = fixedExtents(node, node.shape(0), "data");
  if (!data || data->size() < 3)
    return data ? node.refuse("its data has the shape " + node.shape(0).str() +
                              ", needs three extents or more")
                : false;
  size_t rank = data->size() - 2;
  ArrayRef<int64_t> kernel = node.integers("kernel_shape");
  SmallVector<int64_t> strides(node.integers("strides")), pads(node.integers("pads"));
  if (strides.empty())
    strides.assign(rank, 1);
  if (pads.empty())
    pads.assign(2 * rank, 0);
  if (kernel.size() != rank || strides.size() != rank || pads.size() != 2 * rank)
    return node.refuse("its attributes are not one number for each axis of the image");
  SmallVector<int64_t> extents(data->begin(), data->begin() + 2);
  for (size_t i = 0; i < rank; ++i)
    extents.push_back(((*data)[i + 2] - 1) * strides[i] - pads[i] - pads[i + rank] + kernel[i]);
  // The places count in the image that the layer itself makes.
  SmallVector<int64_t> inner = extents;
  if (node.has(2)) {
    auto given = node.numbers(2);
    if (!given)
      return false;
    extents.assign(given->begin(), given->end());
  }
  if (extents.size() != data->size())
    return node.refuse("its output_shape has " + Twine(extents.size()) + " extents for data of " +
                       node.shape(0).str());
  for (size_t i = 0; i < extents.size(); ++i)
    if (extents[i] < 1 || extents[i] < (i < 2 ? (*data)[i] : inner[i]))
      return node.refuse("its output_shape is smaller than the image");
  std::optional<uint64_t> count = countElements(inner);
  if (!count || *count > (uint64_t(1) << 40))
    return node.refuse("its result has more than 2^40 elements");
  Value zeros = node.make("full", {},
                          {node.list("shape", {int64_t(*count)}), node.realNumber("value", 0),
                           node.dtype(node.type(0))});
  Value places =
      checkedPlaces(node, node.cast(flattened(node, node.in(1)), int64Type(node)), int64_t(*count));
  Value y = scattered(node, zeros, places, flattened(node, node.in(0)), "none");
  SmallVector<sg::Dim> shape;
  std::string width;
  bool grows = false;
  for (size_t i = 0; i < inner.size(); ++i) {
    shape.push_back(node.dim(inner[i]));
    width += "(0," + std::to_string(extents[i] - inner[i]) + "),";
    grows |= extents[i] != inner[i];
  }
  y = node.reshape(y, sg::Shape(shape));
  if (grows)
    y = node.make(
        "numpy_pad", y,
        {node.word("pad_width", "(" + width + ")"), node.realNumber("constant_value", 0)});
  return node.give(y);
}

} // namespace symc::onnx::ops
