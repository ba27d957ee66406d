// process.h: what the programs of compiled models do with their process before and after a run.
#ifndef SYMC_RUNTIME_MAIN_PROCESS_H
#define SYMC_RUNTIME_MAIN_PROCESS_H

#include "problem.h"

namespace symc {

// A pipe that nobody reads and a limit on the size of files are errors of a write, not the end
// of the program; and a file that is opened never takes the number of a standard stream that the
// caller has closed.
void settle_process();

// Writes what standard output holds back.
bool flush_standard_output(Problem &problem);

} // namespace symc
#endif
