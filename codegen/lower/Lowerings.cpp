// Lowerings.cpp: the interfaces of KernelLowering.h and the lowerings that are there.
#include "codegen/lower/KernelLowering.h"

#include "codegen/lower/CallSite.h"

using namespace mlir;
using namespace symc::codegen;

#include "codegen/lower/LoweringInterface.cpp.inc"

namespace symc::codegen {
#define SYMC_LOWERING(NAME) void register##NAME##Lowering(DialectRegistry &registry);
#include "codegen/lower/Lowerings.inc"
#undef SYMC_LOWERING
} // namespace symc::codegen

void symc::codegen::registerLowerings(DialectRegistry &registry) {
#define SYMC_LOWERING(NAME) register##NAME##Lowering(registry);
#include "codegen/lower/Lowerings.inc"
#undef SYMC_LOWERING
}
