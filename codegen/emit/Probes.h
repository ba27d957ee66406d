// Probes.h: what steps that were compiled with probes write into a file: symc_probe
// calls the function that the variable symc_probe_hook points to, or does nothing
// while that is null. A program that loads a library sets the variable, and finds
// the steps' names in the text symc_probe_steps.
#ifndef SYMC_CODEGEN_EMIT_PROBES_H
#define SYMC_CODEGEN_EMIT_PROBES_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace symc::codegen {

/// Defines symc_probe where the module calls it, and symc_probe_steps (`steps`, with
/// a zero behind), and adds the names of both variables to `visible`. A module without
/// probes stays as it is.
void defineProbes(llvm::Module &module, llvm::StringRef steps, std::vector<std::string> &visible);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_PROBES_H
