// profile.h: how long each kernel takes, measured by the device between events in its stream.
#ifndef SYMC_RUNTIME_CUDA_PROFILE_H
#define SYMC_RUNTIME_CUDA_PROFILE_H

#include "launch.h"

namespace symc::cuda {

// Of a context, which is used by one thread at a time; NULL without memory. `file` may be NULL.
struct Profile;
Profile *open_profile(const char *file, const char *model, int32_t ordinal);
// Writes the table to the file: nodes, kernels and the shortest time of each. When nothing of the
// context runs any more; the device is the one that the thread uses.
void close_profile(Profile *profile);

// The shortest time of each launch in milliseconds, of the program's runs behind the first; NULL
// where there are none.
const float *shortest_times(const Profile &profile, const symc_cuda_program &program);
// What measuring ended with, or Success.
CUresult failure_of(const Profile &profile);

// start_kernels, and waits for the times. What fails in measuring ends it for the context, and is
// reported in the file.
symc_status profile_kernels(Profile &profile, const symc_frame &frame,
                            const symc_cuda_program &program, const symc_cuda_module &module);

} // namespace symc::cuda
#endif
