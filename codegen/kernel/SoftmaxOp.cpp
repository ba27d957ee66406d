// SoftmaxOp.cpp: what kernel.softmax verifies.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult SoftmaxOp::verify() {
  auto type = cast<MemRefType>(getOut().getType());
  if (type.getRank() != 3)
    return emitOpError("out has rank ") << type.getRank() << ", needs 3";
  return verifySameShape(*this, getOperands());
}
