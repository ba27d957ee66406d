//===- Fold.h - elementwise operators over known values --------------------===//
#ifndef SYMC_FRONTEND_ONNX_OPS_FOLD_H
#define SYMC_FRONTEND_ONNX_OPS_FOLD_H

#include "frontend/onnx/Scope.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace symc::onnx::ops {

/// A function of two numbers, or of two extents: nothing where it has no value.
struct PairFunction {
  llvm::function_ref<std::optional<double>(double, double)> real;
  llvm::function_ref<std::optional<sg::Dim>(sg::Dim, sg::Dim)> whole;
};

/// The function over two lists whose shapes meet as NumPy's do, in `type`; nothing where one
/// element has no value, or the result is too long.
std::optional<Known> foldPair(const Known *left, const Known *right, mlir::Type type,
                              const PairFunction &function);

/// The shape in which two shapes meet; nothing where they do not.
std::optional<llvm::SmallVector<int64_t>> meet(llvm::ArrayRef<int64_t> a,
                                               llvm::ArrayRef<int64_t> b);
/// The place in a list of `dims` that repeats to `shape` of element `i` of that.
size_t placeIn(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape, size_t i);
/// The elements of a known list at the places that `choose` gives for each element of `dims`.
std::optional<Known> pickPlaces(const Known *from, llvm::ArrayRef<int64_t> dims,
                                llvm::function_ref<size_t(llvm::ArrayRef<int64_t>)> choose);

} // namespace symc::onnx::ops

#endif // SYMC_FRONTEND_ONNX_OPS_FOLD_H
