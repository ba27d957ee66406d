// SplitParts.cpp: see SplitParts.h. %x and %y are forward's, %h and %g backward's:
//
//   f %x to %a                              f %x to %a
//   h %h, %x, %y to %g                      g %a to %y
//   g %a to %y                   ->         copy %x to %kx; copy %y to %ky
//                                           kernel.forward_end
//                                           h %h, %kx, %ky to %g
//
// 1. Forward are the steps that write a root (buffer or argument) which forward reads or returns.
// 2. What forward computes into an output of backward, as where a gradient is an activation, gets a
//    buffer instead, and backward a copy at its end.
// 3. Steps of backward that stand before the last one of forward move behind it.
// 4. Backward reads copies of forward's arguments: their memory is the caller's, who may have given
//    it back or changed it.
#include "codegen/schedule/SplitParts.h"

#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class Splitter {
public:
  explicit Splitter(kernel::ProgramOp program)
      : program(program), block(program.getBody().front()) {}
  void run();

private:
  void findForward();
  void bufferOutputsOfBackward();
  void parts();
  void keepArguments();
  Value viewOfBackward(Value view, Operation *reader);
  Value valueOf(AffineExpr extent, OpBuilder &b);
  kernel::BufferOp bufferLike(Value argument, OpBuilder &b);

  kernel::ProgramOp program;
  Block &block;
  SmallVector<kernel::StepInterface> steps;
  DenseSet<Operation *> forward; // looked up only
  kernel::ForwardEndOp end;
  DenseMap<Value, Value> own; // what backward reads instead; looked up only
};

} // namespace

void Splitter::findForward() {
  DenseMap<Value, SmallVector<Operation *>> writers;
  for (kernel::StepInterface step : steps)
    for (Value output : step.getOutputs())
      writers[kernel::rootOf(output)].push_back(step);
  SmallVector<Value> needed;
  DenseSet<Value> seen;
  auto need = [&](Value root) {
    if (seen.insert(root).second)
      needed.push_back(root);
  };
  for (Value output : block.getArguments().slice(program.getNumInputs(), program.getNumOutputs()))
    if (program.isArgumentOf(output, "forward"))
      need(output);
  while (!needed.empty())
    for (Operation *writer : writers.lookup(needed.pop_back_val()))
      if (forward.insert(writer).second)
        for (Value input : cast<kernel::StepInterface>(writer).getInputs())
          need(kernel::rootOf(input));
}

// An extent as the value of an expression over the program's sizes.
Value Splitter::valueOf(AffineExpr extent, OpBuilder &b) {
  SmallVector<unsigned> numbers;
  AffineExpr over = kernel::overOwnSymbols(extent, numbers);
  SmallVector<Value> operands;
  for (unsigned number : numbers)
    operands.push_back(program.getSizes()[number]);
  return affine::AffineApplyOp::create(b, program.getLoc(), AffineMap::get(0, numbers.size(), over),
                                       operands);
}

kernel::BufferOp Splitter::bufferLike(Value argument, OpBuilder &b) {
  SmallVector<Value> sizes;
  auto type = cast<MemRefType>(argument.getType());
  if (!type.hasStaticShape()) {
    AffineMap shape = program.shapeOfArgument(cast<BlockArgument>(argument).getArgNumber());
    for (auto [extent, expression] : llvm::zip_equal(type.getShape(), shape.getResults()))
      if (ShapedType::isDynamic(extent))
        sizes.push_back(valueOf(expression, b));
  }
  return kernel::BufferOp::create(b, argument.getLoc(), type, sizes, ValueRange(), IntegerAttr());
}

void Splitter::bufferOutputsOfBackward() {
  llvm::MapVector<Value, Location> outputs;
  for (kernel::StepInterface step : steps)
    for (Value output : step.getOutputs())
      if (Value root = kernel::rootOf(output);
          forward.contains(step) && program.isArgumentOf(root, "backward"))
        outputs.insert({root, step.getLoc()});
  for (auto [output, location] : outputs) {
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    Value buffer = bufferLike(output, b);
    output.replaceAllUsesWith(buffer);
    b.setInsertionPoint(block.getTerminator());
    auto copy = kernel::CopyOp::create(b, location, buffer, output);
    steps.push_back(copy);
  }
}

void Splitter::parts() {
  Operation *last = nullptr;
  for (kernel::StepInterface step : steps)
    if (forward.contains(step))
      last = step;
  OpBuilder b(program.getContext());
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(&block);
  end = kernel::ForwardEndOp::create(b, program.getLoc());
  Operation *behind = end;
  for (kernel::StepInterface step : steps)
    if (!forward.contains(step) && step->isBeforeInBlock(end)) {
      step->moveAfter(behind);
      behind = step;
    }
}

// What backward reads in the place of `view`: a copy of an argument of forward, a view over it. Its
// views are its own and stand in front of the step that reads them first: later passes put what
// they make of an image, such as a padded copy, behind the view of it, and the image has to be
// written.
Value Splitter::viewOfBackward(Value view, Operation *reader) {
  if (Value known = own.lookup(view))
    return known;
  OpBuilder b(end);
  Operation *op = view.getDefiningOp();
  Value made = view;
  if (!op) {
    if (program.isArgumentOf(view, "forward")) {
      made = bufferLike(view, b);
      kernel::CopyOp::create(b, view.getLoc(), view, made);
    }
  } else if (kernel::isView(op)) {
    Value source = viewOfBackward(op->getOperand(0), reader);
    bool isBefore = op->isBeforeInBlock(end);
    if (isBefore || source != op->getOperand(0)) {
      b.setInsertionPoint(isBefore ? reader : op);
      Operation *clone = b.clone(*op);
      clone->setOperand(0, source);
      made = clone->getResult(0);
    }
  }
  return own[view] = made;
}

void Splitter::keepArguments() {
  for (kernel::StepInterface step : steps) {
    if (forward.contains(step))
      continue;
    for (OpOperand &operand : step->getOpOperands()) {
      operand.set(viewOfBackward(operand.get(), step));
    }
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (kernel::isView(&op) && op.use_empty())
      op.erase();
}

void Splitter::run() {
  for (Operation &op : block)
    if (auto step = dyn_cast<kernel::StepInterface>(op))
      steps.push_back(step);
  findForward();
  bufferOutputsOfBackward();
  parts();
  keepArguments();
}

void symc::codegen::splitParts(kernel::ProgramOp program) {
  if (program.getParts() && !program.getForwardEnd())
    Splitter(program).run();
}
