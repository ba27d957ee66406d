// OperatorNames.h: what MXNet calls the operator of a node.
#ifndef SYMC_IR_OPERATORNAMES_H
#define SYMC_IR_OPERATORNAMES_H

#include "mlir/IR/Operation.h"
#include <string>

namespace symc::sg {

/// The file's name of the operator where the node keeps it, else the one whose presets the node
/// has;
/// "" for operations that no file names.
std::string mxnetNameOf(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_OPERATORNAMES_H
