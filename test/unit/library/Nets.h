// Nets.h: what tests of compiling from C compile and run: a small convolutional network with
// weights in memory, the digits example, and calls that must fail.
#ifndef SYMC_TEST_UNIT_LIBRARY_NETS_H
#define SYMC_TEST_UNIT_LIBRARY_NETS_H

#include "symc/operators.hpp"
#include "symc/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <numeric>
#include <unistd.h>

namespace symc::test {

using Words = std::vector<const char *>;

/// A request with the options that every test wants; what it points to lives as long as it does.
struct Request : symc_request {
  explicit Request(Words words = {}) : symc_request{}, words(std::move(words)) {
    struct_bytes = sizeof(symc_request);
    options = this->words.data();
    option_count = this->words.size();
  }
  Words words;
};

inline int toFile(const symc_request &request) { return symc_compile_file(&request); }
inline int toBytes(const symc_request &request, symc_compiled &compiled) {
  return symc_compile_bytes(&request, &compiled);
}
inline int toProcess(const symc_request &request, symc_loaded &loaded) {
  return symc_compile_model(&request, &loaded);
}

/// A convolution, a pooling and a dense layer over 1x1x8x8, with weights that differ.
struct SmallNet {
  SmallNet() {
    Symbol net = Symbol::apply("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "4"}}, "conv",
                               {Symbol::variable("data")});
    net = Symbol::apply("Activation", {{"act_type", "relu"}}, "relu", {net});
    net =
        Symbol::apply("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "max"}},
                      "pool", {net});
    net = Symbol::apply("FullyConnected", {{"num_hidden", "3"}}, "fc", {net});
    symbol = net;
    for (auto &[name, shape] : shapes) {
      int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
      std::vector<float> &list = values.emplace_back(count);
      for (int64_t i = 0; i < count; ++i)
        list[i] = float((i * 37 + 11) % 23 - 11) / 16;
      arrays.push_back({name, SYMC_F32, int32_t(shape.size()), shape.data(), list.data()});
    }
  }
  /// To be compiled with these options.
  Request request(Words words = {}) const {
    words.insert(words.end(), {"--shape", "data=1,1,8,8"});
    Request made(std::move(words));
    made.symbol = symbol->number();
    made.arrays = arrays.data();
    made.array_count = arrays.size();
    return made;
  }
  std::optional<Symbol> symbol;
  std::vector<std::pair<const char *, std::vector<int64_t>>> shapes = {
      {"conv_weight", {4, 1, 3, 3}},
      {"conv_bias", {4}},
      {"fc_weight", {3, 36}},
      {"arg:fc_bias", {3}}};
  std::vector<std::vector<float>> values;
  std::vector<symc_array> arrays;
};

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The outputs of one run over an input of sevenths.
inline std::vector<float> answersOf(const symc_model *model) {
  const symc_tensor_info &in = *symc_input(model, 0), &out = *symc_output(model, 0);
  std::vector<float> input(in.max_bytes / sizeof(float)), output(out.max_bytes / sizeof(float));
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = float(i % 7) / 7;
  symc_tensor inputs = {input.data(), in.shape, in.rank, in.dtype, SYMC_DEVICE_CPU, 0};
  symc_tensor outputs = {output.data(), out.shape, out.rank, out.dtype, SYMC_DEVICE_CPU, 0};
  symc_context *context = nullptr;
  EXPECT_EQ(symc_create(model, nullptr, &context), SYMC_STATUS_OK);
  EXPECT_EQ(symc_run(context, &inputs, 1, &outputs, 1), SYMC_STATUS_OK) << symc_last_error(context);
  symc_destroy(context);
  return output;
}

/// That the call failed with this text.
inline void expectMistake(int status, const std::string &text) {
  EXPECT_EQ(status, -1);
  EXPECT_THAT(symc_compiler_error(), testing::HasSubstr(text));
}

/// A folder of the test and the process, empty at its beginning.
struct InFolder : testing::Test {
  void SetUp() override {
    folder = testing::TempDir() + "symc-compile-" +
             testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
             std::to_string(getpid());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename());
    return names;
  }
  std::string folder;
};

} // namespace symc::test

#endif // SYMC_TEST_UNIT_LIBRARY_NETS_H
