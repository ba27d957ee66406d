// outputs.h: the memory of a model's outputs and of the states that it leaves, and where they
// go: files, or text.
#ifndef SYMC_RUNTIME_MAIN_OUTPUTS_H
#define SYMC_RUNTIME_MAIN_OUTPUTS_H

#include "command_line.h"
#include "npy.h"

namespace symc {

// Names of classes, one for each column of an answer.
struct Labels {
  const char **names = nullptr;
  int64_t count = 0;
  Bytes text; // of a file
  bool owned = false;

  ~Labels();
  bool load(const symc_program *program, const char *path, Problem &problem);
};

struct Outputs {
  int32_t count = 0, states = 0;
  symc_tensor *tensors = nullptr; // `count` outputs, then `states` states
  int64_t *extents = nullptr;
  Bytes memory;

  ~Outputs();
  // Memory for what `inputs` give.
  bool allocate(symc_context *context, const symc_tensor *inputs, int32_t nInputs,
                Problem &problem);
  // The extents that the last run gave, and the states that it left.
  bool settle(symc_context *context, Problem &problem);
  // As --output and --output-dir say.
  bool write(const symc_model &model, const CommandLine &line, Problem &problem) const;
  // Answers with names where an output is a table of classes, a summary elsewhere.
  bool print(const symc_model &model, const Labels &labels, int64_t top, Problem &problem) const;
};

// Checks --output words before anything runs.
bool check_outputs(const symc_model &model, const CommandLine &line, Problem &problem);

} // namespace symc
#endif
