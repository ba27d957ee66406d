// edit.cpp: reference kernels that put slices into a tensor or take them out. The tensor is
// [outer, extent, inner] around the axis, [1, elements, 1] where it counts as flattened.
#include "symc/generated/op_params/Edit.h"
#include "number.h"
#include "order.h"
#include "parts.h"

using namespace symc::ref;

namespace {

struct Around {
  bool flat;
  int32_t axis; // of `shape`
  int32_t rank;
  int64_t shape[SYMC_MAX_RANK];
  int64_t outer, extent, inner;

  Around(const symc_tensor &arr, bool has_axis, int64_t axis_) : flat(!has_axis) {
    rank = flat ? 1 : arr.rank;
    axis = flat ? 0 : int32_t(normal_axis(axis_, arr.rank));
    for (int32_t i = 0; i < rank; ++i)
      shape[i] = flat ? count_of(arr) : arr.shape[i];
    outer = product(shape, 0, axis);
    extent = shape[axis];
    inner = product(shape, axis + 1, rank);
  }
};

// The places first, first + step, ...: `count` of them, as Python counts start:stop:step.
struct Range {
  int64_t first, step, count;
};
template <class Params> Range range_of(const Params &params, int64_t extent) {
  int64_t step = params.step, least = step < 0 ? -1 : 0, most = step < 0 ? extent - 1 : extent;
  auto bound = [&](bool given, int64_t value, int64_t otherwise) {
    if (!given)
      return otherwise;
    value += value < 0 ? extent : 0;
    return value < least ? least : value > most ? most : value;
  };
  int64_t from = bound(params.has_start, params.start, step < 0 ? most : least);
  int64_t to = bound(params.has_stop, params.stop, step < 0 ? least : most);
  int64_t span = step < 0 ? from - to : to - from, by = step < 0 ? -step : step;
  return {from, step, span > 0 ? (span - 1) / by + 1 : 0};
}

// Where values' element for a place of the slices lies: the shape extended to their rank, its
// first axis at the place of `axis` where `transposed`; extents of 1 repeat.
struct Values {
  int64_t extents[SYMC_MAX_RANK], strides[SYMC_MAX_RANK];

