// RandomNumbers.h: which nodes draw random numbers. They are not shared, not folded and
// not prepared: every node and every run has numbers of its own.
#ifndef SYMC_IR_RANDOMNUMBERS_H
#define SYMC_IR_RANDOMNUMBERS_H

#include "mlir/IR/Operation.h"

namespace symc::sg {

bool drawsNumbers(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_RANDOMNUMBERS_H
