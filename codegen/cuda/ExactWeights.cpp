// ExactWeights.cpp: see ExactWeights.h.
#include "codegen/cuda/ExactWeights.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace symc::codegen::cuda {

Value keepExact(kernel::ProgramOp prepare, StringRef name) {
  Value exact;
  SmallVector<kernel::WeightOp> all(prepare.getBody().getOps<kernel::WeightOp>());
  for (kernel::WeightOp weight : all) {
    if (weight.getName() != name)
      continue;
    if (!exact) {
      OpBuilder b(weight);
      exact = kernel::BufferOp::create(b, weight.getLoc(), weight.getType(), ValueRange(),
                                       ValueRange(), IntegerAttr());
    }
    weight.replaceAllUsesWith(exact);
    weight.erase();
  }
  return exact;
}

void writeRounded(OpBuilder &b, Location location, Value exact, Value rounded) {
  OpBuilder::InsertionGuard guard(b);
  auto step = kernel::LoopsOp::create(b, location, exact, rounded);
  Block &body = step.getBody().emplaceBlock();
  body.addArgument(b.getF32Type(), location);
  b.setInsertionPointToEnd(&body);
  Type element = cast<MemRefType>(rounded.getType()).getElementType();
  Value result = arith::TruncFOp::create(b, location, element, body.getArgument(0));
  kernel::YieldOp::create(b, location, result);
}

} // namespace symc::codegen::cuda
