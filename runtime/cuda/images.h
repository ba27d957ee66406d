// images.h: which of a program's images a device runs.
#ifndef SYMC_RUNTIME_CUDA_IMAGES_H
#define SYMC_RUNTIME_CUDA_IMAGES_H

#include "../core/text.h"
#include "symc/cuda.h"

namespace symc::cuda {

// The image for a device of that architecture (86: compute capability 8.6), or NULL:
//   - a cubin of the same major number and a lower or the same minor one, the highest first; a
//     specific one (90a) before others, on its own architecture alone;
//   - else the highest PTX of a lower or the same architecture; a specific one on its own alone;
//   - else a host library of the same architecture, which only stand-ins for the driver run.
const symc_cuda_image *choose_image(const symc_cuda_program &program, int32_t architecture);

// "sm_90a", "compute_80".
Text &say_image(Text &text, const symc_cuda_image &image);

} // namespace symc::cuda
#endif
