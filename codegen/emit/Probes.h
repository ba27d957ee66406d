// Probes.h: what steps that were compiled with probes tell in a file: symc_probe
// calls the function that the variable symc_probe_hook points to, or does nothing
// while that is null. A program that loads a library sets the variable.
#ifndef SYMC_CODEGEN_EMIT_PROBES_H
#define SYMC_CODEGEN_EMIT_PROBES_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace symc::codegen {

/// Defines symc_probe where the module calls it, and adds the variable's name to
/// `visible`. A module without probes stays as it is.
void defineProbes(llvm::Module &module, std::vector<std::string> &visible);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_PROBES_H
