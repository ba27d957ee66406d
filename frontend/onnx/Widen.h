//===- Widen.h - integers without kernels of their own ---------------------===//
#ifndef SYMC_FRONTEND_ONNX_WIDEN_H
#define SYMC_FRONTEND_ONNX_WIDEN_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::onnx {

/// Computes int16 and uint16 in int32, uint32 and uint64 in int64: casts around each node.
void widenIntegers(mlir::ModuleOp module);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_WIDEN_H