  Values(const symc_tensor *values, const Around &around, bool transposed) {
    int64_t shape[SYMC_MAX_RANK];
    for (int32_t i = 0; i < around.rank; ++i) {
      int32_t own = values ? i + values->rank - around.rank : -1;
      shape[i] = own >= 0 ? values->shape[own] : 1;
    }
    Strides dense(around.rank, shape);
    for (int32_t i = 0; i < around.rank; ++i) {
      int32_t from = !transposed || i > around.axis ? i : i == around.axis ? 0 : i + 1;
      extents[i] = shape[from];
      strides[i] = shape[from] == 1 ? 0 : dense.by[from];
    }
  }
};

// The places in `arr` before which something is put, in values' order; false for one outside.
bool read_places(const symc_kernel_args *args, const symc_tensor *obj, const Around &around,
                 int64_t *places, int64_t count) {
  const auto &params = params_of<symc_insert_params>(args);
  Range range = {params.has_int_ind ? params.int_ind : 0, 1, 1};
  if (params.kind == SYMC_INSERT_KIND_SLICE)
    range = range_of(params, around.extent);
  for (int64_t n = 0; n < count; ++n) {
    int64_t place = obj ? index_at(*obj, n) : range.first + n * range.step;
    if (place < -around.extent || place > around.extent)
      return false;
    places[n] = place < 0 ? place + around.extent : place;
  }
  return true;
}

// Moves `places` to where the slices lie in the result, and copies arr around them. `work` has
// room for twice as many.
void make_room(const symc_kernel_args *args, const Around &around, int64_t *places, int64_t added,
               int64_t *work) {
  int64_t *order = work, extent = around.extent + added, taken = 0, filled = 0;
  for (int64_t n = 0; n < added; ++n)
    order[n] = n;
  order = order_places(order, work + added, added,
                       [&](int64_t m, int64_t n) { return places[m] < places[n]; });
  auto copy_until = [&](int64_t place) {
    copy_part(args->inputs[0], around.extent, taken, args->outputs[0], extent, filled,
              place - taken, around.outer, around.inner);
    filled += place - taken + 1;
    taken = place;
  };
  for (int64_t n = 0; n < added; ++n) {
    copy_until(places[order[n]]);
    places[order[n]] += n;
  }
  copy_until(around.extent);
}

template <class E>
void fill_slices(const symc_kernel_args *args, const Around &around, const int64_t *places,
                 int64_t added, const symc_tensor *values, const Values &from) {
  int64_t slices[SYMC_MAX_RANK], whole[SYMC_MAX_RANK];
  for (int32_t i = 0; i < around.rank; ++i) {
    slices[i] = i == around.axis ? added : around.shape[i];
    whole[i] = i == around.axis ? around.extent + added : around.shape[i];
  }
  Strides strides(around.rank, whole);
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  auto fill = [&](auto value_at) {
    for (Walk walk(around.rank, slices); walk.more; walk.step()) {
      int64_t source = 0, place = 0;
      for (int32_t i = 0; i < around.rank; ++i) {
        source += walk.at[i] * from.strides[i];
        place += (i == around.axis ? places[walk.at[i]] : walk.at[i]) * strides.by[i];
      }
      out[place] = E::store(value_at(source));
    }
  };
  if (!values)
    return fill([&](int64_t) { return params_of<symc_insert_params>(args).val; });
  with_element(values->dtype, [&](auto element) {
    using V = decltype(element);
    fill([&](int64_t source) { return V::load(data_of<V>(*values)[source]); });
  });
}

template <class E> int32_t insert(const symc_kernel_args *args) {
  const auto &params = params_of<symc_insert_params>(args);
  const symc_tensor *values = params.has_val ? nullptr : &args->inputs[1];
  const symc_tensor *obj =
      params.kind == SYMC_INSERT_KIND_TENSOR ? &args->inputs[args->n_inputs - 1] : nullptr;
  Around around(args->inputs[0], params.has_axis, params.axis);
  Values from(values, around, params.kind == SYMC_INSERT_KIND_INDEX || (obj && obj->rank == 0));
  int64_t count = obj                                     ? count_of(*obj)
                  : params.kind == SYMC_INSERT_KIND_SLICE ? range_of(params, around.extent).count
                                                          : 1;
  int64_t *places = static_cast<int64_t *>(args->scratch), added = count;
  if (!read_places(args, obj, around, places, count))
    return refuse(Refusal::OUTSIDE);
  if (count == 1) // all of values goes there
    for (added = from.extents[around.axis], count = 1; count < added; ++count)
      places[count] = places[0];
  make_room(args, around, places, added, places + added);
  fill_slices<E>(args, around, places, added, values, from);
  return SYMC_STATUS_OK;
}

int32_t remove(const symc_kernel_args *args) {
  const auto &params = params_of<symc_delete_params>(args);
  const symc_tensor &arr = args->inputs[0];
  Around around(arr, params.has_axis, params.axis);
  uint8_t *gone = static_cast<uint8_t *>(args->scratch);
  __builtin_memset(gone, 0, size_t(around.extent));
  if (params.has_step) {
    Range range = range_of(params, around.extent);
    for (int64_t n = 0; n < range.count; ++n)
      gone[range.first + n * range.step] = 1;
  } else if (params.has_int_ind) {
    gone[params.int_ind < 0 ? params.int_ind + around.extent : params.int_ind] = 1;
  } else {
    for (int64_t n = 0; n < count_of(args->inputs[1]); ++n)
      if (double place = number_at(args->inputs[1], n); place >= 0 && place < double(around.extent))
        gone[int64_t(place)] = 1;
  }
  int64_t left = 0;
  for (int64_t n = 0; n < around.extent; ++n)
    left += !gone[n];
  int64_t filled = 0;
  for (int64_t begin = 0, end; begin < around.extent; begin = end) { // runs of what stays
    for (end = begin + 1; end < around.extent && gone[end] == gone[begin];)
      ++end;
    if (gone[begin])
      continue;
    copy_part(arr, around.extent, begin, args->outputs[0], left, filled, end - begin, around.outer,
              around.inner);
    filled += end - begin;
  }
  if (params.size >= 0 && args->frame)
    args->frame->dims[params.size] = left;
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(insert, insert)
SYMC_REFERENCE_ANY(delete, remove)
