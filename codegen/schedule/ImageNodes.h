// ImageNodes.h: facts about values and nodes over images [N, C, H, W] that rules and layouts
// share.
#ifndef SYMC_CODEGEN_SCHEDULE_IMAGENODES_H
#define SYMC_CODEGEN_SCHEDULE_IMAGENODES_H

#include "codegen/schedule/Tensors.h"
#include "ir/Windows.h"

namespace symc::sg {
class ConvolutionOp;
} // namespace symc::sg

namespace symc::codegen {

/// The channels of an image, if they are known.
std::optional<int64_t> channelsOf(mlir::Value value);
/// Bytes of a value; an extent that is known only at run time counts as 64.
int64_t bytesOf(mlir::Value value);
/// Bytes of a node's results.
int64_t bytesOfResults(mlir::Operation *op);

/// Whether the node makes of an image an image whose blocks can lie as its operand's do.
bool mapsImages(mlir::Operation *op, const Tensors &t);

/// An axis counted from the front.
inline int64_t normalisedAxis(int64_t axis, size_t rank) {
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

/// The channel of its operand at which a result of a split along channels begins.
std::optional<int64_t> channelStart(mlir::Operation *op, unsigned result);
/// The axis along which a concatenation joins, counted from the front.
int64_t joinedAxis(mlir::Operation *concat);
/// Whether the first result is images of the operand, whole ones with the borders that these
/// have: some of them, some channels, or windows of images.
bool holdsWholeImages(mlir::Operation *op);

/// A one- or two-dimensional window as two-dimensional.
struct Window {
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilate[2] = {1, 1};
  kernel::Padding padding;

  Window() = default;
  /// `padEnd` is empty where as much lies behind an extent as before it.
  Window(llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> stride,
         llvm::ArrayRef<int64_t> dilate, llvm::ArrayRef<int64_t> pad,
         llvm::ArrayRef<int64_t> padEnd = {});
  template <typename Conv> static Window ofConvolution(Conv op) {
    return Window(op.getKernel(), op.getStride(), op.getDilate(), op.getPad());
  }
  static Window ofConvolution(sg::ConvolutionOp op);
};

/// Pooling that sums whole images, or takes their means: a reduction.
bool sumsWholeImages(mlir::Operation *pooling);

/// The zeros that a convolution, of floats or integers, needs around its data.
kernel::Padding paddingOf(mlir::Operation *layer);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_IMAGENODES_H
