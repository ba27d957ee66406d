// staging.cpp: a run on a device, with tensors that may lie in the memory of the CPU. Nothing here
// depends on which device it is.
#include "../core/check.h"
#include "../core/memory.h"
#include "runs.h"
#include "work.h"

namespace symc {

static size_t bytes_of(const symc_tensor &tensor) {
  size_t bytes = size_t(symc_dtype_bytes(tensor.dtype));
  for (int32_t i = 0; i < tensor.rank; ++i)
    bytes *= size_t(tensor.shape[i]);
  return bytes;
}

static size_t padded(size_t bytes) { return (bytes + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1); }

// Calls visit(index, tensor) for each tensor with data of the CPU until one call fails.
template <class Visit>
static symc_status for_each_of_cpu(const List &list, const symc_tensor *tensors, int32_t n,
                                   Visit visit) {
  Selection selection(list, tensors, n);
  symc_status status = SYMC_STATUS_OK;
  for (int32_t i = 0; i < list.count && status == SYMC_STATUS_OK; ++i) {
    const symc_tensor *tensor = selection.next(i);
    if (tensor && tensor->device == SYMC_DEVICE_CPU && bytes_of(*tensor))
      status = visit(i, *tensor);
  }
  return status;
}

static symc_status make_room(symc_context &context, size_t bytes, Text &error) {
  if (bytes <= context.stagingBytes)
    return SYMC_STATUS_OK;
  if (context.staging)
    context.device->synchronize(context.frame.stream); // earlier runs may still use it
  release_on_device(context, context.staging, context.stagingBytes);
  context.staging = nullptr;
  context.stagingBytes = 0;
  symc_status status =
      allocate_on_device(context, bytes, "copies of inputs and outputs", error, &context.staging);
  if (status == SYMC_STATUS_OK)
    context.stagingBytes = bytes;
  return status;
}

// Points the context's io to places on the device, and puts copies of the inputs in the stream.
static symc_status stage_tensors(symc_context &context, const RunTensors &tensors, Text &error) {
  List inputs = input_list(context), outputs = output_list(context);
  size_t bytes = 0;
  auto count = [&](int32_t, const symc_tensor &tensor) {
    bytes += padded(bytes_of(tensor));
    return SYMC_STATUS_OK;
  };
  for_each_of_cpu(inputs, tensors.inputs, tensors.n_inputs, count);
  for_each_of_cpu(outputs, tensors.outputs, tensors.n_outputs, count);
  symc_status status = make_room(context, bytes, error);
  if (status != SYMC_STATUS_OK)
    return status;
  uint8_t *place = static_cast<uint8_t *>(context.staging);
  auto stageInput = [&](int32_t i, const symc_tensor &tensor) {
    context.inputs()[i] = place;
    place += padded(bytes_of(tensor));
    symc_status copied = context.device->copy(context.inputs()[i], tensor.data, bytes_of(tensor),
                                              SYMC_COPY_TO_DEVICE, context.frame.stream);
    if (copied != SYMC_STATUS_OK)
      say_device(error << "cannot copy argument '" << inputs.infos[i].name << "' to ", context)
          << ": " << symc_status_message(copied);
    return copied;
  };
  status = for_each_of_cpu(inputs, tensors.inputs, tensors.n_inputs, stageInput);
  auto placeOutput = [&](int32_t i, const symc_tensor &tensor) {
    context.outputs()[i] = place;
    place += padded(bytes_of(tensor));
    return SYMC_STATUS_OK;
  };
  for_each_of_cpu(outputs, tensors.outputs, tensors.n_outputs, placeOutput);
  return status;
}

// Puts copies of the outputs to the CPU in the stream, as long as the run has made them.
static symc_status fetch_outputs(symc_context &context, const RunTensors &tensors, Text &error) {
  List outputs = output_list(context);
  infer_extents(context);
  auto fetch = [&](int32_t i, const symc_tensor &tensor) {
    symc_tensor made = tensor;
    made.shape = context.extents;
    for (int32_t k = 0; k < i; ++k)
      made.shape += context.model->outputs[k].rank;
    symc_status copied = context.device->copy(tensor.data, context.outputs()[i], bytes_of(made),
                                              SYMC_COPY_FROM_DEVICE, context.frame.stream);
    if (copied != SYMC_STATUS_OK)
      say_device(error << "cannot copy output '" << outputs.infos[i].name << "' from ", context)
          << ": " << symc_status_message(copied);
    return copied;
  };
  return for_each_of_cpu(outputs, tensors.outputs, tensors.n_outputs, fetch);
}

symc_status run_on_device(symc_context &context, const RunTensors &tensors, Text &error) {
  DeviceScope scope(context);
  RunScope runs(context);
  symc_status status = scope.check(error);
  if (status == SYMC_STATUS_OK)
    status = stage_tensors(context, tensors, error);
  context.host.weights = context.weights.data;
  context.frame.host = &context.host;
  if (status == SYMC_STATUS_OK)
    status = run_variant(context, error);
  if (status == SYMC_STATUS_OK)
    status = fetch_outputs(context, tensors, error);
  if (status != SYMC_STATUS_OK || (context.flags & SYMC_ASYNCHRONOUS))
    return status;
  status = context.device->synchronize(context.frame.stream);
  if (status != SYMC_STATUS_OK)
    say_device(error << "the run failed on ", context) << ": " << symc_status_message(status);
  return status;
}

void release_staging(symc_context &context) {
  release_on_device(context, context.staging, context.stagingBytes);
  release(nullptr, context.host.memory, context.host.bytes);
}

const DeviceWork deviceWork = {upload_to_device, run_on_device, release_uploads,
                               release_staging,  open_runs,     release_runs};

} // namespace symc
