// Outline.cpp: see Outline.h.
//
//   for each step: trace its operands -> key (operation, attributes, body, what
//   is constant in sizes and strides, alignment, aliasing) -> the kernel function
//   of that key (made on first sight) -> its place in the program's function, called
//   there for one task, else by a wrapper of the step through symc_parallel. Or an entry of a
//   table (OutlineTable.cpp).
#include "codegen/lower/Outline.h"

#include "codegen/kernel/NestNormalForm.h"
#include "codegen/kernel/Pieces.h"
#include "codegen/lower/Outliner.h"
#include "codegen/lower/RoundOrder.h"
#include "codegen/lower/Watched.h"
#include "ir/Inference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

//===----------------------------------------------------------------------===//
// What a step's function may rely on
//===----------------------------------------------------------------------===//

// Buffers of the arena touch where their bytes do; weights and arguments only
// where they are the same object. Views of one root count as touching.
static bool mayTouch(const ViewPlace &a, const ViewPlace &b) {
  if (a.space != b.space)
    return false;
  if (a.space == ViewPlace::Argument)
    return a.argument == b.argument;
  return a.byteOffset < b.byteOffset + b.rootBytes && b.byteOffset < a.byteOffset + a.rootBytes;
}

FailureOr<StepFacts> Outliner::factsOf(Operation *step) {
  StepFacts facts;
  auto interface = cast<kernel::StepInterface>(step);
  auto outputs = interface.getOutputs();
  for (OpOperand &use : step->getOpOperands()) {
    FailureOr<ViewOrigin> view = kernel::traceView(use.get());
    if (failed(view))
      return failure();
    FailureOr<ViewPlace> place = placeOf(*view, program, symbols);
    if (failed(place))
      return failure();
    unsigned first = outputs.getBeginOperandIndex();
    bool written =
        use.getOperandNumber() >= first && use.getOperandNumber() < first + outputs.size();
    facts.operands.push_back({*view, *place, written, true});
  }
  if (interface.isElementwise()) {
    SmallVector<ViewOrigin *> views;
    for (StepOperand &operand : facts.operands)
      views.push_back(&operand.view);
    normaliseNest(views, outputs.getBeginOperandIndex());
  }
  for (StepOperand &one : facts.operands)
    for (const StepOperand &other : facts.operands)
      if (&one != &other && (one.written || other.written) && mayTouch(one.place, other.place))
        one.noalias = false;
  for (StepOperand &operand : facts.operands) {
    for (AffineExpr expr : operand.view.sizes)
      if (!isa<AffineConstantExpr>(expr))
        facts.numberOf(expr);
    for (AffineExpr expr : operand.view.strides)
      if (!isa<AffineConstantExpr>(expr))
        facts.numberOf(expr);
  }
  return facts;
}

static void printBody(Region &body, raw_ostream &os) {
  DenseMap<Value, unsigned> numbers;
  for (Value argument : body.getArguments())
    os << numbers.try_emplace(argument, numbers.size()).first->second << ':' << argument.getType()
       << ' ';
  for (Operation &op : body.front()) {
    os << '\n' << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << ' ' << numbers.lookup(operand);
    for (Value result : op.getResults())
      os << " -> " << numbers.try_emplace(result, numbers.size()).first->second << ':'
         << result.getType();
  }
}

