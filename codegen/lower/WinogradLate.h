// WinogradLate.h: the products of Winograd's F(4x4, 3x3) straight from 3x3 weights,
// for layers of few tiles: transformed weights would be read from memory once, at
// four times the bytes, which takes longer than to transform them in registers.
#ifndef SYMC_CODEGEN_LOWER_WINOGRADLATE_H
#define SYMC_CODEGEN_LOWER_WINOGRADLATE_H

#include "codegen/kernel/WinogradShape.h"
#include "codegen/lower/Emission.h"

namespace symc::codegen {

/// The sums of all positions of output blocks first <= block < end, from `inputs` into
/// `sums` (the parts of a row of scratch, see WinogradShape) and weights
/// [OB, IB, 16 inputs, 9, 16 outputs] in the basis of WinogradTransform.h.
void emitLateProducts(Emission &e, const kernel::WinogradShape &shape, mlir::Value inputs,
                      mlir::Value sums, const View &weights, mlir::OpFoldResult first,
                      mlir::OpFoldResult end);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_WINOGRADLATE_H
