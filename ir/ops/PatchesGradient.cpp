// PatchesGradient.cpp: im2col and col2im are each other's transposes.
#include "ir/Gradient.h"
#include "ir/ops/Patches.h"

using namespace mlir;
using namespace symc::sg;

template <class Op> static SmallVector<NamedAttribute> windowOf(symc::CoreBuilder &core, Op op) {
  return {core.numbers("kernel", op.getKernel()), core.numbers("stride", op.getStride()),
          core.numbers("dilate", op.getDilate()), core.numbers("pad", op.getPad())};
}

LogicalResult Im2colOp::buildGradient(GradientScope &scope) {
  SmallVector<NamedAttribute> attributes = windowOf(scope.core, *this);
  SmallVector<int64_t> extents;
  Shape data = shapeOf(getData().getType());
  for (size_t axis = 2; axis < data.rank(); ++axis)
    extents.push_back(scope.extent(data[axis]));
  attributes.push_back(scope.core.numbers("output_size", extents));
  scope.give(0, scope.core.make("col2im", scope.of(), getData().getType(), attributes));
  return success();
}

LogicalResult Col2imOp::buildGradient(GradientScope &scope) {
  scope.give(
      0, scope.core.make("im2col", scope.of(), getData().getType(), windowOf(scope.core, *this)));
  return success();
}
