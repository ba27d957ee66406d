// update.cpp: parameters change by their gradients. The elements of each parameter are cut into
// ranges of a fixed length, which are tasks: bits do not depend on threads, nor on when a parameter
// is updated and with which others. Passes follow each other; sums that one leaves are added over
// the ranges in order, before the next begins.
//
// A step updates either all parameters behind backward, or each where the program reports that
// nothing touches it any more, by which time nothing can fail: its gradient is in the cache then.
// Small ones wait for others, so that threads do not meet for each. Where nobody reads gradients
// behind the step, the next one takes the memory of one whose parameter is updated.
#include "training.h"

#include "../core/float_mode.h"
#include "../core/memory.h"

#include <string.h>

namespace symc {

// Parameters wait until they have so many elements: no shorter than what threads need to meet.
constexpr int64_t groupElements = SYMC_UPDATE_RANGE;

namespace {
struct Job {
  Training *training;
  const UpdatePieces *pieces;
  symc_update_fn run;
  uint64_t seed;
  int64_t step;
};
} // namespace

// Which of the waiting parameters has a task of a pass over them: the last whose first one is not
// behind it.
static int32_t waiting_of(const Updates &updates, int64_t task) {
  int32_t low = 0, high = updates.nWaiting;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    (updates.waiting[middle].firstTask <= task ? low : high) = middle;
  }
  return low;
}

