// SplitBytesOp.cpp: what kernel.split_bytes verifies.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult SplitBytesOp::verify() {
  auto source = cast<MemRefType>(getSource().getType()),
       target = cast<MemRefType>(getTarget().getType());
  SmallVector<int64_t> expected(source.getShape());
  bool fits = expected.size() == 5 || expected.size() == 6;
  if (fits) {
    fits = !ShapedType::isDynamic(expected[4]) && expected[4] % 4 == 0;
    expected[4] /= 2;
  }
  if (!fits || !source.getElementType().isInteger(8) || !target.getElementType().isInteger(32) ||
      target.getShape() != ArrayRef(expected))
    return emitOpError("needs bytes [N, CB, H, W, L] and words of 32 bits [N, CB, H, W, L/2], L a "
                       "multiple of 4, or panels [OB, IB, kH, kW, L, B] and [OB, IB, kH, kW, L/2, "
                       "B] of these");
  if (getShifted() && expected.size() == 6)
    return emitOpError("shifted is of data, panels have signs");
  return verifyCut(*this, 3);
}
