//===- UpgradesTest.cpp - files of earlier versions -----------------------===//
//
// Each upgrade step of MXNet 1.9.1: what it does, and that it leaves files at
// or above its threshold alone.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/Upgrades.h"

#include "Graphs.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::json;
using namespace symc::symbol;
using namespace symc::test;

namespace {

const std::string X = variable("x");
const FakeCatalog Catalog;

Graph read(llvm::ArrayRef<llvm::StringRef> nodes, llvm::StringRef argNodes, llvm::StringRef heads,
           llvm::StringRef version = "") {
  Diagnostics diagnostics;
  std::string more;
  if (!version.empty())
    more = (", \"attrs\": {\"mxnet_version\": [\"int\", " + version + "]}").str();
  auto graph = readText(graphText(nodes, argNodes, heads, more), diagnostics, &Catalog);
  EXPECT_TRUE(graph) << diagnostics.str();
  return graph ? std::move(*graph) : Graph();
}

std::string attrs(const Node &node) {
  std::string text;
  for (const Attribute *attribute : node.attrs.sorted())
    text += (text.empty() ? "" : " ") + attribute->key + "=" + attribute->value;
  return text;
}

std::string names(const Graph &graph, const std::vector<uint32_t> &ids) {
  std::string text;
  for (uint32_t id : ids)
    text += (text.empty() ? "" : " ") + graph.nodes[id].name;
  return text;
}

const char *FullyConnected = R"({"op": "FullyConnected", "name": "fc", "inputs": [[0, 0], [1, 0],
[2, 0]], "attr": {"lr_mult": "0.1", "weight_wd_mult": "0.2", "data_lr_mult": "7",
"other_lr_mult": "0.3", "lr_mult_x": "0.4", "ctx_group": "g", "num_hidden": "3"}})";

TEST(Upgrades, HiddenKeysAreRenamedOrMoved) {
  Graph graph = read({R"({"op": "Unknown", "name": "r", "inputs": []})", variable("w"),
                      variable("b"), FullyConnected},
                     "[1, 2]", "[[3, 0]]", "10900");
  // "data" is no variable here, "other" no input; both keys stay as they are.
  EXPECT_EQ(attrs(graph.nodes[3]), "__ctx_group__=g __lr_mult__=0.1 data_lr_mult=7 lr_mult_x=0.4 "
                                   "num_hidden=3 other_lr_mult=0.3");
  EXPECT_EQ(attrs(graph.nodes[1]), "__wd_mult__=0.2");
  EXPECT_EQ(graph.version, 10901);
  EXPECT_EQ(graph.fileVersion, 10900);
}

TEST(Upgrades, HiddenKeysOfCurrentFilesStay) {
  Graph graph =
      read({X, variable("w"), variable("b"), FullyConnected}, "[0, 1, 2]", "[[3, 0]]", "10901");
  EXPECT_EQ(graph.nodes[3].attrs.get("lr_mult"), llvm::StringRef("0.1"));
  EXPECT_EQ(attrs(graph.nodes[1]), "");
}

const char *BatchNorm = R"({"op": "BatchNorm", "name": "bn", "inputs": [[0, 0], [1, 0], [2, 0]],
"attr": {"eps": "0.1"}})";

TEST(Upgrades, MissingInputsBecomeVariables) {
  Graph graph = read({X, variable("gamma"), variable("beta"), BatchNorm,
                      R"({"op": "relu", "name": "y", "inputs": [[3, 0]]})"},
                     "[0, 1, 2]", "[[4, 0]]");
  EXPECT_EQ(names(graph, postOrder(graph)), "x gamma beta bn_moving_mean bn_moving_var bn y");
  EXPECT_EQ(names(graph, graph.argNodes), "x gamma beta bn_moving_mean bn_moving_var");
  const Node &mean = graph.nodes[3], &variance = graph.nodes[4];
  EXPECT_TRUE(mean.isVariable());
  EXPECT_TRUE(mean.implied);
  EXPECT_EQ(attrs(mean), "__init__=[\"zero\", {}] eps=0.1");
  EXPECT_EQ(attrs(variance), "__init__=[\"one\", {}] eps=0.1");
  EXPECT_EQ(mean.pos.line, 5u);
  EXPECT_EQ(graph.nodes[5].inputs[3].version, 0u);
  EXPECT_EQ(graph.nodes[6].inputs[0].node, 5u);
}

