// host_steps.h: steps of a CUDA program that have no kernel and run on the CPU.
#ifndef SYMC_RUNTIME_CUDA_HOST_STEPS_H
#define SYMC_RUNTIME_CUDA_HOST_STEPS_H

#include "symc/cuda.h"

namespace symc::cuda {

// Runs such a launch (kernel < 0): waits for the work before it, and leaves copies of what it wrote
// in the stream. OK, what the step or a kernel before it returned, OUT_OF_MEMORY or the driver's
// status; a sentence where it is not the step's.
int32_t run_on_host(const symc_frame &frame, const symc_cuda_program &program,
                    const symc_cuda_launch &launch);

} // namespace symc::cuda
#endif
