// index.cpp: reference kernels that choose elements by the values of an index tensor of
// any type. No index leads outside: it is clipped, wrapped, or the run fails before
// anything is read.
#include "symc/generated/op_params/Index.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// What lies from element `source` of one tensor on, for the place of element `target` of another.
Run run_of(const symc_tensor &from, int64_t source, const symc_tensor &to, int64_t target) {
  int64_t bytes = symc_dtype_bytes(to.dtype);
  return {static_cast<char *>(to.data) + target * bytes,
          static_cast<const char *>(from.data) + source * bytes};
}

int32_t take(const symc_kernel_args *args) {
  const auto &params = params_of<symc_take_params>(args);
  const symc_tensor &data = args->inputs[0], &indices = args->inputs[1];
  int64_t axis = normal_axis(params.axis, data.rank), extent = data.shape[axis];
  int64_t outer = product(data.shape, 0, axis), inner = product(data.shape, axis + 1, data.rank);
  int64_t places = count_of(indices);
  if (extent < 1)
    return places ? refuse(Refusal::NO_ELEMENT) : SYMC_STATUS_OK;
  int64_t bytes = symc_dtype_bytes(data.dtype);
  int32_t status = SYMC_STATUS_OK;
  // The place along the axis that index number `n` names, or -1.
  auto place_of = [&](int64_t n) {
    int64_t index = index_at(indices, n);
    if (params.mode == SYMC_TAKE_MODE_RAISE && (index < -extent || index >= extent))
      return int64_t(-1);
    return params.mode == SYMC_TAKE_MODE_CLIP ? clipped(index, extent) : wrapped(index, extent);
  };
  if constexpr (kOnDevice) {
    move_runs(outer * places, inner, bytes, [&](int64_t n) {
      int64_t place = place_of(n % places);
      if (place < 0)
        status = refuse(Refusal::OUTSIDE);
      return place < 0
                 ? Run{}
                 : run_of(data, (n / places * extent + place) * inner, args->outputs[0], n * inner);
    });
    return status;
  }
  Rows rows = {places, 16 + outer * inner / 8};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    // The indices are read once for all outer elements, so many at a time.
    constexpr int64_t kAtOnce = 256;
    int64_t chosen[kAtOnce];
    for (int64_t first = range.first; first < range.end; first += kAtOnce) {
      int64_t count = range.end - first < kAtOnce ? range.end - first : kAtOnce;
      for (int64_t n = 0; n < count; ++n) {
        chosen[n] = place_of(first + n);
        if (chosen[n] < 0)
          return refuse(Refusal::OUTSIDE);
      }
      for (int64_t i = 0; i < outer; ++i)
        move_runs(count, inner, bytes, [&](int64_t n) {
          return run_of(data, (i * extent + chosen[n]) * inner, args->outputs[0],
                        (i * places + first + n) * inner);
        });
    }
    return SYMC_STATUS_OK;
  });
}

int32_t batch_take(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  if (data.shape[0] > 0 && data.shape[1] < 1) // nothing to take from
    return refuse(Refusal::NO_ELEMENT);
  move_runs(data.shape[0], 1, symc_dtype_bytes(data.dtype), [&](int64_t row) {
    int64_t place = clipped(index_at(args->inputs[1], row), data.shape[1]);
    return run_of(data, row * data.shape[1] + place, args->outputs[0], row);
  });
  return SYMC_STATUS_OK;
}

int32_t pick(const symc_kernel_args *args) {
  const auto &params = params_of<symc_pick_params>(args);
  const symc_tensor &data = args->inputs[0];
  bool flat = params.axis == SYMC_NONE_ELEMENT;
  int64_t axis = flat ? 0 : normal_axis(params.axis, data.rank);
  int64_t extent = flat ? count_of(data) : data.shape[axis];
  int64_t outer = flat ? 1 : product(data.shape, 0, axis);
  int64_t inner = flat ? 1 : product(data.shape, axis + 1, data.rank);
  if (extent < 1 && outer * inner > 0) // nothing to pick from
    return refuse(Refusal::NO_ELEMENT);
  move_runs(outer * inner, 1, symc_dtype_bytes(data.dtype), [&](int64_t i) {
    int64_t index = index_at(args->inputs[1], i);
    index = params.mode == SYMC_PICK_MODE_WRAP ? wrapped(index, extent) : clipped(index, extent);
    return run_of(data, (i / inner * extent + index) * inner + i % inner, args->outputs[0], i);
  });
  return SYMC_STATUS_OK;
}

