// ValueSizes.h: symbolic sizes that values decide while a run goes on, such as the number
// of rows that a mask keeps. Each belongs to one node of the main graph: its kernel writes
// the number into the frame's sizes, and every later step reads it there. Before the run it
// counts as its largest, for which memory is planned.
#ifndef SYMC_IR_VALUESIZES_H
#define SYMC_IR_VALUESIZES_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace symc::sg {

/// The number of the symbolic size that the node decides, if it does.
std::optional<int64_t> decidedSize(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_VALUESIZES_H
