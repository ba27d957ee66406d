// Polynomials.cpp: see Polynomials.h.
#include "codegen/cpu/Polynomials.h"

#include "codegen/cpu/Arithmetic.h"
#include "codegen/kernel/KernelDialect.h"

using namespace mlir;
using symc::codegen::Arithmetic;

namespace {

// 2^n, n the low bits of `shifted`'s significand.
Value powerOf2(Arithmetic a, Value shifted) {
  Value bits = a.left(a.bits(shifted), 23);
  return a.fromBits(a.addBits(bits, a.integer(0x3F800000)));
}

// exp(x) = 2^n exp(r), |r| <= log(2) / 2. The polynomial has the least largest error
// relative to exp for its degree with 1 + r as its beginning: 3e-9. Behind the largest
// number r grows with x, and the product is infinity.
Value expandExp(Arithmetic a, Value x, bool atMostOne) {
  x = a.atLeast(x, -88.0f); // n from -127 on, whose power is 0
  // A sum with 1.5 * 2^23 rounds to an integer, which its low bits hold.
  constexpr float shift = 12582912;
  Value shifted = a.fma(x, a.constant(1.44269504f), a.constant(shift));
  if (!atMostOne)
    shifted = a.atMost(shifted, shift + 128);
  Value n = a.sub(shifted, a.constant(shift));
  Value r = a.fma(n, a.constant(-0.693359375f), x); // exact: log(2) in two parts
  r = a.fma(n, a.constant(2.12194440e-4f), r);
  Value p = a.horner(r, {0.0013814599f, 0.008368717f, 0.04166839f, 0.16666521f, 0.49999994f, 1, 1});
  if (atMostOne)
    return a.mul(p, powerOf2(a, shifted));
  // 2^128 is no number: p doubles instead.
  Value power = a.atMost(shifted, shift + 127);
  p = a.fma(p, a.sub(shifted, power), p);
  return a.mul(p, powerOf2(a, power));
}

Value expandAnyExp(Arithmetic a, Value x) { return expandExp(a, x, false); }

struct Quotient {
  Value over, under;
};

// tanh as a quotient of polynomials in x^2; it is 1 beyond the bound.
Quotient tanhQuotient(Arithmetic a, Value x) {
  x = a.atLeast(a.atMost(x, 7.90531110763549805f), -7.90531110763549805f);
  Value square = a.mul(x, x);
  Value over =
      a.horner(square, {-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f,
                        5.12229709037114e-08f, 1.48572235717979e-05f, 6.37261928875436e-04f,
                        4.89352455891786e-03f});
  Value under = a.horner(square, {1.19825839466702e-06f, 1.18534705686654e-04f,
                                  2.26843463243900e-03f, 4.89352518554385e-03f});
  return {a.mul(x, over), under};
}

bool isF32(Value value) { return getElementTypeOrSelf(value.getType()).isF32(); }

Value expandTanh(Arithmetic a, Value x) {
  Quotient quotient = tanhQuotient(a, x);
  return a.div(quotient.over, quotient.under);
}

// erf as x times a quotient of polynomials in x^2, fitted up to 3.85, where it rounds to 1; it
// grows beyond. The coefficients are those near the best ones by which floats err least.
Value expandErf(Arithmetic a, Value x) {
  Value square = a.atMost(a.mul(x, x), 14.8225f); // whose powers are no infinity
  Value over = a.horner(square, {2.108265335e-06f, 2.856743522e-04f, 3.673944389e-03f,
                                 5.247974396e-02f, 1.878980696e-01f, 1.128379107e+00f});
  Value under = a.horner(square, {3.873173046e-05f, 1.145502785e-03f, 1.478492934e-02f,
                                  1.131290570e-01f, 4.998531938e-01f, 1});
  return a.atLeast(a.atMost(a.div(a.mul(x, over), under), 1), -1);
}

template <typename Op, Value expand(Arithmetic, Value)> struct Expand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    rewriter.replaceOp(op, expand({rewriter, op.getLoc(), op.getType()}, op.getOperand()));
    return success();
  }
};

Value one(OpBuilder &b, Location loc, Type type) {
  TypedAttr value = b.getFloatAttr(getElementTypeOrSelf(type), 1);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, loc, value);
}

// 1 + exp(-x), by which a logistic of x divides.
Value divisorOf(OpBuilder &b, symc::kernel::LogisticOp op) {
  Value first = one(b, op.getLoc(), op.getType());
  Value minus = arith::NegFOp::create(b, op.getLoc(), op.getOperand());
  Value power = math::ExpOp::create(b, op.getLoc(), minus);
  return arith::AddFOp::create(b, op.getLoc(), first, power);
}

struct ExpandLogistic : OpRewritePattern<symc::kernel::LogisticOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(symc::kernel::LogisticOp op,
                                PatternRewriter &rewriter) const override {
    Value over = one(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, over, divisorOf(rewriter, op));
    return success();
  }
};

// The logistic of f32 that is a factor, and that nothing else reads.
symc::kernel::LogisticOp logisticFactor(Value factor) {
  auto logistic = factor.getDefiningOp<symc::kernel::LogisticOp>();
  return logistic && factor.hasOneUse() && isF32(factor) ? logistic : nullptr;
}

} // namespace

Value symc::codegen::expandExpOfNegative(OpBuilder &builder, Location location, Value x) {
  return expandExp({builder, location, x.getType()}, x, true);
}

void symc::codegen::populatePolynomials(RewritePatternSet &patterns) {
  patterns.add<ExpandLogistic, Expand<math::ErfOp, expandErf>, Expand<math::ExpOp, expandAnyExp>,
               Expand<math::TanhOp, expandTanh>>(patterns.getContext());
}

void symc::codegen::divideOnceByLogistic(Operation *function) {
  SmallVector<arith::MulFOp> products;
  function->walk([&](arith::MulFOp op) { products.push_back(op); });
  for (arith::MulFOp op : products) {
    Value x = op.getLhs();
    symc::kernel::LogisticOp logistic = logisticFactor(op.getRhs());
    if (!logistic) {
      x = op.getRhs();
      logistic = logisticFactor(op.getLhs());
    }
    if (!logistic)
      continue;
    OpBuilder atLogistic(logistic), b(op);
    Value divisor = divisorOf(atLogistic, logistic);
    Arithmetic a(b, op.getLoc(), op.getType());
    // The divisor is 1 at least: what overflows beside it is a quotient below 1e-37.
    if (auto tanh = x.getDefiningOp<math::TanhOp>(); tanh && x.hasOneUse()) {
      Quotient quotient = tanhQuotient(a, tanh.getOperand());
      x = quotient.over;
      divisor = a.mul(quotient.under, divisor);
    }
    op.getResult().replaceAllUsesWith(a.div(x, divisor));
    op.erase();
    logistic.erase();
  }
}
