//===- SymbolWriterTest.cpp - Graph -> symbol JSON ------------------------===//
//
// Texts are those of MXNet byte for byte, and reading them again gives the same
// graph, for every layout.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolWriter.h"

#include "Graphs.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::json;
using namespace symc::symbol;
using namespace symc::test;

namespace {

const FakeCatalog Catalog;

std::string write(const Graph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeSymbol(graph, os, &Catalog);
  return text;
}

// As MXNet 1.9.1 breaks lines: one attribute on one line, several on several;
// more than ten numbers one a line.
const char *Nnvm = R"json({
  "nodes": [
    {
      "op": "null", 
      "name": "x\t\"", 
      "attrs": {"__shape__": "(1, 2)"}, 
      "inputs": []
    }, 
    {
      "op": "_foreach", 
      "name": "f", 
      "attrs": {
        "a": "1", 
        "b": "2"
      }, 
      "inputs": [[0, 0, 0]], 
      "control_deps": [0], 
      "subgraphs": [
        {
          "nodes": [
            {
              "op": "null", 
              "name": "i", 
              "inputs": []
            }
          ], 
          "arg_nodes": [0], 
          "node_row_ptr": [0, 1], 
          "heads": [[0, 0, 0]]
        }
      ]
    }
  ], 
  "arg_nodes": [0], 
  "node_row_ptr": [0, 1, 3], 
  "heads": [[1, 0, 0], [1, 1, 0]], 
  "attrs": {
    "is_np_shape": ["int", 1], 
    "l": ["list_int", [1, 2]], 
    "ls": ["list_str", ["a"]], 
    "mxnet_version": ["int", 10901], 
    "s": ["str", "t"]
  }
})json";

TEST(SymbolWriter, WritesTheBytesOfMxnet) {
  Diagnostics diagnostics;
  auto graph = readText(Nnvm, diagnostics, &Catalog);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_EQ(write(*graph), Nnvm);
}

TEST(SymbolWriter, LongArraysAreBrokenOverLines) {
  std::vector<std::string> variables;
  std::string ids, heads;
  for (int i = 0; i < 11; ++i) {
    variables.push_back(variable("v" + std::to_string(i)));
    ids += (i ? ", " : "") + std::to_string(i);
    heads += (i ? ", " : "") + ("[" + std::to_string(i) + ", 0, 0]");
  }
  Diagnostics diagnostics;
  std::vector<llvm::StringRef> nodes(variables.begin(), variables.end());
  auto graph = readText(graphText(nodes, "[" + ids + "]", "[" + heads + "]"), diagnostics);
  ASSERT_TRUE(graph) << diagnostics.str();
  std::string text = write(*graph);
  EXPECT_NE(text.find("\"arg_nodes\": [\n    0, \n    1, "), std::string::npos) << text;
  EXPECT_NE(text.find("\n    10\n  ], \n  \"node_row_ptr\": [\n    0, "), std::string::npos);
  auto again = readText(text, diagnostics);
  ASSERT_TRUE(again) << diagnostics.str();
  EXPECT_TRUE(sameGraph(*graph, *again));
}

TEST(SymbolWriter, AnUpgradedFileBecomesACurrentOne) {
  Diagnostics diagnostics;
  auto graph = readText(graphText({variable("x"), variable("gamma"), variable("beta"),
                                   R"({"op": "BatchNorm", "param": {"eps": "0.1"}, "name": "bn",
"inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1})"},
                                  "[0, 1, 2]", "[[3, 0]]"),
                        diagnostics, &Catalog);
  ASSERT_TRUE(graph) << diagnostics.str();
  std::string text = write(*graph);
  EXPECT_NE(text.find("\"node_row_ptr\": [0, 1, 2, 3, 4, 5, 8]"), std::string::npos) << text;
  EXPECT_NE(text.find("[\"int\", 10901]"), std::string::npos);
  auto again = readText(text, diagnostics, &Catalog);
  ASSERT_TRUE(again) << diagnostics.str();
  EXPECT_TRUE(sameGraph(*graph, *again));
  EXPECT_EQ(write(*again), text);
}

TEST(SymbolWriter, UnknownOutputCountsLeaveTheRowPtrOut) {
  Diagnostics diagnostics;
  auto graph =
      readText(graphText({R"({"op": "Unknown", "name": "u", "inputs": []})"}, "[]", "[[0, 0, 0]]"),
               diagnostics, &Catalog);
  ASSERT_TRUE(graph);
  EXPECT_EQ(write(*graph).find("node_row_ptr"), std::string::npos);
}

// Implied auxiliary states are left out again, and parameters and attributes of
// the user stay apart.
const char *StaticGraph = R"({
  "nodes": [
    {
      "op": "null", 
      "param": {}, 
      "name": "x", 
      "inputs": [], 
      "backward_source_id": -1
    }, 
    {
      "op": "null", 
      "param": {}, 
      "name": "gamma", 
      "inputs": [], 
      "backward_source_id": -1
    }, 
    {
      "op": "null", 
      "param": {}, 
      "name": "beta", 
      "inputs": [], 
      "backward_source_id": -1
    }, 
    {
      "op": "BatchNorm", 
      "param": {"eps": "0.1"}, 
      "name": "bn", 
      "inputs": [[0, 0], [1, 0], [2, 0]], 
      "backward_source_id": -1, 
      "attr": {"__ctx_group__": "a"}
    }, 
    {
      "op": "null", 
      "param": {}, 
      "name": "bn_0_grad", 
      "inputs": [], 
      "backward_source_id": -1
    }, 
    {
      "op": "null", 
      "param": {}, 
      "name": "bn_backward", 
      "inputs": [[4, 0], [0, 0], [3, 0]], 
      "backward_source_id": 3
    }, 
    {
      "op": "null", 
      "param": {}, 
      "name": "x_grad_agg", 
      "inputs": [[5, 0], [5, 1]], 
      "backward_source_id": -1
    }
  ], 
  "arg_nodes": [0, 1, 2, 4], 
  "heads": [[6, 0], [5, 2]]
})";

TEST(SymbolWriter, BackwardNodesAreWrittenAsStaticGraph) {
  Diagnostics diagnostics;
  auto graph = readText(StaticGraph, diagnostics, &Catalog);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_TRUE(hasBackwardNodes(*graph));
  EXPECT_EQ(graph->nodes.size(), 9u);
  EXPECT_EQ(write(*graph), StaticGraph);
}

} // namespace
