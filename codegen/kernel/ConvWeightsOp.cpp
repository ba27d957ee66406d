// ConvWeightsOp.cpp: what kernel.conv_weights, kernel.depthwise_weights and kernel.join_sums verify
// and say of themselves.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

static MemRefType typeOf(Value view) { return cast<MemRefType>(view.getType()); }

// Whether elements lie side by side along the last axis.
static bool hasLanes(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
}

static PixelChunks chunksOf(Value slope) {
  ArrayRef<int64_t> shape = typeOf(slope).getShape();
  return PixelChunks::of(shape[0], shape[2], shape[3]);
}

// The window of sums over pixels, over what data has, and their slots.
template <typename Op> static LogicalResult verifyWindow(Op op) {
  for (ArrayRef<int64_t> pair : {op.getKernel(), op.getStrides(), op.getDilations()})
    if (pair.size() != 2 || pair[0] < 1 || pair[1] < 1)
      return op.emitOpError("needs two numbers of at least 1 for rows and columns, found [")
             << pair << "]";
  ArrayRef<int64_t> image = typeOf(op.getData()).getShape(),
                    result = typeOf(op.getSlope()).getShape();
  if (image[0] != result[0])
    return op.emitOpError("has data of ") << image[0] << " images and slope of " << result[0];
  for (int axis : {0, 1}) {
    int64_t reach = (result[2 + axis] - 1) * op.getStrides()[axis] +
                    (op.getKernel()[axis] - 1) * op.getDilations()[axis] + 1;
    if (result[2 + axis] > 0 && reach > image[2 + axis])
      return op.emitOpError("reads ")
             << reach << (axis ? " columns" : " rows") << " of data's " << image[2 + axis];
  }
  int64_t each = op.getPerSlot();
  if (each < 1 || !llvm::isPowerOf2_64(each))
    return op.emitOpError("per_slot needs a power of two, found ") << each;
  return success();
}

PixelChunks ConvWeightsOp::getChunks() { return chunksOf(getSlope()); }

int64_t ConvWeightsOp::getInputLanes() { return typeOf(getData()).getDimSize(4); }

int64_t ConvWeightsOp::getFlops() {
  ArrayRef<int64_t> slope = typeOf(getSlope()).getShape();
  return 2 * slope[0] * slope[2] * slope[3] * getOutChannels() * getInChannels() * getWindow();
}

bool ConvWeightsOp::isChosen() {
  return getTile().has_value() && !getStrip().empty() && getCutAttr();
}

// What both kinds of sums need of data, slope and sums.
template <class Op> static LogicalResult verifyOperands(Op op) {
  MemRefType data = typeOf(op.getData()), slope = typeOf(op.getSlope()),
             sums = typeOf(op.getSums());
  if (data.getRank() != 5 || slope.getRank() != 5 || sums.getRank() != 7)
    return op.emitOpError("needs data and slope of rank 5 and sums of rank 7, found ")
           << data.getRank() << ", " << slope.getRank() << " and " << sums.getRank();
  for (MemRefType type : {data, slope, sums})
    if (!type.hasStaticShape() || !type.getElementType().isF32())
      return op.emitOpError("needs constant extents of f32, found ") << type;
  return success();
}

// Slots of chunks, each with the levels of its tree, of rows of `channels` for each tap.
template <class Op> static LogicalResult verifySums(Op op, int64_t channels) {
  ArrayRef<int64_t> result = typeOf(op.getSlope()).getShape(),
                    found = typeOf(op.getSums()).getShape();
  int64_t each = op.getPerSlot();
  SmallVector<int64_t> wanted{int64_t(llvm::divideCeil(op.getChunks().count, each)),
                              1 + int64_t(llvm::Log2_64(each)),
                              result[1],
                              channels,
                              op.getKernel()[0],
                              op.getKernel()[1],
                              result[4]};
  if (found != ArrayRef(wanted))
    return op.emitOpError("needs sums [") << wanted << "], found [" << found << "]";
  return success();
}

