//===- Classic.h - what builders of classic machine learning share ----------===//
#ifndef SYMC_FRONTEND_ONNX_OPS_CLASSIC_H
#define SYMC_FRONTEND_ONNX_OPS_CLASSIC_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx::ops {

/// A post_transform's number in TreeEnsemble by its name, or -1.
int64_t transformOf(llvm::StringRef name);
/// Scores [rows, n] by a post_transform: none, softmax, logistic, softmax of what is not 0, probit.
mlir::Value transformedScores(NodeScope &node, mlir::Value scores, int64_t kind);

} // namespace symc::onnx::ops

#endif // SYMC_FRONTEND_ONNX_OPS_CLASSIC_H
