// Interval.h: the values that an affine expression over symbolic sizes can take. Never too
// narrow: a symbol that stands twice counts as two. An end at a limit of int64_t is open, and
// so is what is computed from it.
#ifndef SYMC_IR_INTERVAL_H
#define SYMC_IR_INTERVAL_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace symc::sg {

struct Interval {
  int64_t min, max;
  static bool isOpen(int64_t end) { return end == INT64_MIN || end == INT64_MAX; }
};

namespace interval {
inline int64_t product(int64_t a, int64_t b) {
  int64_t result;
  bool open = Interval::isOpen(a) || Interval::isOpen(b);
  if (a == 0 || b == 0)
    return 0;
  if (!open && !llvm::MulOverflow(a, b, result))
    return result;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

inline int64_t sum(int64_t a, int64_t b) {
  int64_t result;
  if (Interval::isOpen(a) || Interval::isOpen(b))
    return Interval::isOpen(a) ? a : b;
  if (!llvm::AddOverflow(a, b, result))
    return result;
  return a < 0 ? INT64_MIN : INT64_MAX;
}
} // namespace interval

/// Symbol i stays in min[i]..max[i]; a symbol behind them can be anything. Points where both
/// lists are one: intervalOf then gives the value.
struct SymbolRanges {
  llvm::ArrayRef<int64_t> min, max;
  Interval of(unsigned symbol) const {
    return symbol < min.size() ? Interval{min[symbol], max[symbol]}
                               : Interval{INT64_MIN, INT64_MAX};
  }
};

/// The values of an expression over such symbols.
inline Interval intervalOf(mlir::AffineExpr expr, const SymbolRanges &symbols) {
  using namespace interval;
  using mlir::AffineExprKind;
  const Interval any{INT64_MIN, INT64_MAX};
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols.of(symbol.getPosition());
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary)
    return any;
  Interval a = intervalOf(binary.getLHS(), symbols);
  if (binary.getKind() == AffineExprKind::Mul && binary.getLHS() == binary.getRHS()) {
    int64_t low = product(a.min, a.min), high = product(a.max, a.max);
    return {a.min <= 0 && a.max >= 0 ? 0 : std::min(low, high), std::max(low, high)};
  }
  Interval b = intervalOf(binary.getRHS(), symbols);
  if (binary.getKind() == AffineExprKind::Add)
    return {sum(a.min, b.min), sum(a.max, b.max)};
  if (binary.getKind() == AffineExprKind::Mul) {
    auto ends = std::minmax({product(a.min, b.min), product(a.min, b.max), product(a.max, b.min),
                             product(a.max, b.max)});
    return {ends.first, ends.second};
  }
  if (b.min != b.max || b.min < 1)
    return any;
  if (binary.getKind() == AffineExprKind::Mod)
    return a.min == a.max && a.min >= 0 ? Interval{a.min % b.min, a.min % b.min}
                                        : Interval{0, b.min - 1};
  bool up = binary.getKind() == AffineExprKind::CeilDiv;
  auto divide = [&](int64_t end) {
    if (Interval::isOpen(end))
      return end;
    return up ? llvm::divideCeilSigned(end, b.min) : llvm::divideFloorSigned(end, b.min);
  };
  return {divide(a.min), divide(a.max)};
}

} // namespace symc::sg

#endif // SYMC_IR_INTERVAL_H
