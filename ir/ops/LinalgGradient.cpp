// LinalgGradient.cpp: gradients of linear algebra, by MXNet's formulas over other such operators.
#include "ir/Gradient.h"
#include "ir/ops/Linalg.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// alpha * op(A) * op(B), with rows along `axis`.
template <class Op> static void giveFactors(Op op, GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value a = op.getA(), b = op.getB();
  bool ta = op.getTransposeA(), tb = op.getTransposeB();
  auto product = [&](Value x, bool tx, Value y, bool ty, Value like) {
    return core.make("linalg_gemm2", {x, y}, like.getType(),
                     {core.flag("transpose_a", tx), core.flag("transpose_b", ty),
                      core.real("alpha", op.getAlpha().convertToDouble()),
                      core.number("axis", op.getAxis())});
  };
  if (scope.needs(0))
    scope.give(0, ta ? product(b, tb, scope.of(), true, a) : product(scope.of(), false, b, !tb, a));
  if (scope.needs(1))
    scope.give(1, tb ? product(scope.of(), true, a, ta, b) : product(a, !ta, scope.of(), false, b));
}

LogicalResult LinalgGemmOp::buildGradient(GradientScope &scope) {
  giveFactors(*this, scope);
  scope.give(2, scope.core.scalar("mul", scope.of(), getBeta().convertToDouble()));
  return success();
}

LogicalResult LinalgGemm2Op::buildGradient(GradientScope &scope) {
  giveFactors(*this, scope);
  return success();
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

namespace {
/// Products and triangles of the matrices of one type.
struct Matrices {
  GradientScope &scope;
  CoreBuilder &core;
  Type type;
  Shape shape;

  Matrices(GradientScope &scope, Type type)
      : scope(scope), core(scope.core), type(type), shape(shapeOf(type)) {}
  int64_t order() const { return scope.extent(shape[shape.rank() - 1]); }

  Value product(Value a, bool ta, Value b, bool tb, double alpha = 1) {
    Shape left = shapeOf(a.getType()), right = shapeOf(b.getType()), own = left;
    size_t rows = own.rank() - 2, columns = own.rank() - 1;
    own[rows] = left[ta ? columns : rows];
    own[columns] = right[tb ? rows : columns];
    return core.make(
        "linalg_gemm2", {a, b}, core.withShape(a, own),
        {core.flag("transpose_a", ta), core.flag("transpose_b", tb), core.real("alpha", alpha)});
  }
  Value solve(Value a, Value b, bool transpose, bool rightside, bool lower) {
    return core.make("linalg_trsm", {a, b}, b.getType(),
                     {core.flag("transpose", transpose), core.flag("rightside", rightside),
                      core.flag("lower", lower)});
  }
  Value transposed(Value a) {
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(a.getType()).rank()));
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return core.transpose(a, axes);
  }
  // 1 where row and column compare so, for each matrix of `like`.
  Value mask(StringRef comparison, Value like) {
    Type element = elementTypeOf(type);
    Dim n = core.dim(order());
    Value numbers = core.arange(0, 1, order(), element);
    Value rows = core.broadcastTo(core.reshape(numbers, Shape({n, core.dim(1)})), Shape({n, n}));
    Value columns = core.broadcastTo(core.reshape(numbers, Shape({core.dim(1), n})), Shape({n, n}));
    Value mask = core.binary(comparison, rows, columns);
    Shape aligned(shape.rank());
    for (size_t axis = 0; axis < shape.rank(); ++axis)
      aligned[axis] = axis + 2 < shape.rank() ? core.dim(1) : n;
    return core.broadcastLike(core.reshape(mask, aligned), like);
  }
  Value triangle(Value a, bool lower) {
    return core.where(mask(lower ? "greater_equal" : "lesser_equal", a), a, core.fillLike(a, 0));
  }
  // One triangle on both sides of the diagonal.
  Value mirrored(Value a, bool lower) {
    return core.where(mask(lower ? "greater_equal" : "lesser_equal", a), a, transposed(a));
  }
};
} // namespace

LogicalResult LinalgTrmmOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  double alpha = getAlpha().convertToDouble();
  bool transpose = getTranspose(), right = getRightside();
  Value a = getA(), b = getB(), slope = scope.of();
  if (scope.needs(0)) {
    Value own = right ? (transpose ? of.product(slope, true, b, false, alpha)
                                   : of.product(b, true, slope, false, alpha))
                      : (transpose ? of.product(b, false, slope, true, alpha)
                                   : of.product(slope, false, b, true, alpha));
    scope.give(0, of.triangle(own, getLower()));
  }
  if (scope.needs(1))
    scope.give(1,
               scope.core.make(
                   "linalg_trmm", {a, slope}, b.getType(),
                   {scope.core.flag("transpose", !transpose), scope.core.flag("rightside", right),
                    scope.core.flag("lower", getLower()), scope.core.real("alpha", alpha)}));
  return success();
}