std::string Outliner::keyOf(Operation *step, StepFacts &facts) {
  std::string key;
  llvm::raw_string_ostream os(key);
  NamedAttrList attributes(step->getAttrDictionary());
  if (auto rowwise = dyn_cast<kernel::RowwiseInterface>(step))
    attributes.erase(rowwise.getPieceAttrName()); // pieces of one shape share their function
  if (auto tiled = dyn_cast<kernel::TiledInterface>(step); tiled && tiled.getReasonAttrName())
    attributes.erase(tiled.getReasonAttrName());
  os << step->getName() << attributes.getDictionary(context);
  for (const StepOperand &operand : facts.operands) {
    os << "\n"
       << operand.view.elementType << (operand.noalias ? " n" : " ") << operand.place.alignment;
    auto print = [&](AffineExpr expr) {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        os << ' ' << constant.getValue();
      else
        os << " v" << facts.numberOf(expr);
    };
    llvm::for_each(operand.view.sizes, print);
    os << " by";
    llvm::for_each(operand.view.strides, print);
  }
  for (Region &region : step->getRegions()) {
    os << "\nbody ";
    printBody(region, os);
  }
  return key;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Views of a step inside `b`'s function: `dynamicValues` are in facts order.
static SmallVector<View> viewsOf(const StepFacts &facts, ValueRange pointers,
                                 ValueRange dynamicValues, OpBuilder &b) {
  auto fold = [&](AffineExpr expr) -> OpFoldResult {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return b.getIndexAttr(constant.getValue());
    return dynamicValues[llvm::find(facts.dynamic, expr) - facts.dynamic.begin()];
  };
  SmallVector<View> views;
  for (auto [i, operand] : llvm::enumerate(facts.operands)) {
    View view{pointers.empty() ? Value() : pointers[i], operand.view.elementType, {}, {}};
    for (AffineExpr expr : operand.view.sizes)
      view.sizes.push_back(fold(expr));
    for (AffineExpr expr : operand.view.strides)
      view.strides.push_back(fold(expr));
    views.push_back(view);
  }
  return views;
}

// With `oneTask` its number is known inside. LLVM does not see it: code is compiled
// apart from its callers.
FailureOr<func::FuncOp> Outliner::buildKernel(Operation *step, const StepFacts &facts,
                                              bool oneTask) {
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types(facts.operands.size(), pointer);
  types.append(facts.dynamic.size() + 1, top.getIndexType());
  std::string name =
      (symbol + "_k" + Twine(kernels.size()) + "_" + step->getName().stripDialect()).str();
  auto kernel =
      func::FuncOp::create(top, step->getLoc(), name, top.getFunctionType(types, TypeRange()));
  kernel.setPrivate();
  kernel->setAttr("llvm.linkage", LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  // Inlined into the program, many kernels would make one function that takes
  // long to optimise; the call is nothing beside a task.
  kernel->setAttr("passthrough", top.getStrArrayAttr({"noinline"}));
  for (auto [i, operand] : llvm::enumerate(facts.operands)) {
    if (operand.noalias)
      kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), top.getUnitAttr());
    if (!operand.written)
      kernel.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), top.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      top.getI64IntegerAttr(operand.place.alignment));
  }
  Block *entry = kernel.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  size_t pointers = facts.operands.size();
  auto arguments = entry->getArguments();
  SmallVector<View> views = viewsOf(facts, ValueRange(arguments.take_front(pointers)),
                                    ValueRange(arguments.slice(pointers, facts.dynamic.size())), b);
  LoweringContext lowering{b, target, math};
  Value task = arguments.back();
  if (oneTask)
    task = arith::ConstantIndexOp::create(b, step->getLoc(), 0);
  if (failed(cast<LoweringInterface>(step).lowerTask(views, task, lowering)))
    return failure();
  b.setInsertionPointToEnd(entry);
  func::ReturnOp::create(b, step->getLoc());
  return kernel;
}

FailureOr<func::FuncOp> Outliner::kernelFor(Operation *step, StepFacts &facts, bool oneTask) {
  std::string key = keyOf(step, facts);
  if (func::FuncOp known = kernels.lookup(key))
    return known;
  FailureOr<func::FuncOp> made = buildKernel(step, facts, oneTask);
  if (succeeded(made))
    kernels[key] = *made;
  return made;
}

// Addresses and sizes from the frame, then the kernel.
void Outliner::callKernel(Operation *step, StepFacts &facts, func::FuncOp kernel,
                          std::optional<int64_t> tasks, Value memory, Value task, OpBuilder &b) {
  Location loc = step->getLoc();
  FrameReader frame(b, loc, memory);
  SmallVector<Value> arguments;
  for (const StepOperand &operand : facts.operands)
    arguments.push_back(frame.address(operand.view, operand.place));
  for (AffineExpr expr : facts.dynamic)
    arguments.push_back(frame.size(expr));
  int64_t rounds = cast<kernel::StepInterface>(step).getRounds();
  if (rounds != 0 && rounds != 1 && tasks && *tasks > 1) {
    Value round =
        LLVM::LoadOp::create(b, loc, b.getI64Type(), arguments[facts.operands.size() - 1]);
    task = taskOfRound(b, loc, frame, task, *tasks, round);
  }
  arguments.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), task));
  func::CallOp::create(b, loc, kernel, arguments);
  forms.keep(kernel);
}

