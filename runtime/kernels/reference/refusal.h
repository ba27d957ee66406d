// refusal.h: why a kernel refuses the values that it finds, as a run's message says it. Called
// behind loops whose rows threads share, by one of them.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H

#include "symc/runtime.h"

namespace symc::ref {

// The status, with the sentence, which the caller of the run gets; what is too long is cut off. A
// device's kernels have no frame to write it to, nor has a kernel that is called by itself.
inline int32_t refuse(const symc_kernel_args *args, const char *sentence,
                      int32_t status = SYMC_STATUS_RUN_FAILED) {
#ifndef SYMC_ON_DEVICE
  const symc_frame *frame = args->frame;
  if (frame && frame->error && frame->error_bytes > 0) {
    int32_t length = 0;
    for (; sentence[length] && length < frame->error_bytes - 1; ++length)
      frame->error[length] = sentence[length];
    frame->error[length] = 0;
  }
#endif
  return status;
}

// Why one of the rows that threads share is refused. Whoever finds it notes it and ends its rows;
// behind the loop one thread refuses. Where several are, any of them is told.
class Cause {
public:
  int32_t note(const char *sentence, int32_t status = SYMC_STATUS_RUN_FAILED) {
#ifndef SYMC_ON_DEVICE
    __atomic_store_n(&why, sentence, __ATOMIC_RELAXED);
#endif
    return status;
  }
  // The status of the loop.
  int32_t refuse(const symc_kernel_args *args, int32_t status) const {
    return status != SYMC_STATUS_OK && why ? ref::refuse(args, why, status) : status;
  }

private:
  const char *why = nullptr;
};

inline int32_t refuse_infinite(const symc_kernel_args *args) {
  return refuse(args, "a matrix to decompose holds an element that is not finite");
}

} // namespace symc::ref
#endif
