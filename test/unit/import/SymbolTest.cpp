//===- SymbolTest.cpp - symbols that a program composes -------------------===//
//
// Composition by MXNet's rules over the op table: which variables are made and what they are
// called, what shares nodes, what each mistake says.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Symbol.h"
#include "frontend/import/Facts.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/symbol/GraphChecks.h"
#include "ir/GraphDialect.h"
#include "gtest/gtest.h"

using namespace symc;
using symbol::Symbol;
using Names = std::vector<std::string>;

namespace {

class SymbolTest : public testing::Test {
protected:
  SymbolTest() : catalog(context) { context.loadDialect<sg::SGDialect>(); }

  using Strings = std::initializer_list<std::pair<const char *, const char *>>;
  static symbol::AttributeMap attributes(Strings list) {
    symbol::AttributeMap map;
    for (auto [key, value] : list)
      map.append({key, value, {}, {}});
    return map;
  }
  Symbol create(const char *op, Strings list = {}) {
    auto made = Symbol::create(op, attributes(list), catalog, message);
    EXPECT_TRUE(made) << message;
    return made.value_or(Symbol());
  }
  Symbol compose(const Symbol &symbol, const char *name, std::vector<Symbol> inputs,
                 std::vector<std::pair<std::string, Symbol>> keywords = {}) {
    auto made = symbol.compose(name, inputs, keywords, catalog, message);
    EXPECT_TRUE(made) << message;
    return made.value_or(Symbol());
  }
  std::string mistake(const Symbol &symbol, std::vector<Symbol> inputs,
                      std::vector<std::pair<std::string, Symbol>> keywords = {}) {
    return symbol.compose("node", inputs, keywords, catalog, message) ? "none" : message;
  }
  Symbol connected(const Symbol &data, const char *name, const char *units) {
    return compose(create("FullyConnected", {{"num_hidden", units}}), name, {data});
  }
  /// Of a graph that checks find sound.
  SymbolFacts factsOf(const Symbol &symbol) {
    symbol::Graph graph = symbol.toGraph();
    Diagnostics diagnostics;
    EXPECT_TRUE(checkGraph(graph, &catalog, diagnostics));
    auto facts = symbolFacts(graph, context, diagnostics);
    EXPECT_TRUE(facts) << diagnostics.str();
    return facts.value_or(SymbolFacts());
  }