// void wrapper(frame, task), which threads call.
LLVM::LLVMFuncOp Outliner::buildWrapper(Operation *step, StepFacts &facts, func::FuncOp kernel,
                                        std::optional<int64_t> tasks) {
  LLVM::LLVMFuncOp &wrapper = stepFunctions[step];
  if (wrapper)
    return wrapper;
  Location loc = step->getLoc();
  wrapper = function(loc, symbol + "_step" + Twine(wrappers), LLVM::LLVMVoidType::get(context),
                     {pointer, IntegerType::get(context, 64)}, LLVM::Linkage::Internal);
  OpBuilder b = OpBuilder::atBlockBegin(&wrapper.getBody().front());
  callKernel(step, facts, kernel, tasks, wrapper.getArgument(0), wrapper.getArgument(1), b);
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return wrapper;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Outliner::addProbe(Location loc, int64_t number, int phase, OpBuilder &b) {
  if (!options.probes || inTable)
    return;
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, b.getI64Type(), b.getI32Type()});
  auto probe = cast<LLVM::LLVMFuncOp>(declareFunction(module, "symc_probe", type));
  Value step = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(number));
  // 32 bits: what a phase is.
  Value what = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(phase));
  LLVM::CallOp::create(b, loc, probe, ValueRange{runner.getArgument(0), step, what});
}

// A later step may read an output, so that the last to touch it counts, not the last to write it.
void Outliner::findLastTouches() {
  auto outputs =
      program.getBody().getArguments().slice(program.getNumInputs(), program.getNumOutputs());
  llvm::MapVector<Value, Operation *> last;
  for (Value output : outputs)
    last[output] = nullptr;
  for (Operation &op : program.getBody().front()) {
    if (!isa<kernel::StepInterface>(op))
      continue;
    for (Value operand : op.getOperands()) {
      FailureOr<ViewOrigin> view = kernel::traceView(operand);
      auto *known = succeeded(view) ? last.find(view->root) : last.end();
      if (known != last.end())
        known->second = &op;
    }
  }
  for (auto [number, entry] : llvm::enumerate(last))
    if (entry.second)
      lastTouches[entry.second].push_back(int64_t(number));
}

// What symc_report_step gets behind the step.
SmallVector<int64_t> Outliner::reportsBehind(Operation *step) {
  SmallVector<int64_t> finished = lastTouches.lookup(step);
  if (finished.empty() && hasReported)
    finished.push_back(-1);
  hasReported = hasReported || !finished.empty();
  return finished;
}

void Outliner::addReports(Operation *step, OpBuilder &b) {
  Location loc = step->getLoc();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, b.getI32Type()});
  for (int64_t output : reportsBehind(step)) {
    auto report = cast<LLVM::LLVMFuncOp>(declareFunction(module, "symc_report_step", type));
    // 32 bits: the number of an output.
    Value number = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(output));
    LLVM::CallOp::create(b, loc, report, ValueRange{runner.getArgument(0), number});
  }
}

// The programs that a step runs, each a function of its own.
FailureOr<SmallVector<CalledProgram>> Outliner::lowerCalled(kernel::StepInterface step,
                                                            StringRef name) {
  SmallVector<CalledProgram> called;
  ArrayAttr programs = step.getCalledPrograms();
  if (!programs)
    return called;
  OutlineOptions quiet = options;
  quiet.probes = false; // steps of bodies have no number of their own
  for (auto [i, body] : llvm::enumerate(programs.getAsRange<FlatSymbolRefAttr>())) {
    auto callee = symbols.lookupNearestSymbolFrom<kernel::ProgramOp>(program->getParentOp(), body);
    if (!callee)
      return step->emitError("internal error: no kernel.program ") << body;
    std::string own = (name + "_body" + Twine(i)).str();
    Outliner inner(callee, own, target, math, module, quiet, symbols);
    if (failed(inner.run(LLVM::Linkage::Internal)))
      return failure();
    called.push_back({callee, inner.getRunner()});
  }
  return called;
}

