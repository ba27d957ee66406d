//===- Places.cpp - numbers of elements, as values and as constants --------===//
#include "frontend/onnx/ops/Places.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

Type int64Type(NodeScope &node) { return IntegerType::get(node.context(), 64); }

std::optional<SmallVector<int64_t>> fixedExtents(NodeScope &node, const sg::Shape &shape,
                                                 StringRef what) {
  SmallVector<int64_t> extents;
  for (sg::Dim dim : shape.list()) {
    if (!dim.isStatic()) {
      node.refuse("its " + what + " has extents that are chosen at run time: " + shape.str());
      return std::nullopt;
    }
    extents.push_back(dim.get());
  }
  return extents;
}

bool checkSplit(NodeScope &node, ArrayRef<int64_t> sizes, sg::Dim extent) {
  uint64_t sum = 0;
  for (int64_t size : sizes) {
    if (size < 0)
      return node.refuse("split has the size " + Twine(size));
    sum = SaturatingAdd(sum, uint64_t(size));
  }
  return sum == uint64_t(extent.get()) || node.refuse("the sizes of split sum up to " + Twine(sum) +
                                                      ", the axis has " + extent.str());
}

int64_t productOf(ArrayRef<int64_t> numbers) {
  int64_t product = 1;
  for (int64_t number : numbers)
    product *= number;
  return product;
}

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> extents) {
  SmallVector<int64_t> strides(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = strides[i] * extents[i];
  return strides;
}

Value countAlong(NodeScope &node, int64_t axis, int64_t rank, int64_t extent, int64_t factor) {
  if (extent > int64_t(1) << 24) {
    node.refuse("places along an extent of " + Twine(extent) + ", at most 16777216 are listed");
    return {};
  }
  SmallVector<int64_t> dims(rank, 1), numbers;
  dims[axis] = extent;
  for (int64_t i = 0; i < extent; ++i)
    numbers.push_back(i * factor);
  return node.constant(Known::of(numbers, dims, int64Type(node)));
}

Value numbersAlong(NodeScope &node, int64_t axis, int64_t rank, ArrayRef<double> numbers,
                   Type type) {
  SmallVector<int64_t> dims(rank, 1);
  dims[axis] = int64_t(numbers.size());
  return node.constant(Known::real64(numbers, dims, type));
}

Value fromStart(NodeScope &node, Value places, Value extent, const Known *known) {
  if (known && known->isFixed() &&
      llvm::all_of(known->whole, [](sg::Dim place) { return place.get() >= 0; }))
    return places;
  places = node.cast(places, int64Type(node));
  if (!places)
    return places;
  Value zero = node.scalarLike(0, int64Type(node));
  return node.where(node.compare("lesser", places, zero), node.binary("add", places, extent),
                    places);
}

Value checkedPlaces(NodeScope &node, Value places, int64_t extent) {
  Type type = int64Type(node);
  Value outside = node.scalarLike(kOutside, type);
  Value below = node.where(node.compare("lesser", places, node.scalarLike(double(extent), type)),
                           places, outside);
  return node.where(node.compare("greater_equal", below, node.scalarLike(0, type)), below, outside);
}

SmallVector<int64_t> axisLast(int64_t axis, int64_t rank) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      order.push_back(i);
  order.push_back(axis);
  return order;
}

SmallVector<int64_t> inverseOf(ArrayRef<int64_t> order) {
  SmallVector<int64_t> back(order.size());
  for (auto [i, axis] : enumerate(order))
    back[axis] = int64_t(i);
  return back;
}

Value flattened(NodeScope &node, Value x) {
  if (!x)
    return x;
  sg::Shape shape = sg::shapeOf(x.getType());
  return node.reshape(x, sg::Shape({shape.product(0, shape.rank(), node.context())}));
}

} // namespace symc::onnx::ops
