// ConformanceOptions.h: the command line of symc-conformance (ConformanceOptions.td).
#ifndef SYMC_TOOLS_CONFORMANCE_CONFORMANCEOPTIONS_H
#define SYMC_TOOLS_CONFORMANCE_CONFORMANCEOPTIONS_H

#include "tools/conformance/Case.h"

namespace symc::conformance {

struct CommandLine {
  RunOptions run;
  std::vector<std::string> roots, filters;
  int every = 1, ofEach = 1, minPassed = 0;
  int jobs = 2, timeoutSeconds = 120;
  bool verbose = false, listUnsupported = false;
};

/// Ends the program with its help, or with the first mistake and status 2.
CommandLine readCommandLine(int argc, char **argv);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_CONFORMANCEOPTIONS_H
