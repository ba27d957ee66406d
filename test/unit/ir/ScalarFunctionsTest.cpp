//===- ScalarFunctionsTest.cpp - builders of scalar functions ---------------===//
//
// If this fails, a builder that the build makes of an expression computes another function
// than the reference kernels do, or the gradient pass would get a wrong derivative.
//
//===----------------------------------------------------------------------===//
#include "ir/ScalarFunctions.h"
#include "runtime/kernels/reference/scalar_primitives.h"
#include "gtest/gtest.h"
#include <cmath>
#include <deque>

using namespace symc::sg;

namespace {

using P = ScalarPrimitive;

/// Builds numbers; remembers the primitives.
class Evaluator : public ScalarBuilder {
public:
  Scalar number(double value) override {
    values.push_back(value);
    return Scalar(&values.back());
  }
  Scalar apply(P primitive, llvm::ArrayRef<Scalar> operands) override {
    applied.push_back(primitive);
    std::vector<double> x;
    for (Scalar operand : operands)
      x.push_back(valueOf(operand));
    return number(compute(primitive, x));
  }
  static double valueOf(Scalar scalar) { return *static_cast<const double *>(scalar.get()); }

  std::vector<P> applied;

private:
  static double compute(P primitive, const std::vector<double> &x) {
    switch (primitive) {
#define APPLY_1(name) symc::scalar::name(x[0])
#define APPLY_2(name) symc::scalar::name(x[0], x[1])
#define APPLY_3(name) (x[0] != 0 ? x[1] : x[2])
#define SYMC_SCALAR_PRIMITIVE(name, operands, kind)                                                \
  case P::name:                                                                                    \
    EXPECT_EQ(x.size(), operands##u) << #name;                                                     \
    return APPLY_##operands(name);
#include "ir/ScalarPrimitives.def"
    }
    return NAN;
  }
  std::deque<double> values; // whose addresses stay
};

// A derivative with one primitive exchanged: another sign, factor, comparison or choice.
class Mutator : public Evaluator {
public:
  explicit Mutator(size_t place) : place(place) {}
  Scalar apply(P primitive, llvm::ArrayRef<Scalar> operands) override {
    if (applied.size() != place)
      return Evaluator::apply(primitive, operands);
    switch (primitive) {
    case P::add:
      return Evaluator::apply(P::sub, operands);
    case P::sub:
      return Evaluator::apply(P::add, operands);
    case P::mul:
    case P::div:
      return without(primitive, operands[0]);
    case P::where:
      return Evaluator::apply(primitive, {operands[0], operands[2], operands[1]});
    case P::less:
    case P::less_equal:
      return Evaluator::apply(P::greater, operands);
    case P::greater:
    case P::greater_equal:
      return Evaluator::apply(P::less, operands);
    case P::equal:
      return Evaluator::apply(P::not_equal, operands);
    case P::not_equal:
      return Evaluator::apply(P::equal, operands);
    default: // another sign
      return Evaluator::apply(P::neg, {Evaluator::apply(primitive, operands)});
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

double evaluate(ScalarFnBuilder build, const std::vector<double> &x, Evaluator &evaluator) {
  std::vector<Scalar> operands;
  for (double value : x)
    operands.push_back(evaluator.number(value));
  return Evaluator::valueOf(build(evaluator, operands));
}

double evaluate(ScalarFnBuilder build, const std::vector<double> &x) {
  Evaluator evaluator;
  return evaluate(build, x, evaluator);
}

double apply(llvm::StringRef name, std::vector<double> x) {
  return evaluate(lookupScalarFn(name)->build, x);
}

} // namespace

TEST(ScalarFunctions, AreTheirExpressions) {
  EXPECT_EQ(apply("sub", {7, 2}), 5);
  EXPECT_EQ(apply("leaky", {-2, 0.25}), -0.5);
  EXPECT_EQ(apply("clip", {9, -1, 6}), 6);
  EXPECT_EQ(apply("selu", {2}), 1.0507009873554805 * 2);
  EXPECT_EQ(apply("mod", {-7, 3}), 2);
  EXPECT_EQ(apply("mod", {7, 0}), 0);
  EXPECT_EQ(apply("logical_xor", {2, 0}), 1);
  EXPECT_NEAR(apply("sigmoid", {0.5}), 1 / (1 + std::exp(-0.5)), 1e-15);
  EXPECT_NEAR(apply("gelu", {1.5}), 0.75 * (1 + std::erf(1.5 / std::sqrt(2))), 1e-15);
  EXPECT_TRUE(std::isnan(apply("maximum", {NAN, 1})));
}

// A pass that looks for a function finds it as itself.
TEST(ScalarFunctions, FunctionsAreOnePrimitive) {
  for (auto [name, primitive] : {std::pair("sigmoid", P::logistic), std::pair("tanh", P::tanh),
                                 std::pair("exp", P::exp), std::pair("erf", P::erf)}) {
    Evaluator evaluator;
    buildScalarFn(evaluator, name, {evaluator.number(0.5)});
    EXPECT_EQ(evaluator.applied, std::vector<P>{primitive}) << name;
    EXPECT_TRUE(isFunction(primitive)) << name;
  }
  EXPECT_FALSE(isFunction(P::add));
  EXPECT_EQ(lookupScalarFn("logistic"), nullptr);
}

// Calls with points at which the function has a slope by an operand, and that slope.
static void forEachSlope(const ScalarFn &fn, size_t by,
                         llvm::function_ref<void(const std::vector<double> &, double)> call) {
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

// Steps, whose derivative is 1 on purpose.
static bool letsGradientsThrough(const ScalarFn &fn) {
  return fn.name.ends_with("_ste") || fn.name.ends_with("float16");
}

static double allowed(double slope) { return 1e-5 * std::max(1.0, std::abs(slope)); }

// Each derivative beside the quotient of a small difference, where the function has values.
TEST(ScalarFunctions, DerivativesAreSlopes) {
  size_t compared = 0, functions = 0;
  for (const ScalarFn &fn : allScalarFns()) {
    if (letsGradientsThrough(fn))
      continue;
    bool any = false;
    for (size_t by = 0; by < fn.derivatives.size(); ++by)
      forEachSlope(fn, by, [&](const std::vector<double> &x, double slope) {
        EXPECT_NEAR(evaluate(fn.derivatives[by], x), slope, allowed(slope))
            << fn.name.str() << " by operand " << by << " at " << x[0] << ", " << x.back();
        ++compared;
        any = true;
      });
    functions += any;
  }
  EXPECT_GT(compared, 800u);
  EXPECT_GT(functions, 70u);
}

// Where there is no slope, MXNet's: NaN of relu and smooth_l1, 1 of clip; infinity at poles.
TEST(ScalarFunctions, DerivativesOfWhatHasNone) {
  auto slope = [](llvm::StringRef name, std::vector<double> x) {
    return evaluate(lookupScalarFn(name)->derivatives[0], x);
  };
  EXPECT_TRUE(std::isnan(slope("relu", {NAN})));
  EXPECT_EQ(slope("relu", {0}), 0);
  EXPECT_TRUE(std::isnan(slope("smooth_l1", {NAN, 1})));
  EXPECT_EQ(slope("clip", {NAN, -1, 6}), 1);
  EXPECT_EQ(slope("gammaln", {0}), INFINITY);
  EXPECT_EQ(slope("gammaln", {-3}), INFINITY);
}

// Each primitive of each derivative exchanged for another one: differences find every such mistake.
TEST(ScalarFunctions, MutantsOfDerivativesDie) {
  size_t mutants = 0;
  std::vector<std::string> alive;
  for (const ScalarFn &fn : allScalarFns()) {
    if (letsGradientsThrough(fn))
      continue;
    for (size_t by = 0; by < fn.derivatives.size(); ++by) {
      bool any = false;
      size_t primitives = 0;
      forEachSlope(fn, by, [&](const std::vector<double> &x, double) {
        Evaluator evaluator;
        evaluate(fn.derivatives[by], x, evaluator);
        primitives = evaluator.applied.size();
        any = true;
      });
      for (size_t place = 0; any && place < primitives; ++place) {
        bool dies = false;
        forEachSlope(fn, by, [&](const std::vector<double> &x, double slope) {
          Mutator mutator(place);
          double found = evaluate(fn.derivatives[by], x, mutator);
          dies |= !(std::abs(found - slope) <= allowed(slope));
        });
        ++mutants;
        // hypot's own branches, for infinities and numbers alike, have one value elsewhere.
        bool isEqual = fn.name == "hypot" && place < 6;
        if (!dies && !isEqual)
          alive.push_back(fn.name.str() + " by " + std::to_string(by) + ", primitive " +
                          std::to_string(place));
      }
    }
  }
  EXPECT_GT(mutants, 150u);
  EXPECT_EQ(alive, std::vector<std::string>());
}

TEST(ScalarFunctions, ConstantDerivativesAreFound) {
  EXPECT_TRUE(lookupScalarFn("add")->isConstant(1, 1));
  EXPECT_TRUE(lookupScalarFn("sub")->isConstant(1, -1));
  EXPECT_TRUE(lookupScalarFn("floor")->isConstant(0, 0));
  EXPECT_TRUE(lookupScalarFn("round_ste")->isConstant(0, 1));
  EXPECT_FALSE(lookupScalarFn("sub")->isConstant(1, 1));
  EXPECT_FALSE(lookupScalarFn("mul")->isConstant(0, 1));
  EXPECT_FALSE(lookupScalarFn("relu")->isConstant(0, 0));
}
