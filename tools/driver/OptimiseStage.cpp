// OptimiseStage.cpp: sg -> sg with shapes and types, then sg for code generation (see
// Compiler.h). Several batch sizes are proved to be one computation by its rows.
#include "tools/driver/Compiler.h"

#include "codegen/conv/NarrowProducts.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Quantized.h"
#include "passes/Passes.h"
#include "tools/driver/ShapeAdvice.h"

using namespace mlir;
using namespace symc;

// After an error that names the node or input.
bool Compiler::refuseBatch() {
  diagnostics.error(request.model.name(), {}, "the net cannot be compiled for several batch sizes")
      .note("leave --batch out and give the one size in --shape");
  return false;
}

// Gradients are wanted, or the graph holds backward nodes of an old file.
bool Compiler::isTraining() {
  auto main = nets.empty() ? sg::GraphOp() : nets.front().lookupSymbol<sg::GraphOp>("main");
  return main && main.getTraining();
}

bool Compiler::infer() {
  if (inferred)
    return !diagnostics.hasErrors();
  inferred = true;
  if (isTraining() && (request.onDevice || request.alsoOnDevice)) {
    diagnostics.error(request.model.name(), {}, "backward nodes are compiled for CPUs alone")
        .note("leave --target out, or choose outputs of the forward part by --outputs");
    return false;
  }
  if (request.recompute >= 0 && !isTraining()) {
    diagnostics.error(request.model.name(), {}, "--recompute without a backward part")
        .note("pass --gradients all, or the arguments' names");
    return false;
  }
  return stage("infer", [&] {
    auto build = [&](OpPassManager &manager) {
      // Before shapes, which may be unknown of what feeds only labels. Training reads them.
      if (!isTraining())
        manager.addPass(createDropLabels());
      manager.addPass(createInferShapes());
      manager.addPass(createInferTypes());
      if (request.grown.empty())
        return;
      // Here, so that all who look at the graph's outputs see those of the program. Identities and
      // NumPy's operators may hide the concatenation that appends; states that have weights come
      // before those that grow.
      manager.addPass(createLiftStates());
      manager.addPass(createDecomposeNumpy());
      manager.addPass(createDropIdentities());
      manager.addPass(createGrowStates());
    };
    for (ModuleOp module : nets)
      if (!runPasses(module, build)) {
        if (symc::Diagnostic *error = diagnostics.last())
          if (std::string advice = adviseShape(module, error->node); !advice.empty())
            error->note(advice);
        return false;
      }
    if (request.train && !chooseTrained())
      return false;
    return !rows || runPasses(*rows, build) || refuseBatch();
  });
}

// Where products of bytes are summed, VNNI's instructions take a fraction of the time.
static bool sumsBytes(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool sums = isa<sg::IntegerConvOp, sg::IntegerProductOp, sg::QuantizedConvOp,
                        sg::QuantizedFullyConnectedOp>(op);
        return sums ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// Those that the user names, or what suits the graph; before it is optimised any of them do,
// since all share layouts.
bool Compiler::chooseTargets() {
  if (!request.targetCpus.empty())
    return readTargets(request.targetCpus);
  std::vector<std::string> names =
      codegen::TargetDescription::defaults(!nets.empty() && sumsBytes(nets.front()));
  if (codegen::isHalf(request.precision) && !request.onDevice && !request.alsoOnDevice)
    if (std::optional<std::string> best = codegen::targetMultiplying(nameOf(request.precision)))
      names.insert(names.begin(), *best);
  if (!readTargets(names))
    return false;
  auto host = codegen::TargetDescription::get("native");
  while (request.hostOnly && targets.size() > 1 && !targets.front().runsOn(*host))
    targets.erase(targets.begin());
  if (request.hostOnly)
    targets.erase(targets.begin() + 1, targets.end());
  return true;
}

bool Compiler::runOptimisation(ModuleOp module) {
  return runPasses(module, [&](OpPassManager &manager) {
    if (isTraining())
      buildGradientPipeline(manager, request.gradients);
    if (request.referenceOnly)
      return buildReferencePipeline(manager);
    buildPredictPipeline(manager, targets.front().blockWidth,
                         request.math == codegen::MathMode::Strict,
                         /*onCpu=*/!request.onDevice,
                         /*anyGroups=*/!request.onDevice && !request.alsoOnDevice);
  });
}

bool Compiler::optimise() {
  if (!infer())
    return false;
  return stage("optimise", [&] {
    if (rows && !runPasses(*rows, buildRowCheckPipeline))
      return refuseBatch();
    if (request.recompute >= 0 && isTraining())
      return recompute();
    return llvm::all_of(nets, [&](ModuleOp module) { return runOptimisation(module); }) &&
           (!request.train || checkLosses()) && chooseTargets();
  });
}
