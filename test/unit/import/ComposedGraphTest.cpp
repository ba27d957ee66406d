//===- ComposedGraphTest.cpp - graphs that a program makes ----------------===//
//
// A graph made in memory imports as one read from a file does, and messages about it
// name nodes, since there is no text to point into.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/symbol/GraphChecks.h"
#include "ir/GraphDialect.h"

using namespace symc;
using namespace symc::test;

namespace {

ImportOptions shaped() {
  ImportOptions options;
  options.randomWeights = true;
  options.shapes["data"] = {DimSpec::fixed(2), DimSpec::fixed(4)};
  return options;
}

/// data -> `op` with weight and bias -> head.
symbol::Graph layer(llvm::StringRef op, symbol::NamedStrings attributes) {
  symbol::Graph graph;
  graph.name = "net";
  symbol::Entry data = graph.addVariable("data");
  symbol::Entry weight = graph.addVariable("fc_weight"), bias = graph.addVariable("fc_bias");
  graph.heads = {graph.addNode(op, "fc", {data, weight, bias}, attributes)};
  return graph;
}

/// The messages of checking and importing `graph`.
std::string messagesOf(const symbol::Graph &graph) {
  mlir::MLIRContext context;
  context.loadDialect<sg::SGDialect>();
  Diagnostics diagnostics;
  TableCatalog catalog(context);
  if (checkGraph(graph, &catalog, diagnostics))
    (void)importGraph(graph, shaped(), context, diagnostics);
  return diagnostics.str();
}

TEST(ComposedGraph, ImportsAsItsFileDoes) {
  Imported read(
      graphOf({Data, Weight, Bias, fullyConnected(R"({"num_hidden": "3"})").c_str()}, "[[3,0,0]]"),
      shaped());
  Imported made(layer("FullyConnected", {{"num_hidden", "3"}}), shaped());
  ASSERT_EQ(made.messages(), "");
  EXPECT_EQ(made.text(), read.text());
  // A name is all that tells where an operation comes from.
  EXPECT_NE(made.text(true).find("loc(\"fc\")"), std::string::npos) << made.text(true);
}

TEST(ComposedGraph, BodiesHaveNamesOfTheirOwn) {
  symbol::Graph body;
  body.name = "net";
  symbol::Entry x = body.addVariable("x"), state = body.addVariable("state");
  symbol::Entry sum = body.addNode("elemwise_add", "sum", {x, state});
  body.heads = {sum, sum};
  symbol::Graph graph;
  graph.name = "net";
  symbol::Entry data = graph.addVariable("data"), first = graph.addVariable("first");
  for (const char *name : {"scan0", "scan1"}) {
    symbol::Entry scan = graph.addNode("_foreach", name, {data, first},
                                       {{"num_args", "3"},
                                        {"num_outputs", "2"},
                                        {"num_out_data", "1"},
                                        {"in_data_locs", "(0,)"},
                                        {"in_state_locs", "(1,)"},
                                        {"remain_locs", "()"}});
    graph.nodes[scan.node].subgraphs.push_back(body);
    graph.heads.push_back(scan);
  }
  Imported made(graph, {});
  ASSERT_EQ(made.messages(), "");
  EXPECT_NE(made.text().find("bodies = [@body.2.0]"), std::string::npos) << made.text();
  EXPECT_NE(made.text().find("bodies = [@body.3.0]"), std::string::npos);
}

TEST(ComposedGraph, MessagesNameNodes) {
  EXPECT_EQ(messagesOf(layer("FullyConnectd", {{"num_hidden", "3"}})),
            "net: error: unknown operator 'FullyConnectd' in node 'fc'; did you mean "
            "'FullyConnected'?\n");
  EXPECT_EQ(
      messagesOf(layer("FullyConnected", {{"num_hiden", "3"}, {"num_hidden", "3"}})),
      "net: error: unknown parameter 'num_hiden' in node 'fc' ('FullyConnected'); did you mean "
      "'num_hidden'?\nnet: note: its parameters are 'num_hidden', 'no_bias', 'flatten'\n");
}

TEST(ComposedGraph, NotesThatOnlyPointAreLeftOut) {
  symbol::Graph graph;
  graph.name = "net";
  symbol::Entry first = graph.addVariable("x"), second = graph.addVariable("x");
  graph.heads = {graph.addNode("elemwise_add", "sum", {first, second})};
  EXPECT_EQ(messagesOf(graph),
            "net: error: two variables are called 'x', so a value or a shape "
            "cannot be given to either\nnet: error: a shape is given for 'data', "
            "but no input is called so\nnet: note: the graph's variables are 'x'\n");
  graph.nodes[1].name = "y";
  graph.heads[0].index = 3;
  EXPECT_EQ(messagesOf(graph), "net: error: head 0 is output 3 of node 'sum' ('elemwise_add'), "
                               "which has 1 output\n");
}

TEST(ComposedGraph, UnsoundGraphsAreRefused) {
  symbol::Graph graph = layer("FullyConnected", {{"num_hidden", "3"}});
  graph.nodes[3].inputs[1].node = 9;
  EXPECT_EQ(messagesOf(graph), "net: error: input 1 of node 'fc' ('FullyConnected') refers to node "
                               "9, but the graph has 4 nodes\n");
  graph.nodes[3].inputs[1].node = 3;
  EXPECT_EQ(messagesOf(graph), "net: error: node 'fc' ('FullyConnected') depends on itself\n"
                               "net: note: each takes an output of the next: 'fc' -> 'fc'\n");
  graph.heads.clear();
  EXPECT_EQ(messagesOf(graph), "net: error: the graph has no heads, so it computes nothing\n");
}

} // namespace