// int32_t wrapper(frame): the call of a kernel.
FailureOr<LLVM::LLVMFuncOp> Outliner::buildCall(CallLoweringInterface call, StepFacts &facts) {
  if (LLVM::LLVMFuncOp known = stepFunctions.lookup(call))
    return known;
  Location loc = call.getLoc();
  std::string name = (symbol + "_step" + Twine(wrappers)).str();
  LLVM::LLVMFuncOp wrapper =
      function(loc, name, IntegerType::get(context, 32), {pointer}, LLVM::Linkage::Internal);
  OpBuilder inside = OpBuilder::atBlockBegin(&wrapper.getBody().front());
  FrameReader frame(inside, loc, wrapper.getArgument(0));
  SmallVector<ViewOrigin> views;
  SmallVector<ViewPlace> places;
  for (const StepOperand &operand : facts.operands) {
    views.push_back(operand.view);
    places.push_back(operand.place);
  }
  FailureOr<SmallVector<CalledProgram>> called =
      lowerCalled(cast<kernel::StepInterface>(call.getOperation()), name);
  if (failed(called))
    return failure();
  CallSite site{views, places, frame, inside, module, name, *called};
  FailureOr<Value> status = call.emitCall(site);
  if (failed(status))
    return failure();
  LLVM::ReturnOp::create(inside, loc, *status);
  return stepFunctions[call] = wrapper;
}

// A called kernel can fail: its status, when not 0, ends the program, and the node's name goes
// before the reason.
LogicalResult Outliner::addCall(CallLoweringInterface call, StepFacts &facts, int64_t number,
                                OpBuilder &b) {
  Location loc = call.getLoc();
  FailureOr<LLVM::LLVMFuncOp> wrapper = buildCall(call, facts);
  if (failed(wrapper))
    return failure();
  ++wrappers;
  Value result = LLVM::CallOp::create(b, loc, *wrapper, runner.getArgument(0)).getResult();
  addProbe(loc, number, 1, b);
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(0));
  endIf(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, result, zero), result, b, loc,
        sg::nodeName(call));
  return success();
}

// Ends the program with the status where `bad`; the builder stands behind that.
void Outliner::endIf(Value bad, Value status, OpBuilder &b, Location loc, StringRef node) {
  Block *before = b.getBlock();
  Block *end = b.createBlock(&runner.getBody()), *next = b.createBlock(&runner.getBody());
  b.setInsertionPointToEnd(end);
  if (!node.empty())
    nameFailure(status, node, b, loc);
  LLVM::ReturnOp::create(b, loc, status);
  b.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(b, loc, bad, end, next);
  b.setInsertionPointToEnd(next);
}

void Outliner::nameFailure(Value status, StringRef node, OpBuilder &b, Location loc) {
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, b.getI32Type(), pointer});
  auto callee = cast<LLVM::LLVMFuncOp>(declareFunction(module, "symc_name_failure", type));
  LLVM::GlobalOp name = addText(module, loc, symbol + "_node" + Twine(wrappers - 1), node);
  Value arguments[] = {runner.getArgument(0), status, LLVM::AddressOfOp::create(b, loc, name)};
  LLVM::CallOp::create(b, loc, callee, arguments);
}

namespace {
/// A loop over the rounds of a step, around what is emitted until `end`; the number of
/// the round is stored in the step's last operand. Nothing where a step has none.
class Rounds {
public:
  Rounds(Operation *step, StepFacts &facts, FrameReader &frame, OpBuilder &b,
         LLVM::LLVMFuncOp runner)
      : b(b), loc(step->getLoc()) {
    auto interface = cast<kernel::StepInterface>(step);
    int64_t rounds = interface.getRounds();
    if (rounds == 0)
      return;
    StepOperand &last = facts.operands.back();
    Value place = frame.address(last.view, last.place);
    Value zero = number(0);
    if (ShapedType::isDynamic(rounds)) {
      const StepOperand &out = facts.operands[interface.getOutputs().getBeginOperandIndex()];
      count = arith::IndexCastOp::create(b, loc, b.getI64Type(), frame.size(out.view.sizes[0]));
    } else {
      count = number(rounds);
    }
    Block *before = b.getBlock();
    body = b.createBlock(&runner.getBody(), {}, b.getI64Type(), loc);
    b.setInsertionPointToEnd(before);
    LLVM::BrOp::create(b, loc, zero, body);
    b.setInsertionPointToStart(body);
    LLVM::StoreOp::create(b, loc, body->getArgument(0), place);
  }

