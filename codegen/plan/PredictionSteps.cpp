// PredictionSteps.cpp: see PredictionSteps.h.
//
//   from the last step to the first: a step runs where something that runs later reads what it
//   writes, and nothing writes all of that anew between them
#include "codegen/plan/PredictionSteps.h"

#include "codegen/kernel/ValueBuffers.h"
#include "codegen/kernel/ViewOrigin.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {
/// Memory that a later step reads, by its roots.
class Wanted {
public:
  void want(Value root) {
    read.insert(root);
    rewritten.erase(root);
  }
  bool isRead(Value root) const { return read.contains(root); }
  bool has(Value root) const { return isRead(root) && !rewritten.contains(root); }
  void rewrite(Value root) { rewritten.insert(root); }

private:
  DenseSet<Value> read, rewritten;
};
} // namespace

static auto outputsOf(Operation *step) { return cast<kernel::StepInterface>(step).getOutputs(); }

// What stands around images in memory is not written anew; and one value may be written by several
// steps.
static bool isNeeded(Operation *step, const Wanted &wanted) {
  auto outputs = outputsOf(step);
  return outputs.empty() || llvm::any_of(outputs, [&](Value output) {
           Value root = kernel::rootOf(output);
           bool isOfAll = isa<kernel::FillOp>(step) || step->hasAttr(kernel::predictingName);
           return isOfAll ? wanted.isRead(root) : wanted.has(root);
         });
}

// The steps that write what is wanted.
static DenseSet<Operation *> stepsFor(Wanted wanted, ArrayRef<Operation *> steps, bool predicts) {
  DenseSet<Operation *> needed;
  for (Operation *step : llvm::reverse(steps)) {
    bool isPredicting = step->hasAttr(kernel::predictingName);
    if (isPredicting && !predicts)
      continue;
    if (!isNeeded(step, wanted))
      continue;
    needed.insert(step);
    auto outputs = outputsOf(step);
    for (Value operand : step->getOperands())
      if (isa<MemRefType>(operand.getType()) && !(isPredicting && operand == outputs.front()))
        wanted.want(kernel::rootOf(operand));
    if (isPredicting)
      wanted.rewrite(kernel::rootOf(outputs.front()));
  }
  return needed;
}

std::optional<PredictionSteps> symc::codegen::predictionSteps(kernel::ProgramOp program) {
  auto counted = program->getAttrOfType<DenseI64ArrayAttr>(predictedName);
  if (!counted)
    return std::nullopt;
  ArrayRef<int64_t> counts = counted.asArrayRef();
  int64_t predicted = counts[0], outputsOfCaller = counts[1];
  SmallVector<Operation *> steps;
  for (Operation &op : program.getBody().front())
    if (auto step = dyn_cast<kernel::StepInterface>(op)) {
      if (step.getDecidedSize())
        return std::nullopt;
      steps.push_back(&op);
    }
  auto arguments = program.getBody().front().getArguments();
  auto outputs = arguments.slice(program.getNumInputs(), program.getNumOutputs());
  Wanted answers, all;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    all.want(output);
    if (int64_t(i) < predicted)
      answers.want(output);
  }
  PredictionSteps result;
  result.predict = stepsFor(answers, steps, /*predicts=*/true);
  DenseSet<Operation *> train = stepsFor(all, steps, /*predicts=*/false);
  result.inputs.resize(program.getNumInputs());
  for (Operation *step : steps) {
    // Steps that nothing needs at all run as they do in other programs.
    if (step->hasAttr(kernel::predictingName) ||
        (result.predict.contains(step) && !train.contains(step)))
      result.omitted.insert(step);
    if (!result.predict.contains(step))
      continue;
    for (Value operand : step->getOperands())
      if (auto argument = dyn_cast_or_null<BlockArgument>(
              isa<MemRefType>(operand.getType()) ? kernel::rootOf(operand) : Value()))
        if (argument.getArgNumber() < program.getNumInputs())
          result.inputs.set(argument.getArgNumber());
    for (Value output : outputsOf(step))
      if (auto argument = dyn_cast<BlockArgument>(kernel::rootOf(output))) {
        int64_t number = int64_t(argument.getArgNumber()) - int64_t(program.getNumInputs());
        if (number >= predicted && number < outputsOfCaller)
          return std::nullopt;
      }
  }
  return result;
}

bool symc::codegen::isOmitted(Operation *step, const std::optional<PredictionSteps> &predictions) {
  return step->hasAttr(kernel::predictingName) ||
         (predictions && predictions->omitted.contains(step));
}
