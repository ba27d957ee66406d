// check.cpp: see check.h. The sentences state: what, expected, got, and where they
// differ first.
#include "check.h"

namespace symc {

Selection::Selection(const List &list, const symc_tensor *given, int32_t n)
    : list(list), given(given), n(n) {
  for (int32_t i = 0; i < list.count; ++i)
    required += !(list.infos[i].flags & list.mayLeaveOut);
}

symc_status Selection::check(Text &error) const {
  if (n != list.count && n != required) {
    error << "expected " << list.count << " " << list.plural;
    if (required != list.count)
      error << ", or the " << required << " that may not be left out";
    error << ", got " << n;
    return SYMC_STATUS_BAD_COUNT;
  }
  if (n > 0 && !given) {
    error << list.plural << " is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  return SYMC_STATUS_OK;
}

const symc_tensor *Selection::next(int32_t index) {
  bool optional = list.infos[index].flags & list.mayLeaveOut;
  if (optional && n != list.count)
    return nullptr;
  const symc_tensor *tensor = &given[used++];
  return optional && !tensor->data ? nullptr : tensor;
}

static int64_t count_of(const symc_tensor &tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i)
    count *= tensor.shape[i];
  return count;
}

static symc_status check_data(const List &list, const symc_tensor_info &info,
                              const symc_tensor &tensor, Text &error) {
  bool elsewhere = list.device != SYMC_DEVICE_CPU;
  bool there = tensor.device == list.device && tensor.ordinal == list.ordinal;
  if (!there && !(elsewhere && tensor.device == SYMC_DEVICE_CPU)) {
    error << list.kind << " '" << info.name << "': expected memory of device " << list.device
          << ", ordinal " << list.ordinal << (elsewhere ? ", or of the CPU" : "") << ", got device "
          << tensor.device << ", ordinal " << tensor.ordinal;
    return SYMC_STATUS_BAD_DEVICE;
  }
  if (!tensor.data && count_of(tensor) != 0) {
    error << list.kind << " '" << info.name << "': data is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int64_t bytes = symc_dtype_bytes(info.dtype);
  if (uintptr_t(tensor.data) % uint64_t(bytes)) {
    error << list.kind << " '" << info.name << "': expected data aligned to " << bytes
          << " bytes, the size of " << symc_dtype_name(info.dtype);
    return SYMC_STATUS_BAD_ALIGNMENT;
  }
  return SYMC_STATUS_OK;
}

// A rank outside 0..SYMC_MAX_RANK, or a missing shape, must not be walked over.
static symc_status check_form(const List &list, const symc_tensor_info &info,
                              const symc_tensor &tensor, Text &error) {
  if (tensor.rank >= 0 && tensor.rank <= SYMC_MAX_RANK && (tensor.shape || tensor.rank == 0))
    return SYMC_STATUS_OK;
  error << list.kind << " '" << info.name << "': ";
  if (tensor.rank < 0 || tensor.rank > SYMC_MAX_RANK)
    error << "expected a rank in 0.." << SYMC_MAX_RANK << ", got " << tensor.rank;
  else
    error << "shape is NULL";
  return SYMC_STATUS_BAD_ARGUMENT;
}

symc_status check_tensor(const List &list, const symc_tensor_info &info, const int64_t *extents,
                         const symc_tensor &tensor, Text &error) {
  symc_status status = check_form(list, info, tensor, error);
  if (status != SYMC_STATUS_OK)
    return status;
  int32_t differs = 0; // the first dimension that does
  if (tensor.rank == info.rank)
    while (differs < info.rank && tensor.shape[differs] == extents[differs])
      ++differs;
  bool sameShape = tensor.rank == info.rank && differs == info.rank;
  if (sameShape && tensor.dtype == info.dtype)
    return check_data(list, info, tensor, error);
  error << list.kind << " '" << info.name << "': expected ";
  error.tensor(info.dtype, extents, info.rank) << ", got ";
  error.tensor(tensor.dtype, tensor.shape, tensor.rank);
  if (tensor.dtype != info.dtype) {
    error << " (element type)";
    return SYMC_STATUS_BAD_DTYPE;
  }
  if (tensor.rank != info.rank)
    error << " (rank)";
  else
    error << " (dimension " << differs << ")";
  return SYMC_STATUS_BAD_SHAPE;
}

// Writes "f32 [1..16, 3]"; sizes that an earlier input fixed appear as numbers.
static void expected_input(const symc_context &context, const symc_tensor_info &info, Text &error) {
  bool sum = false;
  error << symc_dtype_name(info.dtype) << " [";
  for (int32_t i = 0; i < info.rank; ++i) {
    int64_t extent = info.shape[i];
    error << (i ? ", " : "");
    if (extent >= 0) {
      error << extent;
      continue;
    }
    int64_t bound = context.dims[-(extent + 1)];
    const symc_dim_info &dim = context.model->dims[-(extent + 1)];
    sum |= bound < 0 && context.model->batches;
    if (bound >= 0)
      error << bound;
    else if (sum)
      error << "N";
    else
      error << dim.min << ".." << dim.max;
  }
  error << "]";
  if (!sum)
    return;
  const symc_batches &batches = *context.model->batches;
  error << " with N a sum of batch sizes out of ";
  for (int32_t i = batches.n_sizes - 1; i >= 0; --i)
    error << batches.sizes[i] << (i ? ", " : "");
}

static symc_status check_input(symc_context &context, const List &list,
                               const symc_tensor_info &info, const symc_tensor &tensor,
                               bool needData, Text &error) {
  symc_status status = check_form(list, info, tensor, error);
  if (status != SYMC_STATUS_OK)
    return status;
  // A name for what differs first: the element type, the rank, or a dimension.
  const char *why = nullptr;
  int32_t differs = -1, fixed = -1;
  status = SYMC_STATUS_BAD_SHAPE;
  if (tensor.dtype != info.dtype) {
    why = "element type";
    status = SYMC_STATUS_BAD_DTYPE;
  } else if (tensor.rank != info.rank) {
    why = "rank";
  }
  int64_t sizes[SYMC_MAX_RANK];
  for (int32_t i = 0; !why && differs < 0 && i < info.rank; ++i) {
    int64_t got = tensor.shape[i], want = info.shape[i];
    bool fits = got == want;
    if (want < 0) {
      int32_t size = int32_t(-(want + 1));
      int64_t bound = context.dims[size];
      for (int32_t j = 0; j < i; ++j) // the same size twice in this very shape
        if (info.shape[j] == want)
          bound = sizes[j];
      const symc_dim_info &dim = context.model->dims[size];
      fits = bound >= 0               ? got == bound
             : context.model->batches ? is_sum_of_batches(*context.model->batches, got)
                                      : got >= dim.min && got <= dim.max;
      if (!fits && bound >= 0)
        fixed = size;
      sizes[i] = got;
    }
    if (!fits)
      differs = i;
  }
  if (!why && differs < 0) {
    for (int32_t i = 0; i < info.rank; ++i)
      if (info.shape[i] < 0)
        context.dims[-(info.shape[i] + 1)] = tensor.shape[i];
    return needData ? check_data(list, info, tensor, error) : SYMC_STATUS_OK;
  }
  error << list.kind << " '" << info.name << "': expected ";
  expected_input(context, info, error);
  error << ", got ";
  error.tensor(tensor.dtype, tensor.shape, tensor.rank) << " (";
  if (why)
    error << why;
  else
    error << "dimension " << differs;
  if (fixed >= 0)
    error << ", the same size as " << context.model->dims[fixed].name;
  error << ")";
  return status;
}

List input_list(const symc_context &context) {
  return {"argument",
          "inputs",
          context.model->inputs,
          context.model->n_inputs,
          SYMC_TENSOR_OPTIONAL,
          context.variant->device,
          context.ordinal};
}

List output_list(const symc_context &context) {
  return {"output",
          "outputs",
          context.model->outputs,
          context.model->n_outputs,
          0,
          context.variant->device,
          context.ordinal};
}

symc_status check_inputs(symc_context &context, const symc_tensor *inputs, int32_t n,
                         bool needData) {
  const symc_model &model = *context.model;
  Text error(context.error, sizeof context.error);
  List list = input_list(context);
  Selection selection(list, inputs, n);
  symc_status status = selection.check(error);
  for (int32_t i = 0; i < model.n_dims; ++i)
    context.dims[i] = -1;
  if (status == SYMC_STATUS_OK)
    status = size_states(context, error);
  for (int32_t i = 0; i < model.n_inputs && status == SYMC_STATUS_OK; ++i) {
    const symc_tensor *tensor = selection.next(i);
    if (tensor)
      status = check_input(context, list, model.inputs[i], *tensor, needData, error);
    if (needData)
      context.inputs()[i] = tensor ? tensor->data : nullptr;
  }
  // A size that only left-out inputs have is read by no live node.
  for (int32_t i = 0; i < model.n_dims; ++i)
    if (context.dims[i] < 0)
      context.dims[i] = model.dims[i].max;
  if (status != SYMC_STATUS_OK || !model.check_sizes)
    return status;
  int32_t violated = model.check_sizes(context.dims);
  if (violated < 0)
    return SYMC_STATUS_OK;
  say_condition(context, violated, error);
  return SYMC_STATUS_BAD_SHAPE;
}

void infer_extents(symc_context &context) {
  const symc_model &model = *context.model;
  if (model.output_shapes) {
    model.output_shapes(context.dims, context.extents);
    return;
  }
  int64_t *extent = context.extents;
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    for (int32_t d = 0; d < model.outputs[i].rank; ++d)
      extent[d] = model.outputs[i].shape[d];
    if (model.batches && model.batches->row_bytes[model.n_inputs + i])
      extent[0] = extent[0] / model.dims[0].max * context.dims[0];
    extent += model.outputs[i].rank;
  }
}

static uint64_t end_of(const void *data, const symc_tensor_info &info, const int64_t *extents,
                       const int64_t *dims) {
  int64_t bytes = data ? symc_dtype_bytes(info.dtype) : 0;
  for (int32_t i = 0; i < info.rank; ++i)
    bytes *= extents[i] < 0 ? dims[-(extents[i] + 1)] : extents[i];
  return uint64_t(uintptr_t(data)) + uint64_t(bytes);
}

IoRange whole_range(const symc_model &model) { return {0, model.n_inputs, 0, model.n_outputs}; }

symc_status check_overlaps(symc_context &context, const IoRange &range) {
  const symc_model &model = *context.model;
  const int64_t *extents = context.extents;
  void *const *inputs = context.inputs(), *const *outputs = context.outputs();
  uint64_t *inputEnds = context.ends, *outputEnds = context.ends + model.n_inputs;
  for (int32_t i = range.firstInput; i < range.endInput; ++i)
    inputEnds[i] = end_of(inputs[i], model.inputs[i], model.inputs[i].shape, context.dims);
  // The first of the ranges from `i` to `count` that [data, end) overlaps, or `count`.
  auto first = [](void *const *starts, const uint64_t *ends, int32_t i, int32_t count,
                  uint64_t data, uint64_t end) {
    while (i < count && !(uint64_t(uintptr_t(starts[i])) < end && data < ends[i]))
      ++i;
    return i;
  };
  for (int32_t i = 0; i < range.endOutput; ++i) {
    const int64_t *own = extents;
    extents += model.outputs[i].rank;
    if (i < range.firstOutput)
      continue;
    uint64_t data = uint64_t(uintptr_t(outputs[i]));
    uint64_t end = outputEnds[i] = end_of(outputs[i], model.outputs[i], own, nullptr);
    if (data == end)
      continue;
    int32_t input = first(inputs, inputEnds, range.firstInput, range.endInput, data, end);
    int32_t output = first(outputs, outputEnds, range.firstOutput, i, data, end);
    if (input == range.endInput && output == i)
      continue;
    Text error(context.error, sizeof context.error);
    error << "output '" << model.outputs[i].name
          << "': expected memory of its own, got memory that overlaps ";
    if (input < range.endInput)
      error << "argument '" << model.inputs[input].name << "'";
    else
      error << "output '" << model.outputs[output].name << "'";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  return SYMC_STATUS_OK;
}

symc_status check_weights(symc_context &context) {
  if (context.weights.from != WeightsFrom::None)
    return SYMC_STATUS_OK;
  Text error(context.error, sizeof context.error);
  error << symc_status_message(SYMC_STATUS_NO_WEIGHTS)
        << "; symc_set_parameters makes them from raw parameters";
  return SYMC_STATUS_NO_WEIGHTS;
}

} // namespace symc
