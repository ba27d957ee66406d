//===- AttributesTest.cpp - attributes of nodes, right and wrong ----------===//
#include "Import.h"
#include "ir/OpTable.h"

using namespace symc;
using namespace symc::test;

namespace {

ImportOptions drawn() {
  ImportOptions options;
  options.randomWeights = true;
  return options;
}

TEST(Attributes, ParametersHintsAndUserAttributesFindTheirPlaces) {
  Imported net(graphOf({Data, R"j({"op": "Convolution", "name": "c", "attrs": {"kernel": "(3, 3)",
    "num_filter": "8", "stride": "[2,2]", "no_bias": "True", "workspace": "1024", "num_group": "1",
    "__lr_mult__": "2"}, "inputs": [[0,0,0],[2,0,0]]})j",
                        Weight},
                       "[[1,0,0]]"),
               drawn());
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  EXPECT_NE(
      text.find("{kernel = array<i64: 3, 3>, no_bias = true, num_filter = 8 : i64, sg.attrs = "
                "{__lr_mult__ = \"2\", workspace = \"1024\"}, sg.op = \"Convolution\", stride = "
                "array<i64: 2, 2>}"),
      std::string::npos)
      << text;
}

TEST(Attributes, NamesFixParameters) {
  Imported net(graphOf({Data, R"({"op": "log_softmax", "name": "s", "attrs": {"axis": "1"},
    "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]"));
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("sg.softmax(%arg0) {axis = 1 : i64, kind = \"log_softmax\"}"),
            std::string::npos)
      << net.text();
}

TEST(Attributes, FixedParametersAreNoKeys) {
  Imported net(graphOf({Data, R"({"op": "softmin", "name": "s", "attrs": {"kind": "softmax"},
    "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(),
            "3:42: error: unknown parameter 'kind' in node 's' ('softmin') | 3:42: note: its "
            "parameters are 'axis', 'temperature', 'dtype', 'use_length'");
}

TEST(Attributes, AliasesAreRemembered) {
  Imported net(
      graphOf({Data, R"({"op": "Softmax", "name": "out", "inputs": [[0,0,0],[2,0,0]]})", Label},
              "[[1,0,0]]"));
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("sg.softmax_output(%arg0, %arg1) {sg.op = \"Softmax\"}"),
            std::string::npos)
      << net.text();
}

TEST(Attributes, UnknownKeyNamesTheNearestAndAll) {
  EXPECT_EQ(
      fullyConnectedMessages(R"({"num_hidden": "3", "no_bais": "0"})"),
      "5:69: error: unknown parameter 'no_bais' in node 'fc' ('FullyConnected'); did you mean "
      "'no_bias'? | 5:69: note: its parameters are 'num_hidden', 'no_bias', 'flatten'");
}

// Model zoos write such keys (dtype of ones_like), and MXNet runs them.
TEST(Attributes, OperatorsWithoutParametersIgnoreKeys) {
  Imported net(graphOf({Data, R"({"op": "Flatten", "name": "f", "attrs": {"axis": "1"},
    "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(), "3:42: warning: parameter 'axis' in node 'f' ('Flatten') is ignored: "
                            "the operator has no parameters");
  EXPECT_NE(net.text().find("sg.flatten(%arg0) {sg.attrs = {axis = \"1\"}"), std::string::npos)
      << net.text();
}

TEST(Attributes, MissingParametersAreNamed) {
  EXPECT_EQ(
      fullyConnectedMessages("{}"),
      "5:8: error: node 'fc' ('FullyConnected') lacks the parameter 'num_hidden' | 5:8: note: "
      "'num_hidden': number of output units");
}

TEST(Attributes, TextsThatDoNotParse) {
  EXPECT_EQ(fullyConnectedMessages(R"({"num_hidden": "3.0"})"),
            "5:64: error: parameter 'num_hidden' expects an int, found '3.0' in node 'fc' "
            "('FullyConnected')");
  EXPECT_EQ(fullyConnectedMessages(R"({"num_hidden": "0"})"),
            "5:64: error: parameter 'num_hidden' must be at least 1, found 0 in node 'fc' "
            "('FullyConnected')");
  EXPECT_EQ(fullyConnectedMessages(R"({"num_hidden": "3", "flatten": "maybe"})"),
            "5:80: error: parameter 'flatten' expects a boolean, found 'maybe' in node 'fc' "
            "('FullyConnected')");
}

TEST(Attributes, KindsThatDoNotParse) {
  Imported tuple(graphOf({Data, R"j({"op": "Convolution", "name": "c", "attrs": {"kernel": "(2,x)",
 "num_filter": "3"}, "inputs": [[0,0,0],[0,0,0],[0,0,0]]})j"},
                         "[[1,0,0]]"));
  EXPECT_EQ(tuple.messages(),
            "3:56: error: parameter 'kernel' expects a tuple of ints, found '(2,x)' in "
            "node 'c' ('Convolution')");
  Imported count(graphOf({Data, R"j({"op": "Convolution", "name": "c", "attrs": {"kernel": "(2,2)",
 "num_filter": "-3"}, "inputs": [[0,0,0],[0,0,0],[0,0,0]]})j"},
                         "[[1,0,0]]"));
  EXPECT_EQ(count.messages(),
            "4:16: error: parameter 'num_filter' expects a non-negative int, found "
            "'-3' in node 'c' ('Convolution')");
  Imported chance(graphOf({Data, R"j({"op": "Dropout", "name": "d", "attrs": {"p": "nan"},
 "inputs": [[0,0,0]]})j"},
                          "[[1,0,0]]"));
  EXPECT_EQ(chance.messages(), "3:47: error: parameter 'p' must be between 0 and 1, found nan in "
                               "node 'd' ('Dropout')");
  sg::ParamInfo sizes = {
      "sizes", sg::ParamKind::Floats, false, nullptr, nullptr, nullptr, {}, "", false, false};
  mlir::MLIRContext context;
  std::string message;
  EXPECT_FALSE(sg::parseParam(sizes, "(1, two)", &context, message));
  EXPECT_EQ(message, "parameter 'sizes' expects a tuple of numbers, found '(1, two)'");
}

TEST(Attributes, ParametersAreCheckedAgainstEachOther) {
  Imported net(graphOf({Data, R"j({"op": "Pooling", "name": "p", "attrs": {"kernel": "(2,2)",
 "stride": "(2,2,2)"}, "inputs": [[0,0,0]]})j"},
                       "[[1,0,0]]"));
  EXPECT_EQ(net.messages(),
            "4:12: error: parameter 'stride' is (2, 2, 2), needs one extent for each "
            "of kernel (2, 2) in node 'p' ('Pooling')");
}

TEST(Attributes, HiddenKeysOfOldFilesAreTheUsers) {
  Imported net(graphOf({Data, R"({"op": "Flatten", "name": "f", "attr": {"ctx_group": "dev1"},
    "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]", "901"));
  EXPECT_EQ(net.messages(), "");
}

} // namespace
