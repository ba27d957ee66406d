// ShapeGradient.cpp: gradients of operators that put elements into another order or shape: the
// way back, and sums where an element stands several times.
#include "ir/Gradient.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult ReshapeOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.reshapeTo(scope.of(), getData().getType()));
  return success();
}

LogicalResult ReshapeLikeOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.reshapeTo(scope.of(), getLhs().getType()));
  return success();
}

LogicalResult TransposeOp::buildGradient(GradientScope &scope) {
  SmallVector<int64_t> order = getOrder(), back(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    back[from] = to;
  scope.give(0, scope.core.transpose(scope.of(), back));
  return success();
}

LogicalResult TileOp::buildGradient(GradientScope &scope) {
  Shape wide = shapeOf(getOutput().getType()), narrow = shapeOf(getData().getType());
  size_t missing = wide.rank() - narrow.rank();
  Shape split{size_t(0)};
  SmallVector<int64_t> repeats;
  for (size_t axis = 0; axis < wide.rank(); ++axis) {
    Dim own = axis < missing ? scope.core.dim(1) : narrow[axis - missing];
    bool same = own == wide[axis];
    int64_t extent = same ? 1 : scope.extent(own);
    repeats.push_back(split.rank());
    split.push_back(scope.core.dim(same || !extent ? 1 : scope.extent(wide[axis]) / extent));
    split.push_back(own);
  }
  Value sums = scope.core.reduce("sum", scope.core.reshape(scope.of(), split), repeats, false);
  scope.give(0, scope.core.reshapeTo(sums, getData().getType()));
  return success();
}

LogicalResult RepeatOp::buildGradient(GradientScope &scope) {
  Shape data = shapeOf(getData().getType()), split{size_t(0)};
  Dim repeats = scope.core.dim(getRepeats());
  int64_t behind = 1;
  if (getAxis()) {
    int64_t axis = scope.axisOf(*getAxis(), getData());
    for (size_t i = 0; i < data.rank(); ++i) {
      split.push_back(data[i]);
      if (int64_t(i) == axis) {
        behind = split.rank();
        split.push_back(repeats);
      }
    }
  } else {
    split = Shape({data.product(0, data.rank(), getContext()), repeats});
  }
  Value sums = scope.core.reduce("sum", scope.core.reshape(scope.of(), split), {behind}, false);
  scope.give(0, scope.core.reshapeTo(sums, getData().getType()));
  return success();
}

LogicalResult ReverseOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.reverse(scope.of(), getAxis()));
  return success();
}

LogicalResult BroadcastToOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.sumTo(scope.of(), getData().getType()));
  return success();
}

LogicalResult BroadcastAxisOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.sumTo(scope.of(), getData().getType()));
  return success();
}

LogicalResult DepthToSpaceOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("space_to_depth", scope.of(), getData().getType(),
                                scope.core.number("block_size", getBlockSize())));
  return success();
}

LogicalResult SpaceToDepthOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("depth_to_space", scope.of(), getData().getType(),
                                scope.core.number("block_size", getBlockSize())));
  return success();
}

// A diagonal's elements stand at equal distances in the flattened planes.
LogicalResult DiagOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  Shape data = shapeOf(getData().getType());
  int64_t k = getK(), rank = data.rank();
  if (rank == 1) {
    scope.give(0, core.make("diag", scope.of(), getData().getType(), core.number("k", k)));
    return success();
  }
  int64_t row = scope.axisOf(getAxis1(), getData()), column = scope.axisOf(getAxis2(), getData());
  int64_t columns = scope.extent(data[column]), size = scope.extent(data[row]) * columns;
  Shape slope = shapeOf(scope.of().getType());
  int64_t length = scope.extent(slope[slope.rank() - 1]);
  int64_t first = k >= 0 ? k : -k * columns;
  // [..., length] times a matrix with a 1 where each element of the diagonal stands.
  Value places = core.arange(double(first), double(columns + 1), length, core.b.getI64Type());
  Value ones = core.oneHot(places, size, elementTypeOf(getData().getType()));
  Dim outer = slope.product(0, slope.rank() - 1, getContext());
  Value flat = core.make("dot", {core.reshape(scope.of(), Shape({outer, core.dim(length)})), ones},
                         core.withShape(scope.of(), Shape({outer, core.dim(size)})));
  // Other extents first, the planes' axes last; then each where data has it.
  Shape apart{size_t(0)};
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != row && axis != column) {
      order.push_back(axis);
      apart.push_back(data[axis]);
    }
  order.append({row, column});
  apart.push_back(data[row]);
  apart.push_back(data[column]);
  SmallVector<int64_t> back(rank);
  for (auto [from, to] : llvm::enumerate(order))
    back[to] = from;
  scope.give(0, core.transpose(core.reshape(flat, apart), back));
  return success();
}