// With S the solution for the gradient, that of A is -S X^T, transposed as A is.
LogicalResult LinalgTrsmOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  bool transpose = getTranspose(), right = getRightside();
  Value solved = of.solve(getA(), scope.of(), !transpose, right, getLower()), x = getOutput();
  if (scope.needs(0)) {
    Value own = right ? (transpose ? of.product(solved, true, x, false, -1)
                                   : of.product(x, true, solved, false, -1))
                      : (transpose ? of.product(x, false, solved, true, -1)
                                   : of.product(solved, false, x, true, -1));
    scope.give(0, of.triangle(own, getLower()));
  }
  scope.give(1, scope.core.scalar("mul", solved, getAlpha().convertToDouble()));
  return success();
}

// Of L: L^-T M L^-1 / 2, M the lower triangle of L^T G on both sides of the diagonal.
LogicalResult LinalgPotrfOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  Value factor = getOutput(), slope = scope.of();
  bool lower = getLower();
  Value own =
      lower ? of.product(factor, true, slope, false) : of.product(slope, false, factor, true);
  own = of.mirrored(own, lower);
  own = of.solve(factor, own, lower, false, lower);
  own = of.solve(factor, own, !lower, true, lower);
  scope.give(0, scope.core.scalar("mul", own, 0.5));
  return success();
}

// B = (L L^T)^-1: the lower triangle of -B (G + G^T) L^-T. What A holds beside its triangle is not
// read.
LogicalResult LinalgPotriOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  Value inverse = getOutput();
  bool lower = getLower();
  Value both = scope.core.binary("add", scope.of(), of.transposed(scope.of()));
  Value own = lower ? of.product(inverse, false, both, false, -1)
                    : of.product(both, false, inverse, false, -1);
  scope.give(0, of.triangle(of.solve(getA(), own, true, lower, lower), lower));
  return success();
}

//===----------------------------------------------------------------------===//
// Factorisations
//===----------------------------------------------------------------------===//

// Of A = L Q: L^-T (G_Q + M Q), M the lower triangle of L^T G_L - G_Q Q^T on both sides.
LogicalResult LinalgGelqfOp::buildGradient(GradientScope &scope) {
  Value q = getOutput0(), l = getOutput1();
  Matrices of(scope, l.getType());
  Value inner = scope.core.binary("sub", of.product(l, true, scope.of(1), false),
                                  of.product(scope.of(0), false, q, true));
  Value sum =
      scope.core.binary("add", scope.of(0), of.product(of.mirrored(inner, true), false, q, false));
  scope.give(0, of.solve(l, sum, true, false, true));
  return success();
}

// Of A = U^T diag(L) U: U^T Y U, Y with G_L on the diagonal and elsewhere
// (M_ij - M_ji) / (2 (L_i - L_j)), M = G_U U^T; 0 of equal values.
LogicalResult LinalgSyevdOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value u = getOutput0(), values = getOutput1();
  Matrices of(scope, u.getType());
  Shape shape = of.shape, rows = shape, columns = shape;
  rows[shape.rank() - 1] = core.dim(1);
  columns[shape.rank() - 2] = core.dim(1);
  Value m = of.product(scope.of(0), false, u, true);
  Value apart = core.binary("sub", core.broadcastLike(core.reshape(values, rows), u),
                            core.broadcastLike(core.reshape(values, columns), u));
  Value isZero = core.scalar("equal", apart, 0);
  Value share = core.binary("div", core.scalar("mul", core.binary("sub", m, of.transposed(m)), 0.5),
                            core.binary("add", apart, isZero));
  Value inner = core.where(isZero, core.fillLike(share, 0), share);
  inner = core.binary("add", inner, core.make("linalg_makediag", scope.of(1), u.getType()));
  scope.give(0, of.product(of.product(u, true, inner, false), false, u, false));
  return success();
}

// Of A X = B: that of B is S = A^-T G, that of A -S X^T.
LogicalResult MatrixSolveOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  Value own =
      scope.core.make("matrix_solve", {of.transposed(getA()), scope.of()}, getB().getType());
  scope.give(1, own);
  if (scope.needs(0))
    scope.give(0, of.product(own, false, getOutput(), true, -1));
  return success();
}

