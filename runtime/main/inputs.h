// inputs.h: from the command line's --input words to the arrays of a model's inputs.
#ifndef SYMC_RUNTIME_MAIN_INPUTS_H
#define SYMC_RUNTIME_MAIN_INPUTS_H

#include "command_line.h"
#include "npy.h"
#include "sizes.h"

namespace symc {

struct Inputs {
  int32_t count = 0;
  Array *arrays = nullptr; // one for each input of the model
  bool *given = nullptr;
  bool scaled = false;  // a picture was scaled to 0..1, since nothing was compiled in
  bool *made = nullptr; // those that no file gives: zeros, or drawn
  bool drawn = false;
  Sizes sizes;

  ~Inputs();
  // Reads every file. Inputs without one are made where the command line times the model, or has
  // shapes or drawn values for them.
  bool load(const symc_model &model, const CommandLine &line, Problem &problem);
  // All inputs, for symc_run; `tensors` has room for count.
  void tensors(symc_tensor *tensors) const;

  // The file that a word of the command line names, FILE or NAME=FILE.
  static const char *pathOf(const char *word);

private:
  // `kind`: what the names of such inputs begin with, "" or "head_grad:" or "grad:"; `flag`: that
  // gave the word.
  bool loadOne(const symc_model &model, const char *kind, const char *flag, const char *word,
               Problem &problem);
  bool makeOnes(const symc_model &model, int32_t index, Problem &problem);
  bool loadArchive(const symc_model &model, int32_t index, const char *path, const Bytes &file,
                   Problem &problem);
  bool store(const symc_model &model, int32_t index, const char *path, const Bytes &file,
             Problem &problem);
  bool adopt(const symc_model &model, const symc_preprocess &spec, int32_t index, const char *path,
             Array &array, Problem &problem);
  bool makeOthers(const symc_model &model, const CommandLine &line, Problem &problem);
  bool allGiven(const symc_model &model, Problem &problem) const;
};

} // namespace symc
#endif
