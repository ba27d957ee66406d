//===- Elementwise.h - what builders of elementwise operators share ---------===//
#ifndef SYMC_FRONTEND_ONNX_OPS_ELEMENTWISE_H
#define SYMC_FRONTEND_ONNX_OPS_ELEMENTWISE_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx::ops {

/// Whether two operands have one element type; refuses the node otherwise.
bool requireSameTypes(NodeScope &node, size_t first, size_t second);
/// A function of the first two operands; of one and a number where one of them is a known number.
mlir::Value pair(NodeScope &node, llvm::StringRef fn, bool commutes = false);

} // namespace symc::onnx::ops

#endif // SYMC_FRONTEND_ONNX_OPS_ELEMENTWISE_H
