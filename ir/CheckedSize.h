// CheckedSize.h: numbers of elements and bytes that are computed from values of a file. A sum,
// difference or product that leaves int64 is too large, and so is all that follows from it, so
// that a function computes first and its caller checks once.
#ifndef SYMC_IR_CHECKEDSIZE_H
#define SYMC_IR_CHECKEDSIZE_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <limits>

namespace symc::sg {

/// A tensor has no more elements than this, and no parameter of a file goes beyond it, so that
/// sums of a few extents, and their bytes, are far from the limits of int64.
inline constexpr int64_t kMostElements = int64_t(1) << 48;

class CheckedSize {
public:
  static constexpr int64_t kTooLarge = std::numeric_limits<int64_t>::max();

  constexpr CheckedSize(int64_t value = 0) : value(value) {}
  bool isTooLarge() const { return value == kTooLarge; }
  /// The number; kTooLarge where it is that.
  int64_t get() const { return value; }

  friend CheckedSize operator+(CheckedSize a, CheckedSize b) {
    int64_t sum;
    return poisoned(a, b) || llvm::AddOverflow(a.value, b.value, sum) ? kTooLarge : sum;
  }
  friend CheckedSize operator-(CheckedSize a, CheckedSize b) {
    int64_t difference;
    bool over = poisoned(a, b) || llvm::SubOverflow(a.value, b.value, difference);
    return over ? kTooLarge : difference;
  }
  friend CheckedSize operator*(CheckedSize a, CheckedSize b) {
    int64_t product;
    return poisoned(a, b) || llvm::MulOverflow(a.value, b.value, product) ? kTooLarge : product;
  }
  /// `b` is above 0.
  friend CheckedSize operator/(CheckedSize a, CheckedSize b) {
    return poisoned(a, b) ? kTooLarge : a.value / b.value;
  }
  CheckedSize &operator*=(CheckedSize other) { return *this = *this * other; }
  CheckedSize &operator+=(CheckedSize other) { return *this = *this + other; }
  friend bool operator<(CheckedSize a, CheckedSize b) { return a.value < b.value; }
  friend bool operator>(CheckedSize a, CheckedSize b) { return b < a; }
  friend bool operator==(CheckedSize a, CheckedSize b) { return a.value == b.value; }
  friend bool operator!=(CheckedSize a, CheckedSize b) { return !(a == b); }

private:
  static bool poisoned(CheckedSize a, CheckedSize b) { return a.isTooLarge() || b.isTooLarge(); }
  int64_t value;
};

/// The next multiple of `alignment`.
inline CheckedSize alignTo(CheckedSize size, int64_t alignment) {
  return (size + (alignment - 1)) / alignment * alignment;
}

} // namespace symc::sg

#endif // SYMC_IR_CHECKEDSIZE_H
