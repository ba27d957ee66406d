// CudaStep.cpp: the interface of CudaStep.h and the sources that are there.
#include "codegen/cuda/CudaStep.h"

using namespace mlir;

#include "codegen/cuda/CudaStep.cpp.inc"

namespace symc::codegen::cuda {
#define SYMC_SOURCE(NAME) void register##NAME##Source(DialectRegistry &registry);
#include "codegen/cuda/Sources.inc"
#undef SYMC_SOURCE

void registerCudaSteps(DialectRegistry &registry) {
#define SYMC_SOURCE(NAME) register##NAME##Source(registry);
#include "codegen/cuda/Sources.inc"
#undef SYMC_SOURCE
}
} // namespace symc::codegen::cuda
