// program.cpp: the steps of a compiled executable, in order: flags, context, inputs,
// run or bench, outputs. Whatever fails prints one sentence and ends with its exit code.
#include "program.h"

#include "../core/pool.h"
#include "inputs.h"
#include "mxnet_variables.h"
#include "outputs.h"
#include "pictures.h"
#include "process.h"
#include "states.h"
#include "times.h"

#include <stdio.h>
#include <string.h>

namespace symc {

namespace {
// Destroys the context at the end of the scope.
struct Context {
  symc_context *handle = nullptr;
  ~Context() { symc_destroy(handle); }
};
} // namespace

// What failed on a device decides what the caller can do about it.
static Exit exit_of(symc_status status) {
  switch (status) {
  case SYMC_STATUS_NO_DRIVER:
    return NoDriver;
  case SYMC_STATUS_OLD_DRIVER:
    return OldDriver;
  case SYMC_STATUS_NO_DEVICE:
    return NoDevice;
  case SYMC_STATUS_BAD_ORDINAL:
    return BadOrdinal;
  case SYMC_STATUS_NO_CODE:
    return NoCode;
  case SYMC_STATUS_NO_DEVICE_MEMORY:
    return NoDeviceMemory;
  case SYMC_STATUS_LAUNCH_FAILED:
    return LaunchFailed;
  case SYMC_STATUS_DEVICE_LOST:
    return DeviceLost;
  default:
    return RunFailed;
  }
}

static bool open_context(const symc_model &model, const CommandLine &line, Context &context,
                         Problem &problem) {
  symc_options options = {};
  options.error = problem.text;
  options.error_bytes = sizeof problem.text;
  options.flags = line.verifyWeights  ? SYMC_VERIFY_WEIGHTS
                  : line.trustWeights ? SYMC_TRUST_WEIGHTS
                                      : 0;
  if (line.threads >= 0)
    options.threads = line.threads == 0 ? processor_count() : int32_t(line.threads);
  symc_status status = symc_create(&model, &options, &context.handle);
  if (status == SYMC_STATUS_OK)
    status = symc_set_seed(context.handle, uint64_t(line.seed));
  problem.exit = status == SYMC_STATUS_OK ? BadInput : exit_of(status);
  if (status != SYMC_STATUS_OK && !problem.text[0])
    problem.set(problem.exit, "%s", symc_status_message(status));
  return status == SYMC_STATUS_OK;
}

static bool run_once(symc_context *context, const symc_tensor *inputs, int32_t nInputs,
                     const Outputs &outputs, Problem &problem) {
  symc_status status = symc_run(context, inputs, nInputs, outputs.tensors, outputs.count);
  if (status == SYMC_STATUS_OK)
    return true;
  bool shape = status == SYMC_STATUS_BAD_SHAPE || status == SYMC_STATUS_BAD_DTYPE;
  return problem.set(shape ? BadInput : exit_of(status), "%s", symc_last_error(context));
}

static bool bench(symc_context *context, const symc_tensor *inputs, int32_t nInputs,
                  const Outputs &outputs, int64_t runs, FILE *text, Problem &problem) {
  Bytes memory;
  Lengths lengths;
  if (!memory.allocate(size_t(runs) * sizeof(double), problem) || !lengths.note(context, problem) ||
      !run_once(context, inputs, nInputs, outputs, problem))
    return false;
  double *times = reinterpret_cast<double *>(memory.data);
  for (int64_t i = 0; i < runs; ++i) {
    if (!lengths.restore(context, problem))
      return false;
    double start = milliseconds();
    if (!run_once(context, inputs, nInputs, outputs, problem))
      return false;
    times[i] = milliseconds() - start;
  }
  print_times(times, runs, "runs", context, text);
  return true;
}

// One line names the inputs that no file gives, with their sizes.
static void say_made(const symc_model &model, const CommandLine &line, const Inputs &inputs,
                     FILE *text) {
  bool any = false, largest = false;
  for (int32_t i = 0; i < inputs.count; ++i) {
    if (!inputs.made[i])
      continue;
    if (!any && inputs.drawn)
      fprintf(text, "drawing inputs with seed %lld,", (long long)line.seed);
    else if (!any)
      fprintf(text, "%srunning on zeros,", line.nInputs ? "" : "no input given: ");
    any = true;
    largest = largest || inputs.sizes.isLargest(i);
    fprintf(text, " %s [", model.inputs[i].name);
    for (int32_t d = 0; d < inputs.arrays[i].rank; ++d)
      fprintf(text, "%s%lld", d ? ", " : "", (long long)inputs.arrays[i].shape[d]);
    fprintf(text, "]");
  }
  if (any)
    fprintf(text, "%s\n", largest ? ", the largest sizes (--shape chooses others)" : "");
}

static bool run_model(const symc_model &model, const symc_program *program, const CommandLine &line,
                      Problem &problem) {
  Destinations destinations;
  if (!destinations.plan(model, line, problem))
    return false;
  Labels labels;
  if (!labels.load(program, line.labels, problem))
    return false;
  Context context;
  Inputs inputs;
  Outputs outputs;
  if (!open_context(model, line, context, problem) || !set_states(context.handle, line, problem) ||
      !inputs.load(model, line, problem))
    return false;
  Bytes memory; // a model may have more inputs than the stack holds
  if (!memory.allocate((size_t(model.n_inputs) + 1) * sizeof(symc_tensor), problem))
    return false;
  symc_tensor *tensors = reinterpret_cast<symc_tensor *>(memory.data);
  inputs.tensors(tensors);
  if (inputs.scaled)
    fprintf(stderr, "%s: note: pixels are scaled to 0..1, since no preprocessing was compiled in\n",
            model.name);
  if (!outputs.allocate(context.handle, tensors, model.n_inputs, problem))
    return false;
  FILE *text = destinations.standardOutput ? stderr : stdout; // nothing between the bytes
  say_made(model, line, inputs, text);
  bool done = line.bench ? bench(context.handle, tensors, model.n_inputs, outputs, line.bench, text,
                                 problem)
                         : run_once(context.handle, tensors, model.n_inputs, outputs, problem);
  if (!done || !outputs.settle(context.handle, problem))
    return false;
  if (destinations.count)
    return outputs.write(destinations, problem);
  return line.bench || outputs.print(model, labels, line.top, problem);
}

int run_program(const symc_model &model, const symc_program *program, int argc, char **argv) {
  settle_process();
  CommandLine line;
  Problem problem;
  bool done = line.parse(argc, argv, problem);
  if (done && line.help) {
    print_help(model.name);
  } else if (done && line.describe) {
    describe(model, program);
  } else if (done) {
    note_mxnet_variables(model.name, argc, argv);
    done = run_model(model, program, line, problem);
  }
  done = done && flush_standard_output(problem);
  if (done)
    return Ok;
  fflush(stdout);
  fprintf(stderr, "%s: error: %s\n", model.name, problem.text);
  if (problem.note[0])
    fprintf(stderr, "%s: note: %s\n", model.name, problem.note);
  return problem.exit;
}

} // namespace symc
