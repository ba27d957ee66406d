//===- GraphChecksTest.cpp - which graphs are refused ---------------------===//
//
// Ids out of range, kinds that do not fit, cycles, and counts of inputs and
// outputs against a catalog, each with its message; and the nearest good graph.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/GraphChecks.h"
#include "Graphs.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::json;
using namespace symc::symbol;
using namespace symc::test;

namespace {

const std::string X = variable("x");
const FakeCatalog Catalog;

std::string node(llvm::StringRef op, llvm::StringRef name, llvm::StringRef inputs,
                 llvm::StringRef attrs = "{}") {
  return ("{\"op\": \"" + op + "\", \"name\": \"" + name + "\", \"inputs\": " + inputs +
          ", \"attrs\": " + attrs + "}")
      .str();
}

TEST(GraphChecks, IdsAreInRange) {
  EXPECT_EQ(
      messageFor(graphText({X, node("relu", "y", "[[2, 0, 0]]")}, "[0]", "[[1, 0, 0]]")),
      "3:40: error: input 0 of node 'y' ('relu') refers to node 2, but the graph has 2 nodes");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[[0, 0, 0], [7, 0, 0]]")),
            "3:40: error: head 1 refers to node 7, but the graph has 1 nodes");
  EXPECT_EQ(messageFor(graphText({R"({"op": "relu", "name": "y", "inputs": [],
"control_deps": [9]})"},
                                 "[]", "[[0, 0, 0]]")),
            "2:1: error: control dependency of node 'y' ('relu') refers to node 9, but the graph "
            "has 1 nodes");
  EXPECT_EQ(messageFor(graphText({R"({"op": "null", "name": "b", "inputs": [],
"backward_source_id": 9})"},
                                 "[]", "[[0, 0]]")),
            "2:1: error: backward_source_id of backward node 'b' refers to node 9, but the graph "
            "has 1 nodes");
}

TEST(GraphChecks, ABackwardNodeHasAnOperator) {
  EXPECT_EQ(messageFor(graphText({X, R"({"op": "null", "name": "b", "inputs": [],
"backward_source_id": 0})"},
                                 "[0]", "[[1, 0]]")),
            "3:1: error: backward node 'b' is the gradient of variable 'x', expected the gradient "
            "of an operator | 2:1: note: node 0 is here");
}

TEST(GraphChecks, ACycleIsRefused) {
  EXPECT_EQ(
      messageFor(graphText({node("relu", "a", "[[0, 0, 0]]")}, "[]", "[[0, 0, 0]]")),
      "2:24: error: node 'a' ('relu') depends on itself | 2:24: note: each takes an output of "
      "the next: 'a' -> 'a'");
  std::vector<std::string> ring;
  for (int i = 0; i < 10; ++i)
    ring.push_back(
        node("relu", "n" + std::to_string(i), "[[" + std::to_string((i + 1) % 10) + ", 0, 0]]"));
  std::vector<llvm::StringRef> nodes(ring.begin(), ring.end());
  EXPECT_EQ(messageFor(graphText(nodes, "[]", "[[0, 0, 0]]")),
            "2:24: error: node 'n0' ('relu') depends on itself | 2:24: note: each takes an output "
            "of the next: 'n0' -> 'n1' -> 'n2' -> 'n3' -> 'n4' -> 'n5' -> 'n6' -> ... (2 more) -> "
            "'n9' -> 'n0'");
}

TEST(GraphChecks, AControlDependencyMayNotCloseACycle) {
  EXPECT_EQ(
      messageFor(graphText({R"({"op": "relu", "name": "a", "inputs": [], "control_deps": [1]})",
                            node("relu", "b", "[[0, 0, 0]]")},
                           "[]", "[[1, 0, 0]]")),
      "2:24: error: node 'a' ('relu') depends on itself | 2:24: note: each takes an output of "
      "the next: 'a' -> 'b' -> 'a'");
}

