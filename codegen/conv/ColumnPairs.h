// ColumnPairs.h: direct convolutions that multiply pairs of columns of a window in 16 bits, under
// --precision: those of planar data, whose channels do not lie side by side (first layers).
#ifndef SYMC_CODEGEN_CONV_COLUMNPAIRS_H
#define SYMC_CODEGEN_CONV_COLUMNPAIRS_H

#include "codegen/kernel/ViewOrigin.h"

namespace symc::codegen {

struct TargetDescription;
struct ProductRow;

/// The row by which the direct step of a layer multiplies pairs of columns, data and weights
/// rounded to `half`. Null where the target does not multiply such, or the layer's windows have one
/// column, its data lies in blocks of channels or its weights are no prepared panels. An odd last
/// column is paired with the next one, times zero, which hands on what is no number: not with
/// `exactly`.
const ProductRow *columnPairsOf(kernel::ConvOp conv, const TargetDescription &target,
                                mlir::FloatType half, bool exactly);

/// #kernel.form of its weights: [OB, I, kH, pairs, 2, 16] of which the last two are transposed.
inline constexpr llvm::StringLiteral columnPairsForm = "column_pairs";

/// Steps that round panels of float32, of which each pair of rows then lies side by side for each
/// output, or each row as it is.
void roundPanels(mlir::Value exact, mlir::Value target, bool pairs, mlir::OpBuilder &builder,
                 mlir::Location location);
/// A step that rounds elements of float32 for good, as part of packing.
void writeRounded(const kernel::KnownView &from, const kernel::KnownView &to,
                  mlir::OpBuilder &builder, mlir::Location location);

/// A step that moves what one view holds to another of its extents, and rounds or widens it.
void createMove(mlir::OpBuilder &builder, mlir::Location location, mlir::Value from,
                mlir::Value to);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_COLUMNPAIRS_H
