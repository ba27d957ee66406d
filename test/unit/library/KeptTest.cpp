// KeptTest.cpp: models of symc_compile_kept. If this fails, a request is compiled again although
// the cache has it, or what is loaded from there answers otherwise, or a damaged entry does harm.
#include "Nets.h"
#include <cstdlib>

using namespace symc;
using namespace symc::test;

namespace {

/// With a cache of the test's own.
struct Kept : InFolder {
  void SetUp() override {
    InFolder::SetUp();
    setenv("SYMC_CACHE_DIR", folder.c_str(), 1);
    unsetenv("SYMC_CACHE_LIMIT");
  }
  void TearDown() override {
    unsetenv("SYMC_CACHE_DIR");
    unsetenv("SYMC_CACHE_LIMIT");
    InFolder::TearDown();
  }
  std::vector<std::string> entries() {
    std::vector<std::string> names = files();
    names.erase(std::remove_if(names.begin(), names.end(),
                               [](const std::string &name) {
                                 return name.find(".kernels") == std::string::npos;
                               }),
                names.end());
    return names;
  }
};

struct Answer {
  std::vector<float> values;
  int stages = 0; // that compiled
};

/// Data and a constant, which is prepared when the model is compiled.
Symbol sumWithConstant() {
  Symbol range = Symbol::apply("_arange", {{"start", "0"}, {"stop", "6"}}, "range", {});
  return Symbol::apply("elemwise_add", {}, "sum", {Symbol::variable("data"), range});
}

Answer compileKept(const Symbol &symbol, Words words = {}) {
  Request request(std::move(words));
  request.symbol = symbol.number();
  const char *name = "data";
  const int32_t rank = 1;
  const int64_t extent = 6;
  request.shape_count = 1;
  request.shape_names = &name;
  request.ranks = &rank;
  request.extents = &extent;
  Answer answer;
  request.user = &answer.stages;
  request.progress = [](void *user, const char *) { return ++*static_cast<int *>(user), 0; };
  symc_loaded loaded;
  const symc_model *model;
  EXPECT_EQ(symc_compile_kept(&request, &loaded), 0) << symc_compiler_error();
  EXPECT_EQ(symc_loaded_model(loaded, &model), 0);
  answer.values = answersOf(model);
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  return answer;
}

TEST_F(Kept, TheSecondTimeNothingIsCompiled) {
  Symbol symbol = sumWithConstant();
  Answer first = compileKept(symbol), second = compileKept(symbol);
  EXPECT_GT(first.stages, 0);
  EXPECT_EQ(second.stages, 0);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_EQ(first.values, second.values);
  for (size_t i = 0; i < first.values.size(); ++i)
    EXPECT_FLOAT_EQ(first.values[i], float(i) + float(i) / 7);
}

TEST_F(Kept, OtherGraphsAndOptionsAreOtherEntries) {
  Symbol data = Symbol::variable("data");
  EXPECT_GT(compileKept(Symbol::apply("exp", {}, "f", {data})).stages, 0);
  EXPECT_GT(compileKept(Symbol::apply("sin", {}, "f", {data})).stages, 0);
  EXPECT_GT(compileKept(Symbol::apply("sin", {}, "f", {data}), {"--math=strict"}).stages, 0);
  Words training = {"--gradients", "all", "--grad-req", "data=null"};
  EXPECT_GT(compileKept(Symbol::apply("sin", {}, "f", {data}), training).stages, 0);
  EXPECT_EQ(compileKept(Symbol::apply("sin", {}, "f", {data}), training).stages, 0);
  EXPECT_EQ(entries().size(), 4u);
}

// A product of data with a weight that contexts are given.
TEST_F(Kept, WeightsOfTheCaller) {
  Symbol net = Symbol::apply("FullyConnected", {{"num_hidden", "1"}, {"no_bias", "True"}}, "fc",
                             {Symbol::variable("data")});
  for (bool first : {true, false}) {
    Request request({"--shape", "data=1,2", "--weights=extern", "--random-weights"});
    request.symbol = net.number();
    int stages = 0;
    request.user = &stages;
    request.progress = [](void *user, const char *) { return ++*static_cast<int *>(user), 0; };
    symc_loaded loaded;
    const symc_model *model;
    ASSERT_EQ(symc_compile_kept(&request, &loaded), 0) << symc_compiler_error();
    EXPECT_EQ(stages > 0, first);
    ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
    symc_context *context = nullptr;
    ASSERT_EQ(symc_create(model, nullptr, &context), SYMC_STATUS_OK);
    const int64_t shape[] = {1, 2}, outputShape[] = {1, 1};
    float data[] = {3, 4}, answer = 0, weight[] = {10, 100};
    symc_tensor input = {data, shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0},
                output = {&answer, outputShape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0},
                parameter = {weight, shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
    EXPECT_EQ(symc_run(context, &input, 1, &output, 1), SYMC_STATUS_NO_WEIGHTS);
    for (float scale : {1.0f, 2.0f}) {
      weight[0] = 10 * scale;
      ASSERT_EQ(symc_set_parameters(context, &parameter, 1), SYMC_STATUS_OK);
      ASSERT_EQ(symc_run(context, &input, 1, &output, 1), SYMC_STATUS_OK);
      EXPECT_FLOAT_EQ(answer, 30 * scale + 400);
    }
    symc_destroy(context);
    EXPECT_EQ(symc_loaded_free(loaded), 0);
  }
}

TEST_F(Kept, DamagedEntriesAreCompiledAnew) {
  Symbol symbol = sumWithConstant();
  Answer first = compileKept(symbol);
  std::string path = folder + "/" + entries().at(0), bytes = readFile(path);
  std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  Answer second = compileKept(symbol);
  EXPECT_GT(second.stages, 0);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(compileKept(symbol).stages, 0);
}

TEST_F(Kept, WhatDependsOnMoreIsNotKept) {
  SmallNet net;
  Request request = net.request();
  symc_loaded loaded;
  ASSERT_EQ(symc_compile_kept(&request, &loaded), 0) << symc_compiler_error();
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  compileKept(sumWithConstant(), {"--remarks"});
  setenv("SYMC_CACHE_LIMIT", "0", 1);
  Answer first = compileKept(sumWithConstant()), second = compileKept(sumWithConstant());
  EXPECT_GT(second.stages, 0);
  EXPECT_EQ(first.values, second.values);
  EXPECT_TRUE(entries().empty());
  setenv("SYMC_CACHE_DIR", "/proc/none", 1); // where no folder can be made
  unsetenv("SYMC_CACHE_LIMIT");
  EXPECT_EQ(compileKept(sumWithConstant()).values, first.values);
}

TEST_F(Kept, MistakesAreThoseOfOtherRequests) {
  symc_loaded loaded;
  expectMistake(symc_compile_kept(nullptr, nullptr), "'made' is NULL");
  expectMistake(symc_compile_kept(nullptr, &loaded), "'request' is NULL");
}

} // namespace
