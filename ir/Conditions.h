// Conditions.h: what has to hold of extents for a graph to be computed: a window that fits into
// its image, enough elements to choose from. Over constants a need holds or is an error. Over
// symbolic sizes it is proved for all values in their ranges, or refuted for all of them, by
// interval arithmetic; else it stays as a condition of the graph, which a program checks before
// it touches anything, or, of a size that values decide, as soon as that is known.
#ifndef SYMC_IR_CONDITIONS_H
#define SYMC_IR_CONDITIONS_H

#include "ir/GraphDialect.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/MapVector.h"

namespace symc::sg {

/// Terms that all have to hold, each of an expression that is zero, or not negative. An extent
/// that is not known yet needs nothing.
class Need {
public:
  struct Term {
    mlir::AffineExpr expr;
    bool isZero; // else: at least zero
  };
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  friend Need operator&(Need a, const Need &b) {
    a.terms.append(b.terms);
    return a;
  }
  static Need notNegative(Dim value) { return Need(value, false); }
  static Need zero(Dim value) { return Need(value, true); }

private:
  Need(Dim value, bool isZero) {
    if (value.isKnown())
      terms.push_back({value.getExpr(), isZero});
  }
  llvm::SmallVector<Term, 2> terms;
};

inline Need atLeast(Dim value, int64_t least) { return Need::notNegative(value - least); }
inline Need atLeast(Dim value, Dim least) { return Need::notNegative(value - least); }
inline Need atMost(Dim value, int64_t most) { return Need::notNegative(value * -1 + most); }
inline Need equals(Dim value, int64_t wanted) { return Need::zero(value - wanted); }
/// `divisor` is at least 1.
inline Need multipleOf(Dim value, int64_t divisor) { return Need::zero(remainder(value, divisor)); }
inline Need oneOf(Dim value, int64_t one, int64_t other) {
  return Need::zero((value - one) * (value - other));
}
inline Need differsFrom(Dim value, int64_t other) {
  return Need::notNegative((value - other) * (value - other) - 1);
}

/// The conditions of a graph that a program is made of, those in the graphs that it calls
/// included.
class Conditions {
public:
  enum class Verdict { Holds, Fails, Open };
  /// Begins with what the graph has.
  explicit Conditions(GraphOp graph);
  /// Keeps the terms that are open in `need`.
  Verdict judge(const Need &need, llvm::SmallVectorImpl<Need::Term> &open) const;
  void add(llvm::ArrayRef<Need::Term> open, const llvm::Twine &sentence);
  /// Notes at a diagnostic what the symbols of the need are.
  void explain(mlir::InFlightDiagnostic &diagnostic, const Need &need) const;
  /// Writes the graph's attributes.
  void write();

private:
  GraphOp graph;
  llvm::MapVector<mlir::Attribute, mlir::Attribute> found; // set and the first sentence for it
};

} // namespace symc::sg

#endif // SYMC_IR_CONDITIONS_H
