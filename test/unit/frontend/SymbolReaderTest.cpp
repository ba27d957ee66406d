//===- SymbolReaderTest.cpp - symbol JSON -> Graph ------------------------===//
//
// The three layouts, the kinds of nodes in StaticGraph files, subgraphs, and
// every message about the structure of a file.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolReader.h"

#include "Graphs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::json;
using namespace symc::symbol;
using namespace symc::test;

namespace {

const std::string X = variable("x");

TEST(SymbolReader, ReadsTheNnvmLayout) {
  Diagnostics diagnostics;
  auto graph = readText(graphText({X, R"({"op": "relu", "name": "y", "attrs": {"k": "v"},
    "inputs": [[0, 0, 1]], "control_deps": [0]})"},
                                  "[0]", "[[1, 0, 0]]",
                                  R"(, "node_row_ptr": [0, 1, 3], "attrs": {
    "mxnet_version": ["int", 10700], "is_np_shape": ["int", 1], "l": ["list_int", [1, 2]],
    "s": ["str", "t"], "ls": ["list_str", ["a"]]})"),
                        diagnostics, nullptr, /*upgrade=*/false);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_EQ(oneLine(diagnostics), "");
  EXPECT_EQ(graph->layout, Layout::NnvmAttrs);
  EXPECT_EQ(graph->fileVersion, 10700);
  EXPECT_TRUE(graph->isNumpyShape());
  EXPECT_EQ(graph->findAttr("l")->ints, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(graph->findAttr("ls")->strings, std::vector<std::string>{"a"});
  ASSERT_EQ(graph->nodes.size(), 2u);
  const Node &node = graph->nodes[1];
  EXPECT_EQ(node.kind, NodeKind::Operator);
  EXPECT_EQ(node.attrs.get("k"), llvm::StringRef("v"));
  EXPECT_EQ(node.inputs[0].version, 1u);
  EXPECT_EQ(node.controlDeps, std::vector<uint32_t>{0});
  EXPECT_EQ(node.outputCount, 2u);
  EXPECT_EQ(node.pos.line, 3u);
  EXPECT_EQ(node.opPos.column, 8u);
  EXPECT_EQ(node.namePos.column, 24u);
}

TEST(SymbolReader, ReadsTheEarlyNnvmLayout) {
  Diagnostics diagnostics;
  auto graph = readText(
      graphText({X, R"({"op": "relu", "name": "y", "attr": {"k": "v"}, "inputs": [[0, 0, 0]]})"},
                "[0]", "[[1, 0, 0]]"),
      diagnostics);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_EQ(graph->layout, Layout::NnvmAttr);
  EXPECT_EQ(graph->fileVersion, 800);
  EXPECT_EQ(graph->nodes[1].attrs.get("k"), llvm::StringRef("v"));
}

TEST(SymbolReader, ReadsTheStaticGraphLayout) {
  Diagnostics diagnostics;
  auto graph = readText(
      graphText({R"({"op": "null", "param": {}, "name": "x", "inputs": [],
    "backward_source_id": -1, "attr": {"ctx_group": "a"}})",
                 R"({"op": "relu", "param": {"p": "1", "q": "2"}, "name": "y", "inputs": [[0, 0]],
    "backward_source_id": -1, "attr": {"q": "3"}})",
                 R"({"op": "null", "param": {}, "name": "y_0_grad", "inputs": [],
    "backward_source_id": -1})",
                 R"({"op": "null", "param": {}, "name": "y_backward", "inputs": [[2, 0], [1, 0]],
    "backward_source_id": 1})",
                 R"({"op": "null", "param": {}, "name": "x_grad_agg", "inputs": [[3, 0], [3, 0]],
    "backward_source_id": -1})"},
                "[0, 2]", "[[4, 0]]"),
      diagnostics, nullptr, /*upgrade=*/false);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_EQ(graph->layout, Layout::StaticGraph);
  EXPECT_EQ(graph->nodes[0].kind, NodeKind::Variable);
  EXPECT_EQ(graph->nodes[3].kind, NodeKind::Backward);
  EXPECT_EQ(graph->nodes[3].backwardSource, 1);
  EXPECT_EQ(graph->nodes[4].kind, NodeKind::GradientSum);
  // Where both hold a key, "attr" wins over "param".
  EXPECT_EQ(graph->nodes[1].attrs.get("q"), llvm::StringRef("3"));
  EXPECT_EQ(graph->nodes[1].attrs.count(), 2u);
  EXPECT_EQ(graph->nodes[1].attrs.find("p")->owner, AttributeOwner::Operator);
  EXPECT_EQ(graph->nodes[1].attrs.find("q")->owner, AttributeOwner::User);
  EXPECT_EQ(postOrder(*graph), (std::vector<uint32_t>{2, 0, 1, 3, 4}));
}

