// OutlineTable.cpp: the run of a program as a table of its steps (see StepTable.h), of a trainer
// with what is checked behind each (see Watched.h).
#include "codegen/lower/Outliner.h"

#include "codegen/lower/Watched.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// int32_t <symbol>_alone<I>(frame): the step as code, for what is more than tasks of one kernel.
FailureOr<LLVM::LLVMFuncOp> Outliner::buildAlone(Operation *step, kernel::StepNumbers &numbers) {
  LLVM::LLVMFuncOp whole = runner;
  LLVM::LLVMFuncOp alone =
      function(step->getLoc(), symbol + "_alone" + Twine(wrappers), IntegerType::get(context, 32),
               {pointer}, LLVM::Linkage::Internal);
  runner = alone;
  LogicalResult added = addSteps(step->getIterator(), std::next(step->getIterator()), numbers);
  runner = whole;
  if (failed(added))
    return failure();
  return alone;
}

// The kernel of a step that is nothing but its tasks, all known; null for others. Sets the tasks, 0
// where the step has nothing to do.
FailureOr<func::FuncOp> Outliner::kernelOfEntry(Operation *step, StepFacts &facts, int64_t &tasks,
                                                OpBuilder &b, FrameReader &frame) {
  func::FuncOp none;
  if (isa<CallLoweringInterface>(step) || !facts.dynamic.empty() ||
      facts.operands.size() >= mostArguments ||
      cast<kernel::StepInterface>(step).getRounds() != 0 ||
      cast<kernel::StepInterface>(step).getDecidedSize())
    return none;
  FailureOr<OpFoldResult> counted = countTasks(step, facts, b, frame);
  if (failed(counted))
    return failure();
  std::optional<int64_t> known = getConstantIntValue(*counted);
  if (!known)
    return none;
  tasks = *known;
  return tasks == 0 ? none : kernelFor(step, facts, tasks == 1);
}

// Adds the step, or one in its place that names nodes, where `nodes` are those that it may name.
LogicalResult Outliner::addEntry(Operation *step, ArrayRef<Location> nodes, bool isNaming,
                                 StepTable &table, StepTable &prediction,
                                 kernel::StepNumbers &numbers, OpBuilder &b, FrameReader &frame) {
  FailureOr<StepFacts> facts = checkedFactsOf(step);
  if (failed(facts))
    return failure();
  StepEntry entry;
  entry.isNaming = isNaming;
  bool placed = true;
  for (const StepOperand &operand : facts->operands) {
    auto place = StepTable::placeOf(operand.view, operand.place);
    placed &= place.has_value();
    entry.places.push_back(place.value_or(StepEntry::Place(0, 0)));
  }
  if (!nodes.empty())
    entry.texts = watchedTexts(nodes, program->getAttrOfType<DictionaryAttr>(operatorsName));
  bool wantsInfinities = !isNaming && !nodes.empty() && hasInfiniteConstant(step);
  for (auto [i, operand] : llvm::enumerate(facts->operands))
    if (operand.written && !nodes.empty() && !(isNaming && !entry.views.empty()))
      if (SmallVector<int64_t> row = viewRow(operand.view, wantsInfinities);
          !row.empty() && row.size() <= mostViewNumbers)
        entry.views.emplace_back(entry.places[i], row);
  if (placed) {
    entry.tasks = -1;
    FailureOr<func::FuncOp> kernel = kernelOfEntry(step, *facts, entry.tasks, b, frame);
    if (failed(kernel))
      return failure();
    entry.kernel = *kernel;
  }
  bool isTraining = !isOmitted(step, predictions);
  if (!isNaming && isTraining)
    entry.reports = reportsBehind(step);
  if (entry.tasks == 0 && placed && entry.reports.empty())
    return success(); // the step does nothing
  if (!entry.kernel) {
    entry.tasks = 0;
    FailureOr<LLVM::LLVMFuncOp> alone = buildAlone(step, numbers);
    if (failed(alone))
      return failure();
    entry.function = *alone;
  } else {
    bool multiplies = cast<kernel::StepInterface>(step).getFlops() != 0;
    if (!multiplies)
      entry.kernel->setAttr(movesName, UnitAttr::get(context));
    forms.add(entry.kernel, /*onlyBounds=*/multiplies);
  }
  if (!isNaming && predictions && predictions->predict.contains(step)) {
    StepEntry alone = entry;
    alone.reports.clear();
    alone.views.clear();
    alone.texts.clear();
    prediction.add(std::move(alone));
  }
  if (isTraining)
    table.add(std::move(entry));
  return success();
}

