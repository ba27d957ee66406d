//===- OutputsTest.cpp - graphs up to chosen outputs -----------------------===//
//
// If this fails, --outputs finds another output than MXNet's get_internals() has under a name,
// looks at what the outputs do not need, or answers a mistake by another sentence.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Outputs.h"
#include "Import.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/symbol/GraphChecks.h"
#include "ir/GraphDialect.h"

using namespace symc;
using namespace symc::test;

namespace {

using Names = std::vector<std::string>;

/// data -> conv -> bn -> split -> add -> loss, where `loss` is of no operator that there is; `fc`
/// is beside it. A second head is of a node with a wrong number of inputs.
std::string network() {
  return graphOf({Data, R"({"op": "null", "name": "conv_weight", "inputs": []})",
                  R"json({"op": "Convolution", "name": "conv", "attrs": {"kernel": "(1, 1)",
"num_filter": "4", "no_bias": "True"}, "inputs": [[0,0,0],[1,0,0]]})json",
                  R"({"op": "null", "name": "bn_gamma", "inputs": []})",
                  R"({"op": "null", "name": "bn_beta", "inputs": []})",
                  R"({"op": "null", "name": "bn_moving_mean", "inputs": []})",
                  R"({"op": "null", "name": "bn_moving_var", "inputs": []})",
                  R"({"op": "BatchNorm", "name": "bn",
"inputs": [[2,0,0],[3,0,0],[4,0,0],[5,0,1],[6,0,1]]})",
                  R"({"op": "SliceChannel", "name": "split", "attrs": {"num_outputs": "2"},
"inputs": [[7,0,0]]})",
                  R"({"op": "elemwise_add", "name": "add", "inputs": [[8,0,0],[8,1,0]]})",
                  R"({"op": "null", "name": "label", "inputs": []})",
                  R"({"op": "WarpCTC", "name": "loss", "inputs": [[9,0,0],[10,0,0]]})",
                  R"({"op": "exp", "name": "bad", "inputs": [[9,0,0],[10,0,0]]})"},
                 "[[11,0,0],[12,0,0]]");
}

/// A graph up to some outputs, or what was wrong.
struct Part {
  mlir::MLIRContext context;
  Diagnostics diagnostics;
  std::optional<symbol::Graph> graph;

  explicit Part(llvm::StringRef text, const Names &outputs,
                symbol::OutputNames kind = symbol::OutputNames::Outputs) {
    context.loadDialect<sg::SGDialect>();
    TableCatalog catalog(context);
    json::ReadOptions options{&catalog, true, {}, /*counts=*/false};
    auto read = json::readSymbol(llvm::MemoryBuffer::getMemBufferCopy(text), "net.json",
                                 diagnostics, options);
    if (read && symbol::chooseOutputs(*read, outputs, catalog, diagnostics, kind) &&
        symbol::checkGraph(*read, &catalog, diagnostics))
      graph = std::move(read);
  }
  std::string messages() const { return oneLine(diagnostics); }
  /// "conv bn:1": the heads; the names of all nodes that are left.
  std::string heads() const {
    std::string text;
    for (const symbol::Entry &head : graph->heads)
      text += (text.empty() ? "" : " ") + graph->nodes[head.node].name +
              (head.index ? ":" + std::to_string(head.index) : "");
    return text;
  }
  Names nodes() const {
    Names names;
    for (const symbol::Node &node : graph->nodes)
      names.push_back(node.name);
    return names;
  }
};

std::string headsOf(const Names &outputs) {
  Part part(network(), outputs);
  return part.graph ? part.heads() : part.messages();
}

TEST(Outputs, AreFoundByTheNamesOfInternals) {
  EXPECT_EQ(headsOf({"conv_output"}), "conv");
  EXPECT_EQ(headsOf({"split_output1", "split_output0"}), "split:1 split");
  EXPECT_EQ(headsOf({"bn_mean", "bn_var"}), "bn:1 bn:2"); // hidden ones
  EXPECT_EQ(headsOf({"data", "add_output", "conv_weight"}), "data add conv_weight");
}

TEST(Outputs, AreFoundByTheNamesOfNodes) {
  EXPECT_EQ(headsOf({"conv"}), "conv");
  EXPECT_EQ(headsOf({"bn"}), "bn");
  EXPECT_EQ(headsOf({"add,conv", "bn"}), "add conv bn");
  EXPECT_EQ(headsOf({" add , conv"}), "add conv");
}