TEST(SymbolReader, ReadsSubgraphs) {
  Diagnostics diagnostics;
  std::string inner = graphText({X}, "[0]", "[[0, 0, 0]]");
  auto graph = readText(graphText({X, R"({"op": "_foreach", "name": "f", "inputs": [[0, 0, 0]],
    "subgraphs": [)" + inner + ", " + inner +
                                          "]}"},
                                  "[0]", "[[1, 0, 0]]", Version1),
                        diagnostics);
  ASSERT_TRUE(graph) << diagnostics.str();
  ASSERT_EQ(graph->nodes[1].subgraphs.size(), 2u);
  EXPECT_EQ(graph->nodes[1].subgraphs[1].nodes[0].name, "x");
  EXPECT_EQ(graph->nodes[1].subgraphs[1].fileVersion, 10901);
}

TEST(SymbolReader, NodesMayReferForward) {
  Diagnostics diagnostics;
  auto graph = readText(
      graphText({R"({"op": "relu", "name": "y", "inputs": [[1, 0, 0]]})", X}, "[1]", "[[0, 0, 0]]"),
      diagnostics);
  ASSERT_TRUE(graph) << diagnostics.str();
  EXPECT_EQ(postOrder(*graph), (std::vector<uint32_t>{1, 0}));
}

TEST(SymbolReader, NamesFilesOfOtherKinds) {
  EXPECT_EQ(messageFor(llvm::StringRef("\x12\x01\0\0\0\0\0\0", 8)),
            "error: expected a symbol file (JSON), got a parameter file (NDArray list)");
  EXPECT_EQ(messageFor("PK\x03\x04"), "error: expected a symbol file (JSON), got a zip archive, "
                                      "perhaps an .npz of parameters");
  EXPECT_EQ(messageFor("\x1f\x8b"), "error: expected a symbol file (JSON), got a gzip file");
  EXPECT_EQ(messageFor("version https://git-lfs.github.com/spec/v1"),
            "error: expected a symbol file (JSON), got a Git LFS pointer, not the file itself");
}

TEST(SymbolReader, LimitsTheSizeOfAFile) {
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("symc", "json", descriptor, path));
  llvm::FileRemover remover(path);
  // A sparse file: it takes no space.
  ASSERT_FALSE(llvm::sys::fs::resize_file_sparse(descriptor, uint64_t(1) << 31));
  llvm::sys::fs::file_t file = llvm::sys::fs::convertFDToNativeFile(descriptor);
  llvm::sys::fs::closeFile(file);
  Diagnostics diagnostics;
  EXPECT_FALSE(readSymbolFile(path, diagnostics));
  EXPECT_EQ(oneLine(diagnostics),
            "error: the file has 2147483648 bytes, more than the limit of 2 GiB for a graph");
}

TEST(SymbolReader, ReportsTheStructureOfGraphs) {
  EXPECT_EQ(messageFor("[]"), "1:1: error: expected an object as graph, got an array");
  EXPECT_EQ(messageFor("{}"), "1:1: error: the graph has no field 'nodes', 'arg_nodes', 'heads'");
  EXPECT_EQ(messageFor(R"({"nodes": "n", "arg_nodes": [], "heads": []})"),
            "1:11: error: expected an array as nodes of the graph, got a string");
  EXPECT_EQ(messageFor(R"({"nodes": [], "arg_nodes": [], "heads": []})"),
            "1:11: error: the graph has no nodes");
  EXPECT_EQ(messageFor(graphText({X}, "{}", "{}")),
            "3:14: error: expected an array as arg_nodes of the graph, got an object || "
            "3:27: error: expected an array as heads of the graph, got an object");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[]")),
            "3:28: error: the graph has no heads, so it computes nothing | "
            "3:28: note: \"heads\" lists the outputs as [node, output, 0]");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[[0, 0, 0]]", ", \"head\": 1")),
            "3:41: error: unknown field 'head' in the graph | 3:41: note: did you mean 'heads'?");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[[0, 0, 0]]", ", \"extra\": 1")),
            "3:41: error: unknown field 'extra' in the graph | "
            "3:41: note: known fields are nodes, arg_nodes, heads, node_row_ptr, attrs");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[[0, 0, 0]]", ", \"heads\": []")),
            "3:41: error: field 'heads' is given twice in the graph | "
            "3:28: note: the first one is here");
}

