// CheckShapes.cpp: see CheckShapes.h. A shape is known that has a rank, and extents that are
// constants or expressions over the program's sizes.
#include "codegen/schedule/CheckShapes.h"

#include "ir/GraphDialect.h"

using namespace mlir;
using namespace symc::sg;

static LogicalResult refuse(Location location, const Twine &what, const Shape &shape) {
  return emitError(location) << "internal error: " << what << " reaches code generation with shape "
                             << shape.str() << ", needs every extent";
}

LogicalResult symc::codegen::checkShapes(ModuleOp module) {
  auto check = [](Value value) {
    Shape shape = shapeOf(value.getType());
    return shape.isFullyKnown() ? success() : refuse(value.getLoc(), describeValue(value), shape);
  };
  for (auto graph : module.getOps<GraphOp>()) {
    WalkResult sound = graph.walk<WalkOrder::PreOrder>([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (failed(check(argument)))
          return WalkResult::interrupt();
      for (Operation &op : *block)
        for (Value result : op.getResults())
          if (failed(check(result)))
            return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (sound.wasInterrupted())
      return failure();
  }
  for (auto weight : module.getOps<WeightOp>())
    if (Shape shape = shapeOf(weight.getType()); !shape.isFullyKnown())
      return refuse(weight.getLoc(), "weight '" + weight.getSymName() + "'", shape);
  return success();
}
