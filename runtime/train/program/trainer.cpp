// trainer.cpp: the steps of a compiled trainer, in order: flags, context, first values of
// parameters, then what the flags ask for.
#include "trainer.h"

#include "../../core/pool.h"
#include "../../main/problem.h"
#include "bench.h"
#include "symc/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

namespace {
struct Flags {
  int64_t bench = 0, threads = -1, seed = 0;
  bool describe = false, help = false;

  bool parse(int argc, char **argv, Problem &problem);
};

// Destroys the context at the end of the scope.
struct Context {
  symc_context *handle = nullptr;
  ~Context() { symc_destroy(handle); }
};
} // namespace

static bool number_in(const char *flag, const char *text, int64_t low, int64_t high,
                      int64_t &number, Problem &problem) {
  char *end = nullptr;
  long long value = text ? strtoll(text, &end, 10) : 0;
  if (!text || !*text || *end || value < low || value > high)
    return problem.set(Usage, "%s: expected a number in %lld..%lld, got '%s'", flag, (long long)low,
                       (long long)high, text ? text : "nothing");
  number = value;
  return true;
}

bool Flags::parse(int argc, char **argv, Problem &problem) {
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i], *equals = strchr(word, '=');
    size_t length = equals ? size_t(equals - word) : strlen(word);
    auto is = [&](const char *flag) {
      return strlen(flag) == length && strncmp(flag, word, length) == 0;
    };
    auto value = [&] { return equals ? equals + 1 : i + 1 < argc ? argv[++i] : nullptr; };
    if (is("--bench")) {
      if (!number_in("--bench", value(), 1, 10000000, bench, problem))
        return false;
    } else if (is("--threads")) {
      if (!number_in("--threads", value(), 0, 1024, threads, problem))
        return false;
    } else if (is("--seed")) {
      if (!number_in("--seed", value(), 0, INT64_C(4294967295), seed, problem))
        return false;
    } else if (is("--describe")) {
      describe = true;
    } else if (is("--help")) {
      help = true;
    } else {
      problem.addNote("--help lists the flags");
      return problem.set(Usage, "unknown flag '%s'", word);
    }
  }
  return bench || describe || help ||
         problem.set(Usage, "nothing to do: --bench N times steps, --describe tells of the model");
}

static void print_help(const char *name) {
  printf("usage: %s [flags]\n\n"
         "  --bench N      Runs N steps on one drawn batch, after one that is not counted, and\n"
         "                 prints the times and the loss of the first and of the last step.\n"
         "  --threads N    Runs on N threads; 0 is one for each processor. Default: SYMC_THREADS,\n"
         "                 or 1.\n"
         "  --seed N       Seed of first values, drawn data and random operators; default 0.\n"
         "  --describe     Prints inputs, parameters, optimizer and memory, and runs nothing.\n"
         "  --help         Prints this text.\n",
         name);
}

static bool train(const symc_model &model, const Flags &flags, Problem &problem) {
  Context context;
  symc_options options = {};
  options.error = problem.text;
  options.error_bytes = sizeof problem.text;
  if (flags.threads >= 0)
    options.threads = flags.threads == 0 ? processor_count() : int32_t(flags.threads);
  symc_status status = symc_create(&model, &options, &context.handle);
  problem.exit = RunFailed;
  if (status != SYMC_STATUS_OK)
    return problem.text[0] || problem.set(RunFailed, "%s", symc_status_message(status)), false;
  status = symc_set_seed(context.handle, uint64_t(flags.seed));
  if (status == SYMC_STATUS_OK)
    status = symc_initialize(context.handle, nullptr, uint64_t(flags.seed));
  if (status != SYMC_STATUS_OK)
    return problem.set(RunFailed, "%s", symc_last_error(context.handle));
  return bench(context.handle, flags.bench, uint64_t(flags.seed), problem);
}

int run_trainer(const symc_model &model, int argc, char **argv) {
  Flags flags;
  Problem problem;
  bool done = flags.parse(argc, argv, problem);
  if (done && flags.help)
    print_help(model.name);
  else if (done && flags.describe)
    describe_trainer(model);
  else if (done)
    done = train(model, flags, problem);
  fflush(stdout);
  if (done)
    return Ok;
  fprintf(stderr, "%s: error: %s\n", model.name, problem.text);
  if (problem.note[0])
    fprintf(stderr, "%s: note: %s\n", model.name, problem.note);
  return problem.exit;
}

} // namespace symc::train