TEST(Outputs, WhatTheyDoNotNeedIsGone) {
  Part part(network(), {"conv"});
  ASSERT_TRUE(part.graph) << part.messages();
  EXPECT_EQ(part.nodes(), (Names{"data", "conv_weight", "conv"}));
  EXPECT_EQ(part.graph->argNodes, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(part.graph->leftOut,
            (Names{"bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var", "label"}));
}

TEST(Outputs, OfUnknownOperatorsAreTheImportersAffair) {
  for (const char *name : {"loss", "loss_output"})
    EXPECT_EQ(headsOf({name}), "loss");
  ImportOptions options;
  options.randomWeights = true;
  Part part(network(), {"loss"});
  EXPECT_NE(Imported(*part.graph, options).messages().find("unknown operator 'WarpCTC'"),
            std::string::npos);
  EXPECT_EQ(headsOf({"bad"}),
            "17:23: error: node 'bad' ('exp') has 2 inputs, expected 1 | 17:23: note: its inputs "
            "are data");
}

TEST(Outputs, OfPredictorsAreNamedByNodesFirst) {
  Part part(network(), {"split_output1", "conv", "conv"}, symbol::OutputNames::Nodes);
  ASSERT_TRUE(part.graph) << part.messages();
  EXPECT_EQ(part.heads(), "split:1 conv conv");
  EXPECT_EQ(Part(network(), {"split"}, symbol::OutputNames::Nodes).messages(),
            "12:32: error: node 'split' ('SliceChannel') has 2 outputs; name one | 12:32: note: "
            "they are 'split_output0', 'split_output1'");
}

TEST(Outputs, ANameWithACommaIsFoundWhole) {
  std::string text = graphOf({Data, R"({"op": "exp", "name": "a,b", "inputs": [[0,0,0]]})",
                              R"({"op": "exp", "name": "a", "inputs": [[1,0,0]]})"},
                             "[[2,0,0]]");
  EXPECT_EQ(Part(text, {"a,b_output"}).heads(), "a,b");
  EXPECT_EQ(Part(text, {"a,b"}).heads(), "a,b");
  EXPECT_EQ(Part(text, {"a,data"}).heads(), "a data");
}

TEST(Outputs, UnknownOnesGetTheNearest) {
  EXPECT_EQ(headsOf({"convv_output"}),
            "error: no output is called 'convv_output'; did you mean 'conv_output'?");
  EXPECT_EQ(headsOf({"ad"}),
            "error: no output is called 'ad'; did you mean 'add_output' or 'bad_output'?");
  EXPECT_EQ(headsOf({"split_output2"}),
            "error: no output is called 'split_output2'; did you mean 'split_output0' or "
            "'split_output1'?");
  EXPECT_EQ(headsOf({"features", "conv", "dat"}),
            "error: no output is called 'features' | note: the last outputs of the graph are "
            "'bn_beta', 'bn_moving_mean', 'bn_moving_var', 'bn_output', 'split_output0', "
            "'split_output1', 'add_output', 'label', 'loss_output', 'bad_output' || error: no "
            "output is called 'dat'; did you mean 'data'?");
}

TEST(Outputs, ANameStandsForOneOutput) {
  EXPECT_EQ(headsOf({"split"}),
            "12:32: error: node 'split' ('SliceChannel') has 2 outputs; name one | 12:32: note: "
            "they are 'split_output0', 'split_output1'");
  EXPECT_EQ(headsOf({"conv", "conv"}),
            "error: output 'conv' is chosen twice | note: name each output once");
  EXPECT_EQ(headsOf({"conv", "conv_output"}),
            "error: 'conv' and 'conv_output' are one output | note: name each output once");
  std::string twice = graphOf({Data, R"({"op": "exp", "name": "e", "inputs": [[0,0,0]]})",
                               R"({"op": "exp", "name": "e", "inputs": [[1,0,0]]})"},
                              "[[2,0,0]]");
  EXPECT_EQ(Part(twice, {"e"}).messages(),
            "4:23: error: 2 outputs are called 'e' | 3:23: note: the first is that of node 'e' "
            "('exp') | 4:23: note: rename a node in the symbol file");
  EXPECT_EQ(Part(twice, {"e"}, symbol::OutputNames::Nodes).heads(), "e");
}

TEST(Outputs, LeftOutVariablesNeedNothingAndMayHaveValues) {
  params::MemoryWeights weights;
  std::vector<float> values(16);
  weights.add("arg:conv_weight", params::DType::F32, {4, 4, 1, 1}, values.data());
  weights.add("arg:bn_gamma", params::DType::F32, {4}, values.data());
  weights.add("aux:bn_moving_mean", params::DType::F32, {4}, values.data());
  ImportOptions options;
  options.weights = {&weights};
  options.shapes["data"] = {DimSpec::fixed(1), DimSpec::fixed(4), DimSpec::fixed(2),
                            DimSpec::fixed(2)};
  EXPECT_EQ(Imported(*Part(network(), {"conv"}).graph, options).messages(), "");
  options.shapes["label"] = {DimSpec::fixed(1)};
  options.dtypes["label"] = options.dtypes["bn_beta"] = "float32";
  EXPECT_EQ(Imported(*Part(network(), {"conv"}).graph, options).messages(),
            "warning: the shape of 'label' is ignored: no chosen output needs that variable || "
            "warning: the type of 'bn_beta' is ignored: no chosen output needs that variable");
  options.shapes.erase("label");
  options.dtypes.clear();
  weights.add("arg:stranger", params::DType::F32, {4}, values.data());
  EXPECT_EQ(Imported(*Part(network(), {"conv"}).graph, options).messages().substr(0, 67),
            "error: an array belongs to no variable of the graph: 'arg:stranger'");
}

} // namespace
