// states.h: states of a context from the files of --state.
#ifndef SYMC_RUNTIME_MAIN_STATES_H
#define SYMC_RUNTIME_MAIN_STATES_H

#include "command_line.h"
#include "symc/runtime.h"

namespace symc {

// Gives each state that --state names the value of its file.
bool set_states(symc_context *context, const CommandLine &line, Problem &problem);

} // namespace symc
#endif
