// ExecutorTest.cpp: symbols bound to arrays. If these fail, a program that MXNet's C++ package
// would have trained gets other outputs, gradients or auxiliary states, or arrays of its own are
// not used.
#include "symc/operators.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace symc;
using testing::ElementsAre;
using testing::Pointwise;

namespace {

std::vector<float> valuesOf(const Array &array) { return {array.begin(), array.end()}; }

std::string mistakeOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "no mistake";
}

Symbol layer(const Symbol &data, int64_t hidden, const std::string &name) {
  return Symbol::apply("FullyConnected", {{"num_hidden", std::to_string(hidden)}}, name, {data});
}
Symbol activation(const Symbol &data, const std::string &type) {
  return Symbol::apply("Activation", {{"act_type", type}}, type, {data});
}
/// Two layers and a loss, named softmax.
Symbol twoLayers() {
  return Symbol::apply(
      "SoftmaxOutput", {}, "softmax",
      {layer(activation(layer(Symbol::variable("data"), 8, "fc1"), "tanh"), 2, "fc2")});
}
const std::vector<float> corners = {0, 0, 0, 1, 1, 0, 1, 1}, exclusiveOr = {0, 1, 1, 0};

double lossOf(const Executor &executor) {
  double loss = 0;
  for (int i = 0; i < 4; ++i)
    loss -= std::log(executor.outputs()[0][2 * i + int(exclusiveOr[i])]) / 4;
  return loss;
}

/// BatchNorm over [4, 3], whose statistics move by a half.
Symbol norm() {
  return Symbol::apply("BatchNorm", {{"fix_gamma", "False"}, {"momentum", "0.5"}, {"eps", "1e-3"}},
                       "bn", {Symbol::variable("x")});
}
Executor boundNorm() {
  Array x({4, 3}), ones({3}, {1, 1, 1});
  std::iota(x.begin(), x.end(), 0);
  return norm().simpleBind({{"x", x}, {"bn_gamma", ones.clone()}, {"bn_beta", Array({3})}}, {}, {},
                           {{"bn_moving_mean", Array({3})}, {"bn_moving_var", ones}});
}

} // namespace

TEST(Executor, Learns) {
  Executor executor = twoLayers().simpleBind(
      {{"data", Array({4, 2}, corners)}, {"softmax_label", Array({4}, exclusiveOr)}}, {}, {}, {},
      Gaussian(0, 0.7, 5));
  executor.forward(true);
  double first = lossOf(executor);
  for (int step = 0; step < 300; ++step) {
    executor.forward(true);
    executor.backward();
    auto gradients = executor.gradientsByName();
    for (auto &[name, argument] : executor.argumentsByName())
      if (name != "data" && name != "softmax_label")
        for (size_t i = 0; i < argument.size(); ++i)
          argument[i] -= 0.1f * gradients.at(name)[i];
  }
  executor.forward(false);
  EXPECT_LT(lossOf(executor), first / 10);
  EXPECT_LT(lossOf(executor), 0.1);
  // Inputs have none, unless a request names them.
  EXPECT_EQ(valuesOf(executor.gradientsByName().at("data")), std::vector<float>(8));
}

// By MXNet 1.9.1: moving statistics change with each backward, gradients do not.
TEST(Executor, BackwardRunsAgain) {
  Executor executor = boundNorm();
  Array squares({4, 3});
  for (int i = 0; i < 12; ++i)
    squares[i] = float(i * i);
  executor.forward(true);
  EXPECT_NEAR(executor.outputs()[0][0], -1.3415811f, 1e-6);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(0, 0, 0));
  executor.backward({squares});
  auto expectGradient = [&](float factor) {
    EXPECT_THAT(valuesOf(executor.gradients()[0]).front(),
                testing::FloatNear(factor * 2.6820877f, 2e-5f));
    EXPECT_THAT(valuesOf(executor.gradients()[0])[2],
                testing::FloatNear(factor * 2.681611f, 2e-5f));
  };
  expectGradient(1);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(2.25, 2.75, 3.25));
  EXPECT_THAT(valuesOf(executor.states()[1]), ElementsAre(6.125, 6.125, 6.125));
  executor.backward({squares});
  expectGradient(1);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(3.375, 4.125, 4.875));
  EXPECT_THAT(valuesOf(executor.states()[1]), ElementsAre(8.6875, 8.6875, 8.6875));
  for (float &each : squares)
    each *= 2;
  executor.backward({squares});
  expectGradient(2);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(3.9375, 4.8125, 5.6875));
}

