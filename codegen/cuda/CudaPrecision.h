// CudaPrecision.h: what kernels for CUDA round operands to, by name, and which devices can.
#ifndef SYMC_CODEGEN_CUDA_CUDAPRECISION_H
#define SYMC_CODEGEN_CUDA_CUDAPRECISION_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace symc::codegen {

/// What operands of products and convolutions over float32 are rounded to before they are
/// multiplied; sums are of float32. F32: not at all, by multiply-adds. F16 and BF16 are what memory
/// holds, too (NarrowStorage.h).
enum class CudaPrecision { F32, TF32, F16, BF16 };

/// Whether operands lose bits.
inline bool rounds(CudaPrecision precision) { return precision != CudaPrecision::F32; }

/// By how much of it at most an operand changes, 2^-11 or 2^-8; 0 for F32.
double unitRoundoff(CudaPrecision precision);
/// Of 16 bits.
inline bool isHalf(CudaPrecision precision) {
  return precision == CudaPrecision::F16 || precision == CudaPrecision::BF16;
}

/// "tf32"
llvm::StringRef nameOf(CudaPrecision precision);
std::optional<CudaPrecision> cudaPrecisionNamed(llvm::StringRef name);

/// Whether devices of an architecture, "80" or "90a", have tensor cores as compute capability 8.0
/// has them: with mma.sync for all of these, and copies in the background.
bool hasTensorCores(llvm::StringRef architecture);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_CUDAPRECISION_H
