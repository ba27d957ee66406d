// update.cpp: parameters change by their gradients. The elements of each parameter are cut into
// ranges of a fixed length, the tasks of one call: bits do not depend on threads. Passes follow
// each other; sums that one leaves are added over the ranges in order, before the next begins.
#include "training.h"

#include "../core/float_mode.h"

#include <string.h>

namespace symc {

namespace {
struct Job {
  Training *training;
  const UpdatePieces *pieces;
  symc_update_fn run;
  uint64_t seed;
  int64_t step;
};
} // namespace

// The parameter of a task: the last whose first task is not behind it. Frozen ones have none.
static int32_t parameter_of(const Training &training, int64_t task) {
  int32_t low = 0, high = training.nParameters;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    (training.updates[middle].firstTask <= task ? low : high) = middle;
  }
  return low;
}

static void run_task(const symc_frame *frame, int64_t task) {
  const Job &job = *static_cast<const Job *>(frame->io[0]);
  if (job.pieces && job.pieces->owners[task] != job.pieces->own)
    return;
  Training &training = *job.training;
  int32_t index = parameter_of(training, task);
  const Parameter &parameter = training.parameters[index];
  const UpdateOfOne &one = training.updates[index];
  symc_update_args args = {};
  args.first = (task - one.firstTask) * SYMC_UPDATE_RANGE;
  args.count = parameter.count - args.first;
  if (args.count > SYMC_UPDATE_RANGE)
    args.count = SYMC_UPDATE_RANGE;
  args.weight = parameter.weight + args.first;
  args.gradient = parameter.gradient + args.first;
  for (int32_t k = 0; k < training.nStates; ++k)
    args.states[k] = parameter.states[k] + args.first;
  args.scratch = parameter.scratch ? parameter.scratch + args.first : nullptr;
  args.values = one.values;
  args.derived = one.derived;
  args.sums = one.sums;
  args.step = job.step;
  args.partial = training.partial + task * SYMC_MAX_SUMS;
  args.seed = job.seed;
  args.stream = uint64_t(index);
  job.run(&args);
}

static void add_sums(Training &training) {
  for (int32_t i = 0; i < training.nParameters; ++i) {
    UpdateOfOne &one = training.updates[i];
    memset(one.sums, 0, sizeof one.sums);
    for (int64_t task = one.firstTask; task < training.updates[i + 1].firstTask; ++task)
      for (int32_t k = 0; k < SYMC_MAX_SUMS; ++k)
        one.sums[k] += training.partial[task * SYMC_MAX_SUMS + k];
  }
}

static void run_pass(symc_context &context, symc_update_fn run, const UpdatePieces *pieces) {
  Training &training = *context.training;
  Job job = {&training, pieces, run, context.frame.seed, training.step};
  void *io[1] = {&job};
  symc_frame frame = {};
  frame.io = io;
  frame.pool = context.frame.pool;
  memset(training.partial, 0, size_t(training.nTasks) * SYMC_MAX_SUMS * sizeof(double));
  symc_parallel(&frame, run_task, training.nTasks);
}

static void prepare(Training &training, const symc_optimizer_row &row, const double *values) {
  for (int32_t i = 0; i < training.nParameters; ++i) {
    Parameter &parameter = training.parameters[i];
    UpdateOfOne &one = training.updates[i];
    if (!parameter.gradient)
      continue;
    if (parameter.trained->is_fixed_gamma) // as MXNet's BatchNorm writes it into the array
      for (int64_t k = 0; k < parameter.count; ++k)
        parameter.weight[k] = 1;
    memcpy(one.values, values, sizeof one.values);
    one.values[SYMC_HYPER_LEARNING_RATE] *= parameter.trained->lr_mult;
    one.values[SYMC_HYPER_WD] *= parameter.trained->wd_mult;
    memset(one.sums, 0, sizeof one.sums);
    int64_t rows = parameter.info->rank ? parameter.info->shape[0] : 1;
    symc_update_begin begin = {parameter.info->name, parameter.count,   training.step, one.values,
                               one.derived,          training.schedule, rows};
    if (row.prepare)
      row.prepare(&begin);
  }
}

// Momenta of weights that get no gradient any more fall through the numbers nearest to zero, of
// which each costs many processors a hundred cycles: zeros in their place.
bool update_parameters(symc_context &context, const double *values, const UpdatePieces *pieces) {
  Training &training = *context.training;
  const symc_optimizer_row &row = *context.model->training->optimizer;
  FlushDenormals scope(true);
  context.hasChanged = true;
  ++training.step;
  prepare(training, row, values);
  if (!training.hasStates && row.create)
    run_pass(context, row.create, pieces);
  training.hasStates = true;
  for (int32_t pass = 0; pass < row.n_passes; ++pass) {
    run_pass(context, row.passes[pass], pieces);
    if (pass + 1 == row.n_passes)
      break;
    if (pieces && !pieces->join(pieces->user, training.partial, training.nTasks))
      return false;
    add_sums(training);
  }
  return true;
}

} // namespace symc
