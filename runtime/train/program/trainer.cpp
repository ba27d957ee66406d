// trainer.cpp: see trainer.h.
#include "trainer.h"

#include "bench.h"
#include "options.h"
#include "training.h"

#include "../../core/pool.h"

#include "../../main/process.h"
#include "../collective/launcher.h"

#include <stdio.h>
#include <string.h>

namespace symc::train {

namespace {
// Destroys the context at the end of the scope.
struct Context {
  symc_context *handle = nullptr;
  ~Context() { symc_destroy(handle); }
};
} // namespace

bool read_updates(const char *word, symc_updates &updates, Problem &problem) {
  updates = word && word[0] == 'd' ? SYMC_UPDATES_DEFERRED : SYMC_UPDATES_WITHOUT_GRADIENTS;
  return !word || strcmp(word, "fused") == 0 || strcmp(word, "deferred") == 0 ||
         problem.set(Usage, "--updates: expected fused or deferred, got '%s'", word);
}

static bool time_steps(const symc_model &model, const Options &given, Problem &problem) {
  symc_updates updates;
  if (!read_updates(given.text(Option::Updates), updates, problem))
    return false;
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
  if (status == SYMC_STATUS_OK)
    status = symc_choose_updates(context.handle, updates);
  if (status != SYMC_STATUS_OK)
    return problem.set(RunFailed, "%s", symc_last_error(context.handle));
  return bench(context.handle, given.count(Option::Bench), seed, problem);
}

static void print_error(const symc_model &model, int rank, const Problem &problem) {
  char who[32] = "";
  if (rank >= 0)
    snprintf(who, sizeof who, "rank %d: ", rank);
  fflush(stdout);
  fprintf(stderr, "%s: error: %s%s\n", model.name, who, problem.text);
  if (problem.note[0])
    fprintf(stderr, "%s: note: %s\n", model.name, problem.note);
}

int run_trainer(const symc_model &model, const symc_program *program, int argc, char **argv) {
  settle_process();
  if (is_idle_role())
    return Ok;
  Options options;
  Problem problem;
  int rank = -1; // of several processes
  bool done = options.parse(argc, argv, problem);
  if (done && options.on(Option::Help)) {
    print_help(model.name);
  } else if (done && options.on(Option::Describe)) {
    describe_trainer(model);
  } else if (done && options.given(Option::Bench)) {
    done = time_steps(model, options, problem);
  } else if (done) {
    Training training;
    done = training.run(model, program, options, problem) && training.world.finish(problem);
    if (training.world.size() > 1)
      rank = training.world.rank();
    if (!done) {
      print_error(model, rank, problem);
      training.world.abort(problem.exit);
      return problem.exit;
    }
  }
  done = done && flush_standard_output(problem);
  if (done)
    return Ok;
  print_error(model, rank, problem);
  return problem.exit;
}

} // namespace symc::train
