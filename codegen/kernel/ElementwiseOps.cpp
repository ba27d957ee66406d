// ElementwiseOps.cpp: kernel.loops, kernel.copy and kernel.fill: steps over views of one
// shape.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult LoopsOp::verify() {
  if (failed(verifySameShape(*this, getOperands())))
    return failure();
  return verifyBody(*this, getBody(), elementTypes(getIns()), elementTypes(getOuts()));
}

OperandRange LoopsOp::getOverwritableInputs() { return getIns(); }
bool LoopsOp::isElementwise() { return true; }

LogicalResult CopyOp::verify() { return verifySameShape(*this, getOperands()); }

bool CopyOp::isElementwise() { return true; }

bool FillOp::isElementwise() { return true; }
