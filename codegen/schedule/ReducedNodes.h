// ReducedNodes.h: which reductions and normalisations can be generated, and which of them in blocks
// of channels (rules/Reduce.cpp makes their steps).
#ifndef SYMC_CODEGEN_SCHEDULE_REDUCEDNODES_H
#define SYMC_CODEGEN_SCHEDULE_REDUCEDNODES_H

#include "codegen/schedule/GroupView.h"

namespace symc::codegen {

/// Whether bodies can be made of the types of data and results of the node.
bool hasReducedTypes(mlir::Operation *root);
/// Whether the step of the group could read and write blocks.
bool reducesInBlocks(const GroupView &group);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_REDUCEDNODES_H
