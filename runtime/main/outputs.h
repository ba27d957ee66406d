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

// The files that --output and --output-dir request.
struct Destinations {
  struct One {
    int32_t tensor; // of Outputs::tensors
    char *path;     // from malloc
    uint64_t identity;
  };
  One *items = nullptr;
  size_t count = 0;
  bool standardOutput = false; // one of them is "-"

  ~Destinations();
  // Refuses words that name no output, names that make no path, two tensors for one file, and
  // those that would replace the program or what it reads, before anything runs. A state's file
  // may be written again.
  bool plan(const symc_model &model, const CommandLine &line, Problem &problem);

private:
  bool add(int32_t tensor, const char *path, size_t length, Problem &problem);
  bool addWord(const symc_model &model, const CommandLine &line, int index, Problem &problem);
  bool checkDistinct(const symc_model &model, Problem &problem);
  bool checkSources(const symc_model &model, const CommandLine &line, Problem &problem);
  bool checkSource(const symc_model &model, const char *path, const char *use, Problem &problem);
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
  bool write(const Destinations &destinations, Problem &problem) const;
  // Answers with names where an output is a table of classes, a summary elsewhere.
  bool print(const symc_model &model, const Labels &labels, int64_t top, Problem &problem) const;
};

} // namespace symc
#endif
