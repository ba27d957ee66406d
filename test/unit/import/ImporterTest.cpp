//===- ImporterTest.cpp - nodes, inputs, outputs, heads -------------------===//
#include "Import.h"

using namespace symc;
using namespace symc::test;

namespace {

TEST(Importer, MakesAGraph) {
  ImportOptions options;
  options.randomWeights = true;
  options.shapes["data"] = {DimSpec::fixed(2), DimSpec::fixed(4)};
  Imported net(graphOf({Data, Weight, Bias, fullyConnected(R"({"num_hidden": "3"})").c_str(), Label,
                        R"({"op": "SoftmaxOutput", "name": "out", "inputs": [[3,0,0],[4,0,0]]})"},
                       "[[5,0,0]]"),
               options);
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  for (const char *part :
       {"sg.weight @fc_weight : tensor<*x!sg.unknown> {random = ", "sg.role = \"weight\"}",
        "sg.graph @main(%arg0: tensor<2x4x!sg.unknown> {sg.name = \"data\"}, "
        "%arg1: tensor<*x!sg.unknown> {sg.name = \"out_label\", sg.optional}) -> "
        "(tensor<*x!sg.unknown> {sg.name = \"out_output\"})",
        "argument_order = [\"data\", \"fc_weight\", \"fc_bias\", \"out_label\"]",
        "%0 = sg.parameter @fc_weight : tensor<*x!sg.unknown>",
        "%2 = sg.fully_connected(%arg0, %0, %1) {num_hidden = 3 : i64} : ",
        "%3 = sg.softmax_output(%2, %arg1) : "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Importer, LocationsNameNodesAndLines) {
  Imported net(
      graphOf({Data, R"({"op": "Flatten", "name": "flat", "inputs": [[0,0,0]]})"}, "[[1,0,0]]"));
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text(true);
  EXPECT_NE(text.find("#loc2 = loc(\"net.json\":3:27)"), std::string::npos) << text;
  EXPECT_NE(text.find("loc(\"flat\"(#loc2))"), std::string::npos) << text;
}

TEST(Importer, HeadsAreNamedAsListOutputsDoes) {
  Imported net(graphOf({Data, R"({"op": "Flatten", "name": "flat", "inputs": [[0,0,0]]})"},
                       "[[1,0,0],[0,0,0]]"));
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("{sg.name = \"flat_output\"}"), std::string::npos);
  EXPECT_NE(net.text().find("{sg.name = \"data\"})"), std::string::npos);
}

TEST(Importer, NodesMayReferForward) {
  Imported net(
      graphOf({R"({"op": "Flatten", "name": "flat", "inputs": [[1,0,0]]})", Data}, "[[0,0,0]]"));
  EXPECT_EQ(net.messages(), "");
}

TEST(Importer, OneUnknownOperator) {
  Imported net(graphOf({Data, R"({"op": "Convoluton", "name": "conv0", "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(),
            "3:8: error: unknown operator 'Convoluton' in node 'conv0'; did you mean "
            "'Convolution'?");
}

// Dead in prediction, whoever computes it; what the head itself needs is not.
TEST(Importer, UnknownOperatorsOfLabels) {
  std::vector<const char *> nodes = {
      Data, R"({"op": "null", "name": "label", "inputs": []})",
      R"({"op": "NoSuchTarget", "name": "target", "inputs": [[1,0,0]]})",
      R"({"op": "Flatten", "name": "flat", "inputs": [[2,0,0]]})",
      R"({"op": "SoftmaxOutput", "name": "out", "inputs": [[0,0,0], [3,0,0]]})"};
  Imported dead(graphOf(nodes, "[[4,0,0]]"));
  EXPECT_EQ(dead.messages(), "");
  const char *unknown = "unknown operator 'NoSuchTarget' in node 'target'";
  Imported needed(graphOf(nodes, "[[4,0,0],[3,0,0]]"));
  EXPECT_NE(needed.messages().find(unknown), std::string::npos) << needed.messages();
  nodes.back() = R"({"op": "SoftmaxOutput", "name": "out", "inputs": [[3,0,0], [1,0,0]]})";
  Imported data(graphOf(nodes, "[[4,0,0]]"));
  EXPECT_NE(data.messages().find(unknown), std::string::npos) << data.messages();
}

TEST(Importer, UnknownOperatorsAreListedAtOnce) {
  Imported net(graphOf({Data, R"({"op": "QConvolution", "name": "a", "inputs": [[0,0,0]]})",
                        R"({"op": "ZebraStripes", "name": "b", "inputs": [[1,0,0]]})",
                        R"({"op": "QConvolution", "name": "c", "inputs": [[2,0,0]]})"},
                       "[[3,0,0]]"));
  EXPECT_EQ(net.messages(),
            "3:8: error: 2 unknown operators: 'QConvolution' (2 nodes), 'ZebraStripes' (1 node) | "
            "3:8: note: 'QConvolution' first stands in node 'a'; did you mean 'Convolution'? | "
            "4:8: note: 'ZebraStripes' first stands in node 'b'");
}

TEST(Importer, OperatorsThatNoModelCanHold) {
  Imported net(
      graphOf({Data, R"({"op": "Custom", "name": "t", "attrs": {"op_type": "proposal_target"},
    "inputs": [[0,0,0]]})",
               R"({"op": "_contrib_fft", "name": "f", "inputs": [[1,0,0]]})"},
              "[[2,0,0]]"));
  EXPECT_EQ(
      net.messages(),
      "3:8: error: 2 unknown operators: 'Custom' (1 node), '_contrib_fft' (1 node) | "
      "3:8: note: 'Custom' first stands in node 't'; its op_type 'proposal_target' is no loaded "
      "operator (--custom-op), and Python code cannot be compiled | "
      "5:8: note: '_contrib_fft' first stands in node 'f'; MXNet computes it on GPUs only");
}

TEST(Importer, TooFewInputs) {
  Imported net(graphOf({Data, Weight, R"({"op": "FullyConnected", "name": "fc",
    "attrs": {"num_hidden": "3"}, "inputs": [[0,0,0],[1,0,0]]})"},
                       "[[2,0,0]]"));
  EXPECT_EQ(net.messages(),
            "4:34: error: node 'fc' ('FullyConnected') has 2 inputs, needs 3 | 4:34: "
            "note: lacks 'bias'");
}

TEST(Importer, TooManyInputs) {
  Imported net(graphOf({Data, R"({"op": "Flatten", "name": "f", "inputs": [[0,0,0],[0,0,0]]})"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(), "3:27: error: node 'f' ('Flatten') has 2 inputs, needs 1 | 3:27: note: "
                            "its inputs are 'data'");
}

TEST(Importer, CountedInputs) {
  Imported net(graphOf({Data, R"({"op": "add_n", "name": "s", "attrs": {"num_args": "3"},
    "inputs": [[0,0,0],[0,0,0]]})"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(),
            "3:25: error: node 's' ('add_n') has 2 inputs, needs 3 (parameter 'num_args')");
  Imported huge(graphOf({Data, R"({"op": "add_n", "name": "s", "attrs": {"num_args": "2000000000"},
    "inputs": [[0,0,0],[0,0,0]]})"},
                        "[[1,0,0]]"));
  EXPECT_EQ(huge.messages(), "3:8: error: node 's' ('add_n'): parameter 'num_args' is 2000000000, "
                             "needs 0 to 4096");
}

TEST(Importer, TooManyOutputs) {
  Imported net(
      graphOf({Data, R"({"op": "SliceChannel", "name": "s", "attrs": {"num_outputs": "5000"},
    "inputs": [[0,0,0]]})"},
              "[[1,0,0]]"));
  EXPECT_EQ(net.messages(), "3:8: error: node 's' ('SliceChannel'): has 5000 outputs, needs 1 to "
                            "4096");
}

TEST(Importer, OutputsOutOfRange) {
  Imported net(
      graphOf({Data, R"({"op": "Flatten", "name": "f", "inputs": [[0,0,0]]})"}, "[[1,2,0]]"));
  EXPECT_EQ(net.messages(), "4:29: error: head 0 is output 2 of node 'f' ('Flatten'), which has 1 "
                            "output");
}

// A node has them where the graph names one, by a parameter of MXNet or one of symc's own.
TEST(Importer, HiddenOutputsAreResultsWhereTheyAreNamed) {
  Imported net(graphOf({Data, R"({"op": "topk", "name": "t", "attrs": {"ret_typ": "value"},
"inputs": [[0,0,0]]})",
                        R"({"op": "sort", "name": "s", "inputs": [[0,0,0]]})",
                        R"({"op": "sort", "name": "q", "inputs": [[0,0,0]]})"},
                       "[[1,1,0],[2,1,0],[3,0,0]]"));
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  for (const char *part : {"{sg.name = \"t_output1\"}", "{sg.name = \"s_output1\"}",
                           "%0:2 = sg.topk(%arg0) {dtype = \"int32\", ret_typ = \"both\"}",
                           "%1:2 = sg.sort(%arg0) {show_hidden = true}", "%2 = sg.sort(%arg0) :"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  Imported asked(graphOf({Data, R"({"op": "sort", "name": "s", "attrs": {"show_hidden": "True"},
"inputs": [[0,0,0]]})"},
                         "[[1,0,0]]"));
  EXPECT_EQ(asked.messages(),
            "3:39: error: unknown parameter 'show_hidden' in node 's' ('sort') | 3:39: note: its "
            "parameters are 'axis', 'is_ascend'");
}

