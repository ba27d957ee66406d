// WinogradTransform.h: the one-dimensional transforms of F(m, 3), applied twice
// for a tile of m x m outputs:
//   y = A' [(G g G') * (B' d B)] A      d: (m+2) x (m+2) inputs, g: 3 x 3 weights
//
// Points of interpolation: 0, 1, -1, infinity for m = 2; 0, +-1/sqrt(2),
// +-sqrt(2), infinity for m = 4, whose powers stay near one, so that the error is
// about twice that of a direct sum (0, +-1, +-2: four to five times).
#ifndef SYMC_CODEGEN_LOWER_WINOGRADTRANSFORM_H
#define SYMC_CODEGEN_LOWER_WINOGRADTRANSFORM_H

#include "codegen/lower/Emission.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace symc::codegen {

/// B' d for m + 2 values (vectors of one type).
llvm::SmallVector<mlir::Value> transformInputs(Emission &e, llvm::ArrayRef<mlir::Value> d);

/// A' s for m + 2 values: m of them.
llvm::SmallVector<mlir::Value> transformSums(Emission &e, llvm::ArrayRef<mlir::Value> s);

/// The rows of G, m + 2 by 3. Element [i][k] multiplies weight k.
llvm::ArrayRef<std::array<double, 3>> weightTransform(int64_t m);

/// Three rows that span those of G for m = 4: (row 1 + row 2) / 2, (row 1 - row 2) / 2
/// and (row 3 + row 4) / 2. Weights of so many elements a channel become any row of
/// G w by additions and one multiply-add.
llvm::ArrayRef<std::array<double, 3>> weightBasis();

/// Row `row` of G w from the basis, of which it reads what it needs.
mlir::Value expandBasis(Emission &e, int64_t row, llvm::function_ref<mlir::Value(int64_t)> basis);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_WINOGRADTRANSFORM_H
