// KernelPasses.h: the passes of codegen/Passes.td and their registration.
#ifndef SYMC_CODEGEN_KERNELPASSES_H
#define SYMC_CODEGEN_KERNELPASSES_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/KernelDialect.h"
#include "codegen/plan/ArenaPlacement.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace symc::codegen {

#define GEN_PASS_DECL
#include "codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "codegen/Passes.h.inc"

} // namespace symc::codegen

#endif // SYMC_CODEGEN_KERNELPASSES_H
