// shape.cpp: reference kernels of the shape family: data movement within one tensor.
// Each computes, for a place of the result, which element of data goes there.
#include "symc/generated/op_params/Shape.h"
#include "walk.h"

using namespace symc::ref;

namespace {

int32_t reshape(const symc_kernel_args *args) {
  return copy_elements(args->inputs[0], args->outputs[0]);
}

// Axis i of the result is axis order[i] of data.
int32_t permute(const symc_kernel_args *args, const int32_t *order) {
  const symc_tensor &data = args->inputs[0];
  Strides strides(data);
  return move_elements(data, args->outputs[0], [&](const int64_t *at) {
    int64_t source = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      source += at[axis] * strides.by[order[axis]];
    return source;
  });
}

int32_t transpose(const symc_kernel_args *args) {
  const symc_i64s &axes = params_of<symc_transpose_params>(args).axes;
  int32_t rank = args->inputs[0].rank, order[SYMC_MAX_RANK];
  for (int32_t axis = 0; axis < rank; ++axis)
    order[axis] = axes.n ? int32_t(normal_axis(axes.v[axis], rank)) : rank - 1 - axis;
  return permute(args, order);
}

int32_t swap_axis(const symc_kernel_args *args) {
  const auto &params = params_of<symc_swap_axis_params>(args);
  int32_t rank = args->inputs[0].rank, order[SYMC_MAX_RANK];
  for (int32_t axis = 0; axis < rank; ++axis)
    order[axis] = axis;
  int64_t one = normal_axis(params.dim1, rank), other = normal_axis(params.dim2, rank);
  order[one] = int32_t(other);
  order[other] = int32_t(one);
  return permute(args, order);
}

int32_t reverse(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  const symc_i64s &axes = params_of<symc_reverse_params>(args).axis;
  bool reversed[SYMC_MAX_RANK] = {};
  for (int64_t i = 0; i < axes.n; ++i)
    reversed[normal_axis(axes.v[i], data.rank)] = true;
  Strides strides(data);
  return move_elements(data, args->outputs[0], [&](const int64_t *at) {
    int64_t source = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      source += strides.by[axis] * (reversed[axis] ? data.shape[axis] - 1 - at[axis] : at[axis]);
    return source;
  });
}

// Extents of data repeat where they are smaller than the result's, aligned at the last
// axes: whole (tile), or from a single element (broadcasts).
int32_t tile(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  Strides strides(data);
  int32_t added = result.rank - data.rank;
  return move_elements(data, result, [&](const int64_t *at) {
    int64_t source = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      source += at[axis + added] % data.shape[axis] * strides.by[axis];
    return source;
  });
}

int32_t repeat(const symc_kernel_args *args) {
  const auto &params = params_of<symc_repeat_params>(args);
  const symc_tensor &data = args->inputs[0];
  if (!params.has_axis)
    return move_elements(data, args->outputs[0],
                         [&](const int64_t *at) { return at[0] / params.repeats; });
  Strides strides(data);
  int64_t along = normal_axis(params.axis, data.rank);
  return move_elements(data, args->outputs[0], [&](const int64_t *at) {
    int64_t source = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      source += strides.by[axis] * (axis == along ? at[axis] / params.repeats : at[axis]);
    return source;
  });
}

// data: [N, b*b*C, H, W]; output: [N, C, H*b, W*b].
int32_t depth_to_space(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  int64_t b = params_of<symc_depth_to_space_params>(args).block_size;
  int64_t channels = result.shape[1];
  Strides strides(data);
  return move_elements(data, result, [&](const int64_t *at) {
    int64_t block = at[2] % b * b + at[3] % b;
    return at[0] * strides.by[0] + (block * channels + at[1]) * strides.by[1] +
           at[2] / b * strides.by[2] + at[3] / b;
  });
}

// data: [N, C, H*b, W*b]; output: [N, b*b*C, H, W].
int32_t space_to_depth(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  int64_t b = params_of<symc_space_to_depth_params>(args).block_size;
  int64_t channels = data.shape[1];
  Strides strides(data);
  return move_elements(data, args->outputs[0], [&](const int64_t *at) {
    int64_t block = at[1] / channels;
    return at[0] * strides.by[0] + at[1] % channels * strides.by[1] +
           (at[2] * b + block / b) * strides.by[2] + at[3] * b + block % b;
  });
}

int32_t diag(const symc_kernel_args *args) {
  const auto &params = params_of<symc_diag_params>(args);
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  int64_t down = params.k < 0 ? -params.k : 0, right = params.k > 0 ? params.k : 0;
  if (data.rank == 1) { // a vector laid on the diagonal of a square
    int64_t bytes = symc_dtype_bytes(data.dtype), side = result.shape[1];
    clear_bytes(result.data, count_of(result) * bytes);
    wait_for_block();
    move_runs(data.shape[0], 1, bytes, [&](int64_t i) {
      return Run{static_cast<char *>(result.data) + ((i + down) * side + i + right) * bytes,
                 static_cast<const char *>(data.data) + i * bytes};
    });
    return SYMC_STATUS_OK;
  }
  int64_t rows = normal_axis(params.axis1, data.rank),
          columns = normal_axis(params.axis2, data.rank);
  Strides strides(data);
  return move_elements(data, result, [&](const int64_t *at) {
    int64_t i = at[result.rank - 1];
    int64_t source = (i + down) * strides.by[rows] + (i + right) * strides.by[columns];
    int32_t next = 0;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      if (axis != rows && axis != columns)
        source += at[next++] * strides.by[axis];
    return source;
  });
}

int32_t shape_array(const symc_kernel_args *args) {
  int64_t *out = target_of<I64>(args->outputs[0]);
  each_of(args->inputs[0].rank, [&](int64_t axis) { out[axis] = args->inputs[0].shape[axis]; });
  return SYMC_STATUS_OK;
}

int32_t size_array(const symc_kernel_args *args) {
  each_of(1, [&](int64_t) { target_of<I64>(args->outputs[0])[0] = count_of(args->inputs[0]); });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_ANY(flatten, reshape)
SYMC_REFERENCE_ANY(reshape, reshape)
SYMC_REFERENCE_ANY(reshape_like, reshape)
SYMC_REFERENCE_ANY(expand_dims, reshape)
SYMC_REFERENCE_ANY(squeeze, reshape)
SYMC_REFERENCE_ANY(transpose, transpose)
SYMC_REFERENCE_ANY(swap_axis, swap_axis)
SYMC_REFERENCE_ANY(reverse, reverse)
SYMC_REFERENCE_ANY(tile, tile)
SYMC_REFERENCE_ANY(broadcast_to, tile)
SYMC_REFERENCE_ANY(broadcast_axis, tile)
SYMC_REFERENCE_ANY(broadcast_like, tile)
SYMC_REFERENCE_ANY(repeat, repeat)
SYMC_REFERENCE_ANY(depth_to_space, depth_to_space)
SYMC_REFERENCE_ANY(space_to_depth, space_to_depth)
SYMC_REFERENCE_ANY(diag, diag)
SYMC_REFERENCE_ANY(shape_array, shape_array)
SYMC_REFERENCE_ANY(size_array, size_array)

SYMC_ON_GRID(flatten, reshape, reshape_like, expand_dims, squeeze, transpose, swap_axis, reverse)
SYMC_ON_GRID(tile, broadcast_to, broadcast_axis, broadcast_like, repeat, depth_to_space)
SYMC_ON_GRID(space_to_depth, shape_array, size_array)
SYMC_ON_BLOCK(diag)
