// Describe.h: the pages that symc prints without compiling: help, version,
// operators. All from tables that exist anyway.
#ifndef SYMC_TOOLS_SYMC_DESCRIBE_H
#define SYMC_TOOLS_SYMC_DESCRIBE_H

#include "tools/driver/CommandLine.h"

namespace symc {

/// The page that the line requests. An ExitStatus: where there is no operator of that name it is
/// reported.
int printPage(const CommandLine &line);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_DESCRIBE_H