  void end() {
    if (!body)
      return;
    Value next = LLVM::AddOp::create(b, loc, body->getArgument(0), number(1));
    Value more = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::slt, next, count);
    Block *back = b.getBlock(), *behind = b.createBlock(body->getParent());
    b.setInsertionPointToEnd(back);
    LLVM::CondBrOp::create(b, loc, more, body, ValueRange(next), behind, ValueRange());
    b.setInsertionPointToEnd(behind);
  }

private:
  Value number(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(value));
  }
  OpBuilder &b;
  Location loc;
  Value count;
  Block *body = nullptr;
};
} // namespace

// Whether the step's lowering takes an operand as it lies in memory. The factors of products are
// rows of their own, which the lowering looks up.
static bool readsHalves(OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !kernel::isHalf(type.getElementType()))
    return true;
  if (isa<kernel::ConvOp>(operand.getOwner()) && operand.getOperandNumber() < 2)
    return true;
  auto lowering = dyn_cast<LoweringInterface>(operand.getOwner());
  return lowering && lowering.takesHalves(operand);
}

// How many tasks the step has, as its lowering cuts it; nothing after an error.
FailureOr<OpFoldResult> Outliner::countTasks(Operation *step, StepFacts &facts, OpBuilder &b,
                                             FrameReader &frame) {
  SmallVector<Value> dynamicValues;
  for (AffineExpr expr : facts.dynamic)
    dynamicValues.push_back(frame.size(expr));
  SmallVector<View> views = viewsOf(facts, {}, dynamicValues, b);
  LoweringContext lowering{b, target, math};
  auto interface = dyn_cast<LoweringInterface>(step);
  if (!interface)
    return step->emitError("internal error: no lowering for this step");
  if (auto tiled = dyn_cast<kernel::TiledInterface>(step); tiled && !tiled.isChosen())
    return step->emitOpError("has no tile; kernel-choose-tiles sets it");
  return interface.countTasks(views, lowering);
}

FailureOr<StepFacts> Outliner::checkedFactsOf(Operation *step) {
  if (step->hasAttr(kernel::narrowName) && !llvm::all_of(step->getOpOperands(), readsHalves))
    return step->emitOpError("has floats of 16 bits in memory, which code for CPUs does not read");
  return factsOf(step);
}

LogicalResult Outliner::addStep(Operation *step, int64_t number, OpBuilder &b, FrameReader &frame) {
  Location loc = step->getLoc();
  FailureOr<StepFacts> facts = checkedFactsOf(step);
  if (failed(facts))
    return failure();
  if (auto call = dyn_cast<CallLoweringInterface>(step)) {
    addProbe(loc, number, 0, b);
    return addCall(call, *facts, number, b);
  }
  FailureOr<OpFoldResult> counted = countTasks(step, *facts, b, frame);
  if (failed(counted))
    return failure();
  OpFoldResult tasks = *counted;
  std::optional<int64_t> known = getConstantIntValue(tasks);
  if (known == 0)
    return success();
  FailureOr<func::FuncOp> kernel = kernelFor(step, *facts, known == 1);
  if (failed(kernel))
    return failure();
  addProbe(loc, number, 0, b);
  Rounds rounds(step, *facts, frame, b, runner);
  Value count =
      known ? LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(*known))
            : arith::IndexCastOp::create(b, loc, b.getI64Type(), cast<Value>(tasks)).getResult();
  if (known == 1) {
    Value zero = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(0));
    callKernel(step, *facts, *kernel, known, runner.getArgument(0), zero, b);
  } else {
    LLVM::LLVMFuncOp wrapper = buildWrapper(step, *facts, *kernel, known);
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                            {pointer, pointer, b.getI64Type()});
    auto parallel = cast<LLVM::LLVMFuncOp>(declareFunction(module, "symc_parallel", type));
    Value address = LLVM::AddressOfOp::create(b, loc, wrapper);
    LLVM::CallOp::create(b, loc, parallel, ValueRange{runner.getArgument(0), address, count});
  }
  ++wrappers; // a number for each step, whether it has a function or not
  rounds.end();
  addProbe(loc, number, 1, b);
  return success();
}

