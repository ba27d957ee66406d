// Broadcast.cpp: see Broadcast.h.
#include "ir/Conditions.h"
#include "ir/OpenBroadcast.h"

using namespace mlir;
using namespace symc::sg;

// The larger of two extents that meet; nothing where they contradict each other.
static std::optional<Dim> broadcastDims(Dim left, Dim right) {
  if (left == right || right.isStatic(1))
    return left;
  if (left.isStatic(1))
    return right;
  if (left.isKnown() && right.isKnown())
    return std::nullopt;
  // An unknown extent that meets a larger one than 1 is 1 or equal to it.
  if (left.isStatic())
    return left;
  if (right.isStatic())
    return right;
  return Dim();
}

// `meet` gives the extent that two make which differ, neither of them 1.
static FailureOr<Shape> broadcastBy(ShapeScope &scope, const Shape &left, const Shape &right,
                                    llvm::function_ref<FailureOr<Dim>(Dim, Dim)> meet) {
  if (!left.isRanked() || !right.isRanked())
    return Shape();
  size_t rank = std::max(left.rank(), right.rank());
  Shape output(rank);
  for (size_t fromEnd = 1; fromEnd <= rank; ++fromEnd) {
    Dim a = fromEnd <= left.rank() ? left[left.rank() - fromEnd] : scope.dim(1);
    Dim b = fromEnd <= right.rank() ? right[right.rank() - fromEnd] : scope.dim(1);
    std::optional<Dim> dim = broadcastDims(a, b);
    FailureOr<Dim> met = dim ? FailureOr<Dim>(*dim) : meet(a, b);
    if (failed(met))
      return failure();
    output[rank - fromEnd] = *met;
  }
  return output;
}

FailureOr<Shape> symc::sg::broadcastShapes(ShapeScope &scope, const Shape &left, const Shape &right,
                                           StringRef leftName, StringRef rightName) {
  return broadcastBy(scope, left, right, [&](Dim a, Dim b) -> FailureOr<Dim> {
    return scope.error() << leftName << " has shape " << left.str() << " and " << rightName << " "
                         << right.str() << ": extents " << a.str() << " and " << b.str()
                         << " meet and neither is 1";
  });
}

FailureOr<Shape> symc::sg::broadcastOpenShapes(ShapeScope &scope, const Shape &left,
                                               const Shape &right) {
  return broadcastBy(scope, left, right, [&](Dim a, Dim b) -> FailureOr<Dim> {
    auto wrong = [&](raw_ostream &message) {
      message << "lhs has shape " << left.str() << " and rhs " << right.str() << ": extents "
              << a.str() << " and " << b.str() << " meet and neither is 1";
    };
    if (a.isStatic() == b.isStatic())
      return scope.refuse(wrong);
    Dim open = a.isStatic() ? b : a, fixed = a.isStatic() ? a : b;
    if (failed(scope.need(oneOf(open, 1, fixed.get()), wrong)))
      return failure();
    return fixed;
  });
}
