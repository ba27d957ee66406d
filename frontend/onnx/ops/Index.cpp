//===- Index.cpp - ONNX's operators that choose elements by values ---------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Fold.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// Known places that follow each other by one step, a part of the axis; null where they do not, or
// are not all within it.
static Value gatherPart(NodeScope &node, int64_t axis, const Known &places) {
  sg::Shape shape = node.shape(0);
  if (places.dims.size() > 1 || places.whole.empty() || !places.isFixed() ||
      !shape[axis].isStatic())
    return {};
  int64_t extent = shape[axis].get(), step = 1;
  SmallVector<int64_t> at;
  for (sg::Dim place : places.whole)
    at.push_back(place.get() < 0 ? place.get() + extent : place.get());
  if (at.size() > 1)
    step = at[1] - at[0];
  for (size_t i = 1; i < at.size(); ++i)
    if (at[i] - at[i - 1] != step)
      return {};
  if (step < 1 || at.front() < 0 || at.back() >= extent)
    return {};
  Value part = node.slice(node.in(0), axis, at.front(), at.back() + 1, step);
  if (!places.dims.empty())
    return part;
  sg::Shape rest(size_t(0));
  for (int64_t i = 0; i < node.rank(0); ++i)
    if (i != axis)
      rest.push_back(shape[i]);
  return node.reshape(part, rest);
}

bool gather(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis || !node.hasIntegers(1))
    return false;
  std::optional<Known> known;
  const Known *data = node.known(0), *places = node.known(1);
  if (data && places && places->isFixed() && *axis == 0 && data->dims.size() == 1) {
    size_t i = 0;
    known = pickPlaces(data, places->dims, [&](ArrayRef<int64_t>) -> size_t {
      int64_t place = places->whole[i++].get();
      return size_t(place < 0 ? place + data->dims[0] : place);
    });
  }
  // Places below 0 count from the end. One outside makes the run fail; one that is known is
  // reported now.
  sg::Dim extent = node.shape(0)[*axis];
  if (places && places->isFixed() && extent.isStatic())
    for (sg::Dim place : places->whole)
      if (place.get() < -extent.get() || place.get() >= extent.get())
        return node.refuse("its index " + Twine(place.get()) + " is not within the " +
                           extent.str() + " elements of axis " + Twine(*axis));
  if (places)
    if (Value part = gatherPart(node, *axis, *places))
      return node.give(part, std::move(known));
  return node.give(node.make("take", {node.in(0), node.in(1)},
                             {node.number("axis", *axis), node.word("mode", "raise")}),
                   std::move(known));
}

bool gatherNd(NodeScope &node) {
  sg::Shape data = node.shape(0), places = node.shape(1);
  int64_t batch = node.integer("batch_dims"), rank = node.rank(1);
  if (rank < 1 || batch < 0 || batch >= std::min(rank, node.rank(0)))
    return node.refuse("batch_dims is " + Twine(batch) + " for ranks " + Twine(node.rank(0)) +
                       " and " + Twine(rank));
  SmallVector<int64_t> order{rank - 1};
  for (int64_t i = 0; i + 1 < rank; ++i)
    order.push_back(i);
  Value rows = node.transpose(node.in(1), order);
  if (batch > 0) {
    if (!places.isStatic())
      return node.refuse("batch_dims with places of extents that are chosen at run time");
    SmallVector<int64_t> dims{1};
    for (sg::Dim dim : places.list().drop_back())
      dims.push_back(dim.get());
    uint64_t count = countElements(dims).value_or(UINT64_MAX);
    if (count > (1 << 24))
      return node.refuse("batch_dims with more than 2^24 places");
    SmallVector<Value> parts;
    for (int64_t b = 0; b < batch; ++b) {
      int64_t inner = 1;
      for (size_t i = size_t(b) + 2; i < dims.size(); ++i)
        inner *= dims[i];
      SmallVector<int64_t> numbers;
      for (uint64_t i = 0; i < count; ++i)
        numbers.push_back(int64_t(i) / inner % dims[b + 1]);
      parts.push_back(node.constant(Known::of(numbers, dims, int64Type(node))));
    }
    parts.push_back(node.cast(rows, int64Type(node)));
    rows = node.concat(parts, 0);
  }
  return node.give(node.make("gather_nd", {node.in(0), rows}));
}

bool oneHot(NodeScope &node) {
  auto depth = node.numbers(1);
  if (!depth)
    return false;
  auto axis = node.axis(node.integer("axis"), node.rank(0) + 1);
  if (!axis)
    return false;
  if ((*depth)[0] < 1)
    return node.refuse("its depth is " + Twine((*depth)[0]) + ", needs at least 1");
  Value places = fromStart(node, node.cast(node.in(0), int64Type(node)),
                           node.constant(Known::scalar((*depth)[0], int64Type(node))));
  Value hot = node.make("one_hot", places,
                        {node.number("depth", (*depth)[0]), node.word("dtype", "int32")});
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, node.rank(0)));
  order.insert(order.begin() + *axis, node.rank(0));
  hot = node.transpose(hot, order);
  auto pick = [&](int64_t i) {
    return node.reshape(node.slice(node.in(2), 0, i, i + 1), sg::Shape(size_t(0)));
  };
  return node.give(node.where(hot, pick(1), pick(0)));
}

