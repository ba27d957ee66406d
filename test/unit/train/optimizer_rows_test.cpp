// optimizer_rows_test.cpp: rows of optimizers by themselves: the table, first steps of one element
// by hand, and arrays that end where their last element does, for builds with sanitizers. Beside
// MXNet's numbers they are compared in optimizers_beside_python.py.
#include "update_driver.h"

#include <cmath>
#include <gtest/gtest.h>

using symc::OptimizerChoice;

namespace {

OptimizerChoice chosen(const std::string &text) {
  OptimizerChoice choice;
  char error[256];
  EXPECT_TRUE(symc::parse_optimizer(text.c_str(), choice, error, sizeof error)) << error;
  return choice;
}

// Arrays of one parameter, of exactly their elements.
struct Arrays {
  std::vector<float> weight, gradient;
  std::vector<std::vector<float>> states;

  Arrays(size_t count, int32_t n) : weight(count), gradient(count) {
    for (size_t i = 0; i < count; ++i) {
      weight[i] = float(i % 7) / 4 - 0.75f;
      gradient[i] = float(i % 5) / 2 - 1.0f;
    }
    states.assign(size_t(n), std::vector<float>(count));
  }
  DrivenParameter parameter(const std::string &name, int64_t rows) {
    DrivenParameter own = {
        name, weight.data(), gradient.data(), {}, int64_t(weight.size()), rows, 1, 1};
    for (size_t i = 0; i < states.size(); ++i)
      own.states[i] = states[i].data();
    return own;
  }
};

float stepOfOne(const std::string &text, float weight, float gradient, int64_t steps = 1) {
  Driver driver(chosen(text));
  Arrays arrays(1, driver.states());
  arrays.weight[0] = weight;
  arrays.gradient[0] = gradient;
  std::vector<DrivenParameter> parameters = {arrays.parameter("x_weight", 1)};
  for (int64_t step = 1; step <= steps; ++step)
    driver.update(parameters, step);
  return arrays.weight[0];
}

TEST(OptimizerRows, AgreeWithTheParsersTable) {
  int32_t number = 0;
  for (const symc_optimizer_row *row : allRows()) {
    OptimizerChoice choice = chosen(row->name);
    EXPECT_EQ(choice.optimizer, number++);
    ASSERT_EQ(choice.n_values, row->n_values) << row->name;
    EXPECT_LE(row->n_values, int32_t(SYMC_MAX_HYPER));
    EXPECT_LE(row->n_values, symc::kMostOptimizerValues);
    EXPECT_LE(row->n_passes, int32_t(SYMC_MAX_PASSES));
    EXPECT_LE(row->count_states(choice.values), int32_t(SYMC_MAX_STATES));
    for (int32_t i = SYMC_HYPER_OWN; i < row->n_values; ++i) {
      EXPECT_STREQ(symc::optimizer_value_name(choice.optimizer, i),
                   row->own[i - SYMC_HYPER_OWN].name);
      EXPECT_EQ(choice.values[i], row->own[i - SYMC_HYPER_OWN].value);
    }
  }
  EXPECT_EQ(symc::optimizer_name(number), nullptr);
  EXPECT_EQ(symc::optimizer_name(-1), nullptr);
  EXPECT_EQ(symc::optimizer_value_name(0, 99), nullptr);
  EXPECT_EQ(symc::find_optimizer_value(0, "beta1"), -1);
}

TEST(OptimizerRows, FirstSteps) {
  EXPECT_FLOAT_EQ(stepOfOne("sgd,lr=0.1", 1, 2), 0.8f);
  EXPECT_FLOAT_EQ(stepOfOne("sgd,lr=0.1,wd=0.5", 1, 2), 0.75f);
  EXPECT_FLOAT_EQ(stepOfOne("sgd,lr=0.1,momentum=0.5", 1, 2, 2), 0.5f); // -0.2, then -0.3
  EXPECT_FLOAT_EQ(stepOfOne("sgd,lr=0.1,clip_gradient=0.5,rescale_grad=4", 1, 2), 0.95f);
  EXPECT_FLOAT_EQ(stepOfOne("nag,lr=0.1,momentum=0.5", 1, 2), 0.7f);
  EXPECT_FLOAT_EQ(stepOfOne("signum,lr=0.1", 1, -3), 1.1f);
  EXPECT_NEAR(stepOfOne("adam,lr=0.1", 1, 3), 0.9, 1e-6);
  EXPECT_NEAR(stepOfOne("adamw,lr=0.1,wd=0.5", 1, 3), 0.85, 1e-6);
  EXPECT_FLOAT_EQ(stepOfOne("adamax,lr=0.1", 1, -3), 1.1f);
  EXPECT_FLOAT_EQ(stepOfOne("adamax,lr=0.1,wd=0", 1, 0), 1); // MXNet's is 0 / 0
  EXPECT_FLOAT_EQ(stepOfOne("adagrad,lr=0.1,eps=0", 1, 3), 0.9f);
  EXPECT_FLOAT_EQ(stepOfOne("rmsprop,lr=0.1,gamma1=0.75", 1, 3), 0.8f);
  EXPECT_FLOAT_EQ(stepOfOne("lamb,lr=0.1,epsilon=0", 2, 3), 1.8f); // a step as long as the weight
  EXPECT_FLOAT_EQ(stepOfOne("lars,lr=0.1,eta=0.5", 2, 4), 1.9f);   // 0.1 * 0.5 * 2 / 4 * 4
  EXPECT_FLOAT_EQ(stepOfOne("ftrl,lr=0.1,lamda1=99", 1, 3), 0);
}

TEST(OptimizerRows, GradientsThatAreNoNumbersReachTheWeight) {
  for (const char *text :
       {"sgd,momentum=0.9", "adam", "adam,clip_gradient=1", "adamax", "lamb", "rmsprop"})
    EXPECT_TRUE(std::isnan(stepOfOne(text, 1, NAN))) << text;
}

TEST(OptimizerRows, TouchNothingBesideTheirArrays) {
  for (const symc_optimizer_row *row : allRows())
    for (size_t count : {1, 7, 16, 1000})
      for (const char *more : {"", ",wd=0.01,clip_gradient=0.5", ",momentum=0.9"}) {
        OptimizerChoice choice;
        char error[256];
        if (!symc::parse_optimizer((std::string(row->name) + more).c_str(), choice, error,
                                   sizeof error))
          continue; // it has no momentum
        Driver driver(choice);
        driver.range = 333;
        Arrays first(count, driver.states()), second(count, driver.states());
        std::vector<DrivenParameter> parameters = {first.parameter("a_weight", int64_t(count)),
                                                   second.parameter("b_bias", 1)};
        for (int64_t step = 1; step <= 3; ++step)
          driver.update(parameters, step);
        for (float value : first.weight)
          EXPECT_TRUE(std::isfinite(value)) << row->name << more;
      }
}

} // namespace