//===----------------------------------------------------------------------===//
// Conditions on sizes that steps decide
//===----------------------------------------------------------------------===//

// Sizes that steps decide; nothing is checked yet.
void Outliner::findUndecided() {
  undecided = decidedSizes(program);
  checked.resize(program.getConditions() ? program.getConditions()->size() : 0);
}

// Others check the conditions whose sizes are all there.
void Outliner::passConditions() {
  for (unsigned i = 0; i < checked.size(); ++i)
    if (!readsSizes(program, i, undecided))
      checked.set(i);
}

// Behind the step that decides a size: conditions whose sizes are all known end the run with
// -(1 + their number) where the sizes violate them.
void Outliner::endWhereOpen(unsigned decided, OpBuilder &b, FrameReader &frame) {
  Location loc = program.getLoc();
  settleSize(program, decided, undecided, b, frame);
  for (unsigned i = 0; i < checked.size(); ++i) {
    if (checked.test(i) || readsSizes(program, i, undecided))
      continue;
    checked.set(i);
    Value bad = violatesCondition(program, i, b, frame);
    Value status = LLVM::ConstantOp::create(b, loc, b.getI32Type(),
                                            // 32 bits: the number of a condition.
                                            b.getI32IntegerAttr(-1 - static_cast<int32_t>(i)));
    endIf(bad, status, b, loc);
  }
}

// The steps from `first` up to `end`, and the end of the function that runs them.
LogicalResult Outliner::addSteps(Block::iterator first, Block::iterator end,
                                 kernel::StepNumbers &numbers) {
  Location loc = program.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&runner.getBody().front());
  FrameReader frame(b, loc, runner.getArgument(0));
  // In the entry block, so that later blocks may use them.
  for (unsigned i = 0; i < undecided.size(); ++i)
    frame.size(getAffineSymbolExpr(i, context));
  for (Operation &op : llvm::make_range(first, end)) {
    auto step = dyn_cast<kernel::StepInterface>(op);
    if (!step)
      continue;
    if (failed(addStep(&op, numbers.of(&op), b, frame)))
      return failure();
    if (std::optional<int64_t> size = step.getDecidedSize()) {
      frame.readAgain(*size);
      endWhereOpen(*size, b, frame);
    }
    if (!inTable)
      addReports(&op, b);
  }
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(0));
  LLVM::ReturnOp::create(b, loc, zero);
  return success();
}

// A function for each part, and the whole run, which calls both.
LogicalResult Outliner::addParts(kernel::ForwardEndOp end, LLVM::Linkage linkage) {
  Location loc = program.getLoc();
  Type i32 = IntegerType::get(context, 32);
  LLVM::LLVMFuncOp whole = runner;
  OpBuilder b = OpBuilder::atBlockBegin(&whole.getBody().front());
  Block &block = program.getBody().front();
  kernel::StepNumbers numbers;
  std::pair<const char *, std::pair<Block::iterator, Block::iterator>> parts[] = {
      {"_forward", {block.begin(), end->getIterator()}},
      {"_backward", {end->getIterator(), block.end()}}};
  for (auto &[suffix, steps] : parts) {
    runner = function(loc, symbol + suffix, i32, {pointer}, linkage);
    if (failed(addSteps(steps.first, steps.second, numbers)))
      return failure();
    Value status = LLVM::CallOp::create(b, loc, runner, whole.getArgument(0)).getResult();
    runner = whole;
    if (steps.second == block.end()) {
      LLVM::ReturnOp::create(b, loc, status);
      continue;
    }
    Value zero = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(0));
    endIf(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status, zero), status, b, loc);
  }
  return success();
}

