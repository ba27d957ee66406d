// watch.cpp: who receives gradients that are final while the program goes on.
#include "training.h"

#include <stddef.h>

using namespace symc;

void symc::watch_gradients(symc_context *context, void (*watcher)(void *user, int32_t parameter),
                           void *user) {
  Training *training = training_of(context);
  if (!training)
    return;
  training->watcher = watcher;
  training->watcherUser = user;
}

// Frames of whole runs are fields of their contexts.
void symc_report_step(const symc_frame *frame, int32_t output) {
  const char *at = reinterpret_cast<const char *>(frame) - offsetof(symc_context, frame);
  const symc_context &context = *reinterpret_cast<const symc_context *>(at);
  const Training *training = context.training;
  if (!training || !training->watcher)
    return;
  int32_t parameter = -1;
  for (int32_t i = 0; i < training->nParameters && output >= 0 && parameter < 0; ++i)
    if (training->parameters[i].trained->gradient == output)
      parameter = i;
  if (output < 0 || parameter >= 0)
    training->watcher(training->watcherUser, parameter);
}
