// model_hpp_test.cpp: symc/model.hpp over a model written by hand. If these fail, a C++ program
// leaks or destroys twice, hands a model tensors of another type or size than it takes, or reads a
// message that names other values than those that disagree.
#define SYMC_EXCEPTIONS
#include "symc/model.hpp"

#include "fake_model.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using symc::Any;
using symc::Inputs;
using symc::Outputs;
using symc::Span;
using Rows = Span<const float, Any, 4>;
using RowsOut = Span<float, Any, 4>;
using TwoRows = Span<const float, 2, 4>;
using TwoRowsOut = Span<float, 2, 4>;

// What compiles: arrays of the right length, extents that agree or are open, const from non-const.
static_assert(std::is_constructible_v<TwoRows, std::array<float, 8> &>);
static_assert(std::is_constructible_v<TwoRows, float (&)[8]>);
static_assert(std::is_convertible_v<TwoRowsOut, Rows>);
static_assert(!std::is_constructible_v<TwoRows, std::array<float, 7> &>);
static_assert(!std::is_constructible_v<TwoRows, std::array<double, 8> &>);
static_assert(!std::is_constructible_v<TwoRowsOut, const std::array<float, 8> &>);
static_assert(
    !std::is_constructible_v<TwoRows, Rows>); // open to fixed: Span::over tells at run time
static_assert(!std::is_constructible_v<TwoRows, Span<const float, 3, 4>>);
// Ranges: what is certainly inside of one fits, Any fits only Any.
using Few = Span<const float, symc::between(1, 8), 4>;
static_assert(std::is_convertible_v<TwoRowsOut, Few> && std::is_convertible_v<Few, Rows>);
static_assert(std::is_convertible_v<Span<float, symc::between(2, 8), 4>, Few>);
static_assert(!std::is_constructible_v<Few, Span<const float, 9, 4>>);
static_assert(!std::is_constructible_v<Few, Span<const float, symc::between(0, 8), 4>>);
static_assert(!std::is_constructible_v<Few, Rows>);
static_assert(!std::is_constructible_v<TwoRows, Span<const float, 8>>);
static_assert(!std::is_constructible_v<TwoRowsOut, TwoRows>);
static_assert(symc::dtypeOf<const int8_t> == SYMC_I8 && symc::dtypeOf<uint16_t> == SYMC_U16);
static_assert(symc::dtypeOf<long long> == SYMC_I64 && symc::dtypeOf<symc::BFloat16> == SYMC_BF16);
static_assert(symc::dtypeOf<char> == -1 && symc::dtypeOf<bool> == SYMC_BOOL);
// Move-only.
template <class T>
constexpr bool movesOnly =
    std::is_nothrow_move_constructible_v<T> && !std::is_copy_constructible_v<T>;
static_assert(movesOnly<symc::Model> && movesOnly<symc::Context> && movesOnly<symc::Pool>);

namespace {
struct ModelHpp : testing::Test {
  FakeModel fake;
  symc::Model model = symc::Model::of(fake.model);
  std::array<float, 8> in{1, 1, 1, 1, 2, 2, 2, 2}, out{};

  // The sentence with which these types are refused.
  template <class In, class Out> std::string refusal() {
    auto context = model.createAs<In, Out>();
    EXPECT_FALSE(context.ok());
    return std::string(context.status().name()) + ": " + context.status().sentence();
  }
};
} // namespace

TEST_F(ModelHpp, RunsWithTypes) {
  auto context = model.createAs<Inputs<TwoRows>, Outputs<TwoRowsOut>>();
  ASSERT_TRUE(context) << context.status().sentence();
  ASSERT_TRUE(context->run(in, out));
  EXPECT_EQ(out[1], 2);
  EXPECT_EQ(out[7], 8);
  std::vector<float> data(12, 1), answers(12);
  auto open = model.createAs<Inputs<Rows>, Outputs<RowsOut>>();
  ASSERT_TRUE(open) << open.status().sentence();
  ASSERT_TRUE(open->run(*Rows::over(data, 3), *RowsOut::over(answers, 3)));
  EXPECT_EQ(answers[11], 4);
}

