// MxnetVariables.h: variables of MXNet that a process finds set, named with what is read in their
// place (symc/mxnet_variables.def).
#ifndef SYMC_TOOLS_DRIVER_MXNETVARIABLES_H
#define SYMC_TOOLS_DRIVER_MXNETVARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace symc {

/// Who reports a variable.
enum class MxnetPlace { Run = 1, Compile = 2, Python = 4 };

/// A sentence for each variable whose equal is neither set nor among the arguments.
std::vector<std::string> mxnetNotes(MxnetPlace place, llvm::ArrayRef<const char *> arguments = {});

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_MXNETVARIABLES_H
