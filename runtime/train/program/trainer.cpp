// trainer.cpp: see trainer.h.
#include "trainer.h"

#include "bench.h"
#include "options.h"
#include "training.h"

#include "../../core/pool.h"

#include "../../main/process.h"

#include <stdio.h>

namespace symc::train {

namespace {
// Destroys the context at the end of the scope.
struct Context {
  symc_context *handle = nullptr;
  ~Context() { symc_destroy(handle); }
};
} // namespace

static bool time_steps(const symc_model &model, const Options &given, Problem &problem) {
  Context context;
  symc_options options = {};
  options.error = problem.text;
  options.error_bytes = sizeof problem.text;
  if (given.given(Option::Threads)) {
    int64_t threads = given.count(Option::Threads);
    options.threads = threads == 0 ? processor_count() : int32_t(threads);
  }
  uint64_t seed = uint64_t(given.count(Option::Seed));
  symc_status status = symc_create(&model, &options, &context.handle);
  problem.exit = RunFailed;
  if (status != SYMC_STATUS_OK)
    return problem.text[0] ? false : problem.set(RunFailed, "%s", symc_status_message(status));
  status = symc_set_seed(context.handle, seed);
  if (status == SYMC_STATUS_OK)
    status = symc_initialize(context.handle, nullptr, seed);
  if (status != SYMC_STATUS_OK)
    return problem.set(RunFailed, "%s", symc_last_error(context.handle));
  return bench(context.handle, given.count(Option::Bench), seed, problem);
}

int run_trainer(const symc_model &model, const symc_program *program, int argc, char **argv) {
  settle_process();
  Options options;
  Problem problem;
  bool done = options.parse(argc, argv, problem);
  if (done && options.on(Option::Help)) {
    print_help(model.name);
  } else if (done && options.on(Option::Describe)) {
    describe_trainer(model);
  } else if (done && options.given(Option::Bench)) {
    done = time_steps(model, options, problem);
  } else if (done) {
    Training training;
    done = training.run(model, program, options, problem);
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

} // namespace symc::train
