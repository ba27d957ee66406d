// KernelAttributes.cpp: see KernelAttributes.h; what attributes of steps verify.
#include "codegen/kernel/KernelAttributes.h"

using namespace mlir;

namespace symc::kernel {

using Emit = llvm::function_ref<InFlightDiagnostic()>;

PaddingAttr Padding::attribute(MLIRContext *context) const {
  return isNone() ? PaddingAttr() : PaddingAttr::get(context, top, bottom, left, right);
}

Padding paddingOf(PaddingAttr attribute) {
  if (!attribute)
    return {};
  return {attribute.getTop(), attribute.getBottom(), attribute.getLeft(), attribute.getRight()};
}

LogicalResult LayoutAttr::verify(Emit emitError, StringRef kind, int64_t rows, int64_t columns) {
  if ((kind != "blocked" && kind != "plain") || rows < 0 || columns < 0)
    return emitError() << "a layout is blocked or plain, with a halo of at least 0, found " << kind
                       << ", " << rows << " and " << columns;
  return success();
}

LogicalResult CutAttr::verify(Emit emitError, int64_t axis, int64_t indices, int64_t grain,
                              int64_t work) {
  bool known = indices >= 1 && grain == 0 && work == 0;
  bool byGrain = indices == 0 && grain >= 1 && work >= 1;
  if (axis < 0 || (!known && !byGrain))
    return emitError() << "a cut has an axis, and either indices or grain and work of at least 1, "
                          "found axis "
                       << axis << ", indices " << indices << ", grain " << grain << " and work "
                       << work;
  return success();
}

LogicalResult ConvTasksAttr::verify(Emit emitError, int64_t groups, int64_t pixelTiles,
                                    int64_t pixelChunks, int64_t images, int64_t imageChunks) {
  if (groups < 1 || pixelTiles < 1 || pixelChunks < 1 || images < 1 || imageChunks < 0)
    return emitError() << "tasks have groups, pixel_tiles, pixel_chunks and images of at least 1, "
                          "image_chunks of at least 0, found "
                       << groups << ", " << pixelTiles << ", " << pixelChunks << ", " << images
                       << " and " << imageChunks;
  return success();
}

LogicalResult DepthwiseTasksAttr::verify(Emit emitError, int64_t planes, int64_t planeChunks,
                                         int64_t rows) {
  if (planes < 1 || planeChunks < 0 || rows < 0)
    return emitError() << "tasks have planes of at least 1, plane_chunks and rows of at least 0, "
                          "found "
                       << planes << ", " << planeChunks << " and " << rows;
  return success();
}

LogicalResult PieceAttr::verify(Emit emitError, int64_t step, int64_t pieces) {
  if (step < 0 || pieces < 1)
    return emitError() << "a piece has a step's number of at least 0 and at least 1 of its pieces, "
                          "found "
                       << step << " and " << pieces;
  return success();
}

LogicalResult PaddingAttr::verify(Emit emitError, int64_t top, int64_t bottom, int64_t left,
                                  int64_t right) {
  if (top < 0 || bottom < 0 || left < 0 || right < 0)
    return emitError() << "padding is at least 0 at each side, found " << top << ", " << bottom
                       << ", " << left << " and " << right;
  return success();
}

} // namespace symc::kernel
