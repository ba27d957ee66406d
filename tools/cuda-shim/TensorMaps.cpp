// TensorMaps.cpp: see TensorMaps.h; and the functions of the driver that make maps.
#include "tools/cuda-shim/TensorMaps.h"
#include "tools/cuda-shim/Driver.h"
#include <algorithm>
#include <cstring>

using namespace symc::shim;

constexpr unsigned elementBytes = 2, rowBytes = 32, pieceBytes = 16;
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

//===-- What a copy takes --------------------------------------------------------------------===//

const TensorMap *TensorMap::at(const void *memory) {
  const auto *map = static_cast<const TensorMap *>(memory);
  return reinterpret_cast<uintptr_t>(memory) % alignof(CUtensorMap) == 0 && map->marked == mark
             ? map
             : nullptr;
}

size_t TensorMap::bytes() const {
  size_t count = elementBytes;
  for (unsigned axis = 0; axis < (window ? 2 : axes); ++axis)
    count *= box[axis];
  return count;
}

// Of 8 rows of 32 bytes, in places whose address is a multiple of 256, the pieces of the last four
// change places.
uintptr_t symc::shim::swizzled(uintptr_t begin, size_t at) {
  uintptr_t address = begin + at;
  return address ^ (address >> 7 & 1) << 4;
}

/// The address of the element at a coordinate an axis, or 0.
static uintptr_t placeOf(const TensorMap &map, const int64_t *at) {
  uint64_t place = map.memory + at[0] * elementBytes;
  for (unsigned axis = 0; axis < map.axes; ++axis) {
    if (at[axis] < 0 || uint64_t(at[axis]) >= map.sizes[axis])
      return 0;
    if (axis > 0)
      place += at[axis] * map.strides[axis - 1];
  }
  return place;
}

void TensorMap::forEachPiece(const int *first, const int *offsets,
                             const std::function<void(uintptr_t, size_t)> &visit) const {
  constexpr unsigned piece = pieceBytes / elementBytes;
  int64_t at[mostAxes] = {};
  std::copy(first, first + axes, at);
  auto visitRow = [&](const int64_t *row) {
    int64_t element[mostAxes];
    std::copy(row, row + mostAxes, element);
    for (unsigned i = 0; i < box[0]; i += piece, element[0] += piece) {
      uintptr_t place = placeOf(*this, element);
      visit(place, place ? elementBytes * std::min<int64_t>(piece, sizes[0] - element[0]) : 0);
    }
  };
  if (!window) {
    unsigned rows = 1;
    for (unsigned axis = 1; axis < axes; ++axis)
      rows *= box[axis];
    for (unsigned row = 0; row < rows; ++row) {
      unsigned rest = row;
      for (unsigned axis = 1; axis < axes; rest /= box[axis++])
        at[axis] = first[axis] + rest % box[axis];
      visitRow(at);
    }
    return;
  }
  // Pixels, along the axes between the first and the last, within their corners, and then along the
  // last one.
  for (unsigned pixel = 0; pixel < box[1]; ++pixel) {
    int64_t tap[mostAxes];
    std::copy(at, at + mostAxes, tap);
    for (unsigned axis = 1; axis + 1 < axes; ++axis)
      tap[axis] += offsets[axis - 1];
    visitRow(tap);
    for (unsigned axis = 1; axis < axes; ++axis) {
      bool last = axis + 1 == axes;
      at[axis] += last ? 1 : steps[axis];
      if (last || at[axis] <= int64_t(sizes[axis]) - 1 + upper[axis - 1])
        break;
      at[axis] = lower[axis - 1];
    }
  }
}

//===-- The driver's functions ---------------------------------------------------------------===//

/// What both kinds of maps have; false where a driver refuses it, or the shim has no such copies.
static bool fill(TensorMap &map, int type, unsigned axes, const void *memory, const uint64_t *sizes,
                 const uint64_t *strides, const unsigned *steps, int interleave, int swizzle,
                 int outside) {
  constexpr int uint16 = 1, swizzle32 = 1;
  if (type != uint16 || interleave != 0 || swizzle != swizzle32 || outside != 0 || axes < 3 ||
      axes > TensorMap::mostAxes || reinterpret_cast<uintptr_t>(memory) % 16 != 0)
    return false;
  map.marked = TensorMap::mark;
  map.axes = axes;
  map.memory = reinterpret_cast<uintptr_t>(memory);
  for (unsigned axis = 0; axis < axes; ++axis) {
    if (sizes[axis] == 0 || sizes[axis] > uint64_t(1) << 32 || steps[axis] == 0 || steps[axis] > 8)
      return false;
    map.sizes[axis] = sizes[axis];
    map.steps[axis] = steps[axis];
    if (axis == 0)
      continue;
    map.strides[axis - 1] = strides[axis - 1];
    if (strides[axis - 1] % 16 != 0 || strides[axis - 1] >= uint64_t(1) << 40)
      return false;
  }
  return true;
}

static CUresult keep(const TensorMap &map, CUtensorMap *to) {
  if (reinterpret_cast<uintptr_t>(to) % alignof(CUtensorMap) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  memset(to, 0, sizeof *to);
  memcpy(static_cast<void *>(to), &map, sizeof map);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *to, int type, unsigned axes, void *memory,
                                const uint64_t *sizes, const uint64_t *strides, const unsigned *box,
                                const unsigned *steps, int interleave, int swizzle, int,
                                int outside) {
  TensorMap map = {};
  if (!fill(map, type, axes, memory, sizes, strides, steps, interleave, swizzle, outside))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned axis = 0; axis < axes; ++axis) {
    if (box[axis] == 0 || box[axis] > 256)
      return CUDA_ERROR_INVALID_VALUE;
    map.box[axis] = box[axis];
  }
  return box[0] * elementBytes == rowBytes ? keep(map, to) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *to, int type, unsigned axes, void *memory,
                                 const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                 const int *upper, unsigned channels, unsigned pixels,
                                 const unsigned *steps, int interleave, int swizzle, int,
                                 int outside) {
  TensorMap map = {};
  if (!fill(map, type, axes, memory, sizes, strides, steps, interleave, swizzle, outside) ||
      channels * elementBytes != rowBytes || pixels == 0 || pixels > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  map.window = true;
  map.box[0] = channels, map.box[1] = pixels;
  const int bits = axes == 3 ? 16 : axes == 4 ? 8 : 5; // of a corner
  const int most = 1 << (bits - 1);
  for (unsigned axis = 0; axis + 2 < axes; ++axis) {
    if (std::min(lower[axis], upper[axis]) < -most || std::max(lower[axis], upper[axis]) >= most)
      return CUDA_ERROR_INVALID_VALUE;
    map.lower[axis] = lower[axis], map.upper[axis] = upper[axis];
  }
  return keep(map, to);
}