// Gradients that the first step touches: an entry of nothing but reports.
void Outliner::addFirstReports(StepTable &table) {
  StepEntry entry;
  llvm::append_range(entry.reports, begins.lookup(nullptr));
  if (entry.reports.empty())
    return;
  entry.function = function(program.getLoc(), symbol + "_begin", IntegerType::get(context, 32),
                            {pointer}, LLVM::Linkage::Internal);
  OpBuilder b = OpBuilder::atBlockBegin(&entry.function.getBody().front());
  Value zero =
      LLVM::ConstantOp::create(b, program.getLoc(), b.getI32Type(), b.getI32IntegerAttr(0));
  LLVM::ReturnOp::create(b, program.getLoc(), zero);
  table.add(std::move(entry));
}

// The steps from `first` up to `end`.
LogicalResult Outliner::addEntries(Block::iterator first, Block::iterator end, StepTable &table,
                                   StepTable &prediction) {
  // What counts tasks may leave constants behind: in a function that goes.
  LLVM::LLVMFuncOp scratch =
      function(program.getLoc(), symbol + "_counts", IntegerType::get(context, 32), {pointer},
               LLVM::Linkage::Internal);
  OpBuilder b = OpBuilder::atBlockBegin(&scratch.getBody().front());
  FrameReader frame(b, program.getLoc(), scratch.getArgument(0));
  inTable = true;
  bool isWatched = program->hasAttr(operatorsName);
  kernel::StepNumbers numbers;
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(first, end))) {
    if (!isa<kernel::StepInterface>(op))
      continue;
    bool isPredicted = predictions && predictions->predict.contains(&op);
    if (isOmitted(&op, predictions) && !isPredicted)
      continue;
    SmallVector<Location> nodes =
        isWatched && !isOmitted(&op, predictions) ? watchedNodes(&op) : SmallVector<Location>();
    if (auto loops = dyn_cast<kernel::LoopsOp>(op); loops && nodes.size() > 1) {
      kernel::LoopsOp naming = createNaming(loops, nodes);
      LogicalResult added = addEntry(naming, nodes, true, table, prediction, numbers, b, frame);
      stepFunctions.erase(naming);
      naming.erase();
      if (failed(added))
        return failure();
    }
    if (failed(addEntry(&op, nodes, false, table, prediction, numbers, b, frame)))
      return failure();
  }
  inTable = false;
  scratch.erase();
  return success();
}

LogicalResult Outliner::addTable(StepTable &table, StepTable &prediction) {
  Block &block = program.getBody().front();
  addFirstReports(table);
  if (failed(addEntries(block.begin(), block.end(), table, prediction)))
    return failure();
  forms.merge(mostArguments);
  table.emit(module, program.getLoc(), symbol, forms);
  if (predictions)
    prediction.emit(module, program.getLoc(), (symbol + "_predict").str(), forms);
  return success();
}

// The body of the runner: a call that reads the table.
void Outliner::runTable(const StepTable &table, StringRef callee, bool withTexts) {
  OpBuilder b = OpBuilder::atBlockBegin(&runner.getBody().front());
  Value status = table.call(callee, runner.getArgument(0), withTexts, b);
  LLVM::ReturnOp::create(b, program.getLoc(), status);
}
