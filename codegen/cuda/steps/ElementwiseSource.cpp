// ElementwiseSource.cpp: kernel.loops, kernel.copy and kernel.fill: one thread an index of the nest
// in normal form, or four neighbours (VectorWalk.h), so that neighbours write neighbours.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/VectorWalk.h"
#include "codegen/kernel/NestNormalForm.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

/// Views of one shape, walked together.
struct Nest {
  SmallVector<View> views;
  VectorWalk walk;
  SmallVector<std::string> indices;
};

} // namespace

// `inputs` of the operands are read; the first of the others leads.
static FailureOr<Nest> openNest(Operation *op, KernelWriter &writer, unsigned inputs, bool normal) {
  SmallVector<kernel::ViewOrigin> origins;
  for (Value operand : op->getOperands()) {
    FailureOr<kernel::ViewOrigin> origin = kernel::traceView(operand);
    if (failed(origin))
      return failure();
    origins.push_back(*origin);
  }
  SmallVector<kernel::ViewOrigin *> all;
  for (kernel::ViewOrigin &origin : origins)
    all.push_back(&origin);
  if (normal)
    normaliseNest(all, inputs);
  SmallVector<View> views;
  for (auto [i, origin] : llvm::enumerate(origins)) {
    std::string name = i < inputs ? "x" + std::to_string(i) : "y" + std::to_string(i - inputs);
    FailureOr<View> view = writer.view(origin, op->getOperand(i), name);
    if (failed(view))
      return failure();
    views.push_back(*view);
  }
  ArrayRef<AffineExpr> sizes = views[inputs].sizes;
  VectorWalk walk(writer, sizes, views);
  SmallVector<std::string> indices = walk.open(sizes);
  return Nest{views, walk, indices};
}

static LogicalResult writeLoops(kernel::LoopsOp op, KernelWriter &writer) {
  unsigned inputs = op.getIns().size();
  FailureOr<Nest> nest = openNest(op, writer, inputs, op.getCoordinates().empty());
  if (failed(nest))
    return failure();
  VectorWalk &walk = nest->walk;
  SmallVector<VectorWalk::Access> accesses;
  for (auto [i, view] : llvm::enumerate(nest->views))
    accesses.push_back(i < inputs ? walk.fetch(view, nest->indices)
                                  : walk.target(view, nest->indices));
  ArrayRef<VectorWalk::Access> outs = ArrayRef(accesses).drop_front(inputs);
  walk.openLanes();
  SmallVector<std::string> arguments;
  for (int64_t dimension : op.getCoordinates()) {
    const std::string &index = nest->indices[dimension];
    bool last = dimension + 1 == (int64_t)nest->indices.size();
    arguments.push_back("(int)" + (last ? walk.index(index) : index));
  }
  for (const VectorWalk::Access &access : ArrayRef(accesses).take_front(inputs))
    arguments.push_back(walk.value(access));
  FailureOr<SmallVector<std::string>> results = writeBody(writer, op.getBody(), arguments);
  if (failed(results))
    return failure();
  for (auto [access, value] : llvm::zip(outs, *results))
    walk.set(access, value);
  walk.closeLanes();
  for (const VectorWalk::Access &access : outs)
    walk.flush(access);
  writer.close();
  return success();
}

static LogicalResult writeCopy(kernel::CopyOp op, KernelWriter &writer) {
  FailureOr<Nest> nest = openNest(op, writer, 1, true);
  if (failed(nest))
    return failure();
  VectorWalk &walk = nest->walk;
  VectorWalk::Access from = walk.fetch(nest->views[0], nest->indices),
                     to = walk.target(nest->views[1], nest->indices);
  walk.openLanes();
  walk.setRaw(to, converted(from.view.elementType, to.view.elementType, walk.raw(from)));
  walk.closeLanes();
  walk.flush(to);
  writer.close();
  return success();
}

static LogicalResult writeFill(kernel::FillOp op, KernelWriter &writer) {
  FailureOr<Nest> nest = openNest(op, writer, 0, true);
  if (failed(nest))
    return failure();
  VectorWalk::Access to = nest->walk.target(nest->views[0], nest->indices);
  nest->walk.openLanes();
  nest->walk.set(to, literal(op.getValue()));
  nest->walk.closeLanes();
  nest->walk.flush(to);
  writer.close();
  return success();
}

void registerElementwiseSource(DialectRegistry &registry) {
  addSource<kernel::LoopsOp, writeLoops, anyHalves>(registry);
  addSource<kernel::CopyOp, writeCopy, anyHalves>(registry);
  addSource<kernel::FillOp, writeFill, anyHalves>(registry);
}

} // namespace symc::codegen::cuda