// Prediction reads the arrays of states as they are, and gives none of them a new value.
TEST(Executor, PredictsByStates) {
  Executor executor = boundNorm();
  executor.forward(false);
  EXPECT_NEAR(executor.outputs()[0][5], 5 / std::sqrt(1.001), 1e-5);
  executor.states()[0][2] = 3;
  executor.statesByName().at("bn_moving_var")[2] = 4;
  executor.forward(false);
  EXPECT_NEAR(executor.outputs()[0][5], 2 / std::sqrt(4.001), 1e-5);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(0, 0, 3));
  executor.states()[0][0] = 8; // what training finds
  executor.forward(true);
  executor.backward({Array({4, 3})});
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(6.25, 2.75, 4.75));
}

TEST(Executor, AddsAndLeavesOut) {
  Symbol symbol = layer(Symbol::variable("data"), 1, "fc");
  Array data({1, 2}, {3, 5}), weight({1, 2}, {1, 1}), gradient({1, 2}, {100, 200}),
      head({1, 1}, {2});
  Executor executor = symbol.simpleBind(
      {{"data", data}, {"fc_weight", weight}, {"fc_bias", Array({1})}}, {{"fc_weight", gradient}},
      {{"fc_weight", GradReq::Add}, {"fc_bias", GradReq::Null}, {"data", GradReq::Write}});
  executor.forward(true);
  EXPECT_EQ(executor.outputs()[0][0], 8);
  data[0] = 0; // forward has read it
  executor.backward({head});
  executor.backward({head});
  EXPECT_THAT(valuesOf(gradient), ElementsAre(112, 220)); // the program's own array
  EXPECT_THAT(valuesOf(executor.gradients()[0]), ElementsAre(2, 2));
  EXPECT_THAT(valuesOf(executor.gradientsByName().at("fc_bias")), ElementsAre(0));
  weight[1] = 0; // the next forward reads it
  executor.forward(true);
  EXPECT_EQ(executor.outputs()[0][0], 0);
}

// A graph of training without any gradient.
TEST(Executor, TrainsNothing) {
  Array x({4, 3}), ones({3}, {1, 1, 1});
  std::iota(x.begin(), x.end(), 0);
  Executor executor = norm().bind({{x, ones, Array({3})}, {}, {}, {Array({3}), ones.clone()}});
  executor.forward(true);
  executor.backward();
  EXPECT_NEAR(executor.outputs()[0][0], -1.3415811f, 1e-6);
  EXPECT_THAT(valuesOf(executor.states()[0]), ElementsAre(0, 0, 0));
  EXPECT_TRUE(executor.gradientsByName().empty());
}

TEST(Executor, DrawsOneMask) {
  Array ones({64});
  std::fill(ones.begin(), ones.end(), 1.f);
  Executor executor = Symbol::apply("Dropout", {{"p", "0.5"}}, "drop", {Symbol::variable("x")})
                          .simpleBind({{"x", ones}});
  std::vector<std::vector<float>> masks;
  for (int run = 0; run < 2; ++run) {
    executor.forward(true);
    masks.push_back(valuesOf(executor.outputs()[0]));
    for (int again = 0; again < 2; ++again) {
      executor.backward({ones});
      EXPECT_EQ(valuesOf(executor.gradients()[0]), masks.back());
    }
    executor.forward(false);
    EXPECT_EQ(valuesOf(executor.outputs()[0]), valuesOf(ones));
  }
  EXPECT_NE(masks[0], masks[1]);
  executor.setSeed(0);
  executor.forward(true);
  EXPECT_EQ(valuesOf(executor.outputs()[0]), masks[0]);
}

