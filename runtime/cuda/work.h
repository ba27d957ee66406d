// work.h: the parts of DeviceWork (core/context.h).
#ifndef SYMC_RUNTIME_CUDA_WORK_H
#define SYMC_RUNTIME_CUDA_WORK_H

#include "../core/context.h"

namespace symc {

symc_status upload_to_device(Text &error, symc_context &context);
void release_uploads(symc_context &context);

// Copies tensors of the CPU to places in one block of the device's memory, which the context keeps
// for the next run, starts the variant, copies outputs back and waits.
symc_status run_on_device(symc_context &context, const RunTensors &tensors, Text &error);
void release_staging(symc_context &context);

// Makes room for what is kept from run to run (runs.h), as SYMC_CUDA_GRAPHS and SYMC_CUDA_PROFILE
// require; without memory nothing is kept. BAD_ARGUMENT where a profile cannot be written.
symc_status open_runs(Text &error, symc_context &context);
// When nothing of the context runs any more.
void release_runs(symc_context &context);

} // namespace symc
#endif
