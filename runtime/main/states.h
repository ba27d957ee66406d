// states.h: states of a context from the files of --state.
#ifndef SYMC_RUNTIME_MAIN_STATES_H
#define SYMC_RUNTIME_MAIN_STATES_H

#include "command_line.h"
#include "files.h"
#include "symc/runtime.h"

namespace symc {

// Gives each state that --state names the value of its file.
bool set_states(symc_context *context, const CommandLine &line, Problem &problem);

// How long the states are that grow, so that each of many runs begins with the same.
struct Lengths {
  bool note(symc_context *context, Problem &problem);
  bool restore(symc_context *context, Problem &problem);

private:
  int64_t &of(int32_t state) { return reinterpret_cast<int64_t *>(memory.data)[state]; }
  Bytes memory;
};

} // namespace symc
#endif