TEST(Importer, HiddenOutputsThatNothingComputes) {
  Imported net(
      graphOf({Data, R"({"op": "Dropout", "name": "d", "inputs": [[0,0,0]]})"}, "[[1,1,0]]"));
  EXPECT_EQ(net.messages(), "4:29: error: head 0 is output 1 of node 'd' ('Dropout'), which MXNet "
                            "hides and symc does not compute");
}

// As MXNet 0.7 writes it: x, tanh, the gradient of its output, and the backward node.
static std::string tanhGradient(llvm::StringRef inputs) {
  return R"({"nodes": [
{"op": "null", "param": {}, "name": "x", "inputs": [], "backward_source_id": -1},
{"op": "tanh", "param": {}, "name": "y", "inputs": [[0,0]], "backward_source_id": -1},
{"op": "null", "param": {}, "name": "y_0_grad", "inputs": [], "backward_source_id": -1},
{"op": "null", "param": {}, "name": "other", "inputs": [], "backward_source_id": -1},
{"op": "null", "param": {}, "name": "y_backward", "inputs": )" +
         inputs.str() + R"(, "backward_source_id": 1},
{"op": "null", "param": {}, "name": "x_grad_agg", "inputs": [[4,0], [4,0]], "backward_source_id": -1}],
"arg_nodes": [0, 2, 3, 5], "heads": [[5,0]]})";
}

TEST(Importer, BackwardNodesNameTheirForwardNode) {
  ImportOptions options;
  options.shapes["x"] = {DimSpec::fixed(3)};
  Imported net(tanhGradient("[[2,0], [1,0]]"), options);
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  for (const char *part :
       {"%arg0: tensor<*x!sg.unknown> {sg.name = \"y_0_grad\"}", ", training} {",
        "%1 = sg.backward(%arg1, %0, %arg0) {arriving = array<i64: 0>, operand_count = 1 : i64, "
        "result_count = 1 : i64}",
        "%2 = sg.add_n(%1, %1) {num_args = 2 : i64}", "sg.name = \"x_grad_agg_output\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Importer, GradientsOfOneResultCountOnce) {
  ImportOptions options;
  options.shapes["x"] = {DimSpec::fixed(3)};
  EXPECT_EQ(Imported(tanhGradient("[[2,0], [3,0], [1,0]]"), options).messages(),
            "6:69: error: backward node 'y_backward' has an input that is neither operand nor "
            "result of node 'y' ('tanh'), nor the gradient of one that has none yet | 3:37: note: "
            "its forward node is here");
}

} // namespace