TEST(SymbolReader, ReportsTheStructureOfNodes) {
  auto node = [](llvm::StringRef text) {
    return messageFor(graphText({text}, "[]", "[[0, 0, 0]]"));
  };
  EXPECT_EQ(node("7"), "2:1: error: expected an object as node 0, got a number");
  EXPECT_EQ(node("{}"), "2:1: error: node 0 has no field 'op', 'name', 'inputs'");
  EXPECT_EQ(node(R"({"name": "y", "inputs": []})"), "2:1: error: node 'y' has no field 'op'");
  EXPECT_EQ(node(R"({"op": null, "name": true, "inputs": false})"),
            "2:22: error: expected a string as name of node 0, got true || "
            "2:8: error: expected a string as operator of node '', got null || "
            "2:38: error: expected an array as inputs of node '', got false");
  EXPECT_EQ(node(R"({"op": "", "name": "y", "inputs": []})"),
            "2:8: error: node 'y' has an empty operator name | 2:8: note: an operator has a name "
            "such as \"Convolution\"; a variable has \"null\"");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "extra": 1})"),
            "2:43: error: unknown field 'extra' in node 0 | 2:43: note: known fields are op, name, "
            "inputs, attrs, attr, param, control_deps, subgraphs, backward_source_id");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "attrs": {"a": 5, "b": []}})"),
            "2:58: error: expected a string as attribute 'a' of node 'y', got a number | "
            "2:58: note: attribute values are strings: write \"5\" || "
            "2:66: error: expected a string as attribute 'b' of node 'y', got an array");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "attrs": {"a": "1", "a": "2"}})"),
            "2:63: error: attribute 'a' is given twice in node 'y' | "
            "2:53: note: the first one is here");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "attrs": 1, "attr": 2, "param": 3,
"control_deps": 4, "subgraphs": 5})"),
            "2:52: error: expected an object as 'attrs' of node 'y', got a number || "
            "2:63: error: expected an object as 'attr' of node 'y', got a number || "
            "2:75: error: expected an object as 'param' of node 'y', got a number || "
            "3:17: error: expected an array as control_deps of node 'y', got a number || "
            "3:33: error: expected an array as subgraphs of node 'y', got a number");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "control_deps": ["x"]})"),
            "2:60: error: expected a number of 0 or more as control dependency of node 'y', "
            "got a string");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "backward_source_id": "x"})"),
            "2:65: error: expected a node id, or -1, as backward_source_id of node 'y', got \"x\"");
  EXPECT_EQ(node(R"({"op": "relu", "name": "y", "inputs": [], "backward_source_id": 0})"),
            "2:65: error: node 'y' has backward_source_id 0 and operator 'relu' | "
            "2:65: note: the operator of a backward node is \"null\"");
  EXPECT_EQ(messageFor(graphText({X, R"({"op": "null", "name": "y", "inputs": [[0, 0, 0]]})"},
                                 "[0]", "[[1, 0, 0]]")),
            "3:40: error: variable 'y' has 1 inputs, expected none");
}

TEST(SymbolReader, LimitsAttributesOfANode) {
  std::string attrs;
  for (int i = 0; i < 4097; ++i)
    attrs += (i ? ", \"" : "\"") + std::to_string(i) + "\": \"\"";
  EXPECT_EQ(messageFor(graphText(
                {R"({"op": "null", "name": "x", "inputs": [], "attrs": {)" + attrs + "}}"}, "[0]",
                "[[0, 0, 0]]")),
            "2:52: error: expected at most 4096 attributes in node 'x', got 4097");
}

