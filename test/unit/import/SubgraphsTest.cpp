//===- SubgraphsTest.cpp - nodes that own graphs ---------------------------===//
//
// Loops become a node and graphs of their own; a layer that owns its followers is
// taken apart over floats and one operator over integers; other operators own none.
//
//===----------------------------------------------------------------------===//
#include "Import.h"

using namespace symc;
using namespace symc::test;

namespace {

TEST(Subgraphs, OtherOperatorsOwnNone) {
  Imported net(R"J({"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "Flatten", "name": "f", "inputs": [[0,0,0]], "subgraphs": [{"nodes": [
  {"op": "null", "name": "x", "inputs": []}], "arg_nodes": [0], "heads": [[0,0,0]]}]}],
"arg_nodes": [0], "heads": [[1,0,0]]})J");
  EXPECT_EQ(net.messages(),
            "3:8: error: node 'f' ('Flatten') has subgraphs, but the operator owns none");
}

// The body's graph stands before @main and is named by the node.
TEST(Subgraphs, LoopsCallGraphs) {
  Imported net(R"J({"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "null", "name": "state", "inputs": []},
{"op": "_foreach", "name": "l", "attrs": {"num_args": "3", "num_outputs": "2", "num_out_data": "1",
  "in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]"}, "inputs": [[0,0,0],[1,0,0]],
  "subgraphs": [{"nodes": [{"op": "null", "name": "x", "inputs": []},
    {"op": "null", "name": "s", "inputs": []},
    {"op": "elemwise_add", "name": "sum", "inputs": [[0,0,0],[1,0,0]]}],
    "arg_nodes": [0,1], "heads": [[2,0,0],[2,0,0]]}]}],
"arg_nodes": [0,1], "heads": [[2,0,0],[2,1,0]], "attrs": {"mxnet_version": ["int", 10901]}})J");
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  size_t body = text.find("sg.graph @body.2.0"), main = text.find("sg.graph @main");
  EXPECT_LT(body, main);
  EXPECT_NE(text.find("bodies = [@body.2.0]"), std::string::npos);
}

constexpr const char *Layer =
    R"J("subgraphs": [{"nodes": [{"op": "null", "name": "x", "inputs": []},
  {"op": "null", "name": "w", "inputs": []},
  {"op": "Convolution", "name": "c", "attrs": {"kernel": "(1, 1)", "num_filter": "2", "no_bias": "True"},
   "inputs": [[0,0,0],[1,0,0]]},
  {"op": "Activation", "name": "a", "attrs": {"act_type": "relu"}, "inputs": [[2,0,0]]}],
  "arg_nodes": [0,1], "heads": [[3,0,0]]}]})J";

std::string layer(const std::string &attrs, const std::string &inputs,
                  const std::string &subgraphs = Layer) {
  return "{\"nodes\": [\n" + std::string(Data) + ",\n" +
         R"J({"op": "null", "name": "weight", "inputs": []},
{"op": "null", "name": "limit", "inputs": []},
{"op": "_sg_mkldnn_conv", "name": "f", "attrs": {)J" +
         attrs + "}, \"inputs\": " + inputs + ", " + subgraphs + R"J(],
"arg_nodes": [0,1,2], "heads": [[3,0,0]], "attrs": {"mxnet_version": ["int", 10901]}})J";
}

// Over floats the subgraph takes the node's place; its head gets the node's name.
TEST(Subgraphs, FusedLayersOverFloatsAreTakenApart) {
  ImportOptions options;
  options.randomWeights = true;
  Imported net(layer(R"J("with_act": "true")J", "[[0,0,0],[1,0,0]]"), options);
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text(true);
  EXPECT_NE(text.find("sg.convolution"), std::string::npos);
  EXPECT_NE(text.find("sg.activation"), std::string::npos);
  EXPECT_NE(text.find("sg.name = \"f_output\""), std::string::npos);
}