int32_t one_hot(const symc_kernel_args *args) {
  const auto &params = params_of<symc_one_hot_params>(args);
  const symc_tensor &result = args->outputs[0];
  int64_t rows = count_of(args->inputs[0]);
  return with_element(result.dtype, [&](auto element) {
    using E = decltype(element);
    typename E::Storage on = E::store(params.on_value), off = E::store(params.off_value);
    typename E::Storage *out = target_of<E>(result);
    if constexpr (kOnDevice)
      return each_of(rows * params.depth, [&](int64_t n) {
        int64_t index = index_at(args->inputs[0], n / params.depth);
        out[n] = n % params.depth == index ? on : off;
      });
    for (int64_t row = 0; row < rows; ++row) {
      int64_t index = index_at(args->inputs[0], row);
      for (int64_t column = 0; column < params.depth; ++column)
        *out++ = column == index ? on : off;
    }
  });
}

// The element of `shape` at which the slice of column `n` of `indices` begins, or -1.
int64_t slice_at(const symc_tensor &indices, int64_t n, int64_t columns, const int64_t *shape,
                 const Strides &strides) {
  int64_t first = 0;
  for (int64_t axis = 0; axis < indices.shape[0]; ++axis) {
    int64_t index = index_at(indices, axis * columns + n);
    if (index < -shape[axis] || index >= shape[axis])
      return -1;
    first += (index < 0 ? index + shape[axis] : index) * strides.by[axis];
  }
  return first;
}

int32_t gather_nd(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &indices = args->inputs[1];
  int64_t columns = product(indices.shape, 1, indices.rank);
  int64_t inner = product(data.shape, indices.shape[0], data.rank);
  Strides strides(data);
  int32_t status = SYMC_STATUS_OK;
  move_runs(columns, inner, symc_dtype_bytes(data.dtype), [&](int64_t n) {
    int64_t first = slice_at(indices, n, columns, data.shape, strides);
    if (first < 0)
      status = refuse(Refusal::OUTSIDE);
    return first < 0 ? Run{} : run_of(data, first, args->outputs[0], n * inner);
  });
  return status;
}

int32_t scatter_nd(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &indices = args->inputs[1], &result = args->outputs[0];
  int64_t columns = product(indices.shape, 1, indices.rank);
  int64_t inner = product(result.shape, indices.shape[0], result.rank);
  int64_t bytes = symc_dtype_bytes(result.dtype);
  Strides strides(result);
  clear_bytes(result.data, count_of(result) * bytes);
  wait_for_block();
  // The last of several slices for a place stays: one after the other, all threads at each.
  for (int64_t n = 0; n < columns; ++n) {
    int64_t first = slice_at(indices, n, columns, result.shape, strides);
    if (first < 0)
      return refuse(Refusal::OUTSIDE);
    move_runs(1, inner, bytes, [&](int64_t) { return run_of(data, n * inner, result, first); });
  }
  return SYMC_STATUS_OK;
}

int32_t ravel_multi_index(const symc_kernel_args *args) {
  const symc_i64s &shape = params_of<symc_ravel_multi_index_params>(args).shape;
  int64_t columns = count_of(args->outputs[0]);
  each_of(columns, [&](int64_t n) {
    int64_t flat = 0;
    for (int64_t axis = 0; axis < shape.n; ++axis)
      flat = flat * shape.v[axis] + index_at(args->inputs[0], axis * columns + n);
    store_at(args->outputs[0], n, flat);
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_ANY(take, take)
SYMC_REFERENCE_ANY(batch_take, batch_take)
SYMC_REFERENCE_ANY(pick, pick)
SYMC_REFERENCE_ANY(one_hot, one_hot)
SYMC_REFERENCE_ANY(gather_nd, gather_nd)
SYMC_REFERENCE_ANY(scatter_nd, scatter_nd)
SYMC_REFERENCE_ANY(ravel_multi_index, ravel_multi_index)

SYMC_ON_GRID(take, batch_take, pick, one_hot, gather_nd, ravel_multi_index)
SYMC_ON_BLOCK(scatter_nd)
