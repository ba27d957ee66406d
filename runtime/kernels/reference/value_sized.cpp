// value_sized.cpp: reference kernels whose results are as long as values decide. The elements
// stand densely at the front of the results, which have room for the largest size; the size
// goes into the frame, where later steps read it.
#include "order.h"
#include "parts.h"
#include "symc/generated/op_params/Index.h"

using namespace symc::ref;

namespace {

void decide(const symc_kernel_args *args, int64_t number, int64_t size) {
  if (args->frame) // none where a kernel is called by itself
    args->frame->dims[number] = size;
}

int32_t boolean_mask(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &mask = args->inputs[1];
  int64_t bytes = product(data.shape, 1, data.rank) * symc_dtype_bytes(data.dtype), kept = 0;
  const char *from = static_cast<const char *>(data.data);
  char *to = static_cast<char *>(args->outputs[0].data);
  int32_t status = with_element(mask.dtype, [&](auto element) {
    using E = decltype(element);
    for (int64_t row = 0; row < data.shape[0]; ++row)
      if (E::load(data_of<E>(mask)[row]) != 0)
        __builtin_memcpy(to + kept++ * bytes, from + row * bytes, size_t(bytes));
    return SYMC_STATUS_OK;
  });
  decide(args, params_of<symc_boolean_mask_params>(args).size, kept);
  return status;
}

int32_t boolean_mask_gradient(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &mask = args->inputs[1];
  int64_t bytes = product(data.shape, 1, data.rank) * symc_dtype_bytes(data.dtype);
  const char *from = static_cast<const char *>(args->inputs[2].data);
  char *to = static_cast<char *>(args->outputs[0].data);
  return with_element(mask.dtype, [&](auto element) {
    using E = decltype(element);
    for (int64_t row = 0; row < data.shape[0]; ++row, to += bytes)
      if (E::load(data_of<E>(mask)[row]) != 0) {
        __builtin_memcpy(to, from, size_t(bytes));
        from += bytes;
      } else {
        __builtin_memset(to, 0, size_t(bytes));
      }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t nonzero(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  const typename E::Storage *in = data_of<E>(data);
  int64_t *out = static_cast<int64_t *>(args->outputs[0].data), found = 0;
  for (Walk walk(data.rank, data.shape); walk.more; walk.step())
    if (E::load(*in++) != 0) {
      for (int32_t axis = 0; axis < data.rank; ++axis)
        *out++ = walk.at[axis];
      ++found;
    }
  decide(args, params_of<symc_nonzero_params>(args).size, found);
  return SYMC_STATUS_OK;
}

// Slices along an axis, or elements of the flattened data.
struct Slices {
  int64_t outer = 1, count, inner = 1;

  Slices(const symc_tensor &data, bool has_axis, int64_t axis) : count(count_of(data)) {
    if (!has_axis)
      return;
    axis = normal_axis(axis, data.rank);
    outer = product(data.shape, 0, axis);
    count = data.shape[axis];
    inner = product(data.shape, axis + 1, data.rank);
  }
};

// Whether slice m comes before slice n; NaN is the last of all.
template <class E>
bool is_before(const typename E::Storage *in, const Slices &slices, int64_t m, int64_t n) {
  for (int64_t i = 0; i < slices.outer; ++i)
    for (int64_t j = 0; j < slices.inner; ++j) {
      auto a = E::load(in[(i * slices.count + m) * slices.inner + j]);
      auto b = E::load(in[(i * slices.count + n) * slices.inner + j]);
      if (a < b || (a == a && b != b))
        return true;
      if (a > b || (a != a && b == b))
        return false;
    }
  return false;
}

template <class E> int32_t unique(const symc_kernel_args *args) {
  const auto &params = params_of<symc_unique_params>(args);
  const symc_tensor &data = args->inputs[0];
  const typename E::Storage *in = data_of<E>(data);
  Slices slices(data, params.has_axis, params.axis);
  auto before = [&](int64_t m, int64_t n) { return is_before<E>(in, slices, m, n); };
  int64_t *places = static_cast<int64_t *>(args->scratch), found = 0, next = 1;
  for (int64_t n = 0; n < slices.count; ++n)
    places[n] = n;
  places = order_places(places, places + slices.count, slices.count, before);
  auto wanted = [&](bool computed) {
    return computed ? static_cast<int64_t *>(args->outputs[next++].data) : nullptr;
  };
  int64_t *first = wanted(params.return_index), *inverse = wanted(params.return_inverse);
  int64_t *counts = wanted(params.return_counts);
  for (int64_t n = 0, last = 0; n < slices.count; ++n) {
    int64_t place = places[n];
    if (n == 0 || before(last, place)) {
      last = place;
      if (first)
        first[found] = place;
      if (counts)
        counts[found] = 0;
      places[found++] = place; // only read up to here
    }
    if (inverse)
      inverse[place] = found - 1;
    if (counts)
      ++counts[found - 1];
  }
  for (int64_t n = 0; n < found; ++n)
    copy_part(data, slices.count, places[n], args->outputs[0], found, n, 1, slices.outer,
              slices.inner);
  decide(args, params.size, found);
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_ANY(boolean_mask, boolean_mask)
SYMC_REFERENCE_ANY(boolean_mask_gradient, boolean_mask_gradient)
SYMC_REFERENCE_NUMBERS(nonzero, nonzero)
SYMC_REFERENCE_NUMBERS(unique, unique)