TEST(Executor, InfersArrays) {
  Symbol symbol = twoLayers();
  Array data({4, 2}, corners);
  ExecutorArrays arrays = symbol.inferExecutorArrays({{"data", data}});
  EXPECT_EQ(arrays.arguments[0].begin(), data.begin());
  EXPECT_EQ(arrays.arguments[1].shape(), Shape({8, 2}));
  EXPECT_EQ(arrays.gradients[1].shape(), Shape({8, 2}));
  EXPECT_NE(valuesOf(arrays.arguments[1]), std::vector<float>(16));
  EXPECT_EQ(valuesOf(arrays.gradients[1]), std::vector<float>(16));
  using enum_list = std::vector<GradReq>;
  EXPECT_EQ(arrays.requests, enum_list({GradReq::Null, GradReq::Write, GradReq::Write,
                                        GradReq::Write, GradReq::Write, GradReq::Null}));
  EXPECT_EQ(valuesOf(symbol.inferExecutorArrays({{"data", data}}).arguments[1]),
            valuesOf(arrays.arguments[1]));
  double sum = 0, squares = 0;
  Array many({10000});
  Gaussian(1, 2)("", many);
  for (float each : many) {
    sum += each;
    squares += (each - 1) * (each - 1);
  }
  EXPECT_NEAR(sum / 10000, 1, 0.1);
  EXPECT_NEAR(squares / 10000, 4, 0.2);
}

TEST(Executor, Mistakes) {
  Symbol symbol = twoLayers();
  Array data({4, 2}, corners);
  EXPECT_EQ(mistakeOf([&] { symbol.simpleBind({}); }),
            "the shape of 'data' does not follow from the arrays that are given");
  EXPECT_EQ(mistakeOf([&] { symbol.simpleBind({{"data", data}, {"dato", data}}); }),
            "the symbol has no argument 'dato'");
  EXPECT_EQ(mistakeOf([&] { symbol.simpleBind({{"data", data}}, {}, {}, {{"mean", data}}); }),
            "the symbol has no auxiliary state 'mean'");
  EXPECT_EQ(mistakeOf([&] { symbol.simpleBind({{"data", data}}, {{"fc1_weight", Array({8})}}); }),
            "the gradient of 'fc1_weight' has another shape or element type than its argument");
  EXPECT_EQ(mistakeOf([&] { symbol.bind({{data}, {}, {}, {}}); }),
            "an executor needs 6 arguments and 0 auxiliary states, found 1 and 0");
  ExecutorArrays arrays = symbol.inferExecutorArrays({{"data", data}});
  arrays.arguments[1] = Array();
  EXPECT_EQ(mistakeOf([&] { symbol.bind(arrays); }), "argument 'fc1_weight' has no array");
  arrays = norm().inferExecutorArrays({{"x", Array({4, 3})}});
  arrays.states[1] = Array();
  EXPECT_EQ(mistakeOf([&] { norm().bind(arrays); }),
            "auxiliary state 'bn_moving_var' has no array");
  Executor executor = norm().simpleBind({{"x", Array({4, 3})}});
  EXPECT_EQ(mistakeOf([&] { executor.backward({Array({4, 3})}); }),
            "backward needs a forward run before it, with no other run, failed forward run or new "
            "weights between");
  executor.forward(true);
  EXPECT_EQ(mistakeOf([&] { executor.backward(); }),
            "output 'bn_output' is no loss: backward needs its gradient");
  EXPECT_EQ(mistakeOf([&] { executor.backward({Array({4, 2})}); }),
            "argument 'head_grad:bn_output': expected f32 [4, 3], got f32 [4, 2] (dimension 1)");
  EXPECT_EQ(mistakeOf([&] { Array({2}, std::vector<float>{1}); }),
            "1 values for an array of 2 elements");
  EXPECT_EQ(mistakeOf([&] { Array({2}, "float31"); }), "no element type is called 'float31'");
  EXPECT_EQ(mistakeOf([&] { Array({-2}); }), "an array cannot have an extent of -2");
  EXPECT_EQ(mistakeOf([&] { Array({2}, "int32").begin(); }), "the elements of the array are int32");
  EXPECT_EQ(mistakeOf([&] { Array({2}).copyFrom(Array({3})); }),
            "an array can be copied to one of its shape and element type only");
}
