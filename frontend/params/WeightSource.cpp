//===- WeightSource.cpp - where the values of weights come from -----------===//
//
// Files, memory and functions as sources (see WeightSource.h).
//
//===----------------------------------------------------------------------===//
#include "frontend/params/WeightSource.h"

#include "llvm/Support/xxhash.h"
#include <cassert>

using namespace llvm;

namespace symc::params {

uint64_t WeightSource::hash(size_t i) const {
  ArrayValues read = values(i);
  return xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(read.bytes.data()), read.bytes.size()));
}

ArrayValues FileWeights::values(size_t i) const {
  const Array &array = file.arrays[i];
  return {{array.data, static_cast<size_t>(array.byteCount)}, nullptr};
}

static ArrayInfo describe(StringRef key, DType dtype, ArrayRef<int64_t> shape) {
  ArrayInfo info;
  info.setKey(key.str());
  info.dtype = dtype;
  info.shape = shape.vec();
  info.inFile = false;
  info.byteCount = elementBytes(dtype);
  for (int64_t extent : shape)
    info.byteCount *= extent;
  return info;
}

void MemoryWeights::add(StringRef key, DType dtype, ArrayRef<int64_t> shape, const void *data) {
  Array array;
  static_cast<ArrayInfo &>(array) = describe(key, dtype, shape);
  array.data = static_cast<const char *>(data);
  arrays.push_back(std::move(array));
}

ArrayValues MemoryWeights::values(size_t i) const {
  return {{arrays[i].data, static_cast<size_t>(arrays[i].byteCount)}, nullptr};
}

void ComputedWeights::add(StringRef key, DType dtype, ArrayRef<int64_t> shape, Function compute) {
  arrays.push_back({describe(key, dtype, shape), std::move(compute)});
}

ArrayValues ComputedWeights::values(size_t i) const {
  auto bytes = std::make_shared<std::vector<char>>(arrays[i].compute(arrays[i].info));
  assert(bytes->size() == arrays[i].info.byteCount && "a computed array has another size");
  return {*bytes, bytes};
}

} // namespace symc::params
