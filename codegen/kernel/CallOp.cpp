// CallOp.cpp: what kernel.call verifies, and what its interfaces return.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult CallOp::verify() {
  auto program = (*this)->getParentOfType<ProgramOp>();
  if (!getDecides() || !program)
    return success();
  uint64_t sizes = program.getSizes().size();
  if (*getDecides() >= sizes)
    return emitOpError("decides size ")
           << *getDecides() << " of a program with " << sizes << " symbolic sizes";
  return success();
}

ArrayAttr CallOp::getCalledPrograms() { return getBodiesAttr(); }

std::optional<int64_t> CallOp::getDecidedSize() {
  return getDecides() ? std::optional<int64_t>(*getDecides()) : std::nullopt;
}

int64_t CallOp::getReferenceWork() { return getWork().value_or(0); }

std::string CallOp::describe() { return "call " + getSymbol().str(); }

OperandRange CallOp::getOverwritableInputs() {
  OperandRange ins = getIns();
  return getInPlace() ? ins : ins.take_front(0);
}
