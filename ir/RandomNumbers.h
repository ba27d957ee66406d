// RandomNumbers.h: which nodes draw random numbers (DrawsNumbersInterface), and of what.
#ifndef SYMC_IR_RANDOMNUMBERS_H
#define SYMC_IR_RANDOMNUMBERS_H

#include "mlir/IR/Operation.h"

namespace symc::sg {

/// Whether the operation is a node that draws.
bool drawsNumbers(mlir::Operation *op);

/// The parameters of a numpy_draw or numpy_draw_placed that are tensors, in the operands' order.
llvm::SmallVector<llvm::StringRef> tensorParameters(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_RANDOMNUMBERS_H
