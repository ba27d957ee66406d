// ScheduleWinograd.cpp: asks KernelChoice about each convolution, says in a remark
// what came out, and builds kernel.winograd with its scratch. All such steps of a
// program share the words that mark rows of scratch as taken: zero between steps.
#include "codegen/schedule/Schedule.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t slotRows = 16, wordsPerLine = 16;

Region *Scheduler::createWinograd(const ConvLayer &layer, WeightRequest request, Value in,
                                  ValueRange extras, Value out, Location location) {
  ConvChoice choice = chooseConvKernel(layer, options.kernels);
  auto named = remark::RemarkOpts::name("convolution").category("kernel-schedule");
  if (choice.kernel == ConvKernel::Direct) {
    remark::missed(location, named) << "direct convolution: " + choice.reason;
    return nullptr;
  }
  kernel::WinogradShape &shape = choice.winograd;
  remark::passed(location, named)
      << llvm::formatv("{0} in {1} tasks, {2} tiles and {3} output blocks at once: {4}; "
                       "error at most {5:E1} of the largest output",
                       nameOf(choice.kernel), shape.tasks(), shape.tilesAtOnce,
                       shape.blocksAtOnce, choice.reason, choice.error)
             .str();
  OpBuilder &b = t.builder;
  if (!winogradSlots) {
    SmallVector<AffineExpr> extents{t.constant(slotRows), t.constant(wordsPerLine)};
    winogradSlots = t.buffer(extents, b.getI32Type(), location);
    t.fill(t.rowMajor(winogradSlots, extents), b.getI32IntegerAttr(0), location);
  }
  SmallVector<int64_t> panels{shape.positions(), shape.outBlocks(), shape.inBlocks(), kBlock,
                              kBlock};
  request.form = shape.m == 4 ? WeightForm::WinogradF4 : WeightForm::WinogradF2;
  if (shape.late) {
    request.form = WeightForm::WinogradF4Late;
    panels = {shape.outBlocks(), shape.inBlocks(), kBlock, shape.weightElements(), kBlock};
  }
  request.type = MemRefType::get(panels, b.getF32Type());
  Value weights = t.requestWeight(request);
  Value scratch = t.buffer({t.constant(shape.tasks()), t.constant(shape.scratchElements())},
                           b.getF32Type(), location);
  int64_t block[] = {shape.tilesAtOnce, shape.blocksAtOnce};
  int64_t perTask[] = {shape.groupsPerTask, shape.blocksPerTask};
  auto step = kernel::WinogradOp::create(
      b, location, in, weights, extras, out, scratch, winogradSlots, b.getI64IntegerAttr(shape.m),
      b.getI64IntegerAttr(shape.inChannels), b.getI64IntegerAttr(shape.outChannels),
      b.getDenseI64ArrayAttr(block), b.getDenseI64ArrayAttr(perTask), DenseI64ArrayAttr());
  return &step.getBody();
}
