// ScalarNumbers.h: scalar functions and their derivatives (ir/ScalarFunctions.td) of numbers, and
// points at which quotients of differences are the derivative.
#ifndef SYMC_TOOLS_CONFORMANCE_SCALARNUMBERS_H
#define SYMC_TOOLS_CONFORMANCE_SCALARNUMBERS_H

#include "ir/ScalarFunctions.h"
#include "runtime/kernels/reference/scalar_primitives.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cassert>
#include <cmath>
#include <deque>
#include <vector>

namespace symc::conformance {

/// Builds numbers; remembers the primitives.
class NumberBuilder : public sg::ScalarBuilder {
public:
  using P = sg::ScalarPrimitive;

  sg::Scalar number(double value) override {
    values.push_back(value);
    return sg::Scalar(&values.back());
  }
  sg::Scalar apply(P primitive, llvm::ArrayRef<sg::Scalar> operands) override {
    applied.push_back(primitive);
    std::vector<double> x;
    for (sg::Scalar operand : operands)
      x.push_back(valueOf(operand));
    return number(compute(primitive, x));
  }
  static double valueOf(sg::Scalar scalar) { return *static_cast<const double *>(scalar.get()); }

  std::vector<P> applied;

private:
  static double compute(P primitive, const std::vector<double> &x) {
    switch (primitive) {
#define APPLY_1(name) symc::scalar::name(x[0])
#define APPLY_2(name) symc::scalar::name(x[0], x[1])
#define APPLY_3(name) (x[0] != 0 ? x[1] : x[2])
#define SYMC_SCALAR_PRIMITIVE(name, operands, kind)                                                \
  case P::name:                                                                                    \
    assert(x.size() == operands##u);                                                               \
    return APPLY_##operands(name);
#include "ir/ScalarPrimitives.def"
#undef APPLY_1
#undef APPLY_2
#undef APPLY_3
    }
    return NAN;
  }
  std::deque<double> values; // whose addresses stay
};

inline double evaluate(sg::ScalarFnBuilder build, const std::vector<double> &x,
                       NumberBuilder &builder) {
  std::vector<sg::Scalar> operands;
  for (double value : x)
    operands.push_back(builder.number(value));
  return NumberBuilder::valueOf(build(builder, operands));
}

inline double evaluate(sg::ScalarFnBuilder build, const std::vector<double> &x) {
  NumberBuilder builder;
  return evaluate(build, x, builder);
}

/// Calls with points at which the function has a slope by an operand, and that slope.
inline void
forEachSlope(const sg::ScalarFn &fn, size_t by,
             llvm::function_ref<void(const std::vector<double> &x, double slope)> call) {
  for (double first : {-0.73, -0.31, 0.42, 0.86, 1.37, 2.64})
    for (double second : {-1.61, 0.58, 1.83}) {
      std::vector<double> x{first, second, 2.2, 0.7};
      x.resize(fn.operands);
      std::vector<double> low = x, high = x;
      low[by] -= 1e-5;
      high[by] += 1e-5;
      double slope = (evaluate(fn.build, high) - evaluate(fn.build, low)) / 2e-5;
      if (!std::isnan(slope) && !std::isinf(slope))
        call(x, slope);
    }
}

/// Of steps, whose derivative is 1 on purpose.
inline bool letsGradientsThrough(const sg::ScalarFn &fn) {
  return fn.name.ends_with("_ste") || fn.name.ends_with("float16");
}

inline double allowedOf(double slope) { return 1e-5 * std::max(1.0, std::abs(slope)); }

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_SCALARNUMBERS_H
