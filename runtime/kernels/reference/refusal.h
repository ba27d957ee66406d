// refusal.h: what a kernel of the reference does about a reason to refuse its values. Any row of
// those that threads share returns refuse(Refusal::X); of several reasons one is reported.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_REFUSAL_H

#include "../../core/refusals.h"

namespace symc::ref {

using symc::Refusal;
using symc::refuse;

// The status of a call, with the sentence of its reason, which the caller of the run gets; what is
// too long is cut off. A device's kernels have no frame to write it to: they return what they have,
// and the runtime reads it behind the run.
inline int32_t settle([[maybe_unused]] const symc_kernel_args *args, int32_t returned) {
#ifdef SYMC_ON_DEVICE
  return returned;
#else
  const char *sentence = symc_refusal_sentence(number_of_refusal(returned));
  const symc_frame *frame = args->frame; // none where a kernel is called by itself
  if (sentence && frame && frame->error && frame->error_bytes > 0) {
    int32_t length = 0;
    for (; sentence[length] && length < frame->error_bytes - 1; ++length)
      frame->error[length] = sentence[length];
    frame->error[length] = 0;
  }
  return status_of_refusal(returned);
#endif
}

} // namespace symc::ref
#endif