// Of A = UT diag(L) V, L falling: UT (M V + D), D = diag(1 / L) G_V. With X = D V^T diag(L) +
// G_UT^T UT, M has G_L - diag(D V^T) on its diagonal, and elsewhere (X - X^T)_ij L_j / |L_i^2 -
// L_j^2|, negated below the diagonal. Divisors have the least value that MXNet gives them.
LogicalResult NumpySvdOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value ut = getOutput0(), values = getOutput1(), v = getOutput2();
  Matrices of(scope, ut.getType());
  Type element = elementTypeOf(ut.getType());
  Shape square = of.shape, rows = square, columns = square, whole = shapeOf(v.getType());
  rows[square.rank() - 1] = core.dim(1);
  columns[square.rank() - 2] = core.dim(1);
  double least = element.isF64() ? 1e-100 : 1e-30;
  auto positive = [&](Value x) { return core.scalar("maximum", x, least); };
  Value byRow = core.broadcastLike(core.reshape(values, rows), ut);
  Value byColumn = core.broadcastLike(core.reshape(values, columns), ut);
  Value divisors = core.broadcastLike(core.reshape(positive(values), rows), v);
  Value d = core.binary("div", scope.of(2), divisors);
  Value inner = of.product(d, false, v, true);
  Value x = core.binary("add", core.binary("mul", inner, byColumn),
                        of.product(scope.of(0), true, ut, false));
  // 1 above the diagonal, -1 below.
  Value sign = core.binary("sub", of.mask("lesser", ut), of.mask("greater", ut));
  Value apart = core.binary("mul", sign, core.binary("sub", byRow, byColumn));
  Value mixed = core.binary("mul", sign, core.binary("sub", x, of.transposed(x)));
  mixed = core.binary("div", core.binary("div", mixed, positive(apart)),
                      positive(core.binary("add", byRow, byColumn)));
  mixed = core.binary("mul", mixed, byColumn);
  Value diagonal =
      core.binary("sub", core.make("linalg_makediag", scope.of(1), ut.getType()), inner);
  Value m = core.where(of.mask("equal", ut), diagonal, mixed);
  Value sum = core.binary("add", of.product(m, false, v, false), d);
  scope.give(0, of.product(ut, false, sum, false));
  return success();
}

LogicalResult LinalgInverseOp::buildGradient(GradientScope &scope) {
  Matrices of(scope, getA().getType());
  Value inverse = getOutput();
  Value own = of.product(inverse, true, scope.of(), false);
  scope.give(0, of.product(own, false, inverse, true, -1));
  return success();
}

// A number for each matrix, repeated to its elements.
static Value repeatToMatrices(CoreBuilder &core, Value numbers, Value like) {
  Shape shape = shapeOf(like.getType()), one = shape;
  one[shape.rank() - 1] = core.dim(1);
  one[shape.rank() - 2] = core.dim(1);
  return core.broadcastLike(core.reshape(numbers, one), like);
}

// factor * A^-T, and 0 for matrices without an inverse, of which `number` is `none`.
static Value byInverse(GradientScope &scope, Value a, Value factor, Value number, double none) {
  CoreBuilder &core = scope.core;
  Type type = a.getType();
  Matrices of(scope, type);
  Value isSingular = repeatToMatrices(core, core.scalar("equal", number, none), a);
  Value inverse = core.make("linalg_inverse", core.where(isSingular, of.mask("equal", a), a), type);
  Value own = core.binary("mul", repeatToMatrices(core, factor, a), of.transposed(inverse));
  return core.where(isSingular, core.fillLike(own, 0), own);
}

LogicalResult LinalgDetOp::buildGradient(GradientScope &scope) {
  Value det = getOutput0();
  scope.give(0, byInverse(scope, getA(), scope.core.binary("mul", scope.of(), det), det, 0));
  return success();
}

LogicalResult LinalgSlogdetOp::buildGradient(GradientScope &scope) {
  scope.give(0, byInverse(scope, getA(), scope.of(1), getOutput1(),
                          -std::numeric_limits<double>::infinity()));
  return success();
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

LogicalResult LinalgSumlogdiagOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Type type = getA().getType();
  Shape shape = shapeOf(type), diagonal{size_t(0)}, one{size_t(0)};
  for (size_t axis = 0; axis + 2 < shape.rank(); ++axis) {
    diagonal.push_back(shape[axis]);
    one.push_back(shape[axis]);
  }
  diagonal.push_back(shape[shape.rank() - 1]);
  one.push_back(core.dim(1));
  Value elements = core.make("linalg_extractdiag", getA(), core.withShape(getA(), diagonal));
  Value slope = scope.repeat(core.reshape(scope.of(), one), diagonal);
  scope.give(0, core.make("linalg_makediag", core.binary("div", slope, elements), type));
  return success();
}

LogicalResult LinalgExtractdiagOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("linalg_makediag", scope.of(), getA().getType(),
                                scope.core.number("offset", getOffset())));
  return success();
}

LogicalResult LinalgMakediagOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("linalg_extractdiag", scope.of(), getA().getType(),
                                scope.core.number("offset", getOffset())));
  return success();
}

LogicalResult LinalgExtracttrianOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("linalg_maketrian", scope.of(), getA().getType(),
                                {scope.core.number("offset", getOffset()),
                                 scope.core.flag("lower", getLower())}));
  return success();
}

LogicalResult LinalgMaketrianOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.make("linalg_extracttrian", scope.of(), getA().getType(),
                                {scope.core.number("offset", getOffset()),
                                 scope.core.flag("lower", getLower())}));
  return success();
}
