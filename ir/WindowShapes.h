// WindowShapes.h: shapes of convolutions, poolings and fully connected layers, for the
// operators over floats and those over quantised integers. Operand 0 is data, for convolutions 1 is
// weight and 2 bias; parameters have been checked.
#ifndef SYMC_IR_WINDOWSHAPES_H
#define SYMC_IR_WINDOWSHAPES_H

#include "ir/Inference.h"
#include "ir/Interval.h"
#include "ir/OpTable.h"
#include "ir/Windows.h"

namespace symc::sg {

/// What the parameters of a convolution or pooling make impossible by themselves, or "".
std::string checkConvolution(const ParamView &params);
/// With `insidePad` padding may be as large as windows, which hold padding alone then.
std::string checkPooling(const ParamView &params, bool insidePad);

/// Channels are constants, and a multiple of the parameter `name`, of which there are `groups`.
mlir::LogicalResult needChannels(ShapeScope &scope, const Shape &data, size_t axis, int64_t groups,
                                 llvm::StringRef name);

/// The padded image along an axis of data holds the window, which spans `span` elements.
mlir::LogicalResult needWindow(ShapeScope &scope, const Shape &data, size_t axis, Dim padded,
                               int64_t span);

/// What a mean of pooling_v1 multiplies a sum by, wherever the window lies: MXNet takes a float of
/// 32 bits.
double partOfWindow(llvm::ArrayRef<int64_t> kernel);

struct ConvolutionWindow {
  llvm::ArrayRef<int64_t> kernel, stride, dilate;
  Padding pad;
  int64_t filters, groups;
  bool channelLast;
  bool hasBias;
};

/// Refines data, weight, bias and result 0; an error where the kernel does not fit.
mlir::LogicalResult inferConvolution(ShapeScope &scope, const ConvolutionWindow &window);

struct PoolWindow {
  llvm::ArrayRef<int64_t> kernel, stride;
  Padding pad;
  bool global;
  llvm::StringRef convention;
  bool channelLast;
};

/// Refines result 0; an error where the window does not fit.
mlir::LogicalResult inferPooling(ShapeScope &scope, const PoolWindow &window);

/// Whether every window of the pooling holds at least one element of data, of whatever sizes in
/// `ranges`. Last windows of `full` with a stride beyond the kernel, or with padding, can lie
/// behind the image: their average is 0, their maximum the least number, whatever data is, so that
/// nothing may change places with such a pooling that does not keep these.
bool everyWindowHoldsAnElement(const PoolWindow &window, const Shape &data,
                               const SymbolRanges &ranges);

/// Refines data, weight and result 0 of a fully connected layer; the caller refines the
/// bias.
mlir::LogicalResult inferFullyConnected(ShapeScope &scope, int64_t hidden, bool flatten);

} // namespace symc::sg

#endif // SYMC_IR_WINDOWSHAPES_H