TEST(SymbolReader, ReportsTheStructureOfEntries) {
  auto input = [](llvm::StringRef text) {
    std::string node = R"({"op": "relu", "name": "y", "inputs": [)" + text.str() + "]}";
    return messageFor(graphText({X, node}, "[0]", "[[1, 0, 0]]"));
  };
  std::string note = " | 3:40: note: the first number is a node's place in \"nodes\", from 0";
  EXPECT_EQ(input("0"), "3:40: error: expected an array as input 0 of node 'y', got a number");
  EXPECT_EQ(input("[0]"), "3:40: error: expected [node, output] or [node, output, version] as "
                          "input 0 of node 'y', got an array of 1" +
                              note);
  EXPECT_EQ(input("[0, 0, 0, 0]"), "3:40: error: expected [node, output] or [node, output, "
                                   "version] as input 0 of node 'y', got an array of 4" +
                                       note);
  EXPECT_EQ(input("[-1, 0]"), "3:41: error: expected a number of 0 or more as node id of input 0 "
                              "of node 'y', got -1");
  EXPECT_EQ(input("[0, 1.5]"), "3:44: error: expected a number of 0 or more as output number of "
                               "input 0 of node 'y', got 1.5");
  EXPECT_EQ(input("[0, 0, \"a\"]"), "3:47: error: expected a number of 0 or more as version of "
                                    "input 0 of node 'y', got a string");
  EXPECT_EQ(messageFor(graphText({X}, "[0]", "[[\"a\", 0, 0]]")),
            "3:30: error: expected a number of 0 or more as node id of head 0, got a string");
}

TEST(SymbolReader, ReportsArgNodesAtTheirPlace) {
  EXPECT_EQ(messageFor(graphText({X}, "[0, 3]", "[[0, 0, 0]]")),
            "3:18: error: arg_nodes refers to node 3, but the graph has 1 nodes");
  EXPECT_EQ(messageFor(graphText({X}, "[null]", "[[0, 0, 0]]")),
            "3:15: error: expected a number of 0 or more as element of arg_nodes, got null");
  EXPECT_EQ(messageFor(graphText({X, R"({"op": "relu", "name": "y", "inputs": [[0, 0, 0]]})"},
                                 "[0, 1]", "[[1, 0, 0]]")),
            "4:18: error: arg_nodes lists node 'y' ('relu'), expected variables only | "
            "3:1: note: node 1 is here");
}

TEST(SymbolReader, IgnoresAWrongRowPtrLoudly) {
  auto rowPtr = [](llvm::StringRef text) {
    return messageFor(graphText({X}, "[0]", "[[0, 0, 0]]", ", \"node_row_ptr\": " + text.str()));
  };
  EXPECT_EQ(rowPtr("[0, 1]"), "");
  EXPECT_EQ(rowPtr("[0]"), "3:57: warning: node_row_ptr is ignored: it has 1 elements, but 1 "
                           "nodes need 2");
  EXPECT_EQ(rowPtr("[1, 0]"),
            "3:57: warning: node_row_ptr is ignored: it does not count up from 0");
  EXPECT_EQ(rowPtr("{}"), "3:57: error: expected an array as node_row_ptr, got an object");
  EXPECT_EQ(rowPtr("[0, -1]"), "3:61: error: expected a number of 0 or more as element of "
                               "node_row_ptr, got -1");
}

TEST(SymbolReader, ReportsGraphAttributes) {
  auto attrs = [](llvm::StringRef text) {
    return messageFor(graphText({X}, "[0]", "[[0, 0, 0]]", ", \"attrs\": " + text.str()));
  };
  std::string note = " | 3:56: note: types are \"int\", \"str\", \"list_int\" and \"list_str\"; an "
                     "example is [\"int\", 10901]";
  EXPECT_EQ(attrs("[]"), "3:50: error: expected an object as \"attrs\" of the graph, got an array");
  for (const char *bad :
       {"5", "[\"int\"]", "[\"int\", 1, 2]", "[\"real\", 1]", "[\"int\", \"a\"]", "[\"str\", 5]",
        "[\"int\", [1]]", "[\"list_int\", 1]", "[\"list_str\", [1]]"})
    EXPECT_EQ(attrs("{\"a\": " + std::string(bad) + "}"),
              "3:56: error: expected [type, value] as attribute 'a' of the graph" + note);
  EXPECT_EQ(attrs(R"({"a": ["int", 1], "a": ["int", 1]})"),
            "3:50: error: attribute 'a' is given twice in the graph");
  EXPECT_EQ(attrs(R"({"mxnet_version": ["int", 30100]})"),
            "3:68: warning: the file has MXNet version 30100, which is newer than any known "
            "(20000)");
}

} // namespace
