// Dependencies.h: -MD: what an output was made from, as a rule for make.
#ifndef SYMC_TOOLS_DRIVER_DEPENDENCIES_H
#define SYMC_TOOLS_DRIVER_DEPENDENCIES_H

#include "tools/driver/CommandLine.h"

namespace symc {

/// The characters of the file names that no rule can hold, as a message names them; empty
/// where all can be written.
std::string unfitForMake(const CommandLine &line);

/// "output: inputs", with names escaped as make reads them.
std::string dependencyRule(const CommandLine &line);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_DEPENDENCIES_H