TEST_F(ModelHpp, RunsWithRanges) {
  std::vector<float> data(12, 1), answers(12);
  auto context = model.createAs<Inputs<Few>, Outputs<RowsOut>>();
  ASSERT_TRUE(context) << context.status().sentence();
  ASSERT_TRUE(context->run(*Few::over(data, 3), *RowsOut::over(answers, 3)));
  EXPECT_EQ(answers[11], 4);
  data.resize(36);
  EXPECT_EQ(Few::over(data, 9).status().sentence(),
            "a span over 36 elements cannot be f32 [9, 4], one of f32 [1..8, 4]");
  EXPECT_EQ(
      (refusal<Inputs<Span<const float, symc::between(1, 9), 4>>, Outputs<RowsOut>>()),
      "SYMC_STATUS_BAD_SHAPE: input 'data': the model has f32 [1..8, 4], the program's type is "
      "f32 [1..9, 4] (dimension 0)");
}

TEST_F(ModelHpp, TypesOfAnotherModelAreRefused) {
  EXPECT_EQ(
      (refusal<Inputs<Span<const float, Any, 5>>, Outputs<RowsOut>>()),
      "SYMC_STATUS_BAD_SHAPE: input 'data': the model has f32 [1..8, 4], the program's type is "
      "f32 [any, 5] (dimension 1)");
  EXPECT_EQ(
      (refusal<Inputs<Span<const float, 9, 4>>, Outputs<RowsOut>>()),
      "SYMC_STATUS_BAD_SHAPE: input 'data': the model has f32 [1..8, 4], the program's type is "
      "f32 [9, 4] (dimension 0)"); // 8 at most
  EXPECT_EQ(
      (refusal<Inputs<Span<const double, Any, 4>>, Outputs<RowsOut>>()),
      "SYMC_STATUS_BAD_DTYPE: input 'data': the model has f32 [1..8, 4], the program's type is "
      "f64 [any, 4]");
  // Known inputs make known outputs.
  EXPECT_EQ(
      (refusal<Inputs<TwoRows>, Outputs<Span<float, 3, 4>>>()),
      "SYMC_STATUS_BAD_SHAPE: output 'fc_output': the model has f32 [2, 4], the program's type is "
      "f32 [3, 4] (dimension 0)");
  EXPECT_EQ(
      (refusal<Inputs<TwoRows>, Outputs<Span<float, 8>>>()),
      "SYMC_STATUS_BAD_SHAPE: output 'fc_output': the model has f32 [8, 4], the program's type is "
      "f32 [8]");
  EXPECT_EQ(
      (refusal<Inputs<TwoRows>, Outputs<TwoRowsOut, TwoRowsOut>>()),
      "SYMC_STATUS_BAD_COUNT: the model has 1 inputs that are not optional and 1 outputs, the "
      "program's types are 1 and 2");
}