TEST(Subgraphs, QuantisedLayersAreOneOperator) {
  ImportOptions options;
  options.randomWeights = true;
  Imported net(
      layer(
          R"J("with_relu": "true", "quantized": "true", "min_calib_range": "0", "max_calib_range": "6")J",
          "[[0,0,0],[1,0,0],[2,0,0],[2,0,0]]"),
      options);
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  EXPECT_NE(text.find("sg.fused_conv"), std::string::npos);
  EXPECT_NE(text.find("act = \"relu\""), std::string::npos);
  EXPECT_NE(text.find("num_filter = 2"), std::string::npos);
}

TEST(Subgraphs, FusedLayersThatAreBroken) {
  Imported none(layer("", "[[0,0,0],[1,0,0]]", R"J("subgraphs": []})J"));
  EXPECT_EQ(none.messages(), "5:8: error: node 'f' ('_sg_mkldnn_conv') has 0 subgraphs, needs 1");
  Imported few(layer("", "[[0,0,0]]"));
  EXPECT_EQ(few.messages(),
            "5:8: error: node 'f' ('_sg_mkldnn_conv') has 1 inputs, its subgraph needs 2");
  Imported limits(layer(R"J("quantized": "True")J", "[[0,0,0],[1,0,0]]"));
  EXPECT_EQ(limits.messages(),
            "5:8: error: node 'f' ('_sg_mkldnn_conv') has 2 inputs, its subgraph "
            "needs 2 and their limits");
  Imported heads(layer("", "[[0,0,0],[1,0,0]]",
                       R"J("subgraphs": [{"nodes": [{"op": "null", "name": "x", "inputs": []}],
  "arg_nodes": [0], "heads": [[0,0,0],[0,0,0]]}]})J"));
  EXPECT_EQ(heads.messages(),
            "5:8: error: node 'f' ('_sg_mkldnn_conv')'s subgraph has 2 heads, needs 1");
}

// A subgraph that is a variable only: what reads the node reads its input, however many such nodes
// stand between.
TEST(Subgraphs, FusedNodesMayPassThrough) {
  const char *pass = R"J("subgraphs": [{"nodes": [{"op": "null", "name": "x", "inputs": []}],
  "arg_nodes": [0], "heads": [[0,0,0]]}]})J";
  auto node = [&](const char *name, const char *input) {
    return std::string(R"J({"op": "_sg_mkldnn_conv", "name": ")J") + name + "\", \"inputs\": [[" +
           input + "]], " + pass + ",\n";
  };
  Imported net("{\"nodes\": [\n" + std::string(Data) +
               R"J(,
{"op": "SliceChannel", "name": "s", "attrs": {"num_outputs": "2"}, "inputs": [[0,0,0]]},
)J" + node("f", "1,1,0") +
               node("g", "2,0,0") + R"J({"op": "exp", "name": "e", "inputs": [[3,0,0]]}],
"arg_nodes": [0], "heads": [[4,0,0],[2,0,0],[3,0,0]], "attrs": {"mxnet_version": ["int", 10901]}})J");
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  EXPECT_NE(text.find("%0:2 = sg.slice_channel"), std::string::npos) << text;
  EXPECT_NE(text.find("sg.unary(%0#1)"), std::string::npos) << text;
  EXPECT_NE(text.find("sg.heads %1, %0#1, %0#1"), std::string::npos) << text;
}

// Such a node as the head of a graph that is nothing else.
TEST(Subgraphs, AHeadMayPassThrough) {
  Imported net("{\"nodes\": [\n" + std::string(Data) +
               R"J(,
{"op": "_sg_mkldnn_conv", "name": "f", "inputs": [[0,0,0]],
 "subgraphs": [{"nodes": [{"op": "null", "name": "x", "inputs": []}],
                "arg_nodes": [0], "heads": [[0,0,0]]}]}],
"arg_nodes": [0], "heads": [[1,0,0]], "attrs": {"mxnet_version": ["int", 10901]}})J");
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("sg.heads %arg0"), std::string::npos) << net.text();
}

} // namespace
