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
  int64_t rank = cast<MemRefType>(getOuts()[0].getType()).getRank(), next = 0;
  SmallVector<Type> expected;
  for (int64_t dimension : getCoordinates()) {
    if (dimension < next || dimension >= rank)
      return emitOpError("coordinates [")
             << getCoordinates() << "] need rising numbers below the rank, " << rank;
    int64_t extent = cast<MemRefType>(getOuts()[0].getType()).getDimSize(dimension);
    if (extent - 1 > INT32_MAX)
      return emitOpError("counts to ")
             << extent - 1 << " along axis " << dimension << ", more than i32 holds";
    next = dimension + 1;
    expected.push_back(IntegerType::get(getContext(), 32));
  }
  llvm::append_range(expected, elementTypes(getIns()));
  return verifyBody(*this, getBody(), expected, elementTypes(getOuts()));
}

OperandRange LoopsOp::getOverwritableInputs() { return getIns(); }
// Whose index counts stays a dimension of its own.
bool LoopsOp::isElementwise() { return getCoordinates().empty(); }

LogicalResult CopyOp::verify() {
  return failed(verifyCut(*this, axesOf(*this))) ? failure()
                                                 : verifySameShape(*this, getOperands());
}

bool CopyOp::isElementwise() { return true; }

LogicalResult FillOp::verify() { return verifyCut(*this, axesOf(*this)); }

bool FillOp::isElementwise() { return true; }
