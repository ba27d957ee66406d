// LoadStage.cpp: compiles a scheduled model with its weights into this process (see
// Compiler.h).
#include "tools/driver/Compiler.h"
#include "tools/driver/CustomKernels.h"

using namespace mlir;
using namespace symc;

std::unique_ptr<codegen::InProcess> Compiler::load(PreparedWeights &weights,
                                                   const codegen::InProcessOptions &options) {
  auto native = codegen::TargetDescription::get("native");
  for (const codegen::TargetDescription &target : targets)
    if (target.architecture() != native->architecture()) {
      diagnostics
          .error(request.model.name(), {},
                 "code for '" + target.name + "' (" + target.architecture() + ") cannot run here")
          .note("symc --emit=asm shows it");
      return nullptr;
    }
  if (!request.emitPrepare && !weights.bytes && !prepareWeights(weights))
    return nullptr;
  std::unique_ptr<codegen::Code> lowered = code();
  if (!lowered)
    return nullptr;
  std::unique_ptr<codegen::InProcess> loaded;
  stage("load", [&] {
    codegen::ModelInfo info = modelInfo();
    codegen::InProcessOptions own = options;
    useLoadedKernels(wholeModule(), info, own);
    uint64_t size = request.emitPrepare ? preparedBytes() : weights.size;
    auto result = codegen::loadModel(*lowered, info, weights.bytes.get(), size, weights.hash, own);
    if (!result)
      return report(result.takeError());
    loaded = std::move(*result);
    return true;
  });
  return loaded;
}
