//===- Fold.cpp - operators over known values ------------------------------===//
#include "frontend/onnx/ops/Fold.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

std::optional<SmallVector<int64_t>> meet(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> result(std::max(a.size(), b.size()), 1);
  for (ArrayRef<int64_t> dims : {a, b})
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t &extent = result[result.size() - dims.size() + i];
      if (extent == 1)
        extent = dims[i];
      else if (dims[i] != 1 && dims[i] != extent)
        return std::nullopt;
    }
  return result;
}

size_t placeIn(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape, size_t i) {
  size_t place = 0, step = 1, rest = i;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    size_t back = shape.size() - 1 - axis;
    size_t at = rest % static_cast<size_t>(shape[back]);
    rest /= static_cast<size_t>(shape[back]);
    if (axis >= dims.size())
      continue;
    auto extent = static_cast<size_t>(dims[dims.size() - 1 - axis]);
    place += (extent == 1 ? 0 : at) * step;
    step *= extent;
  }
  return place;
}

static uint64_t countOf(ArrayRef<int64_t> dims) {
  std::optional<uint64_t> count = countElements(dims);
  return count ? *count : UINT64_MAX;
}

std::optional<Known> foldPair(const Known *left, const Known *right, Type type,
                              const PairFunction &function) {
  if (!left || !right)
    return std::nullopt;
  std::optional<Known> other; // whole floats beside those that depend on sizes
  if (left->isWhole() != right->isWhole()) {
    other = (left->isWhole() ? right : left)->asWhole();
    if (!other)
      return std::nullopt;
    (left->isWhole() ? right : left) = &*other;
  }
  std::optional<SmallVector<int64_t>> dims = meet(left->dims, right->dims);
  if (!dims || countOf(*dims) > kMostKnown)
    return std::nullopt;
  Known result{type, *dims, {}, {}};
  for (size_t i = 0, count = countOf(*dims); i < count; ++i) {
    size_t a = placeIn(left->dims, *dims, i), b = placeIn(right->dims, *dims, i);
    if (left->isWhole()) {
      std::optional<sg::Dim> value = function.whole(left->whole[a], right->whole[b]);
      if (!value || !value->isKnown())
        return std::nullopt;
      if (value->isStatic() && isa<IntegerType>(type))
        value = sg::Dim::constant(wrapTo(value->get(), type), type.getContext());
      result.whole.push_back(*value);
      continue;
    }
    std::optional<double> value = function.real(left->real[a], right->real[b]);
    if (!value)
      return std::nullopt;
    if (isa<IntegerType>(type))
      result.whole.push_back(sg::Dim::constant(static_cast<int64_t>(*value), type.getContext()));
    else
      result.real.push_back(roundTo(*value, type));
  }
  result.settle();
  return result;
}

std::optional<Known> pickPlaces(const Known *from, ArrayRef<int64_t> dims,
                                llvm::function_ref<size_t(ArrayRef<int64_t>)> choose) {
  uint64_t count = countOf(dims);
  if (!from || count > kMostKnown)
    return std::nullopt;
  Known result{from->type, SmallVector<int64_t>(dims), {}, {}};
  SmallVector<int64_t> at(dims.size(), 0);
  for (uint64_t i = 0; i < count; ++i) {
    size_t place = choose(at);
    if (place >= from->count())
      return std::nullopt;
    if (from->isWhole())
      result.whole.push_back(from->whole[place]);
    else
      result.real.push_back(from->real[place]);
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (++at[axis] < dims[axis])
        break;
      at[axis] = 0;
    }
  }
  result.settle();
  return result;
}

} // namespace symc::onnx::ops
