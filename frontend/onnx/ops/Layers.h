//===- Layers.h - convolutions for builders of other files -----------------===//
#ifndef SYMC_FRONTEND_ONNX_OPS_LAYERS_H
#define SYMC_FRONTEND_ONNX_OPS_LAYERS_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx::ops {

/// The windows of a layer, by axis of the image.
struct Windows {
  llvm::SmallVector<int64_t> kernel, stride, dilation, begin, end;
  llvm::SmallVector<sg::Dim> extents;
  size_t rank() const { return kernel.size(); }
  int64_t span(size_t i) const { return dilation[i] * (kernel[i] - 1) + 1; }
  bool isEven() const { return begin == end; }
  bool isDilated() const {
    return llvm::any_of(dilation, [](int64_t d) { return d != 1; });
  }
};

/// Those of a convolution whose weight is the operand of this number; nothing after a refusal.
std::optional<Windows> convolutionWindows(NodeScope &node, size_t weight);
/// A convolution of operand 0's image; `bias` may be null.
mlir::Value makeConvolution(NodeScope &node, mlir::Value x, mlir::Value weight, mlir::Value bias,
                            int64_t groups, const Windows &windows);
/// Elements of one value around the image.
mlir::Value padImage(NodeScope &node, mlir::Value x, llvm::ArrayRef<int64_t> begin,
                     llvm::ArrayRef<int64_t> end, double value);

} // namespace symc::onnx::ops

#endif // SYMC_FRONTEND_ONNX_OPS_LAYERS_H