TEST(Upgrades, MissingInputsOfLaterFilesAreAnError) {
  EXPECT_EQ(
      messageFor(graphText({X, variable("gamma"), variable("beta"), BatchNorm}, "[0, 1, 2]",
                           "[[3, 0]]", ", \"attrs\": {\"mxnet_version\": [\"int\", 900]}"),
                 &Catalog),
      "5:29: error: node 'bn' ('BatchNorm') has 3 inputs, expected 5 | 5:29: note: its inputs "
      "are data, gamma, beta, moving_mean, moving_var");
}

TEST(Upgrades, InitialisersAreSetBefore094) {
  const char *node = R"({"op": "BatchNorm", "name": "bn",
"inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]]})";
  std::string given = R"({"op": "null", "name": "mean", "inputs": [],
"attr": {"__init__": "mine"}})";
  std::vector<std::string> variables{X, variable("gamma"), variable("beta"), given,
                                     variable("var")};
  std::vector<llvm::StringRef> nodes(variables.begin(), variables.end());
  nodes.push_back(node);
  Graph old = read(nodes, "[0, 1, 2, 3, 4]", "[[5, 0, 0]]", "903");
  EXPECT_EQ(attrs(old.nodes[3]), "__init__=mine");
  EXPECT_EQ(attrs(old.nodes[4]), "__init__=[\"one\", {}]");
  Graph later = read(nodes, "[0, 1, 2, 3, 4]", "[[5, 0, 0]]", "904");
  EXPECT_EQ(attrs(later.nodes[4]), "");
}

TEST(Upgrades, ArgmaxOverAxisMinusOneMeantAllBefore095) {
  auto axis = [](llvm::StringRef value, llvm::StringRef version) {
    std::string node = ("{\"op\": \"argmax\", \"name\": \"a\", \"inputs\": [[0, 0]], \"attr\": "
                        "{\"axis\": \"" +
                        value + "\"}}")
                           .str();
    return attrs(read({X, node}, "[0]", "[[1, 0]]", version).nodes[1]);
  };
  EXPECT_EQ(axis("-1", "904"), "");
  EXPECT_EQ(axis("1", "904"), "axis=1");
  EXPECT_EQ(axis("-1", "905"), "axis=-1");
}

TEST(Upgrades, BackwardNodesKeepTheirForwardNode) {
  Graph graph = read({X, variable("gamma"), variable("beta"), BatchNorm,
                      R"({"op": "null", "param": {}, "name": "bn_backward", "inputs": [[3, 0]],
"backward_source_id": 3})"},
                     "[0, 1, 2]", "[[4, 0]]");
  ASSERT_EQ(graph.nodes.size(), 7u);
  EXPECT_EQ(graph.nodes[6].backwardSource, 5);
  EXPECT_EQ(graph.nodes[6].inputs[0].node, 5u);
}

TEST(Upgrades, SubgraphsAreUpgradedToo) {
  std::string inner = graphText({X, R"({"op": "relu", "name": "r", "inputs": [[0, 0, 0]],
"attrs": {"lr_mult": "1"}})"},
                                "[0]", "[[1, 0, 0]]");
  Graph graph =
      read({X, R"({"op": "_foreach", "name": "f", "inputs": [[0, 0, 0]], "subgraphs": [)" + inner +
                   "]}"},
           "[0]", "[[1, 0, 0]]", "10200");
  EXPECT_EQ(attrs(graph.nodes[1].subgraphs[0].nodes[1]), "__lr_mult__=1");
}

TEST(Upgrades, ASmallFileMayNotBecomeLarge) {
  std::string concat =
      R"({"op": "Concat", "name": "c", "inputs": [[0, 0]], "attr": {"num_args": "4096"}})";
  std::vector<llvm::StringRef> nodes(20, concat);
  nodes[0] = X;
  std::string heads = "[[1, 0]";
  for (int i = 2; i < 20; ++i)
    heads += ", [" + std::to_string(i) + ", 0]";
  EXPECT_EQ(messageFor(graphText(nodes, "[0]", heads + "]"), &Catalog),
            "15:26: error: node 'c' ('Concat') has 1 inputs, expected 4096; the file lacks too "
            "many inputs to add them as variables");
}

TEST(Upgrades, TwiceIsOnce) {
  Graph graph = read({X, variable("gamma"), variable("beta"), BatchNorm}, "[0, 1, 2]", "[[3, 0]]");
  Graph again = graph;
  Diagnostics diagnostics;
  EXPECT_TRUE(upgradeGraph(again, &Catalog, diagnostics));
  EXPECT_TRUE(sameGraph(graph, again));
}

} // namespace
