// StepInterfaces.cpp: see StepInterfaces.h.
#include "codegen/kernel/StepInterfaces.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace symc::kernel;

#include "codegen/kernel/StepInterfaces.cpp.inc"

// For each operand, whether the step writes it.
static SmallVector<bool, 8> writtenOperands(Operation *step) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(step).getEffects(effects);
  SmallVector<bool, 8> written(step->getNumOperands(), false);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (OpOperand *operand = effect.getEffectValue<OpOperand *>();
        operand && isa<MemoryEffects::Write>(effect.getEffect()))
      written[operand->getOperandNumber()] = true;
  return written;
}

static unsigned firstOutput(Operation *step) {
  SmallVector<bool, 8> written = writtenOperands(step);
  return llvm::find(written, true) - written.begin();
}

OperandRange symc::kernel::inputsOf(Operation *step) {
  return step->getOperands().take_front(firstOutput(step));
}

OperandRange symc::kernel::outputsOf(Operation *step) {
  return step->getOperands().drop_front(firstOutput(step));
}

std::string symc::kernel::nodesOf(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  std::string text;
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string name = nodesOf(part); !name.empty())
        text += (text.empty() ? "" : "+") + name;
  return text;
}

LogicalResult symc::kernel::verifyStep(Operation *step) {
  SmallVector<bool, 8> written = writtenOperands(step);
  if (!llvm::is_sorted(written) || written.empty() || !written.back())
    return step->emitOpError("internal error: needs its inputs before its outputs, and an output");
  // Attributes of other dialects may be carried along; a step's own are declared.
  for (NamedAttribute attribute : step->getDiscardableAttrs())
    if (!attribute.getNameDialect())
      return step->emitOpError("has no attribute '") << attribute.getName().getValue() << "'";
  return success();
}
