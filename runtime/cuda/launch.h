// launch.h: the kernels of a program, put in a stream.
#ifndef SYMC_RUNTIME_CUDA_LAUNCH_H
#define SYMC_RUNTIME_CUDA_LAUNCH_H

#include "module.h"

namespace symc::cuda {

// What an argument of a launch is in this run; of a map its number, since the kernel has pointers
// to the same memory beside it.
uint64_t value_of(const symc_frame &frame, const symc_cuda_argument &argument, int64_t round);

// Puts launch `number` of the program in the frame's stream, all rounds of it, or writes what is
// wrong into the frame.
symc_status start_kernel(const symc_frame &frame, const symc_cuda_program &program,
                         const symc_cuda_module &module, int32_t number);
// The same with all of them, in order. Where `early` is true, blocks of a kernel that stands right
// behind another one may take their places before that one ends, which it has to wait for by
// itself: symc_cuda_image.waits. Set to false where the driver refuses that; it starts kernels as
// without then.
symc_status start_kernels(const symc_frame &frame, const symc_cuda_program &program,
                          const symc_cuda_module &module, bool &early);
// Whether the driver and the program's code can.
bool may_start_early(const symc_cuda_module &module);

// The status of a run behind which kernels have left `word`, its sentence in the frame; see
// symc_cuda_program.status_offset.
symc_status end_of_kernels(const symc_frame &frame, const symc_cuda_program &program,
                           uint64_t word);

// Whether the application captures the stream, or that is unknown.
bool is_captured(CUstream stream);

} // namespace symc::cuda
#endif
