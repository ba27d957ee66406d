// OptimiseStage.cpp: sg -> sg with shapes and types, then sg for code generation (see
// Compiler.h). Several batch sizes are proved to be one computation by its rows.
#include "tools/driver/Compiler.h"

#include "passes/Passes.h"

using namespace mlir;
using namespace symc;

// After an error that names the node or input.
bool Compiler::refuseBatch() {
  diagnostics.error(request.model.name(), {}, "the net cannot be compiled for several batch sizes")
      .note("leave --batch out and give the one size in --shape");
  return false;
}

bool Compiler::infer() {
  if (inferred)
    return !diagnostics.hasErrors();
  inferred = true;
  return stage("infer", [&] {
    auto build = [](OpPassManager &manager) {
      manager.addPass(createInferShapes());
      manager.addPass(createInferTypes());
    };
    for (ModuleOp module : nets)
      if (!runPasses(module, build))
        return false;
    return !rows || runPasses(*rows, build) || refuseBatch();
  });
}

bool Compiler::optimise() {
  if (!infer())
    return false;
  return stage("optimise", [&] {
    if (rows && !runPasses(*rows, buildRowCheckPipeline))
      return refuseBatch();
    auto build = [&](OpPassManager &manager) {
      if (request.referenceOnly)
        return buildReferencePipeline(manager);
      buildPredictPipeline(manager, targets.front().blockWidth,
                           request.math == codegen::MathMode::Strict);
    };
    return llvm::all_of(nets, [&](ModuleOp module) { return runPasses(module, build); });
  });
}
