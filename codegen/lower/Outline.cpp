// Outline.cpp: see Outline.h.
//
//   for each step: its kernel's function (OutlineKernels.cpp) -> its place in the program's
//   function, called there for one task, else by a wrapper of the step through symc_parallel.
//   Or an entry of a table (OutlineTable.cpp).
#include "codegen/lower/Outline.h"

#include "codegen/kernel/Pieces.h"
#include "codegen/lower/Outliner.h"
#include "codegen/lower/Updates.h"
#include "codegen/lower/Watched.h"
#include "ir/Inference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

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
    if (!isa<kernel::StepInterface>(op) || isOmitted(&op, predictions))
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
  for (const ParameterUpdate &update : updatesOf(program)) {
    updates[update.step].push_back(updateReport(update.output));
    begins[update.before].push_back(beginReport(update.output));
  }
}

// What symc_report_step gets behind the step.
SmallVector<int64_t> Outliner::reportsBehind(Operation *step) {
  SmallVector<int64_t> finished = lastTouches.lookup(step);
  if (finished.empty() && hasReported)
    finished.push_back(-1);
  hasReported = hasReported || !finished.empty();
  llvm::append_range(finished, updates.lookup(step)); // what is updated makes room
  llvm::append_range(finished, begins.lookup(step));
  return finished;
}

void Outliner::addReports(ArrayRef<int64_t> outputs, Location loc, OpBuilder &b) {
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, b.getI32Type()});
  for (int64_t output : outputs) {
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
  if (!inTable && first == program.getBody().front().begin())
    addReports(begins.lookup(nullptr), loc, b);
  for (Operation &op : llvm::make_range(first, end)) {
    auto step = dyn_cast<kernel::StepInterface>(op);
    if (!step || (!inTable && isOmitted(&op, predictions)))
      continue;
    if (failed(addStep(&op, numbers.of(&op), b, frame)))
      return failure();
    if (std::optional<int64_t> size = step.getDecidedSize()) {
      frame.readAgain(*size);
      endWhereOpen(*size, b, frame);
    }
    if (!inTable)
      addReports(reportsBehind(&op), op.getLoc(), b);
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
  bool byTable = program->hasAttr(stepTableName) && !options.probes;
  StepTable tables[2], none;
  for (auto [part, table] : llvm::zip_equal(parts, tables))
    if (byTable && failed(addEntries(part.second.first, part.second.second, table, none)))
      return failure();
  forms.merge(mostArguments);
  for (auto [part, table] : llvm::zip_equal(parts, tables)) {
    auto &[suffix, steps] = part;
    runner = function(loc, symbol + suffix, i32, {pointer}, linkage);
    if (byTable) {
      table.emit(module, loc, (symbol + suffix).str(), forms);
      runTable(table, "symc_run_steps", false);
    } else if (failed(addSteps(steps.first, steps.second, numbers))) {
      return failure();
    }
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
  predictions = predictionSteps(program);
  if (program->hasAttr(reportsName))
    findLastTouches();
  if (linkage == LLVM::Linkage::External)
    addSizeChecks(program, symbol, undecided, module, checked);
  kernel::StepNumbers numbers;
  Block &block = program.getBody().front();
  kernel::ForwardEndOp end = program.getForwardEnd();
  StepTable table, prediction;
  bool isWatched = linkage == LLVM::Linkage::External && program->hasAttr(operatorsName);
  bool byTable = program->hasAttr(stepTableName) && !end && !options.probes;
  if (byTable) {
    if (failed(addTable(table, prediction)))
      return failure();
    runTable(table, "symc_run_steps", false);
  } else if (failed(end ? addParts(end, linkage) : addSteps(block.begin(), block.end(), numbers))) {
    return failure();
  }
  if (options.mergesForms)
    mergeForms();
  if (linkage == LLVM::Linkage::External)
    addOutputShapes(program, symbol, module);
  if (!isWatched)
    return success();
  if (!byTable) {
    findUndecided();
    hasReported = false;
    if (failed(addTable(table, prediction)))
      return failure();
  }
  runner = function(loc, symbol + "_watched", i32, {pointer}, linkage);
  runTable(table, "symc_watch_steps", true);
  if (predictions) {
    runner = function(loc, symbol + "_predict", i32, {pointer}, linkage);
    runTable(prediction, "symc_run_steps", false);
  }
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
