// Process.h: what a tool does with the process around it: signals that are errors of a write,
// ends that nothing can return from, and the state of standard output at the end.
#ifndef SYMC_TOOLS_DRIVER_PROCESS_H
#define SYMC_TOOLS_DRIVER_PROCESS_H

#include "llvm/Support/Error.h"

namespace symc {

/// First in main, instead of InitLLVM's handling of pipes: a pipe that nobody reads and a limit
/// on the size of files fail the write, closed standard streams stay closed, and where memory
/// or threads run out, LLVM or the C library gives up, or a mapped file is cut short by another
/// program, the tool prints a sentence, removes what it was writing and ends with `status`.
void settleProcess(const char *tool, int status);

/// What settleProcess lets allocations end in.
[[noreturn]] void endOutOfMemory();

/// At the end of main: what standard output could not take. A reader that went away is no
/// mistake where the text was a report beside the work, `report`.
llvm::Error finishStandardOutput(bool report);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_PROCESS_H
