// ElementwiseSource.cpp: kernel.loops, kernel.copy and kernel.fill: one thread an index of the nest
// in normal form, so that neighbours write neighbours.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/kernel/NestNormalForm.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

/// Views of one shape, walked together.
struct Nest {
  SmallVector<View> views;
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
  Nest nest;
  for (auto [i, origin] : llvm::enumerate(origins)) {
    std::string name = i < inputs ? "x" + std::to_string(i) : "y" + std::to_string(i - inputs);
    FailureOr<View> view = writer.view(origin, op->getOperand(i), name);
    if (failed(view))
      return failure();
    nest.views.push_back(*view);
  }
  nest.indices = writer.walk(nest.views[inputs].sizes);
  return nest;
}

static LogicalResult writeLoops(kernel::LoopsOp op, KernelWriter &writer) {
  unsigned inputs = op.getIns().size();
  FailureOr<Nest> nest = openNest(op, writer, inputs, op.getCoordinates().empty());
  if (failed(nest))
    return failure();
  SmallVector<std::string> arguments;
  for (int64_t dimension : op.getCoordinates())
    arguments.push_back("(int)" + nest->indices[dimension]);
  for (const View &view : ArrayRef(nest->views).take_front(inputs)) {
    arguments.push_back(writer.fresh("e"));
    writer.line("const " + valueType(view.elementType) + " " + arguments.back() + " = " +
                writer.load(view, nest->indices) + ";");
  }
  FailureOr<SmallVector<std::string>> results = writeBody(writer, op.getBody(), arguments);
  if (failed(results))
    return failure();
  for (auto [view, value] : llvm::zip(ArrayRef(nest->views).drop_front(inputs), *results))
    writer.store(view, nest->indices, value);
  writer.close();
  return success();
}

static LogicalResult writeCopy(kernel::CopyOp op, KernelWriter &writer) {
  FailureOr<Nest> nest = openNest(op, writer, 1, true);
  if (failed(nest))
    return failure();
  const View &from = nest->views[0], &to = nest->views[1];
  if (from.elementType == to.elementType)
    writer.line(writer.element(to, nest->indices) + " = " + writer.element(from, nest->indices) +
                ";");
  else
    writer.store(to, nest->indices, writer.load(from, nest->indices));
  writer.close();
  return success();
}

static LogicalResult writeFill(kernel::FillOp op, KernelWriter &writer) {
  FailureOr<Nest> nest = openNest(op, writer, 0, true);
  if (failed(nest))
    return failure();
  writer.store(nest->views[0], nest->indices, literal(op.getValue()));
  writer.close();
  return success();
}

void registerElementwiseSource(DialectRegistry &registry) {
  addSource<kernel::LoopsOp, writeLoops, anyHalves>(registry);
  addSource<kernel::CopyOp, writeCopy, anyHalves>(registry);
  addSource<kernel::FillOp, writeFill, anyHalves>(registry);
}

} // namespace symc::codegen::cuda
