// InputClasses.h: which inputs of a graph hold the numbers of classes, words or rows, and how many
// of these there are.
#ifndef SYMC_IR_INPUTCLASSES_H
#define SYMC_IR_INPUTCLASSES_H

#include "mlir/IR/Value.h"

namespace symc::sg {

/// The integers that the value may hold lie below it: labels of losses, words of an embedding,
/// indices. Several readers: the least of them. 0 where no reader limits them; of an inferred
/// graph.
int64_t classesOf(mlir::Value input);

} // namespace symc::sg

#endif // SYMC_IR_INPUTCLASSES_H