TEST_F(ModelHpp, SpansOverContainers) {
  std::vector<float> data(7);
  auto span = Rows::over(data, 2);
  EXPECT_EQ(span.status().code(), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(span.status().sentence(), "a span over 7 elements cannot be f32 [2, 4]");
  EXPECT_FALSE(Rows::over(data, -1));
  EXPECT_FALSE(Rows::over(data, int64_t(1) << 62)); // whose product overflows
  float scalar = 3;
  auto single = Span<const float>::over(&scalar, 1);
  ASSERT_TRUE(single);
  EXPECT_EQ((*single).tensor().rank, 0);
  EXPECT_DEATH((void)*Rows::over(data, 2), "");
}

TEST_F(ModelHpp, FailuresHaveTheRuntimesSentence) {
  auto context = model.create();
  ASSERT_TRUE(context);
  std::array<float, 10> wide{};
  symc::Status status =
      context->run(Inputs(Span<const float, 2, 5>(wide)), Outputs(TwoRowsOut(out)));
  EXPECT_EQ(status.code(), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(status.sentence(),
            "argument 'data': expected f32 [1..8, 4], got f32 [2, 5] (dimension 1)");
  symc_options options{};
  options.isa = "m68k";
  auto none = model.create(options);
  EXPECT_EQ(none.status().code(), SYMC_STATUS_BAD_ISA);
  EXPECT_NE(none.status().sentence().find("m68k"), std::string::npos);
  EXPECT_THROW(symc::orThrow(model.create(options)), symc::Error);
  symc::Context kept = symc::orThrow(model.create());
  EXPECT_TRUE(kept.setSeed(1));
}

// Hooks count what contexts hold: nothing once each is gone, moved ones among them.
TEST_F(ModelHpp, WhatIsMovedIsDestroyedOnce) {
  Hooks hooks;
  symc_options options{};
  options.allocator = hooks.table();
  {
    symc::Context first = symc::orThrow(model.create(options));
    symc::Context second = std::move(first);
    first = symc::orThrow(model.create(options));
    second = std::move(first);
    EXPECT_GT(hooks.held, 0u);
    ASSERT_TRUE(second.run(Inputs(TwoRows(in)), Outputs(TwoRowsOut(out))));
  }
  EXPECT_EQ(hooks.held, 0u);
}

TEST_F(ModelHpp, StatesAndPools) {
  symc::Pool pool = symc::orThrow(model.createPool(2));
  EXPECT_EQ(model.createPool(0).status().code(), SYMC_STATUS_BAD_ARGUMENT);
  symc_options options{};
  options.pool = pool.handle();
  symc::Context context = symc::orThrow(model.create(options));
  std::array<float, 4> mean{};
  Span<float, 4> state(mean);
  ASSERT_TRUE(context.run(Inputs(TwoRows(in)), Outputs(TwoRowsOut(out))));
  ASSERT_TRUE(context.getState("mean", state));
  EXPECT_EQ(mean[0], 13);
  mean = {7, 7, 7, 7};
  ASSERT_TRUE(context.setState("mean", state));
  ASSERT_TRUE(context.resetState());
  ASSERT_TRUE(context.getState("mean", state));
  EXPECT_EQ(mean[0], 10);
  EXPECT_EQ(context.getState("median", state).code(), SYMC_STATUS_BAD_NAME);
  int64_t extent = 0;
  ASSERT_TRUE(context.stateExtents("mean", &extent, 1));
  EXPECT_EQ(extent, 4);
  EXPECT_EQ(context.truncateState("mean", 2).sentence(), "state 'mean' does not grow");
}

// 10,000 calls from two threads that share a model and a pool: the one to run under TSan.
TEST_F(ModelHpp, TwoThreadsShareAModelAndAPool) {
  symc::Pool pool = symc::orThrow(model.createPool(2));
  symc_options options{};
  options.pool = pool.handle();
  int wrong[2] = {};
  auto work = [&](int *result) {
    auto context = model.createAs<Inputs<TwoRows>, Outputs<TwoRowsOut>>(options);
    std::array<float, 8> answers;
    for (int run = 0; run < 5000; ++run) {
      answers.fill(0);
      *result += !context || !context->run(in, answers) || answers[3] != 4 || answers[7] != 8;
    }
  };
  std::thread first(work, &wrong[0]), second(work, &wrong[1]);
  first.join();
  second.join();
  EXPECT_EQ(wrong[0] + wrong[1], 0);
}

TEST_F(ModelHpp, LibrariesThatAreNone) {
  EXPECT_EQ(symc::Model::load("/nonexistent.so", "net").status().code(), SYMC_STATUS_NO_LIBRARY);
  auto model = symc::Model::load("libm.so.6", "net");
  EXPECT_EQ(model.status().sentence(),
            "'libm.so.6' has no 'net_model', which a model of the prefix 'net' has");
}
