// SymbolsTest.cpp: networks composed in C++ over libsymc. If this fails, a program gets other nodes
// than MXNet makes of the same calls, or a mistake goes without its message.
#include "symc/operators.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <thread>

using namespace symc;
using testing::ElementsAre;

namespace {

Symbol dense(const Symbol &data, const std::string &units, const std::string &name = "") {
  return Symbol::apply("FullyConnected", {{"num_hidden", units}}, name, {data});
}

std::string mistakeOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "none";
}

TEST(Symbols, NamesAreThoseOfMXNet) {
  Symbol data = Symbol::variable("data");
  NameManager names;
  Symbol net = Symbol::apply("Activation", {{"act_type", "relu"}}, "", {dense(data, "8", "fc1")});
  net = Symbol::apply("SoftmaxOutput", {}, "softmax", {dense(net, "3")});
  EXPECT_THAT(net.arguments(),
              ElementsAre("data", "fc1_weight", "fc1_bias", "fullyconnected0_weight",
                          "fullyconnected0_bias", "softmax_label"));
  EXPECT_THAT(net.outputs(), ElementsAre("softmax_output"));
  EXPECT_THAT(net.internals()["fc1_output"].children()->outputs(),
              ElementsAre("data", "fc1_weight", "fc1_bias"));
  EXPECT_FALSE(data.children());
  Prefix prefix("net_");
  EXPECT_EQ(dense(data, "3").name(), "net_fullyconnected0");
}

TEST(Symbols, FunctionsOfOperators) {
  NameManager names;
  op::ConvolutionOptions options;
  options.kernel = {5, 5};
  options.num_filter = 20;
  options.no_bias = true;
  Symbol net = op::Convolution(Symbol::variable("data"), options);
  op::PoolingOptions pool;
  pool.kernel = {2, 2};
  pool.pool_type = "max";
  net = op::Concat({op::Pooling(net, pool), op::relu(net) * 0.5});
  EXPECT_THAT(net.arguments(), ElementsAre("data", "convolution0_weight"));
  EXPECT_EQ(net.name(), "concat0");
  EXPECT_EQ(net.attribute("num_args"), "2");
  EXPECT_EQ(net.allAttributes()["convolution0"],
            (Attributes{{"kernel", "(5, 5)"}, {"no_bias", "True"}, {"num_filter", "20"}}));
  op::contrib::MultiBoxPriorOptions boxes;
  boxes.sizes = {0.1, 0.5};
  boxes.name = "anchors";
  EXPECT_EQ(op::contrib::MultiBoxPrior(net, boxes).attribute("sizes"), "(0.1, 0.5)");
  EXPECT_EQ(op::linalg::gemm2(net, net).name(), "gemm20");
}

TEST(Symbols, ShapesAndTypesGoBothWays) {
  Symbol net = dense(Symbol::variable("data"), "3", "fc");
  auto shapes = net.inferShapes({{"data", {2, 5}}});
  EXPECT_TRUE(shapes.complete);
  EXPECT_THAT(shapes.arguments, ElementsAre(Shape{2, 5}, Shape{3, 5}, Shape{3}));
  EXPECT_THAT(net.inferShapes({{"data", {0, 5}}}).outputs, ElementsAre(Shape{0, 3}));
  EXPECT_FALSE(net.inferShapes({}).complete);
  EXPECT_THAT(net.inferTypes({{"fc_weight", "float16"}}).arguments,
              ElementsAre("float16", "float16", "float16"));
}

TEST(Symbols, AttributesOfScopesReachNewNodes) {
  AttrScope scope({{"ctx_group", "dev1"}});
  Symbol net = dense(Symbol::variable("data"), "3", "fc");
  EXPECT_EQ(net.allAttributes()["fc_weight"]["__ctx_group__"], "dev1");
  EXPECT_EQ(net.attribute("num_hidden"), "3");
  EXPECT_EQ(net.attributes().size(), 3u); // num_hidden, and ctx_group under both of its names
  EXPECT_EQ(net.attribute("lr_mult"), std::nullopt);
}

TEST(Symbols, JsonReadsBack) {
  Symbol net = dense(2.0 - Symbol::variable("data") / 3, "3", "fc");
  Symbol again = Symbol::fromJson(net.toJson());
  EXPECT_EQ(again.toJson(), net.toJson());
  std::string path = testing::TempDir() + "symbols-test.json";
  net.save(path);
  EXPECT_EQ(Symbol::load(path).arguments(), net.arguments());
  EXPECT_EQ(mistakeOf([&] { net.save("/nowhere/x.json"); }), "cannot write '/nowhere/x.json'");
}

