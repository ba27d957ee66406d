// command_line.cpp: parses the flags of flags.def. `--flag value` and `--flag=value`
// are the same; `--` ends the flags; `-` is standard input, no flag.
#include "command_line.h"

#include "option_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

namespace {
enum FlagId {
#define SYMC_FLAG(id, spelling, argument, meaning) id,
#include "flags.def"
#undef SYMC_FLAG
};
struct Flag {
  const char *spelling, *argument, *meaning;
};
const Flag flags[] = {
#define SYMC_FLAG(id, spelling, argument, meaning) {spelling, argument, meaning},
#include "flags.def"
#undef SYMC_FLAG
};
constexpr int flagCount = int(sizeof flags / sizeof flags[0]);

// The flag that `word` spells, up to '=' if there is one; -1 for none.
int find_flag(const char *word) {
  size_t length = strcspn(word, "=");
  for (int i = 0; i < flagCount; ++i)
    if (strlen(flags[i].spelling) == length && strncmp(flags[i].spelling, word, length) == 0)
      return i;
  return -1;
}

bool number_in(const char *text, int64_t low, int64_t high, int64_t &number) {
  number = 0;
  if (!*text)
    return false;
  for (const char *c = text; *c; ++c) {
    if (*c < '0' || *c > '9' || number > high)
      return false;
    number = number * 10 + (*c - '0');
  }
  return number >= low && number <= high;
}
} // namespace

CommandLine::~CommandLine() {
  free(inputs);
  free(outputs);
  free(states);
  free(shapes);
  free(headGradients);
  free(gradients);
}

bool CommandLine::take(int flag, const char *value, Problem &problem) {
  int64_t low = 0, high = 0, *number = nullptr;
  switch (flag) {
  case Input:
    inputs[nInputs++] = value;
    break;
  case Output:
    outputs[nOutputs++] = value;
    break;
  case State:
    states[nStates++] = value;
    break;
  case Shape:
    shapes[nShapes++] = value;
    break;
  case RandomInputs:
    randomInputs = true;
    break;
  case HeadGrad:
    headGradients[nHeadGradients++] = value;
    break;
  case Grad:
    gradients[nGradients++] = value;
    break;
  case OutputDir:
    outputDir = value;
    break;
  case Labels:
    labels = value;
    break;
  case Top:
    low = 1, high = 1000000, number = &top;
    break;
  case Bench:
    low = 1, high = 10000000, number = &bench;
    break;
  case Threads:
    low = 0, high = 1024, number = &threads;
    break;
  case Seed:
    low = 0, high = 4294967295, number = &seed;
    break;
  case VerifyWeights:
    verifyWeights = true;
    break;
  case TrustWeights:
    trustWeights = true;
    break;
  case Describe:
    describe = true;
    break;
  case Help:
    help = true;
    break;
  }
  if (number && !number_in(value, low, high, *number))
    return problem.set("%s: expected a number in %lld..%lld, got '%s'", flags[flag].spelling,
                       (long long)low, (long long)high, value);
  return true;
}

bool CommandLine::parse(int argc, char **argv, Problem &problem) {
  problem.exit = Usage;
  size_t bytes = (size_t(argc) + 1) * sizeof(char *);
  inputs = static_cast<const char **>(malloc(bytes));
  outputs = static_cast<const char **>(malloc(bytes));
  states = static_cast<const char **>(malloc(bytes));
  shapes = static_cast<const char **>(malloc(bytes));
  headGradients = static_cast<const char **>(malloc(bytes));
  gradients = static_cast<const char **>(malloc(bytes));
  if (!inputs || !outputs || !states || !shapes || !headGradients || !gradients)
    return problem.set(RunFailed, "cannot allocate %zu bytes", bytes);
  bool onlyFiles = false;
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    if (onlyFiles || word[0] != '-' || word[1] == 0) {
      inputs[nInputs++] = word;
      continue;
    }
    if (strcmp(word, "--") == 0) {
      onlyFiles = true;
      continue;
    }
    int flag = find_flag(word);
    if (flag < 0) {
      problem.addNote("--help lists the flags");
      return problem.set("unknown flag '%s'", word);
    }
    bool takesValue = flags[flag].argument[0] != 0;
    const char *value;
    if (!option_value(argc, argv, i, flags[flag].spelling, flags[flag].argument, value, problem))
      return false;
    if (takesValue && !*value)
      return problem.set("%s: expected %s, got an empty word", flags[flag].spelling,
                         flags[flag].argument);
    if (!take(flag, value, problem))
      return false;
  }
  problem.exit = BadInput;
  return true;
}

void print_help(const char *program) {
  printf("usage: %s [flags] [FILE]\n\n", program);
  for (const Flag &flag : flags)
    print_option(flag.spelling, flag.argument, flag.meaning);
  print_exit_codes();
  printf("\nenvironment:\n");
#define SYMC_VARIABLE(name, values, meaning)                                                       \
  printf("  %-16s ", #name);                                                                       \
  print_wrapped(meaning, 19, 19);
#include "../core/environment.def"
#undef SYMC_VARIABLE
}

} // namespace symc
