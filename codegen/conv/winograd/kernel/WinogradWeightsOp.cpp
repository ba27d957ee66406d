// WinogradWeightsOp.cpp: what kernel.winograd_weights verifies, and what its interfaces return.
#include "codegen/conv/winograd/kernel/WinogradWeightsShape.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

static bool isPositive(ArrayRef<int64_t> values) {
  return llvm::all_of(values, [](int64_t value) { return value >= 1; });
}

LogicalResult WinogradWeightsOp::verify() {
  auto typeOf = [](Value view) { return cast<MemRefType>(view.getType()); };
  MemRefType data = typeOf(getData()), slope = typeOf(getSlope()), sums = typeOf(getSums());
  if (data.getRank() != 5 || slope.getRank() != 5 || sums.getRank() != 7)
    return emitOpError("needs data and slope of rank 5 and sums of rank 7, found ")
           << data.getRank() << ", " << slope.getRank() << " and " << sums.getRank();
  for (MemRefType type : {data, slope, sums})
    if (!type.hasStaticShape() || !type.getElementType().isF32())
      return emitOpError("needs constant extents of f32, found ") << type;
  if (!sums.getLayout().isIdentity())
    return emitOpError("needs sums without gaps");
  int64_t each = getPerSlot();
  if (each < 1 || !llvm::isPowerOf2_64(each))
    return emitOpError("per_slot needs a power of two, found ") << each;
  if (getBlock().size() != 3 || !isPositive(getBlock()))
    return emitOpError("block needs three numbers of at least 1, found [") << getBlock() << "]";
  if (getTogether().size() != 2 || !isPositive(getTogether()))
    return emitOpError("together needs two numbers of at least 1, found [") << getTogether() << "]";
  if (getSlotsOfTask() < 1)
    return emitOpError("slots_of_task needs at least 1, found ") << getSlotsOfTask();
  if (getTile() && (getTile()->size() != 2 || !isPositive(*getTile())))
    return emitOpError("tile needs [rows, vectors] of at least 1, found [") << *getTile() << "]";
  ArrayRef<int64_t> image = data.getShape(), result = slope.getShape(), window = sums.getShape();
  if (!WinogradWeightsShape::takes(window[4], window[5]))
    return emitOpError("needs a window of 2 to 4 taps along both axes, or along one, found ")
           << window[4] << "x" << window[5];
  if (image[0] != result[0])
    return emitOpError("has data of ") << image[0] << " images and slope of " << result[0];
  for (int axis : {0, 1}) {
    int64_t more = image[2 + axis] - result[2 + axis], steps = window[4 + axis] - 1;
    bool isWhole = steps ? more > 0 && more % steps == 0 : more == 0;
    if (!isWhole)
      return emitOpError("has ") << image[2 + axis] << (axis ? " columns" : " rows")
                                 << " of data and " << result[2 + axis]
                                 << " of slope, between which a "
                                 << "window of " << steps + 1 << " taps has no distance of taps";
    if (steps && more / steps > result[2 + axis])
      return emitOpError("has taps ") << more / steps << (axis ? " columns" : " rows")
                                      << " apart, beyond the " << result[2 + axis] << " of slope";
  }
  auto shape = WinogradWeightsShape::of(*this);
  if (shape.inChannels < 1 || shape.outChannels < 1 || image[4] != result[4] ||
      shape.inBlocks() > image[1] || shape.outBlocks() > result[1])
    return emitOpError("has ") << shape.inChannels << " by " << shape.outChannels
                               << " channels, the images have " << image[1] * image[4] << " and "
                               << result[1] * result[4];
  if (!shape.isOneGroup() && (shape.inBlocksSummed != shape.inBlocksOfTask ||
                              shape.outBlocksSummed != shape.outBlocksOfTask))
    return emitOpError("needs `together` to be all blocks of a task where tiles of a chunk are "
                       "several groups");
  SmallVector<int64_t> wanted{shape.slots(),   1 + int64_t(llvm::Log2_64(each)),
                              result[1],       shape.inChannels,
                              shape.window[0], shape.window[1],
                              result[4]};
  if (sums.getShape() != ArrayRef(wanted))
    return emitOpError("needs sums [") << wanted << "], found [" << sums.getShape() << "]";
  return success();
}

// Those of the products that it stands for, so that rates compare.
int64_t WinogradWeightsOp::getFlops() {
  auto shape = WinogradWeightsShape::of(*this);
  return 2 * shape.images * shape.rows * shape.columns * shape.inChannels * shape.outChannels *
         shape.window[0] * shape.window[1];
}
