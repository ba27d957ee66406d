// ImageNodes.cpp: see ImageNodes.h.
#include "codegen/schedule/ImageNodes.h"

#include "ir/ops/Fused.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Patches.h"
#include "ir/ops/Quantized.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

int64_t symc::codegen::bytesOf(Value value) {
  int64_t bytes = elementTypeOf(value.getType()).getIntOrFloatBitWidth() / 8;
  for (AffineExpr extent : extentsOf(value))
    bytes *= constantOf(extent).value_or(64);
  return bytes;
}

int64_t symc::codegen::bytesOfResults(Operation *op) {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    bytes += bytesOf(result);
  return bytes;
}

std::optional<int64_t> symc::codegen::channelsOf(Value value) {
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  return extents.size() == 3 || extents.size() == 4 ? constantOf(extents[1]) : std::nullopt;
}

bool symc::codegen::mapsImages(Operation *op, const Tensors &t) {
  Value data = op->getOperand(0), result = op->getResult(0);
  return extentsOf(data).size() == 4 && extentsOf(result).size() == 4 && channelsOf(result) &&
         t.layerElements(result);
}

int64_t symc::codegen::joinedAxis(Operation *concat) {
  auto op = cast<ConcatOp>(concat);
  return normalisedAxis(op.getDim(), extentsOf(op.getOutput()).size());
}

bool symc::codegen::holdsWholeImages(Operation *op) {
  if (isa<UnfoldImagesOp>(op) || channelStart(op, 0))
    return true;
  if (!isa<SliceOp, SliceAxisOp>(op) || !channelsOf(op->getOperand(0)))
    return false;
  SmallVector<AffineExpr, 4> data = extentsOf(op->getOperand(0)),
                             part = extentsOf(op->getResult(0));
  return ArrayRef<AffineExpr>(data).drop_front() == ArrayRef<AffineExpr>(part).drop_front();
}

std::optional<int64_t> symc::codegen::channelStart(Operation *op, unsigned result) {
  if (!op->getNumOperands() || !channelsOf(op->getOperand(0)))
    return std::nullopt;
  auto axisIs1 = [&](int64_t axis) {
    return normalisedAxis(axis, extentsOf(op->getOperand(0)).size()) == 1;
  };
  if (auto split = dyn_cast<SliceChannelOp>(op))
    if (axisIs1(split.getAxis()) && !split.getSqueezeAxis())
      return result * *channelsOf(op->getResult(0));
  if (auto slice = dyn_cast<SliceAxisOp>(op))
    if (axisIs1(slice.getAxis())) {
      int64_t begin = slice.getBegin();
      return begin < 0 ? begin + *channelsOf(op->getOperand(0)) : begin;
    }
  return std::nullopt;
}

Window::Window(ArrayRef<int64_t> k, ArrayRef<int64_t> s, ArrayRef<int64_t> d, ArrayRef<int64_t> p,
               ArrayRef<int64_t> padEnd) {
  int64_t begin[2] = {0, 0}, end[2] = {0, 0};
  size_t shift = 2 - k.size();
  for (size_t i = 0; i < k.size(); ++i) {
    kernel[shift + i] = k[i];
    stride[shift + i] = s.empty() ? 1 : s[i];
    dilate[shift + i] = d.empty() ? 1 : d[i];
    begin[shift + i] = at(p, i, 0);
    end[shift + i] = at(padEnd, i, begin[shift + i]);
  }
  padding = {begin[0], end[0], begin[1], end[1]};
}

Window Window::ofConvolution(ConvolutionOp op) {
  return Window(op.getKernel(), op.getStride(), op.getDilate(), op.getPad(), op.getPadEnd());
}

bool symc::codegen::sumsWholeImages(Operation *pooling) {
  auto op = cast<PoolingOp>(pooling);
  return op.getGlobalPool() && (op.getPoolType() == "avg" || op.getPoolType() == "sum") &&
         isChannelsFirst(op.getLayout());
}

kernel::Padding symc::codegen::paddingOf(Operation *layer) {
  if (auto conv = dyn_cast<IntegerConvOp>(layer))
    return Window(conv.getKernel(), conv.getStride(), conv.getDilate(), conv.getPad(),
                  conv.getPadEnd())
        .padding;
  if (auto conv = dyn_cast<QuantizedConvOp>(layer))
    return Window::ofConvolution(conv).padding;
  return Window::ofConvolution(cast<ConvolutionOp>(layer)).padding;
}