bool trilu(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  int64_t k = 0;
  if (node.has(1)) {
    auto given = node.numbers(1);
    if (!given)
      return false;
    k = (*given)[0];
  }
  if (shape.rank() < 2)
    return node.refuse("its data has the shape " + shape.str() + ", needs two extents");
  sg::Dim rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  if (rows.isStatic(0) || columns.isStatic(0))
    return node.give(node.in(0));
  bool upper = node.integer("upper") != 0;
  auto indices = [&](sg::Dim count, bool ofRows) {
    Value places;
    if (count.isStatic())
      places = node.constant(Known::of(llvm::to_vector(llvm::seq<int64_t>(0, count.get())),
                                       {count.get()}, int64Type(node)));
    else
      places = node.make("arange_like", node.filled(sg::Shape({count}), 0, int64Type(node)));
    return node.expandDims(places, ofRows ? 1 : 0);
  };
  // column - row against k.
  Value difference = node.binary("sub", indices(columns, false), indices(rows, true));
  Value mask = node.compare(upper ? "greater_equal" : "lesser_equal", difference,
                            node.constant(Known::scalar(k, int64Type(node))));
  return node.give(node.where(mask, node.in(0), node.scalarLike(0, node.type(0))));
}

bool compress(NodeScope &node) {
  Value x = node.in(0);
  sg::Shape shape = node.shape(0);
  int64_t axis = 0;
  if (node.given("axis")) {
    auto given = node.axis(node.integer("axis"), node.rank(0));
    if (!given)
      return false;
    axis = *given;
  } else {
    x = node.reshape(x, sg::Shape({shape.product(0, shape.rank(), node.context())}));
  }
  if (!x)
    return false;
  shape = sg::shapeOf(x.getType());
  sg::Dim extent = shape[axis], length = node.shape(1)[0];
  Value mask = node.in(1);
  if (!(extent == length)) {
    if (!extent.isStatic() || !length.isStatic() || length.get() > extent.get())
      return node.refuse("its condition has the extent " + length.str() + " for " + extent.str());
    SmallVector<int64_t> none(size_t(extent.get() - length.get()), 0);
    mask = node.concat({mask, node.constant(Known::of(none, {int64_t(none.size())}, node.type(1)))},
                       0);
  }
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shape.rank())));
  std::swap(order[0], order[axis]);
  Value rows = node.make("boolean_mask", {node.transpose(x, order), mask});
  return node.give(rows ? node.transpose(rows, order) : rows);
}

bool nonZero(NodeScope &node) {
  Value places = node.make("nonzero", node.in(0));
  return node.give(places ? node.transpose(places, {1, 0}) : places);
}

bool nonMaxSuppression(NodeScope &node) {
  double numbers[3] = {0, 0, 0};
  for (size_t i = 2; i < 5; ++i)
    if (node.has(i)) {
      const Known *given = node.wanted(i);
      if (!given)
        return false;
      if (!given->isFixed() || given->count() != 1)
        return node.refuse("operand " + Twine(i) + " is no number");
      numbers[i - 2] = given->at(0);
    }
  if (numbers[0] <= 0)
    return node.give(node.constant(Known{int64Type(node), {0, 3}, {}, {}}));
  SmallVector<NamedAttribute> attributes{
      node.number("most", int64_t(std::min(numbers[0], 2147483647.0))),
      node.realNumber("iou_threshold", numbers[1]),
      node.flag("center", node.integer("center_point_box") != 0)};
  if (node.has(4))
    attributes.push_back(node.realNumber("score_threshold", numbers[2]));
  return node.give(node.make("non_max_suppression", {node.in(0), node.in(1)}, attributes));
}

bool reverseSequence(NodeScope &node) {
  auto time = node.axis(node.integer("time_axis"), node.rank(0));
  auto batch = node.axis(node.integer("batch_axis"), node.rank(0));
  if (!time || !batch)
    return false;
  if (*time == *batch)
    return node.refuse("time_axis and batch_axis are the same");
  SmallVector<int64_t> order{*time, *batch}, back(node.rank(0));
  for (int64_t i = 0; i < node.rank(0); ++i)
    if (i != *time && i != *batch)
      order.push_back(i);
  for (auto [i, axis] : enumerate(order))
    back[axis] = int64_t(i);
  Value y = node.make("sequence_reverse", {node.transpose(node.in(0), order), node.in(1)},
                      {node.flag("use_sequence_length", true)});
  return node.give(y ? node.transpose(y, back) : y);
}

bool unique(NodeScope &node) {
  SmallVector<NamedAttribute> attributes{node.flag("return_index", true),
                                         node.flag("return_inverse", true),
                                         node.flag("return_counts", true)};
  if (node.given("axis")) {
    auto axis = node.axis(node.integer("axis"), node.rank(0));
    if (!axis)
      return false;
    attributes.push_back(node.number("axis", *axis));
  }
  SmallVector<Value> made = node.makeAll("unique", node.in(0), 4, attributes);
  if (node.integer("sorted") == 0 && made[0]) { // by their first places
    int64_t axis = 0;
    if (node.given("axis"))
      axis = *node.axis(node.integer("axis"), node.rank(0));
    auto ordered = [&](Value x) {
      return node.make("argsort", x, {node.number("axis", 0), node.word("dtype", "int64")});
    };
    Value order = ordered(made[1]);
    if (!order)
      return false;
    Value rank = ordered(order); // where each value of the rising order lies
    made[0] = node.make("take", {made[0], order}, {node.number("axis", axis)});
    made[1] = node.make("take", {made[1], order}, {node.number("axis", 0)});
    made[2] = node.make("take", {rank, made[2]}, {node.number("axis", 0)});
    made[3] = node.make("take", {made[3], order}, {node.number("axis", 0)});
  }
  for (size_t i = 0; i < 4; ++i)
    if (!node.give(i, made[i]))
      return false;
  return true;
}

} // namespace symc::onnx::ops
