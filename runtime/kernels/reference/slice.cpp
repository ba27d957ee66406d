// slice.cpp: reference kernels of the slice family: tensors put together and taken
// apart along an axis. A part of a tensor is a run of `inner` elements for each
// of `outer` places before the axis.
#include "symc/generated/op_params/Slice.h"
#include "parts.h"

using namespace symc::ref;

namespace {

// Operands behind each other along `axis` of the result, each with `extent(operand)` places.
template <class Extent> int32_t join(const symc_kernel_args *args, int64_t axis, Extent extent) {
  const symc_tensor &result = args->outputs[0];
  int64_t outer = product(result.shape, 0, axis);
  int64_t inner = product(result.shape, axis + 1, result.rank), first = 0;
  for (int32_t n = 0; n < args->n_inputs; ++n) {
    int64_t count = extent(args->inputs[n]);
    copy_part(args->inputs[n], count, 0, result, result.shape[axis], first, count, outer, inner);
    first += count;
  }
  return SYMC_STATUS_OK;
}

int32_t concat(const symc_kernel_args *args) {
  int64_t axis = normal_axis(params_of<symc_concat_params>(args).dim, args->outputs[0].rank);
  return join(args, axis, [=](const symc_tensor &part) { return part.shape[axis]; });
}

int32_t stack(const symc_kernel_args *args) {
  int64_t axis = normal_axis(params_of<symc_stack_params>(args).axis, args->outputs[0].rank);
  return join(args, axis, [](const symc_tensor &) { return int64_t(1); });
}

// Result n takes the places of data from first(n) to first(n + 1).
template <class First> int32_t part(const symc_kernel_args *args, int64_t axis, First first) {
  const symc_tensor &data = args->inputs[0];
  int64_t outer = product(data.shape, 0, axis);
  int64_t inner = product(data.shape, axis + 1, data.rank);
  for (int32_t n = 0; n < args->n_outputs; ++n) {
    int64_t begin = first(n), count = first(n + 1) - begin;
    copy_part(data, data.shape[axis], begin, args->outputs[n], count, 0, count, outer, inner);
  }
  return SYMC_STATUS_OK;
}

int32_t slice_channel(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  int64_t axis = normal_axis(params_of<symc_slice_channel_params>(args).axis, data.rank);
  int64_t each = data.shape[axis] / args->n_outputs;
  return part(args, axis, [=](int64_t n) { return n * each; });
}

int32_t split_v2(const symc_kernel_args *args) {
  const auto &params = params_of<symc_split_v2_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t axis = normal_axis(params.axis, data.rank), extent = data.shape[axis];
  return part(args, axis, [&](int64_t n) {
    if (params.sections > 0) { // the first `rest` parts have one element more
      int64_t rest = extent % params.sections;
      return n * (extent / params.sections) + (n < rest ? n : rest);
    }
    return n < params.indices.n ? params.indices.v[n] : extent;
  });
}

int64_t clamped(int64_t place, int64_t extent, int64_t low, int64_t high) {
  if (place < 0)
    place += extent;
  return place < low ? low : place > high ? high : place;
}

// The element of data for a place of the result, from the first place and the step by axis.
int32_t move_stepped(const symc_kernel_args *args, const int64_t *first, const int64_t *step) {
  const symc_tensor &data = args->inputs[0];
  Strides strides(data);
  return move_elements(data, args->outputs[0], [&](const int64_t *at) {
    int64_t source = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      source += (first[axis] + at[axis] * step[axis]) * strides.by[axis];
    return source;
  });
}

// First place and step of a part of `data`, by axis.
template <class Params>
void begin_part(const Params &params, const symc_tensor &data, int64_t *first, int64_t *step) {
  for (int32_t axis = 0; axis < data.rank; ++axis) {
    int64_t extent = data.shape[axis];
    int64_t begin = axis < params.begin.n ? params.begin.v[axis] : SYMC_NONE_ELEMENT;
    int64_t by = axis < params.step.n ? params.step.v[axis] : SYMC_NONE_ELEMENT;
    step[axis] = by == SYMC_NONE_ELEMENT ? 1 : by;
    if (begin == SYMC_NONE_ELEMENT)
      first[axis] = step[axis] > 0 ? 0 : extent - 1;
    else
      first[axis] = step[axis] > 0 ? clamped(begin, extent, 0, extent)
                                   : clamped(begin, extent, -1, extent - 1);
  }
}

int32_t slice(const symc_kernel_args *args) {
  int64_t first[SYMC_MAX_RANK], step[SYMC_MAX_RANK];
  begin_part(params_of<symc_slice_params>(args), args->inputs[0], first, step);
  return move_stepped(args, first, step);
}

// Writes `value(n)`, the bytes of element `n` of the part, into a copy of the first operand.
template <class Value>
void assign_part(const symc_kernel_args *args, const int64_t *first, const int64_t *step,
                 const int64_t *extents, Value value) {
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  int64_t bytes = symc_dtype_bytes(result.dtype);
  copy_elements(data, result);
  wait_for_block();
  Strides strides(data);
  each_in(data.rank, extents, [&](const Walk &walk, int64_t n) {
    int64_t place = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      place += (first[axis] + walk.at[axis] * step[axis]) * strides.by[axis];
    __builtin_memcpy(static_cast<char *>(result.data) + place * bytes, value(n), size_t(bytes));
  });
}

int32_t slice_assign(const symc_kernel_args *args) {
  int64_t first[SYMC_MAX_RANK], step[SYMC_MAX_RANK];
  begin_part(params_of<symc_slice_assign_params>(args), args->inputs[0], first, step);
  const symc_tensor &part = args->inputs[1];
  assign_part(args, first, step, part.shape, [&](int64_t n) {
    return static_cast<const char *>(part.data) + n * symc_dtype_bytes(part.dtype);
  });
  return SYMC_STATUS_OK;
}

int32_t slice_assign_scalar(const symc_kernel_args *args) {
  const auto &params = params_of<symc_slice_assign_scalar_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t first[SYMC_MAX_RANK], step[SYMC_MAX_RANK], extents[SYMC_MAX_RANK];
  begin_part(params, data, first, step);
  for (int32_t axis = 0; axis < data.rank; ++axis) {
    int64_t extent = data.shape[axis], by = step[axis];
    int64_t end = axis < params.end.n ? params.end.v[axis] : SYMC_NONE_ELEMENT;
    if (end == SYMC_NONE_ELEMENT)
      end = by > 0 ? extent : -1;
    else
      end = by > 0 ? clamped(end, extent, 0, extent) : clamped(end, extent, -1, extent - 1);
    extents[axis] = by > 0 ? (end - first[axis] + by - 1) / by : (first[axis] - end - by - 1) / -by;
  }
  uint64_t value = 0;
  symc_tensor one = {&value, nullptr, 0, data.dtype, SYMC_DEVICE_CPU, 0};
  store_at(one, 0, params.scalar);
  assign_part(args, first, step, extents, [&](int64_t) { return &value; });
  return SYMC_STATUS_OK;
}

int32_t slice_axis(const symc_kernel_args *args) {
  const auto &params = params_of<symc_slice_axis_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t axis = normal_axis(params.axis, data.rank), extent = data.shape[axis];
  int64_t first = params.begin < 0 ? params.begin + extent : params.begin;
  int64_t count = args->outputs[0].shape[axis];
  if (first < 0 || first + count > extent)
    return refuse(Refusal::PART);
  copy_part(data, extent, first, args->outputs[0], count, 0, count, product(data.shape, 0, axis),
            product(data.shape, axis + 1, data.rank));
  return SYMC_STATUS_OK;
}

int32_t slice_like(const symc_kernel_args *args) {
  const int64_t first[SYMC_MAX_RANK] = {}, step[SYMC_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int32_t axis = 0; axis < args->inputs[0].rank; ++axis)
    if (args->outputs[0].shape[axis] > args->inputs[0].shape[axis])
      return refuse(Refusal::PART);
  return move_stepped(args, first, step);
}

} // namespace

SYMC_REFERENCE_ANY(concat, concat)
SYMC_REFERENCE_ANY(stack, stack)
SYMC_REFERENCE_ANY(slice_channel, slice_channel)
SYMC_REFERENCE_ANY(split_v2, split_v2)
SYMC_REFERENCE_ANY(slice, slice)
SYMC_REFERENCE_ANY(slice_axis, slice_axis)
SYMC_REFERENCE_ANY(slice_like, slice_like)
SYMC_REFERENCE_ANY(slice_assign, slice_assign)
SYMC_REFERENCE_ANY(slice_assign_scalar, slice_assign_scalar)

SYMC_ON_GRID(concat, stack, slice_channel, split_v2, slice, slice_axis, slice_like)
SYMC_ON_BLOCK(slice_assign, slice_assign_scalar)
