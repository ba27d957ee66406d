// CudaPrecision.cpp: see CudaPrecision.h.
#include "codegen/cuda/CudaPrecision.h"

namespace symc::codegen {

static constexpr llvm::StringLiteral precisions[] = {"f32", "tf32", "f16", "bf16"};

llvm::StringRef nameOf(CudaPrecision precision) { return precisions[int(precision)]; }

double unitRoundoff(CudaPrecision precision) {
  constexpr double units[] = {0, 0x1p-11, 0x1p-11, 0x1p-8};
  return units[int(precision)];
}

std::optional<CudaPrecision> cudaPrecisionNamed(llvm::StringRef name) {
  for (int i = 0; i < 4; ++i)
    if (precisions[i] == name)
      return CudaPrecision(i);
  return std::nullopt;
}

bool hasTensorCores(llvm::StringRef architecture) {
  int number = 0;
  return !architecture.consumeInteger(10, number) && number >= 80;
}

} // namespace symc::codegen