TEST(GraphChecks, InputsAreCounted) {
  auto count = [](llvm::StringRef inputs) {
    return messageFor(
        graphText({X, variable("w"), variable("b"), node("FullyConnected", "fc", inputs)},
                  "[0, 1, 2]", "[[3, 0, 0]]", Version1),
        &Catalog);
  };
  EXPECT_EQ(count("[[0, 0, 0], [1, 0, 0], [2, 0, 0]]"), "");
  EXPECT_EQ(count("[[0, 0, 0], [1, 0, 0]]"),
            "5:34: error: node 'fc' ('FullyConnected') has 2 inputs, expected 3 | "
            "5:34: note: its inputs are data, weight, bias");
  EXPECT_EQ(messageFor(graphText({X, node("Concat", "cat", "[[0, 0, 0]]", R"({"num_args": "3"})")},
                                 "[0]", "[[1, 0, 0]]", Version1),
                       &Catalog),
            "3:26: error: node 'cat' ('Concat') has 1 inputs, expected 3 | "
            "3:26: note: its inputs are arg0, arg1, arg2");
}

TEST(GraphChecks, DeadAndUnknownNodesAreNotCounted) {
  EXPECT_EQ(messageFor(graphText({X, node("FullyConnected", "dead", "[]"),
                                  node("Unknown", "u", "[[0, 0, 0]]"),
                                  node("_foreach", "f", "[[2, 5, 0]]")},
                                 "[0]", "[[3, 9, 0]]", Version1),
                       &Catalog),
            "");
}

TEST(GraphChecks, OutputsAreCounted) {
  std::string slice = node("SliceChannel", "s", "[[0, 0, 0]]", R"({"num_outputs": "2"})");
  auto head = [&](llvm::StringRef head) {
    return messageFor(graphText({X, slice}, "[0]", head, Version1), &Catalog);
  };
  EXPECT_EQ(head("[[1, 1, 0]]"), "");
  EXPECT_EQ(head("[[1, 2, 0]]"),
            "4:29: error: head 0 is output 2 of node 's' ('SliceChannel'), which has 2 outputs | "
            "3:32: note: node 's' ('SliceChannel') is here");
  EXPECT_EQ(
      messageFor(graphText({X, node("relu", "y", "[[0, 1, 0]]")}, "[0]", "[[1, 0, 0]]", Version1),
                 &Catalog),
      "3:40: error: input 0 of node 'y' ('relu') is output 1 of variable 'x', which has 1 "
      "output | 2:24: note: variable 'x' is here");
}

TEST(GraphChecks, ABackwardNodeHasAnOutputForEachArgument) {
  auto head = [&](llvm::StringRef index) {
    std::string normalize = R"({"op": "BatchNorm", "param": {}, "name": "bn",
"inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1})";
    std::string backward = R"({"op": "null", "param": {}, "name": "bn_backward", "inputs": [[3, 0]],
"backward_source_id": 3})";
    return messageFor(graphText({X, variable("gamma"), variable("beta"), normalize, backward},
                                "[0, 1, 2]", "[[4, " + index.str() + "]]"),
                      &Catalog);
  };
  EXPECT_EQ(head("2"), "");
  EXPECT_EQ(head("3"),
            "9:35: error: head 0 is output 3 of backward node 'bn_backward', which has 3 "
            "outputs | 7:37: note: backward node 'bn_backward' is here");
}

TEST(GraphChecks, AGraphMadeByHandIsChecked) {
  Graph graph;
  Diagnostics diagnostics;
  EXPECT_FALSE(checkGraph(graph, nullptr, diagnostics));
  graph.nodes.resize(1);
  graph.nodes[0].name = "y";
  graph.nodes[0].op = "relu";
  graph.heads.push_back({});
  graph.argNodes.push_back(0);
  EXPECT_FALSE(checkGraph(graph, nullptr, diagnostics));
  graph.argNodes[0] = 1;
  EXPECT_FALSE(checkGraph(graph, nullptr, diagnostics));
  EXPECT_EQ(oneLine(diagnostics),
            "error: the graph has no heads, so it computes nothing || "
            "error: arg_nodes lists node 'y' ('relu'), expected variables only || "
            "error: arg_nodes refers to node 1, but the graph has 1 nodes");
}

} // namespace
