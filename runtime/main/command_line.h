// command_line.h: the flags of a compiled program, parsed. Strings point into argv.
#ifndef SYMC_RUNTIME_MAIN_COMMAND_LINE_H
#define SYMC_RUNTIME_MAIN_COMMAND_LINE_H

#include "problem.h"

#include <stdint.h>

namespace symc {

struct CommandLine {
  const char **inputs = nullptr; // "FILE" or "NAME=FILE", n of them
  int nInputs = 0;
  const char **outputs = nullptr; // "NAME=FILE"
  int nOutputs = 0;
  const char **states = nullptr; // "NAME=FILE"
  int nStates = 0;
  const char **shapes = nullptr; // "NAME=D,D,..."
  int nShapes = 0;
  const char **headGradients = nullptr; // "OUTPUT=FILE"
  int nHeadGradients = 0;
  const char **gradients = nullptr; // "NAME=FILE", that gradients are added to
  int nGradients = 0;
  const char *outputDir = nullptr;
  const char *labels = nullptr;
  int64_t top = 5;
  int64_t bench = 0;    // 0: not requested
  int64_t threads = -1; // -1: not given
  int64_t seed = 0;
  bool randomInputs = false;
  bool verifyWeights = false, trustWeights = false, describe = false, help = false;

  ~CommandLine();
  bool parse(int argc, char **argv, Problem &problem);

private:
  bool take(int flag, const char *value, Problem &problem);
};

// The text of --help, on standard output.
void print_help(const char *program);

} // namespace symc
#endif
