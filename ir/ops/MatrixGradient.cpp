// MatrixGradient.cpp: gradients of products of matrices, which are products themselves.
#include "ir/Gradient.h"
#include "ir/ops/Matrix.h"

using namespace mlir;
using namespace symc::sg;

// With matrices L and R, each maybe transposed, of [rows, inner] and [inner, columns], and a
// gradient G of [rows, columns]: that of L is G R^T, that of R is L^T G.
LogicalResult DotOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  Shape left = shapeOf(getLhs().getType()), right = shapeOf(getRhs().getType());
  MLIRContext *context = getContext();
  bool ta = getTransposeA(), tb = getTransposeB();
  // The axis that is summed over stands last in lhs and first in rhs, or the other way round.
  Dim inner = ta ? left[0] : left[left.rank() - 1];
  Dim rows = ta ? left.product(1, left.rank(), context) : left.product(0, left.rank() - 1, context);
  Dim columns =
      tb ? right.product(0, right.rank() - 1, context) : right.product(1, right.rank(), context);
  Value lhs = core.reshape(getLhs(), ta ? Shape({inner, rows}) : Shape({rows, inner}));
  Value rhs = core.reshape(getRhs(), tb ? Shape({columns, inner}) : Shape({inner, columns}));
  Value slope = core.reshape(scope.of(), Shape({rows, columns}));
  auto product = [&](Value a, bool ta, Value b, bool tb, const Shape &shape) {
    return core.make("dot", {a, b}, core.withShape(a, shape),
                     {core.flag("transpose_a", ta), core.flag("transpose_b", tb)});
  };
  if (scope.needs(0)) {
    Value own = ta ? product(rhs, tb, slope, true, Shape({inner, rows}))
                   : product(slope, false, rhs, !tb, Shape({rows, inner}));
    scope.give(0, core.reshapeTo(own, getLhs().getType()));
  }
  if (scope.needs(1)) {
    Value own = tb ? product(slope, true, lhs, ta, Shape({columns, inner}))
                   : product(lhs, !ta, slope, false, Shape({inner, columns}));
    scope.give(1, core.reshapeTo(own, getRhs().getType()));
  }
  return success();
}

LogicalResult BatchDotOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  bool ta = getTransposeA(), tb = getTransposeB();
  auto product = [&](Value a, bool ta, Value b, bool tb, Value like) {
    return core.make("batch_dot", {a, b}, like.getType(),
                     {core.flag("transpose_a", ta), core.flag("transpose_b", tb)});
  };
  Value lhs = getLhs(), rhs = getRhs();
  if (scope.needs(0))
    scope.give(0, ta ? product(rhs, tb, scope.of(), true, lhs)
                     : product(scope.of(), false, rhs, !tb, lhs));
  if (scope.needs(1))
    scope.give(1, tb ? product(scope.of(), true, lhs, ta, rhs)
                     : product(lhs, !ta, scope.of(), false, rhs));
  return success();
}