LogicalResult Outliner::run(LLVM::Linkage linkage) {
  Location loc = program.getLoc();
  Type i32 = IntegerType::get(context, 32);
  runner = function(loc, symbol, i32, {pointer}, linkage);
  findUndecided();
  if (program->hasAttr(reportsName))
    findLastTouches();
  if (linkage == LLVM::Linkage::External)
    addSizeChecks(program, symbol, undecided, module, checked);
  kernel::StepNumbers numbers;
  Block &block = program.getBody().front();
  kernel::ForwardEndOp end = program.getForwardEnd();
  StepTable table;
  bool isWatched = linkage == LLVM::Linkage::External && program->hasAttr(operatorsName);
  bool byTable = program->hasAttr(stepTableName) && !end && !options.probes;
  if (byTable) {
    if (failed(addTable(table)))
      return failure();
    runTable(table, "symc_run_steps", false);
  } else if (failed(end ? addParts(end, linkage) : addSteps(block.begin(), block.end(), numbers))) {
    return failure();
  }
  if (linkage == LLVM::Linkage::External)
    addOutputShapes(program, symbol, module);
  if (!isWatched)
    return success();
  if (!byTable) {
    findUndecided();
    hasReported = false;
    if (failed(addTable(table)))
      return failure();
  }
  runner = function(loc, symbol + "_watched", i32, {pointer}, linkage);
  runTable(table, "symc_watch_steps", true);
  return success();
}

LogicalResult Outliner::runStep(kernel::StepInterface only) {
  Location loc = only.getLoc();
  FailureOr<SmallVector<StepRegion>> regions = regionsOf(only, symbols);
  if (failed(regions))
    return failure();
  Type i32 = IntegerType::get(context, 32);
  runner = function(loc, symbol, i32, {pointer}, LLVM::Linkage::External);
  OpBuilder b = OpBuilder::atBlockBegin(&runner.getBody().front());
  FrameReader frame(b, loc, runner.getArgument(0));
  findUndecided();
  passConditions();
  for (unsigned i = 0; i < undecided.size(); ++i)
    frame.size(getAffineSymbolExpr(i, context));
  for (Operation &op : program.getBody().front()) {
    auto step = dyn_cast<kernel::StepInterface>(op);
    std::optional<int64_t> size = step ? step.getDecidedSize() : std::nullopt;
    if (step == only) {
      if (failed(addStep(&op, 0, b, frame)))
        return failure();
      if (size) {
        frame.readAgain(*size);
        endWhereOpen(*size, b, frame);
      }
      break;
    }
    if (size) {
      settleSize(program, *size, undecided);
      passConditions();
    }
  }
  Value zero = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(0));
  LLVM::ReturnOp::create(b, loc, zero);
  if (!llvm::all_of(*regions, [](const StepRegion &region) { return region.isConstant(); }))
    addPlaces(*regions);
  return success();
}

void Outliner::addPlaces(ArrayRef<StepRegion> regions) {
  Location loc = program.getLoc();
  LLVM::LLVMFuncOp places = function(loc, symbol + "_places", LLVM::LLVMVoidType::get(context),
                                     {pointer, pointer}, LLVM::Linkage::External);
  OpBuilder b = OpBuilder::atBlockBegin(&places.getBody().front());
  FrameReader frame = FrameReader::ofSizes(b, loc, places.getArgument(0));
  int32_t number = 0;
  for (const StepRegion &region : regions)
    for (AffineExpr expr : {region.first(), region.bytes()}) {
      Value value = arith::IndexCastOp::create(b, loc, b.getI64Type(), frame.size(expr));
      Value slot = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), places.getArgument(1),
                                       ArrayRef<LLVM::GEPArg>{number++});
      LLVM::StoreOp::create(b, loc, value, slot);
    }
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

static void loadDialects(MLIRContext *context) {
  context->loadDialect<LLVM::LLVMDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                       scf::SCFDialect, vector::VectorDialect>();
}

LogicalResult symc::codegen::lowerStep(kernel::StepInterface step, StringRef symbol,
                                       const TargetDescription &target, MathMode math,
                                       ModuleOp module) {
  loadDialects(step.getContext());
  SymbolTableCollection symbols;
  OutlineOptions options;
  auto program = step->getParentOfType<kernel::ProgramOp>();
  return Outliner(program, symbol, target, math, module, options, symbols).runStep(step);
}

LogicalResult symc::codegen::lowerProgram(kernel::ProgramOp program, StringRef symbol,
                                          const TargetDescription &target, MathMode math,
                                          ModuleOp module, const OutlineOptions &options) {
  loadDialects(program.getContext());
  SymbolTableCollection symbols;
  return Outliner(program, symbol, target, math, module, options, symbols).run();
}
