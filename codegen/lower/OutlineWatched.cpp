// OutlineWatched.cpp: the run of a trainer that checks what each step leaves (see Watched.h): the
// steps of the program once more, which share their functions with the run that does not check.
#include "codegen/lower/Outliner.h"

#include "codegen/lower/Watched.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

Value Outliner::callWatch(StringRef callee, Location loc, ValueRange arguments, OpBuilder &b) {
  SmallVector<Type> types(arguments.getTypes());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), types);
  auto watch = cast<LLVM::LLVMFuncOp>(declareFunction(module, callee, type));
  return LLVM::CallOp::create(b, loc, watch, arguments).getResult();
}

static Value addRow(ModuleOp module, Location loc, const Twine &name, ArrayRef<int64_t> row,
                    OpBuilder &b) {
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  auto type = RankedTensorType::get({int64_t(row.size())}, b.getI64Type());
  auto global = LLVM::GlobalOp::create(
      top, loc, LLVM::LLVMArrayType::get(b.getI64Type(), row.size()), /*isConstant=*/true,
      LLVM::Linkage::Internal, name.str(), DenseElementsAttr::get(type, row), /*alignment=*/8);
  return LLVM::AddressOfOp::create(b, loc, global);
}

// Where the check requests it: the step in the form that writes numbers of nodes, the last of the
// run.
LogicalResult Outliner::addNaming(kernel::LoopsOp loops, ArrayRef<Location> nodes, Value texts,
                                  OpBuilder &b) {
  Location loc = loops.getLoc();
  Value memory = runner.getArgument(0);
  Value again = callWatch("symc_watch_again", loc, {memory, texts}, b);
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(0));
  Value wanted = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, again, zero);
  Block *before = b.getBlock();
  Block *names = b.createBlock(&runner.getBody()), *next = b.createBlock(&runner.getBody());
  b.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(b, loc, wanted, names, next);
  b.setInsertionPointToEnd(names);
  FrameReader frame(b, loc, memory);
  kernel::LoopsOp naming = createNaming(loops, nodes);
  FailureOr<StepFacts> facts = factsOf(naming);
  if (failed(facts) || failed(addStep(naming, 0, b, frame)))
    return failure();
  stepFunctions.erase(naming);
  naming.erase();
  for (const StepOperand &operand : facts->operands) {
    SmallVector<int64_t> row =
        operand.written ? viewRow(operand.view, false) : SmallVector<int64_t>();
    if (row.empty())
      continue;
    Value view = addRow(module, loc, symbol + "_named" + Twine(wrappers), row, b);
    again = callWatch("symc_watch_nodes", loc,
                      {memory, texts, frame.address(operand.view, operand.place), view}, b);
    break;
  }
  LLVM::ReturnOp::create(b, loc, again);
  b.setInsertionPointToEnd(next);
  return success();
}

LogicalResult Outliner::addWatched(Operation *step, int64_t number, OpBuilder &b,
                                   FrameReader &frame) {
  Location loc = step->getLoc();
  SmallVector<Location> nodes = watchedNodes(step);
  FailureOr<StepFacts> facts = factsOf(step);
  if (failed(facts))
    return failure();
  Value texts;
  if (!nodes.empty()) {
    LLVM::GlobalOp text =
        addText(module, loc, symbol + "_nodes" + Twine(wrappers), watchedTexts(nodes, watched));
    texts = LLVM::AddressOfOp::create(b, loc, text);
  }
  auto loops = dyn_cast<kernel::LoopsOp>(step);
  if (loops && nodes.size() > 1 && failed(addNaming(loops, nodes, texts, b)))
    return failure();
  if (failed(addStep(step, number, b, frame)))
    return failure();
  if (!texts)
    return success();
  bool wantsInfinities = hasInfiniteConstant(step);
  for (auto [i, operand] : llvm::enumerate(facts->operands)) {
    SmallVector<int64_t> row =
        operand.written ? viewRow(operand.view, wantsInfinities) : SmallVector<int64_t>();
    if (row.empty())
      continue;
    Value view = addRow(module, loc, symbol + "_view" + Twine(wrappers) + "_" + Twine(i), row, b);
    Value address = frame.address(operand.view, operand.place);
    Value status =
        callWatch("symc_watch_values", loc, {runner.getArgument(0), texts, address, view}, b);
    Value zero = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(0));
    endIf(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status, zero), status, b, loc);
  }
  return success();
}
