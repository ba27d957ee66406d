// CopyForm.h: how kernel.copy walks its views: in vectors along the last extent, or, where
// source and target have their elements side by side along different extents, in squares that
// are transposed in registers. The pass that cuts the copy and its lowering call the same.
#ifndef SYMC_CODEGEN_CPU_COPYFORM_H
#define SYMC_CODEGEN_CPU_COPYFORM_H

#include "codegen/cpu/TargetDescription.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace symc::codegen {

struct CopyForm {
  int64_t lanes = 1;
  /// The extent along which the source has its elements side by side, where squares of it and
  /// the last one are transposed: it is walked as the last but one.
  std::optional<unsigned> transposed;
};

/// Of views in normal form, ordered by the target; run-time values are
/// mlir::ShapedType::kDynamic. Elements have so many bytes.
CopyForm copyForm(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> sourceStrides,
                  llvm::ArrayRef<int64_t> targetStrides, int64_t elementBytes,
                  const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_COPYFORM_H
