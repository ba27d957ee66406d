// watch.cpp: who receives gradients that are final while the program goes on.
#include "training.h"

#include <stddef.h>

using namespace symc;

symc_status symc_watch_gradients(symc_context *context, symc_gradients_fn watcher, void *user) {
  Training *training = training_of(context);
  if (!training)
    return context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
  training->watcher = watcher;
  training->watcherUser = user;
  return SYMC_STATUS_OK;
}

// Frames of whole runs are fields of their contexts.
void symc_report_step(const symc_frame *frame, int32_t output) {
  const char *at = reinterpret_cast<const char *>(frame) - offsetof(symc_context, frame);
  symc_context &context = *reinterpret_cast<symc_context *>(const_cast<char *>(at));
  Training *training = context.training;
  if (!training)
    return;
  if (output < -1)
    return output % 2 == 0 ? update_behind(context, (-2 - output) / 2)
                           : begin_gradient(context, (-3 - output) / 2);
  if (output >= 0)
    note_gradient(context, output);
  if (!training->watcher)
    return;
  if (output < 0) {
    training->watcher(training->watcherUser, 0, 0);
    return;
  }
  for (int32_t i = 0; i < training->nParameters; ++i) {
    if (training->parameters[i].trained->gradient != output || !training->parameters[i].gradient)
      continue;
    // With the lanes up to the next gradient.
    size_t first = size_t(training->parameters[i].gradient - training->gradients);
    size_t end = training->gradientBytes / sizeof(float);
    for (int32_t next = i + 1; next < training->nParameters; ++next)
      if (const float *gradient = training->parameters[next].gradient) {
        end = size_t(gradient - training->gradients);
        break;
      }
    training->watcher(training->watcherUser, first, end - first);
    return;
  }
}
