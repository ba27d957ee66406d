//===- ScalarFunctionsTest.cpp - builders of scalar functions ---------------===//
//
// If this fails, a builder that the build makes of an expression computes another function
// than the reference kernels do, or the gradient pass would get a wrong derivative.
//
//===----------------------------------------------------------------------===//
#include "ir/ScalarFunctions.h"
#include "tools/conformance/ScalarNumbers.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace symc::sg;

using symc::conformance::allowedOf;
using symc::conformance::evaluate;
using symc::conformance::forEachSlope;
using symc::conformance::letsGradientsThrough;
using Evaluator = symc::conformance::NumberBuilder;

namespace {

using P = ScalarPrimitive;

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

// Each derivative beside the quotient of a small difference, where the function has values.
TEST(ScalarFunctions, DerivativesAreSlopes) {
  size_t compared = 0, functions = 0;
  for (const ScalarFn &fn : allScalarFns()) {
    if (letsGradientsThrough(fn))
      continue;
    bool any = false;
    for (size_t by = 0; by < fn.derivatives.size(); ++by)
      forEachSlope(fn, by, [&](const std::vector<double> &x, double slope) {
        EXPECT_NEAR(evaluate(fn.derivatives[by], x), slope, allowedOf(slope))
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

TEST(ScalarFunctions, ConstantDerivativesAreFound) {
  EXPECT_TRUE(lookupScalarFn("add")->isConstant(1, 1));
  EXPECT_TRUE(lookupScalarFn("sub")->isConstant(1, -1));
  EXPECT_TRUE(lookupScalarFn("floor")->isConstant(0, 0));
  EXPECT_TRUE(lookupScalarFn("round_ste")->isConstant(0, 1));
  EXPECT_FALSE(lookupScalarFn("sub")->isConstant(1, 1));
  EXPECT_FALSE(lookupScalarFn("mul")->isConstant(0, 1));
  EXPECT_FALSE(lookupScalarFn("relu")->isConstant(0, 0));
}
