// DerivativeMutants.cpp: see DerivativeMutants.h.
#include "tools/conformance/DerivativeMutants.h"

#include "tools/conformance/ScalarNumbers.h"

using namespace symc::sg;
using namespace symc::conformance;

namespace {

using P = ScalarPrimitive;

// A derivative with one primitive exchanged: another sign, factor, comparison or choice.
class Mutator : public NumberBuilder {
public:
  explicit Mutator(size_t place) : place(place) {}
  Scalar apply(P primitive, llvm::ArrayRef<Scalar> operands) override {
    if (applied.size() != place)
      return NumberBuilder::apply(primitive, operands);
    switch (primitive) {
    case P::add:
      return NumberBuilder::apply(P::sub, operands);
    case P::sub:
      return NumberBuilder::apply(P::add, operands);
    case P::mul:
    case P::div:
      return without(primitive, operands[0]);
    case P::where:
      return NumberBuilder::apply(primitive, {operands[0], operands[2], operands[1]});
    case P::less:
    case P::less_equal:
      return NumberBuilder::apply(P::greater, operands);
    case P::greater:
    case P::greater_equal:
      return NumberBuilder::apply(P::less, operands);
    case P::equal:
      return NumberBuilder::apply(P::not_equal, operands);
    case P::not_equal:
      return NumberBuilder::apply(P::equal, operands);
    default: // another sign
      return NumberBuilder::apply(P::neg, {NumberBuilder::apply(primitive, operands)});
    }
  }

private:
  // The factor or divisor is dropped.
  Scalar without(P primitive, Scalar kept) {
    applied.push_back(primitive);
    return kept;
  }
  size_t place;
};

} // namespace

DerivativeMutants symc::conformance::mutateDerivatives(bool misbehave) {
  DerivativeMutants found;
  for (const ScalarFn &fn : allScalarFns()) {
    if (letsGradientsThrough(fn))
      continue;
    for (size_t by = 0; by < fn.derivatives.size(); ++by) {
      size_t primitives = 0;
      forEachSlope(fn, by, [&](const std::vector<double> &x, double) {
        NumberBuilder builder;
        evaluate(fn.derivatives[by], x, builder);
        primitives = builder.applied.size();
      });
      found.derivatives += primitives > 0;
      for (size_t place = 0; place < primitives; ++place) {
        bool dies = false;
        forEachSlope(fn, by, [&](const std::vector<double> &x, double slope) {
          Mutator mutator(place);
          double value = evaluate(fn.derivatives[by], x, mutator);
          dies |= !misbehave && !(std::abs(value - slope) <= allowedOf(slope));
        });
        ++found.count;
        // hypot's own branches, for infinities and numbers alike, have one value elsewhere.
        bool isEqual = fn.name == "hypot" && place < 6;
        found.equal += !dies && isEqual;
        if (!dies && !isEqual)
          found.alive.push_back(fn.name.str() + " by " + std::to_string(by) + ", primitive " +
                                std::to_string(place));
      }
    }
  }
  return found;
}
