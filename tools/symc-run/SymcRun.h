// SymcRun.h: symc-run as a function, of the program of this name and of symc called by it.
#ifndef SYMC_TOOLS_SYMC_RUN_SYMCRUN_H
#define SYMC_TOOLS_SYMC_RUN_SYMCRUN_H

namespace symc::run {

/// Does what the command line requires; returns the exit status (CommandLine.h).
int symcRun(int argc, char **argv);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_SYMCRUN_H
