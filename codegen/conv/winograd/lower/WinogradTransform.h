// WinogradTransform.h: the one-dimensional transforms of F(m, 3), of F(3, 4) and of F(5, 2),
// applied twice for a tile of m x m outputs:
//   y = A' [(G g G') * (B' d B)] A      d: inputs, g: weights
//   g = G' [(A y A') * (B' d B)] G      of gradients: y of outputs, g of weights
//
// Points of interpolation: 0, 1, -1, infinity for m = 2; 0, +-1/sqrt(2),
// +-sqrt(2), infinity for m = 3, 4 and 5, whose powers stay near one, so that the error is
// about twice that of a direct sum (0, +-1, +-2: four to five times).
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADTRANSFORM_H
#define SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADTRANSFORM_H

#include "codegen/lower/Emission.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace symc::codegen {

/// B' d for 4 (m = 2) or 6 values (vectors of one type).
llvm::SmallVector<mlir::Value> transformInputs(Emission &e, llvm::ArrayRef<mlir::Value> d);

/// A' s: m values from 4 or 6.
llvm::SmallVector<mlir::Value> transformSums(Emission &e, llvm::ArrayRef<mlir::Value> s, int64_t m);

/// A s: 6 values from m = 3, 4 or 5 slopes of a line, of which a gradient of weights is a sum.
llvm::SmallVector<mlir::Value> transformSlopes(Emission &e, llvm::ArrayRef<mlir::Value> s);

/// G' g: the sums of 7 - m weights from 6 of positions.
llvm::SmallVector<mlir::Value> transformWeightSums(Emission &e, llvm::ArrayRef<mlir::Value> g,
                                                   int64_t m);

/// A row of G: element k multiplies weight k, of which only m = 3 has four.
using WeightRow = std::array<double, 4>;

/// The rows of G, 4 or 6.
llvm::ArrayRef<WeightRow> weightTransform(int64_t m);

/// Three rows that span those of G for m = 4: (row 1 + row 2) / 2, (row 1 - row 2) / 2
/// and (row 3 + row 4) / 2. Weights of so many elements a channel become any row of
/// G w by additions and one multiply-add.
llvm::ArrayRef<WeightRow> weightBasis();

/// Row `row` of G w from the basis, of which it reads what it needs.
mlir::Value expandBasis(Emission &e, int64_t row, llvm::function_ref<mlir::Value(int64_t)> basis);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADTRANSFORM_H
