// pickled_states.h: states of an optimizer as MXNet's Module.save_optimizer_states pickles them
// (.states): a dict of arrays by the name or the number of a parameter, or that and the optimizer.
//
// A pickle is a program. The operations of Python 3's pickles of such values are followed, and
// nothing of what they name is called: of arrays the bytes are taken, other objects stay unread.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_PICKLED_STATES_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_PICKLED_STATES_H

#include "arrays_file.h"

namespace symc::train {

class PickledStates {
public:
  ~PickledStates();
  PickledStates() = default;
  PickledStates(const PickledStates &) = delete;
  PickledStates &operator=(const PickledStates &) = delete;

  // The bytes must outlive the object. `path` is the file's, for sentences.
  bool open(const char *path, const uint8_t *data, size_t bytes, Problem &problem);
  // The arrays of a parameter in the optimizer's order, at most `most`: how many it has; -1 where
  // the file has nothing of it, or a sentence in `problem`.
  int32_t find(const char *name, int64_t number, NamedArray *arrays, int32_t most,
               Problem &problem) const;
  int64_t parameters() const { return n; }
  // Updates that the optimizer counts, where the file has it, else -1.
  int64_t updates() const { return counted; }

private:
  struct Value;
  struct Machine;
  const char *path = "";
  Machine *machine = nullptr;
  int32_t states = -1; // the dict
  int64_t n = 0, counted = -1;
};

} // namespace symc::train
#endif