// Fills count for the step of their node; nodes are sorted by time.
TEST(Symbols, AProfileByNodes) {
  const char *steps = "variant other\n9\t1\tx\ty\t8\t0\t\nvariant isa\n0\t1\tfill\tc+r\t8\t0\t\n"
                      "4000000\t1\tconv\tc+r\t8\t0\twhy\n0\t1\tpool\tp\t8\t0\t\n";
  const double times[] = {0.5, 1.5, 3};
  const char *text = nullptr;
  check(symc_profile_rows(steps, "isa", 3, times, 0, &text));
  EXPECT_STREQ(
      text,
      R"([{"node":"p","kernel":"pool","milliseconds":3,"flops":0,"bytes":8,"steps":1},)"
      R"({"node":"c+r","kernel":"conv","milliseconds":2,"flops":4000000,"bytes":16,"steps":2}])");
  check(symc_profile_table(steps, "isa", 3, times, 0, &text));
  EXPECT_STREQ(
      text,
      "        ms   share  GFLOP/s       MB  steps  kernel                             node\n"
      "    3.0000   60.0%        -    0.000      1  pool                               p\n"
      "    2.0000   40.0%     2.00    0.000      2  conv                               c+r  why\n"
      "total 5 ms in 3 steps, 0.004 GFLOP, 0.80 GFLOP/s\n");
}

TEST(Symbols, TheTableTellsOfOperators) {
  const char *json = nullptr;
  check(symc_operator_table(&json));
  std::string table = json;
  size_t prior = table.find("\"_contrib_MultiBoxPrior\":{");
  ASSERT_NE(prior, std::string::npos);
  EXPECT_THAT(
      table.substr(prior, 4000),
      testing::HasSubstr("\"name\":\"sizes\",\"kind\":\"tuple of float\",\"default\":\"(1,)\""));
  for (auto [name, facts] :
       {std::pair("\"sgd_mom_update\":{", "\"draws\":false,\"updates\":[\"mom\"]"),
        std::pair("\"_random_uniform\":{", "\"draws\":true,\"updates\":[]")}) {
    ASSERT_NE(table.find(name), std::string::npos);
    EXPECT_THAT(table.substr(table.find(name), 4000), testing::HasSubstr(facts));
  }
  EXPECT_STREQ(symc_compiler_version(), "0.1.0");
}

TEST(Symbols, MistakesLeaveSymbolsAsTheyWere) {
  Symbol data = Symbol::variable("data"), net = dense(data, "3", "fc");
  std::string before = net.toJson();
  EXPECT_THAT(mistakeOf([&] { net({{"nobody", data}}); }), testing::HasSubstr("nobody"));
  EXPECT_THAT(mistakeOf([&] { dense(data, "many"); }), testing::HasSubstr("num_hidden"));
  EXPECT_THAT(mistakeOf([&] { net.inferShapes({{"data", {2, 5}}, {"fc_bias", {4}}}); }),
              testing::HasSubstr("fc"));
  EXPECT_EQ(mistakeOf([&] { net["fc"]; }), "no output is called 'fc'");
  EXPECT_EQ(mistakeOf([&] { Symbol::group({net, net})["fc_output"]; }),
            "more than one output is called 'fc_output'");
  EXPECT_THAT(mistakeOf([&] { Symbol::fromJson("{"); }), testing::HasSubstr("symbol:1:"));
  EXPECT_EQ(mistakeOf([&] {
              Symbol::fromJson(R"({"nodes": [
  {"op": "null", "name": "x", "param": {}, "inputs": [], "backward_source_id": -1},
  {"op": "Activation", "name": "a", "param": {"act_type": "relu"}, "inputs": [[0, 0]], "backward_source_id": -1},
  {"op": "null", "name": "h", "param": {}, "inputs": [], "backward_source_id": -1},
  {"op": "null", "name": "g", "param": {}, "inputs": [[2, 0], [1, 0]], "backward_source_id": 1}],
  "arg_nodes": [0, 2], "heads": [[3, 0]]})");
            }),
            "'symbol' holds backward nodes, which a symbol has not");
  EXPECT_EQ(net.toJson(), before);
}

TEST(Symbols, ThreadsWorkSideBySide) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      NameManager names;
      Symbol net = Symbol::variable("data");
      for (int i = 0; i < 50; ++i)
        net = dense(net, "4");
      EXPECT_EQ(net.name(), "fullyconnected49");
      EXPECT_EQ(net.inferShapes({{"data", {1, 4}}}).outputs[0], (Shape{1, 4}));
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