LogicalResult ConvWeightsOp::verify() {
  MemRefType data = typeOf(getData()), slope = typeOf(getSlope()), sums = typeOf(getSums());
  if (failed(verifyOperands(*this)))
    return failure();
  if (!hasLanes(slope) || !sums.getLayout().isIdentity())
    return emitOpError("needs slope's channels side by side and sums without gaps");
  if (failed(verifyWindow(*this)))
    return failure();
  ArrayRef<int64_t> image = data.getShape(), result = slope.getShape();
  int64_t inputs = getInChannels(), outputs = getOutChannels();
  if (inputs < 1 || outputs < 1 || inputs > image[1] * image[4] || outputs > result[1] * result[4])
    return emitOpError("has ") << inputs << " by " << outputs << " channels, the images have "
                               << image[1] * image[4] << " and " << result[1] * result[4];
  if (failed(verifySums(*this, inputs)))
    return failure();
  auto isPair = [](ArrayRef<int64_t> pair) {
    return pair.size() == 2 && pair[0] >= 1 && pair[1] >= 1;
  };
  if (getTile() && !isPair(*getTile()))
    return emitOpError("tile needs [rows, vectors] of at least 1, found [") << *getTile() << "]";
  if (!getStrip().empty() && !isPair(getStrip()))
    return emitOpError("strip needs [images, rows] of at least 1, found [") << getStrip() << "]";
  return verifyCut(*this, 4);
}

PixelChunks DepthwiseWeightsOp::getChunks() { return chunksOf(getSlope()); }

// Channels of a group; 1: depthwise.
static int64_t groupChannelsOf(DepthwiseWeightsOp op) { return typeOf(op.getSums()).getDimSize(3); }

int64_t DepthwiseWeightsOp::getFlops() {
  return 2 * staticElements(getSlope(), 0) * groupChannelsOf(*this) * getKernel()[0] *
         getKernel()[1];
}

LogicalResult DepthwiseWeightsOp::verify() {
  MemRefType data = typeOf(getData()), slope = typeOf(getSlope()), sums = typeOf(getSums());
  if (failed(verifyOperands(*this)))
    return failure();
  if (!hasLanes(data) || !hasLanes(slope) || !sums.getLayout().isIdentity())
    return emitOpError("needs channels side by side and sums without gaps");
  if (failed(verifyWindow(*this)))
    return failure();
  ArrayRef<int64_t> image = data.getShape(), result = slope.getShape();
  if (image[1] != result[1] || image[4] != result[4])
    return emitOpError("has blocks of ") << image[1] << " by " << image[4] << " channels and of "
                                         << result[1] << " by " << result[4];
  int64_t channels = groupChannelsOf(*this);
  if (channels < 1 || channels >= result[4] || result[4] % channels)
    return emitOpError("needs groups of channels by which a block of ")
           << result[4] << " divides, found " << channels;
  if (failed(verifySums(*this, channels)))
    return failure();
  return verifyCut(*this, 2);
}

LogicalResult JoinSumsOp::verify() {
  MemRefType sums = typeOf(getSums()), out = typeOf(getOut());
  if (sums.getRank() != 4 || out.getRank() != 2 || !sums.hasStaticShape() ||
      !out.hasStaticShape() || !sums.getElementType().isF32() || !out.getElementType().isF32())
    return emitOpError("needs sums [S, OB, R, lanes] and out [O, R] of constant extents and f32");
  ArrayRef<int64_t> from = sums.getShape(), to = out.getShape();
  if (from[2] != to[1] || to[0] > from[1] * from[3] || to[0] <= (from[1] - 1) * from[3])
    return emitOpError("has sums [") << from << "] and out [" << to << "]";
  if (!hasLanes(sums) || !hasLanes(out))
    return emitOpError("needs elements side by side along the last axes");
  return verifyCut(*this, 2);
}
