// context.cpp: the context of a training and the memory of its inputs, outputs and states.
#include "training.h"

#include "../../core/pool.h"

#include <stdlib.h>

namespace symc::train {

bool Training::openContext(Problem &problem) {
  symc_options made = {};
  made.error = problem.text;
  made.error_bytes = sizeof problem.text;
  made.flags = SYMC_FLUSH_DENORMALS; // which decayed momenta become
  if (options->given(Option::Threads)) {
    int64_t threads = options->count(Option::Threads);
    made.threads = threads == 0 ? processor_count() : int32_t(threads);
  }
  symc_status status = symc_create(model, &made, &context);
  if (status != SYMC_STATUS_OK) {
    problem.exit = RunFailed;
    return problem.text[0] != 0 ? false : problem.set(RunFailed, "%s", symc_status_message(status));
  }
  symc_choose_updates(context, !fused                            ? SYMC_UPDATES_DEFERRED
                               : options->count(Option::Monitor) ? SYMC_UPDATES_FUSED
                                                                 : SYMC_UPDATES_WITHOUT_GRADIENTS);
  size_t total = 0, n = size_t(network.nOutputs) + 1;
  auto rounded = [](int64_t count) { return (size_t(count) * sizeof(float) + 63) & ~size_t(63); };
  for (int32_t i = 0; i < network.nOutputs; ++i)
    total += rounded(network.outputs[i].count);
  outputs = static_cast<float **>(calloc(n, sizeof(float *)));
  outputTensors = static_cast<symc_tensor *>(calloc(n, sizeof(symc_tensor)));
  inputTensors = static_cast<symc_tensor *>(calloc(maxInputs, sizeof(symc_tensor)));
  if (!outputs || !outputTensors || !inputTensors)
    return problem.set(RunFailed, "cannot allocate %zu bytes", n * sizeof(symc_tensor));
  if (!outputMemory.allocate(total, problem))
    return false;
  uint8_t *at = outputMemory.data;
  for (int32_t i = 0; i < network.nOutputs; ++i) {
    const symc_tensor_info &info = *network.outputs[i].info;
    if (info.dtype != SYMC_F32)
      return problem.set(RunFailed, "output '%s' is of %s, this program measures f32 alone",
                         info.name, symc_dtype_name(info.dtype));
    outputs[i] = reinterpret_cast<float *>(at);
    outputTensors[i].data = at;
    outputTensors[i].shape = info.shape;
    outputTensors[i].rank = info.rank;
    outputTensors[i].dtype = info.dtype;
    at += rounded(network.outputs[i].count);
  }
  for (int32_t i = 0; i < network.nInputs; ++i) {
    const symc_tensor_info &info = *network.infos[i];
    if (info.dtype != SYMC_F32)
      return problem.set(RunFailed, "input '%s' is of %s, this program reads f32 alone", info.name,
                         symc_dtype_name(info.dtype));
    inputTensors[i].shape = info.shape;
    inputTensors[i].rank = info.rank;
    inputTensors[i].dtype = info.dtype;
  }
  size_t stateBytes = 0;
  for (int32_t i = 0; i < symc_state_count(model); ++i)
    stateBytes += (size_t(symc_state(model, i)->max_bytes) + 63) & ~size_t(63);
  return stateMemory.allocate(stateBytes, problem);
}

} // namespace symc::train
