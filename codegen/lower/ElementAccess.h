// ElementAccess.h: elements of any type between memory and vectors. A bool lies
// in memory as a byte of 0 or 1 and is an i1 in registers; everything else is
// the same in both.
#ifndef SYMC_CODEGEN_LOWER_ELEMENTACCESS_H
#define SYMC_CODEGEN_LOWER_ELEMENTACCESS_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

mlir::Value loadElements(Emission &emit, mlir::Value pointer, mlir::Type element,
                         mlir::OpFoldResult stride, int64_t lanes);
void storeElements(Emission &emit, mlir::Value vector, mlir::Value pointer,
                   mlir::OpFoldResult stride);
/// Unit stride; lanes outside of the mask are not touched.
mlir::Value loadElementsMasked(Emission &emit, mlir::Value pointer, mlir::Type element,
                               mlir::Value mask);
void storeElementsMasked(Emission &emit, mlir::Value vector, mlir::Value pointer, mlir::Value mask);

/// Transposes lanes x lanes elements, a power of two: row i of the result holds
/// element i of every given row.
llvm::SmallVector<mlir::Value> transposeRows(Emission &emit, llvm::ArrayRef<mlir::Value> rows);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_ELEMENTACCESS_H
