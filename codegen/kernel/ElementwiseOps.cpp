// ElementwiseOps.cpp: kernel.loops, kernel.copy and kernel.fill: steps over views of one
// shape.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

// Of the nest; its normal form has as many at most.
static int64_t axesOf(StepInterface step) {
  return cast<MemRefType>(step.getOutputs()[0].getType()).getRank();
}

LogicalResult LoopsOp::verify() {
  if (failed(verifySameShape(*this, getOperands())) || failed(verifyCut(*this, axesOf(*this))))
    return failure();
  return verifyBody(*this, getBody(), elementTypes(getIns()), elementTypes(getOuts()));
}

OperandRange LoopsOp::getOverwritableInputs() { return getIns(); }
bool LoopsOp::isElementwise() { return true; }

LogicalResult CopyOp::verify() {
  return failed(verifyCut(*this, axesOf(*this))) ? failure()
                                                 : verifySameShape(*this, getOperands());
}

bool CopyOp::isElementwise() { return true; }

LogicalResult FillOp::verify() { return verifyCut(*this, axesOf(*this)); }

bool FillOp::isElementwise() { return true; }