static void run_task(const symc_frame *frame, int64_t task) {
  const Job &job = *static_cast<const Job *>(frame->io[0]);
  Training &training = *job.training;
  const Waiting &waiting = training.updating.waiting[waiting_of(training.updating, task)];
  int32_t index = waiting.parameter;
  const Parameter &parameter = training.parameters[index];
  const UpdateOfOne &one = training.updates[index];
  task += one.firstTask - waiting.firstTask; // of all parameters
  if (job.pieces && job.pieces->owners[task] != job.pieces->own)
    return;
  symc_update_args args = {};
  args.first = (task - one.firstTask) * SYMC_UPDATE_RANGE;
  args.count = parameter.count - args.first;
  if (args.count > SYMC_UPDATE_RANGE)
    args.count = SYMC_UPDATE_RANGE;
  args.weight = parameter.weight + args.first;
  args.gradient = parameter.computed + args.first;
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
  for (int32_t i = 0; i < training.updating.nWaiting; ++i) {
    int32_t index = training.updating.waiting[i].parameter;
    UpdateOfOne &one = training.updates[index];
    memset(one.sums, 0, sizeof one.sums);
    for (int64_t task = one.firstTask; task < training.updates[index + 1].firstTask; ++task)
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
  int64_t tasks = 0;
  for (int32_t i = 0; i < training.updating.nWaiting; ++i) {
    Waiting &waiting = training.updating.waiting[i];
    const UpdateOfOne *one = &training.updates[waiting.parameter];
    int64_t own = one[1].firstTask - one->firstTask;
    memset(training.partial + one->firstTask * SYMC_MAX_SUMS, 0,
           size_t(own) * SYMC_MAX_SUMS * sizeof(double));
    waiting.firstTask = tasks;
    tasks += own;
  }
  symc_parallel(&frame, run_task, tasks);
}

static void prepare(Training &training, const symc_optimizer_row &row, const double *values) {
  for (int32_t i = 0; i < training.nParameters; ++i) {
    Parameter &parameter = training.parameters[i];
    UpdateOfOne &one = training.updates[i];
    if (!parameter.gradient)
      continue;
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

static void leave_place(Updates &updates, int32_t parameter) {
  int32_t kept = 0;
  for (int32_t i = 0; i < updates.nPlaces; ++i)
    if (updates.places[i].parameter != parameter)
      updates.places[kept++] = updates.places[i];
  updates.nPlaces = kept;
}

// Updates the parameters that wait. Momenta of weights that get no gradient any more fall through
// the numbers nearest to zero, of which each costs many processors a hundred cycles: zeros in their
// place.
static bool update_waiting(symc_context &context, const UpdatePieces *pieces) {
  Training &training = *context.training;
  Updates &updates = training.updating;
  const symc_optimizer_row &row = *context.model->training->optimizer;
  FlushDenormals scope(true);
  context.hasChanged = true;
  updates.inBackward += updates.isOpen ? updates.nWaiting : 0;
  for (int32_t i = 0; i < updates.nWaiting; ++i) {
    const Parameter &parameter = training.parameters[updates.waiting[i].parameter];
    if (parameter.trained->is_fixed_gamma) // as MXNet's BatchNorm writes it into the array
      for (int64_t k = 0; k < parameter.count; ++k)
        parameter.weight[k] = 1;
  }
  if (!training.hasStates && row.create)
    run_pass(context, row.create, pieces);
  bool joined = true;
  for (int32_t pass = 0; pass < row.n_passes && joined; ++pass) {
    run_pass(context, row.passes[pass], pieces);
    if (pass + 1 == row.n_passes)
      break;
    joined = !pieces || pieces->join(pieces->user, training.partial, training.nTasks);
    if (joined)
      add_sums(training);
  }
  for (int32_t i = 0; i < updates.nWaiting && updates.shares; ++i)
    leave_place(updates, updates.waiting[i].parameter);
  updates.nWaiting = 0;
  updates.waitingElements = 0;
  return joined;
}

static void wait(Training &training, int32_t index) {
  Updates &updates = training.updating;
  training.updates[index].phase = UpdateOfOne::Done;
  updates.waiting[updates.nWaiting++].parameter = index;
  updates.waitingElements += training.parameters[index].count;
}

void begin_updates(symc_context &context, const double *values, bool shares) {
  Training &training = *context.training;
  memcpy(training.updating.schedule, training.schedule, sizeof training.schedule);
  ++training.step;
  prepare(training, *context.model->training->optimizer, values);
  for (int32_t i = 0; i < training.nParameters; ++i) {
    training.parameters[i].computed = training.parameters[i].gradient;
    training.updates[i].phase = UpdateOfOne::Computed;
  }
  training.updating.isOpen = true;
  training.updating.shares = shares;
  training.updating.nPlaces = training.updating.nWaiting = 0;
  training.updating.waitingElements = 0;
  training.updating.inBackward = 0;
  training.updating.takenBytes = shares ? 0 : training.gradientBytes;
}

void abandon_updates(Training &training) {
  training.updating.isOpen = false;
  memcpy(training.schedule, training.updating.schedule, sizeof training.schedule);
  --training.step;
}

bool finish_updates(symc_context &context, const UpdatePieces *pieces) {
  Training &training = *context.training;
  training.updating.isOpen = false;
  for (int32_t i = 0; i < training.nParameters; ++i)
    if (training.parameters[i].gradient && training.updates[i].phase != UpdateOfOne::Done)
      wait(training, i);
  bool joined = update_waiting(context, pieces);
  training.hasStates = true;
  return joined;
}

// The first gap that is large enough. Each gradient takes a place once in a step, so that together
// they need no more memory than one behind the other.
void begin_gradient(symc_context &context, int32_t output) {
  Training &training = *context.training;
  Updates &updates = training.updating;
  bool known = updates.isOpen && updates.shares && output < context.model->n_outputs;
  int32_t index = known ? training.parameterOf[output] : -1;
  if (index < 0)
    return;
  Parameter &parameter = training.parameters[index];
  size_t bytes = allocated_bytes(size_t(parameter.info->max_bytes), SYMC_ALIGN), first = 0;
  int32_t at = 0;
  for (; at < updates.nPlaces && updates.places[at].first - first < bytes; ++at)
    first = updates.places[at].first + updates.places[at].bytes;
  memmove(updates.places + at + 1, updates.places + at,
          size_t(updates.nPlaces - at) * sizeof(Place));
  updates.places[at] = {first, bytes, index};
  ++updates.nPlaces;
  if (first + bytes > updates.takenBytes)
    updates.takenBytes = first + bytes;
  parameter.computed = training.gradients + first / sizeof(float);
  context.outputs()[output] = parameter.computed;
}

void clear_gaps(Training &training) {
  for (int32_t i = 0; i < training.nParameters && !training.gapsAreZero; ++i) {
    const Parameter &parameter = training.parameters[i];
    size_t bytes = size_t(parameter.info->max_bytes);
    if (parameter.gradient)
      memset(reinterpret_cast<uint8_t *>(parameter.gradient) + bytes, 0,
             allocated_bytes(bytes, SYMC_ALIGN) - bytes);
  }
  training.gapsAreZero = true;
}

void note_gradient(symc_context &context, int32_t output) {
  Training &training = *context.training;
  bool known = training.updating.isOpen && output < context.model->n_outputs; // else a new state
  int32_t index = known ? training.parameterOf[output] : -1;
  if (index >= 0 && training.updates[index].phase == UpdateOfOne::Computed)
    training.updates[index].phase = UpdateOfOne::Final;
}

void update_behind(symc_context &context, int32_t output) {
  Training &training = *context.training;
  bool known = training.updating.isOpen && output < context.model->n_outputs;
  int32_t index = known ? training.parameterOf[output] : -1;
  if (index < 0 || training.updates[index].phase != UpdateOfOne::Final)
    return; // finish_updates has it
  wait(training, index);
  if (training.updating.waitingElements >= groupElements)
    update_waiting(context, nullptr);
}

} // namespace symc
