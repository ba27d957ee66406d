// initialize.cpp: first values of the parameters of a context, those that its file lacks. Each is a
// task: numbers do not depend on threads.
#include "initializers.h"
#include "training.h"

using namespace symc;

namespace {
struct Job {
  Training *training;
  const char *initializer;
  uint64_t seed;
  symc_status status; // of a parameter that failed
};
} // namespace

static InitialArray array_of(const Parameter &parameter) {
  return {parameter.info->name, parameter.info->shape, parameter.info->rank,
          parameter.trained->initializer, parameter.weight};
}

static void run_task(const symc_frame *frame, int64_t task) {
  Job &job = *static_cast<Job *>(frame->io[0]);
  Parameter &parameter = job.training->parameters[task];
  if (parameter.hasValue)
    return;
  char error[8]; // what there is to refuse was refused before
  symc_status status =
      initialize_array(array_of(parameter), job.initializer, job.seed, error, sizeof error);
  if (status == SYMC_STATUS_OK)
    parameter.hasValue = true;
  else
    __atomic_store_n(&job.status, status, __ATOMIC_RELAXED);
}

symc_status symc_initialize(symc_context *context, const char *initializer, uint64_t seed) {
  Training *training = training_of(context);
  if (!training)
    return context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
  Job job = {training, initializer, seed, SYMC_STATUS_OK};
  if (!initializer)
    job.initializer = context->model->training->initializer;
  for (int32_t i = 0; i < training->nParameters; ++i) {
    Parameter &parameter = training->parameters[i];
    if (parameter.trained->image_offset >= 0)
      continue;
    symc_status status =
        check_initial(array_of(parameter), job.initializer, context->error, sizeof context->error);
    if (status != SYMC_STATUS_OK)
      return status;
  }
  symc_status status = begin_training(*context);
  if (status != SYMC_STATUS_OK)
    return status;
  void *io[1] = {&job};
  symc_frame frame = {};
  frame.io = io;
  frame.pool = context->frame.pool;
  symc_parallel(&frame, run_task, training->nParameters);
  if (job.status != SYMC_STATUS_OK)
    Text(context->error, sizeof context->error) << symc_status_message(job.status);
  return job.status;
}