  mlir::MLIRContext context;
  TableCatalog catalog;
  std::string message;
};

TEST_F(SymbolTest, WhatIsMissingBecomesVariables) {
  Symbol data = Symbol::variable("data"), hidden = connected(data, "fc1", "8");
  Symbol active = compose(create("Activation", {{"act_type", "relu"}}), "relu1", {hidden});
  Symbol net = compose(create("SoftmaxOutput"), "softmax", {connected(active, "fc2", "3")});
  SymbolFacts facts = factsOf(net);
  EXPECT_EQ(facts.arguments,
            (Names{"data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias", "softmax_label"}));
  EXPECT_EQ(facts.outputs, Names{"softmax_output"});
  // With the operator's attributes.
  Symbol weight = net.internals().output(1);
  EXPECT_EQ(weight.name(), "fc1_weight");
  EXPECT_EQ(weight.attribute("num_hidden"), "8");
}

TEST_F(SymbolTest, KeywordsFillThePlacesBehindPositions) {
  Symbol weight = Symbol::variable("w");
  Symbol net =
      compose(create("FullyConnected", {{"num_hidden", "8"}}), "fc", {Symbol::variable("x")},
              {{"bias", Symbol::variable("b")}, {"weight", weight}});
  EXPECT_EQ(factsOf(net).arguments, (Names{"x", "w", "b"}));
}

TEST_F(SymbolTest, StatesGetTheirFirstValues) {
  Symbol norm = compose(create("BatchNorm"), "bn", {Symbol::variable("x")});
  EXPECT_EQ(factsOf(norm).auxiliaryStates, (Names{"bn_moving_mean", "bn_moving_var"}));
  Symbol all = norm.internals();
  EXPECT_EQ(all.output(4).attribute("__init__"), "[\"one\", {}]");
  EXPECT_EQ(all.output(0).attribute("__init__"), std::nullopt);
}

TEST_F(SymbolTest, EntriesTellAfterHowManyWritesTheyRead) {
  Symbol mean = Symbol::variable("mean"), x = Symbol::variable("x");
  Symbol first = compose(create("BatchNorm"), "a", {x}, {{"moving_mean", mean}});
  Symbol second = compose(create("BatchNorm"), "b", {first}, {{"moving_mean", mean}});
  symbol::Graph graph = second.toGraph();
  EXPECT_EQ(graph.nodes.back().inputs[3].version, 2u);
  EXPECT_EQ(graph.nodes.back().inputs[1].version, 0u);
  EXPECT_EQ(mistake(create("BatchNorm"), {x, x, x, first, mean}),
            "input 'moving_mean' of 'BatchNorm' is a state, needs a variable, got node 'a' "
            "('BatchNorm')");
}

TEST_F(SymbolTest, CuttingLeavesTheMarkedNodes) {
  Symbol outside = compose(create("exp"), "e", {Symbol::variable("x")});
  Symbol inside = compose(create("elemwise_mul", {{"__mark__", "1"}}), "p", {outside, outside});
  EXPECT_EQ(inside.cut("none", catalog).numOutputs(), 0u);
  Symbol read = inside.cut("__mark__", catalog);
  ASSERT_EQ(read.numOutputs(), 1u);
  EXPECT_EQ(read.name(), "e");
  EXPECT_EQ(factsOf(inside).arguments, Names{"e_output"});
  EXPECT_EQ(inside.attribute("op_name"), "elemwise_mul");
}

TEST_F(SymbolTest, OnlyWaitingOperatorsTakeSubgraphs) {
  Symbol body = compose(create("exp"), "e", {Symbol::variable("x")});
  Symbol owner = create("_foreach", {{"num_args", "3"},
                                     {"num_outputs", "1"},
                                     {"num_out_data", "1"},
                                     {"in_data_locs", "[0]"},
                                     {"in_state_locs", "[]"},
                                     {"remain_locs", "[]"}});
  EXPECT_TRUE(owner.setSubgraphs({body.toGraph()}));
  EXPECT_EQ(owner.toGraph().nodes.front().subgraphs.size(), 1u);
  EXPECT_FALSE(body.setSubgraphs({body.toGraph()}));
}

TEST_F(SymbolTest, ManyInputsAreCounted) {
  Symbol a = Symbol::variable("a"), b = Symbol::variable("b");
  Symbol sum = compose(create("Concat", {{"num_args", "2"}}), "both", {a, b});
  EXPECT_EQ(factsOf(sum).arguments, (Names{"a", "b"}));
}

TEST_F(SymbolTest, VariablesOfASymbolAreReplacedWhereverTheyAreRead) {
  Symbol inner = compose(create("Activation", {{"act_type", "relu"}}), "inner",
                         {connected(Symbol::variable("x"), "fc2", "4")});
  Symbol outer = connected(Symbol::variable("data"), "fc1", "3");
  Symbol both = compose(outer, "outer", {}, {{"data", inner}});
  SymbolFacts facts = factsOf(both);
  EXPECT_EQ(facts.inputs, (Names{"x", "fc2_weight", "fc2_bias", "fc1_weight", "fc1_bias"}));
  EXPECT_EQ(facts.outputs, Names{"outer_output"});
  // The symbols that it is made of are what they were.
  EXPECT_EQ(factsOf(outer).inputs, (Names{"data", "fc1_weight", "fc1_bias"}));
  EXPECT_EQ(factsOf(outer).outputs, Names{"fc1_output"});
}

TEST_F(SymbolTest, HeadsThatAreVariablesAreReplacedToo) {
  Symbol x = Symbol::variable("x"), y = Symbol::variable("y");
  Symbol pair = Symbol::group({x, compose(create("relu"), "r", {x})});
  Symbol other = compose(pair, "", {}, {{"x", y}});
  EXPECT_EQ(factsOf(other).outputs, (Names{"y", "r_output"}));
}

TEST_F(SymbolTest, PartsShareTheirNodesAndCopiesDoNot) {
  Symbol x = Symbol::variable("x"), net = connected(x, "fc", "2"), copy = net.copy();
  EXPECT_TRUE(x.setAttribute("__lr_mult__", "2"));
  EXPECT_EQ(net.internals().output(0).attribute("__lr_mult__"), "2");
  EXPECT_EQ(copy.internals().output(0).attribute("__lr_mult__"), std::nullopt);
  EXPECT_EQ(net.children().numOutputs(), 3u);
  EXPECT_EQ(x.children().numOutputs(), 0u);
  Symbol pair = Symbol::group({x, net});
  EXPECT_EQ(pair.name(), std::nullopt);
  EXPECT_FALSE(pair.setAttribute("key", "value"));
}

TEST_F(SymbolTest, OutputsOfOneNodeAreTakenOneByOne) {
  Symbol parts =
      compose(create("SliceChannel", {{"num_outputs", "3"}}), "cut", {Symbol::variable("x")});
  ASSERT_EQ(parts.numOutputs(), 3u);
  Symbol last = compose(create("relu"), "r", {parts.output(2)});
  EXPECT_EQ(last.toGraph().nodes.back().inputs.front().index, 2u);
  // A variable behind it is replaced without a change of the output that is read.
  Symbol other = compose(last, "", {}, {{"x", Symbol::variable("y")}});
  EXPECT_EQ(other.toGraph().nodes.back().inputs.front().index, 2u);
}

TEST_F(SymbolTest, GraphsComeBack) {
  Symbol net =
      compose(create("SoftmaxOutput"), "softmax", {connected(Symbol::variable("x"), "fc", "2")});
  symbol::Graph graph = net.toGraph();
  Symbol again = Symbol::fromGraph(graph, catalog);
  EXPECT_TRUE(sameGraph(again.toGraph(), graph));
  EXPECT_EQ(again.internals().numOutputs(), net.internals().numOutputs());
}

TEST_F(SymbolTest, MistakesSayWhatIsWrong) {
  Symbol x = Symbol::variable("x"), layer = create("FullyConnected", {{"num_hidden", "2"}});
  Symbol parts = create("SliceChannel", {{"num_outputs", "3"}}), none;
  EXPECT_FALSE(Symbol::create("FullyConected", {}, catalog, message));
  EXPECT_EQ(message, "unknown operator 'FullyConected'; did you mean 'FullyConnected'?");
  EXPECT_FALSE(
      Symbol::create("FullyConnected", attributes({{"num_hiden", "2"}}), catalog, message));
  EXPECT_EQ(message,
            "unknown parameter 'num_hiden' in node 'FullyConnected'; did you mean 'num_hidden'?");
  EXPECT_FALSE(Symbol::create("FullyConnected", {}, catalog, message));
  EXPECT_EQ(message, "node 'FullyConnected' lacks the parameter 'num_hidden'");
  EXPECT_EQ(mistake(layer, {parts}), "input 0 has 3 outputs, needs one of them");
  EXPECT_EQ(mistake(layer, {}, {{"data", parts}}),
            "argument 'data' has 3 outputs, needs one of them");
  EXPECT_EQ(mistake(layer, {}, {{"data", x}, {"data", x}}), "argument 'data' is given twice");
  EXPECT_EQ(mistake(layer, {x, x, x, x}),
            "'FullyConnected' takes 3 inputs ('data', 'weight', 'bias'), found 4");
  EXPECT_EQ(mistake(layer, {x}, {{"wight", x}}),
            "'FullyConnected' has no argument 'wight'; its arguments are 'data', 'weight', 'bias'");
  EXPECT_EQ(mistake(layer, {x}, {{"data", x}}),
            "argument 'data' of 'FullyConnected' is given by position and by keyword");
  EXPECT_EQ(mistake(x, {}, {{"x", x}}), "variable 'x' cannot be composed: it reads nothing");
  EXPECT_EQ(
      mistake(create("_npi_ediff1d"), {x}, {{"to_end", x}}),
      "'_npi_ediff1d' takes any number of inputs, by position alone; 'to_end' is given by keyword");
  Symbol net = compose(layer, "fc", {x});
  EXPECT_EQ(mistake(net, {x}), "a symbol that has its inputs takes others by keyword alone");
  EXPECT_EQ(mistake(net, {}, {{"y", x}}),
            "the symbol reads no variable 'y'; it reads 'x', 'fc_weight', 'fc_bias'");
}

TEST_F(SymbolTest, WhatFailedCanBeComposedStill) {
  Symbol layer = create("FullyConnected", {{"num_hidden", "2"}}), x = Symbol::variable("x");
  EXPECT_NE(mistake(layer, {x, x, x, x}), "none");
  EXPECT_EQ(factsOf(compose(layer, "fc", {x})).arguments, (Names{"x", "fc_weight", "fc_bias"}));
}

TEST_F(SymbolTest, ChainsAreAsLongAsMemory) {
  Symbol chain = Symbol::variable("x"), relu = create("relu");
  for (int i = 0; i < 100000; ++i)
    chain = *relu.compose("r", {chain}, {}, catalog, message);
  EXPECT_EQ(chain.internals().numOutputs(), 100001u);
  EXPECT_EQ(chain.toGraph().nodes.size(), 100001u);
  EXPECT_EQ(chain.copy().numOutputs(), 1u);
}

TEST(NameManager, CountsHintsAndPutsItsPrefixInFront) {
  symbol::NameManager names, prefixed("stage1_");
  EXPECT_EQ(names.get("", "convolution"), "convolution0");
  EXPECT_EQ(names.get("", "activation"), "activation0");
  EXPECT_EQ(names.get("conv", "convolution"), "conv");
  EXPECT_EQ(names.get("", "convolution"), "convolution1");
  EXPECT_EQ(prefixed.get("", "pooling"), "stage1_pooling0");
  EXPECT_EQ(prefixed.get("fc", "fullyconnected"), "stage1_fc");
}

} // namespace
