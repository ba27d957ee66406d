// WinogradOnTheFly.h: Winograd's products with a whole row of positions in registers.
//
// For layers of few tiles from the 3x3 weights: transformed ones would be read from
// memory once, at four times the bytes, which takes longer than to transform them in
// registers. For layers of few channels from transformed weights: there the sums are the
// larger traffic, and a row that is in registers leaves them transformed, as m values
// instead of six.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADONTHEFLY_H
#define SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADONTHEFLY_H

#include "codegen/conv/winograd/kernel/WinogradShape.h"
#include "codegen/lower/Emission.h"

namespace symc::codegen {

/// What is in registers at once: the sums of so many columns of positions (6 or 3) and tiles,
/// the op's `row_sums`.
struct RowSums {
  int64_t columns, tiles;

  static std::optional<RowSums> of(kernel::WinogradOp op);
  /// Whether they leave it transformed along their rows: position (row, k), k < m, at
  /// row * m + k.
  bool foldsRows() const;
};

/// The sums of all positions of output blocks first <= block < end, from `inputs` into
/// `sums` (the parts of a row of scratch, see WinogradShape) and weights
/// [OB, IB, 16 inputs, 9, 16 outputs] in the basis of WinogradTransform.h, or
/// [P, OB, IB, 16, 16].
void emitOnTheFlyProducts(Emission &e, const kernel::WinogradShape &shape, RowSums tile,
                          mlir::Value inputs, mlir::Value sums, const View &weights,
                          mlir::OpFoldResult first, mlir::OpFoldResult end);

/// One row of positions of weights in that basis for one output block, as panels in scratch
/// (see WinogradShape); `basis` is that of the block, `next` that of the block behind it, of which
/// the row fetches its share.
void emitExpandedRow(Emission &e, const kernel::WinogradShape &shape, int64_t row,
                     mlir::Value basis, mlir::Value next, mlir::Value panels, mlir::Type element);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_LOWER_WINOGRADONTHEFLY_H
