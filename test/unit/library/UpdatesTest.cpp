// UpdatesTest.cpp: symc.h's updates of parameters that a program holds. If this fails, a binding
// trains by other numbers than a compiled trainer, or a mistake of its reads memory that is not
// there.
#include "symc/symc.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace {

std::string mistake(int status) {
  EXPECT_EQ(status, -1);
  return symc_compiler_error();
}

struct Updates : testing::Test {
  float weight[4] = {1, 2, 3, 4}, gradient[4] = {1, 1, -1, 0}, states[2][4] = {};
  double values[20] = {0.5, 0, 1, -1}, schedule[SYMC_UPDATE_SCHEDULE] = {};
  symc_updated_parameter one = {"w", weight, gradient, {}, 4, 2, 1, values};

  int update(const char *optimizer) {
    return symc_update_parameters(optimizer, 1, &one, schedule, 0);
  }
};

TEST_F(Updates, ValuesHaveNamesAndBounds) {
  size_t count = 0;
  const char *const *names = nullptr;
  const double *least = nullptr, *most = nullptr;
  ASSERT_EQ(symc_update_values("ccsgd", &count, &names, &least, &most), 0);
  ASSERT_EQ(count, 5u);
  EXPECT_EQ(std::vector<std::string>(names, names + 5),
            (std::vector<std::string>{"learning_rate", "wd", "rescale_grad", "clip_gradient",
                                      "momentum"}));
  EXPECT_EQ(least[4], 0);
  ASSERT_EQ(symc_update_values("adam", &count, &names, &least, &most), 0);
  EXPECT_EQ(std::string(names[4]), "beta1");
  EXPECT_EQ(most[4], 1);
}

TEST_F(Updates, GradientDescentWithAMomentum) {
  one.states[0] = states[0];
  values[4] = 0.5;
  ASSERT_EQ(update("sgd"), 0) << symc_compiler_error();
  ASSERT_EQ(update("sgd"), 0);
  EXPECT_EQ(std::vector<float>(weight, weight + 4), (std::vector<float>{-0.25, 0.75, 4.25, 4}));
  EXPECT_EQ(states[0][0], -0.75);
}

TEST_F(Updates, NoiseFollowsTheSeed) {
  float other[4] = {1, 2, 3, 4};
  ASSERT_EQ(symc_update_parameters("sgld", 1, &one, schedule, 3), 0);
  one.weight = other;
  ASSERT_EQ(symc_update_parameters("sgld", 1, &one, schedule, 3), 0);
  EXPECT_EQ(std::vector<float>(weight, weight + 4), std::vector<float>(other, other + 4));
  ASSERT_EQ(symc_update_parameters("sgld", 1, &one, schedule, 4), 0);
  EXPECT_NE(weight[3], other[3]);
}

TEST_F(Updates, MistakesChangeNothing) {
  size_t count = 0;
  const char *const *names = nullptr;
  const double *bounds = nullptr;
  EXPECT_EQ(mistake(symc_update_values(nullptr, &count, &names, &bounds, &bounds)),
            "'optimizer' is NULL");
  EXPECT_EQ(mistake(symc_update_values("sgd", &count, &names, nullptr, &bounds)),
            "'least' is NULL");
  EXPECT_EQ(mistake(symc_update_values("sgd,wd=1", &count, &names, &bounds, &bounds)),
            "expected the name of an optimizer, got 'sgd,wd=1'");
  EXPECT_EQ(mistake(update("adm")), "optimizer 'adm' is unknown; did you mean 'adam'?");
  EXPECT_EQ(mistake(symc_update_parameters("sgd", 1, &one, nullptr, 0)), "'schedule' is NULL");
  EXPECT_EQ(mistake(symc_update_parameters("sgd", 1, nullptr, schedule, 0)),
            "'parameters' is NULL");
  EXPECT_EQ(mistake(update("adamax")), "parameter 'w': optimizer 'adamax' needs 2 states, got 0");
  values[4] = -1;
  EXPECT_EQ(mistake(update("sgd")), "parameter 'w': option 'momentum' of optimizer 'sgd' is -1, "
                                    "expected a number from 0 to inf");
  values[4] = 0;
  EXPECT_EQ(mistake(update("lbsgd")), "parameter 'w': option 'batch_scale' of optimizer 'lbsgd' "
                                      "is 0, expected a number from 1 to 1e+06");
  values[1] = 0.5;
  EXPECT_EQ(mistake(update("groupadagrad")),
            "optimizer 'groupadagrad' has no weight decay, parameter 'w' has one; __wd_mult__ = 0 "
            "leaves it out");
  values[1] = 0;
  one.step = 0;
  EXPECT_EQ(
      mistake(update("sgd")),
      "parameter 'w': expected a step of at least 1 and rows that divide its elements, got step "
      "0, 2 rows, 4 elements");
  one.step = 1;
  one.rows = 3;
  EXPECT_NE(mistake(update("sgd")).find("got step 1, 3 rows, 4 elements"), std::string::npos);
  one.count = -3;
  EXPECT_NE(mistake(update("sgd")).find("got step 1, 3 rows, -3 elements"), std::string::npos);
  one.gradient = nullptr;
  EXPECT_EQ(mistake(update("sgd")), "parameter 0: 'gradient' is NULL");
  EXPECT_EQ(std::vector<float>(weight, weight + 4), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(symc_update_parameters("sgd", 0, nullptr, schedule, 0), 0);
}

} // namespace
