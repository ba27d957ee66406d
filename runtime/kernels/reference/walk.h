// walk.h: walking over the places of a shape in row-major order, and moving elements
// of any type from places that a function names.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_WALK_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_WALK_H

#include "rows.h"

namespace symc::ref {

// The places of `shape`, the last axis fastest. Nothing is walked where an extent is 0.
struct Walk {
  int32_t rank;
  int64_t shape[SYMC_MAX_RANK];
  int64_t at[SYMC_MAX_RANK];
  bool more;

  // From place number `first` on, in row-major order.
  Walk(int32_t rank_, const int64_t *shape_, int64_t first = 0) : rank(rank_), more(true) {
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
      shape[axis] = shape_[axis];
      more = more && shape[axis] > 0;
      at[axis] = first && more ? first % shape[axis] : 0;
      first = first && more ? first / shape[axis] : 0;
    }
  }
  void step() {
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
      if (++at[axis] < shape[axis])
        return;
      at[axis] = 0;
    }
    more = false;
  }
};

// Elements from one index to the next, by axis.
struct Strides {
  int64_t by[SYMC_MAX_RANK];

  Strides() = default;
  Strides(int32_t rank, const int64_t *shape) {
    int64_t stride = 1;
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
      by[axis] = stride;
      stride *= shape[axis];
    }
  }
  explicit Strides(const symc_tensor &tensor) : Strides(tensor.rank, tensor.shape) {}
};

// Strides of an operand aligned at the result's last axes; 0 where it repeats.
inline Strides repeated(const symc_tensor &operand, const symc_tensor &result) {
  Strides own(operand), aligned(result);
  for (int32_t axis = 0; axis < result.rank; ++axis) {
    int32_t mine = axis - (result.rank - operand.rank);
    aligned.by[axis] = mine < 0 || operand.shape[mine] == 1 ? 0 : own.by[mine];
  }
  return aligned;
}

inline int64_t normal_axis(int64_t axis, int32_t rank) { return axis < 0 ? axis + rank : axis; }

// Product of extents [begin, end).
inline int64_t product(const int64_t *shape, int64_t begin, int64_t end) {
  int64_t result = 1;
  for (int64_t axis = begin; axis < end; ++axis)
    result *= shape[axis];
  return result;
}

// Calls body(walk, n) for each place of `shape`, its number n, in tasks. `work`: that of a place.
template <class Body>
int32_t each_place(const symc_kernel_args *args, int32_t rank, const int64_t *shape, int64_t work,
                   const Body &body) {
  return run_rows(args, {product(shape, 0, rank), work}, [&](const RowRange &range) -> int32_t {
    Walk walk(rank, shape, range.first);
    for (int64_t n = range.first; n < range.end; ++n, walk.step())
      body(walk, n);
    return SYMC_STATUS_OK;
  });
}

// The same by the thread that calls, or by the threads of a device's grid (threads.h).
template <class Body> void each_in(int32_t rank, const int64_t *shape, const Body &body) {
#ifdef SYMC_ON_DEVICE
  each_of(product(shape, 0, rank), [&](int64_t n) { body(Walk(rank, shape, n), n); });
#else
  int64_t n = 0;
  for (Walk walk(rank, shape); walk.more; walk.step())
    body(walk, n++);
#endif
}

// Calls body(walk, row, x) for each of the `length` elements of the rows that the places of `shape`
// are, by their numbers.
template <class Body>
void each_row_in(int32_t rank, const int64_t *shape, int64_t length, const Body &body) {
#ifdef SYMC_ON_DEVICE
  each_of(product(shape, 0, rank) * length,
          [&](int64_t n) { body(Walk(rank, shape, n / length), n / length, n % length); });
#else
  int64_t row = 0;
  for (Walk walk(rank, shape); walk.more; walk.step(), ++row)
    for (int64_t x = 0; x < length; ++x)
      body(walk, row, x);
#endif
}

template <class T, class Source>
void move_words(const symc_tensor &from, const symc_tensor &to, Source source) {
  const T *in = static_cast<const T *>(from.data);
  T *out = static_cast<T *>(to.data);
  each_in(to.rank, to.shape, [&](const Walk &walk, int64_t n) { out[n] = in[source(walk.at)]; });
}

// to[place] = from[source(place)], an element number, for every place of `to`.
template <class Source>
int32_t move_elements(const symc_tensor &from, const symc_tensor &to, Source source) {
  switch (symc_dtype_bytes(from.dtype)) {
  case 1:
    move_words<uint8_t>(from, to, source);
    return SYMC_STATUS_OK;
  case 2:
    move_words<uint16_t>(from, to, source);
    return SYMC_STATUS_OK;
  case 4:
    move_words<uint32_t>(from, to, source);
    return SYMC_STATUS_OK;
  case 8:
    move_words<uint64_t>(from, to, source);
    return SYMC_STATUS_OK;
  default:
    return SYMC_STATUS_BAD_DTYPE;
  }
}

// All elements in order.
inline int32_t copy_elements(const symc_tensor &from, const symc_tensor &to) {
  int64_t bytes = count_of(to) * symc_dtype_bytes(to.dtype);
  if (bytes && from.data != to.data)
    move_bytes(to.data, from.data, bytes);
  return SYMC_STATUS_OK;
}

} // namespace symc::ref
#endif
