// refusal.h: why a kernel refuses the values that it finds, as a run's message says it. Called
// behind loops whose rows threads share, by one of them.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H

#include "symc/runtime.h"

namespace symc::ref {

// RUN_FAILED with the sentence, which the caller of the run gets; what is too long is cut off. A
// device's kernels have no frame to write it to, nor has a kernel that is called by itself.
inline int32_t refuse(const symc_kernel_args *args, const char *sentence) {
#ifndef SYMC_ON_DEVICE
  const symc_frame *frame = args->frame;
  if (frame && frame->error && frame->error_bytes > 0) {
    int32_t length = 0;
    for (; sentence[length] && length < frame->error_bytes - 1; ++length)
      frame->error[length] = sentence[length];
    frame->error[length] = 0;
  }
#endif
  return SYMC_STATUS_RUN_FAILED;
}
inline int32_t refuse_infinite(const symc_kernel_args *args) {
  return refuse(args, "a matrix to decompose holds an element that is not finite");
}

} // namespace symc::ref
#endif
