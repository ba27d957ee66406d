// staging.h: tensors of the CPU for a model that runs on another device. They get places in one
// block of the device's memory, which the context keeps for the next run.
#ifndef SYMC_RUNTIME_CORE_STAGING_H
#define SYMC_RUNTIME_CORE_STAGING_H

#include "context.h"

namespace symc {

// The tensors of a run, as check_inputs and check_outputs found them right.
struct RunTensors {
  const symc_tensor *inputs;
  int32_t n_inputs;
  const symc_tensor *outputs;
  int32_t n_outputs;
};

// Points the context's io to places on the device, and puts copies of the inputs in the stream.
symc_status stage_tensors(symc_context &context, const RunTensors &tensors, Text &error);
// Puts copies of the outputs to the CPU in the stream.
symc_status fetch_outputs(symc_context &context, const RunTensors &tensors, Text &error);

} // namespace symc
#endif
