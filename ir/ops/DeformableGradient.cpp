// DeformableGradient.cpp: gradients of moved taps and of correlation. sg-decompose makes columns of
// deformable convolutions first, with a convolution behind them.
#include "ir/Gradient.h"
#include "ir/ops/Deformable.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult DeformableColumnsOp::buildGradient(GradientScope &scope) {
  static constexpr StringLiteral names[] = {"data", "offset", "mask"};
  SmallVector<Value> operands{getData(), getOffset(), scope.of()};
  if (getMask())
    operands.push_back(getMask());
  for (unsigned i = 0; i < getNumOperands(); ++i)
    if (scope.needs(i))
      scope.give(i, scope.makeLike("deformable_columns_gradient", operands, getOperand(i).getType(),
                                   scope.core.text("of", names[i])));
  return success();
}

LogicalResult CorrelationOp::buildGradient(GradientScope &scope) {
  for (unsigned i : {0, 1})
    if (scope.needs(i))
      scope.give(i, scope.makeLike("correlation_gradient", {getData1(), getData2(), scope.of()},
                                   getData1().getType(),
                                   scope.core.text("of", i ? "data2" : "data1")));
  return success();
}
