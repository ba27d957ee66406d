// PassInputs.cpp: see PassInputs.h.
#include "codegen/passes/PassInputs.h"

#include "codegen/kernel/KernelDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

std::optional<TargetAndMath> TargetAndMath::get(Operation *op, StringRef pass, StringRef target,
                                                StringRef math) {
  std::optional<TargetDescription> description = TargetDescription::get(target);
  std::optional<MathMode> mode = mathModeNamed(math);
  if (!description || !mode) {
    op->emitError(pass) << ": no target '" << target << "' or no math '" << math << "'";
    return std::nullopt;
  }
  return TargetAndMath{*description, *mode};
}

StringRef symc::codegen::targetOf(Operation *program, StringRef target) {
  auto variant = program->getParentOfType<kernel::VariantOp>();
  return variant ? variant.getTarget() : target;
}

std::string symc::codegen::targetOr(const std::string &target) {
  return target.empty() ? TargetDescription::names().front() : target;
}

std::optional<Tuning> symc::codegen::readTuning(Operation *op, StringRef pass, StringRef path) {
  Tuning tuning;
  if (path.empty())
    return tuning;
  if (llvm::Error error = tuning.read(path)) {
    op->emitError(pass) << ": " << llvm::toString(std::move(error));
    return std::nullopt;
  }
  return tuning;
}

SmallVector<ModuleOp> symc::codegen::modulesOf(ModuleOp module) {
  SmallVector<ModuleOp> modules(module.getOps<ModuleOp>());
  if (modules.empty())
    modules.push_back(module);
  return modules;
}

bool symc::codegen::fitBatches(Operation *op, StringRef pass, size_t batches, size_t modules) {
  if (batches == 0 || batches == modules)
    return true;
  op->emitError(pass) << ": " << batches << " batch sizes for " << modules << " modules";
  return false;
}

std::optional<ScheduleInputs> ScheduleInputs::get(Operation *op, StringRef pass,
                                                  const std::string &target, bool referenceOnly) {
  std::optional<TargetAndMath> named = TargetAndMath::get(op, pass, targetOr(target));
  if (!named)
    return std::nullopt;
  return ScheduleInputs{named->target, referenceOnly};
}
