// Numpy.h: the parts of sg-decompose-numpy, one for each family of operators.
#ifndef SYMC_PASSES_NUMPY_H
#define SYMC_PASSES_NUMPY_H

#include "ir/CoreBuilder.h"

namespace symc {

/// Builds what the node's results are in core operators; false, and nothing, for a node of
/// another family (passes/DecomposeNumpyShape.cpp, passes/DecomposeNumpyProducts.cpp,
/// passes/DecomposeNumpyLinalg.cpp, passes/DecomposeNumpyRandom.cpp).
bool decomposeNumpyShape(mlir::Operation *op, CoreBuilder &core,
                         llvm::SmallVectorImpl<mlir::Value> &results);
bool decomposeNumpyProduct(mlir::Operation *op, CoreBuilder &core,
                           llvm::SmallVectorImpl<mlir::Value> &results);
bool decomposeNumpyLinalg(mlir::Operation *op, CoreBuilder &core,
                          llvm::SmallVectorImpl<mlir::Value> &results);
bool decomposeNumpyRandom(mlir::Operation *op, CoreBuilder &core,
                          llvm::SmallVectorImpl<mlir::Value> &results);

} // namespace symc

#endif // SYMC_PASSES_NUMPY_H
