// ExtentPolynomials.cpp: see ExtentPolynomials.h. Unknowns of the polynomials are the sizes and the
// rounded quotients and remainders of an extent, each taken as a whole.
#include "ir/ExtentPolynomials.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace symc::sg;

namespace {

/// The power of each unknown; the order of vectors is one that products keep.
using Powers = std::vector<unsigned>;

struct Polynomial {
  std::map<Powers, int64_t> terms; // coefficients, none of them 0
  bool isTooLarge = false;         // of int64, or of terms

  void add(const Powers &powers, int64_t factor) {
    int64_t &sum = terms[powers];
    isTooLarge |= llvm::AddOverflow(sum, factor, sum);
    if (sum == 0)
      terms.erase(powers);
  }
  /// Adds the product with one term.
  void add(const Polynomial &other, const Powers &powers, int64_t factor) {
    constexpr size_t mostTerms = 256;
    for (const auto &[own, coefficient] : other.terms) {
      Powers sum(powers);
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += own[i];
      int64_t product;
      isTooLarge |= llvm::MulOverflow(coefficient, factor, product);
      add(sum, product);
    }
    isTooLarge |= other.isTooLarge || terms.size() > mostTerms;
  }
};

// A quotient of a quotient as one: ((s0 - 1) floordiv 2 + 1) floordiv 3 is (s0 + 1) floordiv 6.
AffineExpr flatten(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = flatten(binary.getLHS()), right = flatten(binary.getRHS());
  auto made = [&] { return getAffineBinaryOpExpr(expr.getKind(), left, right); };
  if (expr.getKind() != AffineExprKind::FloorDiv)
    return made();
  int64_t more = 0;
  AffineExpr inner = left;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(left); sum && sum.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      more = constant.getValue();
      inner = sum.getLHS();
    }
  auto quotient = dyn_cast<AffineBinaryOpExpr>(inner);
  auto by = dyn_cast<AffineConstantExpr>(right);
  if (!quotient || !by || quotient.getKind() != AffineExprKind::FloorDiv)
    return made();
  auto before = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  int64_t divisor;
  if (!before || before.getValue() < 1 || by.getValue() < 1 ||
      llvm::MulOverflow(before.getValue(), by.getValue(), divisor) ||
      llvm::MulOverflow(more, before.getValue(), more))
    return made();
  return (quotient.getLHS() + more).floorDiv(divisor);
}

class Unknowns {
public:
  static constexpr size_t most = 64; // a vector of powers has a number for each

  Unknowns(AffineExpr &a, AffineExpr &b) {
    for (AffineExpr *expr : {&a, &b})
      *expr = flatten(*expr);
    for (AffineExpr expr : {a, b})
      expr.walk([&](AffineExpr part) {
        if (!isa<AffineConstantExpr>(part) && part.getKind() != AffineExprKind::Add &&
            part.getKind() != AffineExprKind::Mul)
          list.insert(part);
      });
  }
  Polynomial expand(AffineExpr expr) const {
    Polynomial result;
    Powers none(list.size());
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      result.add(none, constant.getValue());
    } else if (expr.getKind() == AffineExprKind::Add) {
      result.add(expand(binary.getLHS()), none, 1);
      result.add(expand(binary.getRHS()), none, 1);
    } else if (expr.getKind() == AffineExprKind::Mul) {
      Polynomial left = expand(binary.getLHS()), right = expand(binary.getRHS());
      for (const auto &[powers, factor] : left.terms)
        if (!result.isTooLarge)
          result.add(right, powers, factor);
      result.isTooLarge |= left.isTooLarge;
    } else {
      ++none[llvm::find(list, expr) - list.begin()];
      result.add(none, 1);
    }
    return result;
  }
  bool areTooMany() const { return list.size() > most; }
  Dim extentOf(const Polynomial &polynomial, MLIRContext *context) const {
    Dim sum = Dim::constant(0, context);
    for (const auto &[powers, factor] : polynomial.terms) {
      Dim term = Dim::constant(1, context);
      for (auto [unknown, power] : llvm::zip(list, powers))
        for (unsigned i = 0; i < power; ++i)
          term = term * Dim(unknown);
      sum = sum + term * factor;
    }
    return sum;
  }

private:
  llvm::SetVector<AffineExpr> list;
};

} // namespace

std::optional<Dim> symc::sg::divideExactly(Dim whole, Dim part) {
  AffineExpr dividend = whole.getExpr(), by = part.getExpr();
  Unknowns unknowns(dividend, by);
  if (unknowns.areTooMany())
    return std::nullopt;
  Polynomial rest = unknowns.expand(dividend), divisor = unknowns.expand(by), quotient;
  if (divisor.terms.empty())
    return std::nullopt;
  // The highest term each time: the rest has smaller ones only behind it.
  auto [lead, leadFactor] = *divisor.terms.rbegin();
  while (!rest.terms.empty() && !rest.isTooLarge && !divisor.isTooLarge) {
    Powers powers = rest.terms.rbegin()->first;
    int64_t factor = rest.terms.rbegin()->second;
    if (factor % leadFactor != 0)
      return std::nullopt;
    for (size_t i = 0; i < powers.size(); ++i) {
      if (powers[i] < lead[i])
        return std::nullopt;
      powers[i] -= lead[i];
    }
    quotient.add(powers, factor / leadFactor);
    rest.add(divisor, powers, -(factor / leadFactor));
  }
  if (rest.isTooLarge || divisor.isTooLarge)
    return std::nullopt;
  return unknowns.extentOf(quotient, dividend.getContext());
}

bool symc::sg::areEqual(AffineExpr a, AffineExpr b) {
  if (a == b)
    return true;
  Unknowns unknowns(a, b);
  if (unknowns.areTooMany())
    return false;
  Polynomial first = unknowns.expand(a), second = unknowns.expand(b);
  return !first.isTooLarge && !second.isTooLarge && first.terms == second.terms;
}
