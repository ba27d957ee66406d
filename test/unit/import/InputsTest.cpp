//===- InputsTest.cpp - which variables are inputs, which weights ---------===//
#include "Import.h"

using namespace symc;
using namespace symc::test;

namespace {

/// A parameter file in memory: keys such as "arg:fc_weight", all float32 [3, 4].
struct Arrays {
  explicit Arrays(std::initializer_list<const char *> keys) {
    file.path = "net.params";
    for (llvm::StringRef key : keys) {
      params::Array array;
      array.setKey(key.str());
      array.shape = {3, 4};
      array.byteCount = 48;
      array.fileOffset = 100 * (file.arrays.size() + 1);
      file.arrays.push_back(array);
    }
  }
  params::WeightSource *weights() {
    source = std::make_unique<params::FileWeights>(std::move(file));
    return source.get();
  }
  ImportOptions options() {
    ImportOptions result;
    result.weights.push_back(weights());
    result.shapes["data"] = {DimSpec::fixed(2), DimSpec::fixed(4)};
    return result;
  }
  params::ArrayFile file; // until weights() takes it
  std::unique_ptr<params::WeightSource> source;
};

std::string network() {
  return graphOf({Data, Weight, Bias, fullyConnected(R"({"num_hidden": "3"})").c_str()},
                 "[[3,0,0]]");
}

std::string withBatchNorm() {
  return graphOf({Data, R"({"op": "null", "name": "g", "inputs": []})",
                  R"({"op": "null", "name": "b", "inputs": []})",
                  R"({"op": "null", "name": "m", "inputs": []})",
                  R"({"op": "null", "name": "v", "inputs": []})",
                  R"({"op": "BatchNorm", "name": "bn",
 "inputs": [[0,0,0],[1,0,0],[2,0,0],[3,0,1],[4,0,1]]})"},
                 "[[5,0,0]]");
}

TEST(Inputs, WeightsKnowTheirPlaceInTheFile) {
  Arrays arrays({"arg:fc_weight", "fc_bias"});
  Imported net(network(), arrays.options());
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(
      net.text().find("sg.weight @fc_weight : tensor<3x4xf32> {file = \"net.params\", offset = "
                      "100 : i64, sg.role = \"weight\"}"),
      std::string::npos)
      << net.text();
  EXPECT_NE(net.text().find("sg.weight @fc_bias : tensor<3x4xf32>"), std::string::npos);
}

TEST(Inputs, AuxiliaryStatesAreMarked) {
  Arrays arrays({"arg:g", "arg:b", "aux:m", "aux:v"});
  Imported net(withBatchNorm(), arrays.options());
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("sg.weight @m : tensor<3x4xf32> {aux, file = "), std::string::npos)
      << net.text();
  EXPECT_NE(net.text().find("argument_order = [\"data\", \"g\", \"b\"]"), std::string::npos);
}

TEST(Inputs, MissingParametersStandInOneMessage) {
  Arrays arrays({"arg:fc_wieght"});
  EXPECT_EQ(
      Imported(network(), arrays.options()).messages(),
      "3:24: error: 2 parameters have no value in 'net.params': 'fc_weight', 'fc_bias' | 3:24: "
      "note: 'fc_weight' is the weight of node 'fc' ('FullyConnected') | 3:24: note: no node uses "
      "these arrays of the file: 'arg:fc_wieght' | 3:24: note: give --random-weights to draw "
      "them, or --shape NAME=... for one that is an input");
}

TEST(Inputs, WithoutAFileParametersAreMissing) {
  EXPECT_EQ(
      Imported(graphOf({Data, Weight, R"({"op": "FullyConnected", "name": "fc", "attrs":
 {"num_hidden": "3", "no_bias": "1"}, "inputs": [[0,0,0],[1,0,0]]})"},
                       "[[2,0,0]]"))
          .messages(),
      "3:24: error: a parameter has no value: 'fc_weight' | 3:24: note: 'fc_weight' is the weight "
      "of node 'fc' ('FullyConnected') | 3:24: note: give the parameter file, or "
      "--random-weights to draw them");
}

TEST(Inputs, ArraysOfNoVariableMeanAnotherModel) {
  const char *note = " | note: is it the file of another model? if not, pass --extra-weights";
  Arrays arrays({"arg:fc_weight", "arg:fc_bias", "arg:old_weight"});
  EXPECT_EQ(Imported(network(), arrays.options()).messages(),
            std::string("error: an array belongs to no variable of the graph: 'arg:old_weight'") +
                note);
  Arrays more({"arg:fc_weight", "arg:fc_bias", "arg:x", "aux:y"});
  EXPECT_EQ(Imported(network(), more.options()).messages(),
            std::string("error: 2 arrays belong to no variable of the graph: 'arg:x', 'aux:y'") +
                note);
}

TEST(Inputs, UnusedArraysAreAWarningWhereTheyAreAllowed) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias", "arg:old_weight"});
  ImportOptions options = arrays.options();
  options.extraWeights = true;
  EXPECT_EQ(Imported(network(), options).messages(),
            "warning: no node uses an array: 'arg:old_weight'");
  Arrays more({"arg:fc_weight", "arg:fc_bias", "x", "y"});
  EXPECT_EQ(Imported(network(), more.options()).messages(),
            "warning: no node uses 2 arrays: 'x', 'y'");
}

TEST(Inputs, KindsInTheFileMustAgree) {
  Arrays arrays({"arg:g", "arg:b", "arg:m", "aux:v"});
  EXPECT_EQ(
      Imported(withBatchNorm(), arrays.options()).messages(),
      "5:24: error: 'm' is an auxiliary state, but 'net.params' holds it as 'arg:m' | 5:24: note: "
      "save it as 'aux:m'");
  Arrays other({"aux:fc_weight", "arg:fc_bias"});
  EXPECT_EQ(
      Imported(network(), other.options()).messages(),
      "3:24: error: 'fc_weight' is an argument, but 'net.params' holds it as 'aux:fc_weight' | "
      "3:24: note: save it as 'arg:fc_weight'");
}

TEST(Inputs, AnArrayWithoutAValueIsNone) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias"});
  arrays.file.arrays[1].isNone = true;
  EXPECT_EQ(Imported(network(), arrays.options()).messages(),
            "4:24: error: 'arg:fc_bias' in 'net.params' is an array without a value");
}

TEST(Inputs, OneNameInTwoFiles) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias"}), again({"arg:fc_bias"});
  again.file.path = "more.params";
  ImportOptions options = arrays.options();
  options.weights.push_back(again.weights());
  EXPECT_EQ(Imported(network(), options).messages(),
            "4:24: error: parameter 'fc_bias' stands in both 'net.params' and 'more.params'");
}

TEST(Inputs, AListWithoutNames) {
  Arrays arrays({"", ""});
  EXPECT_EQ(
      Imported(network(), arrays.options()).messages(),
      "error: the file holds a list of 2 arrays without names, but parameters are found by name "
      "| note: save a dictionary: mx.nd.save(file, {'arg:NAME': value, ...})");
}

TEST(Inputs, ShapesForNoInput) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias"});
  ImportOptions options = arrays.options();
  options.shapes["dat"] = {DimSpec::fixed(1)};
  options.dtypes["dta"] = "float32";
  EXPECT_EQ(
      Imported(network(), options).messages(),
      "error: a shape is given for 'dat', but no input is called so; did you mean 'data'? | note: "
      "the inputs are 'data' || error: a type is given for 'dta', but no input is called so; did "
      "you mean 'data'? | note: the inputs are 'data'");
}

// Nothing but the misspelt name is wrong, and the one that is meant is named, however few of its
// letters agree and whatever the graph makes of a variable without a shape.
TEST(Inputs, AMisspeltNameIsTheOnlyMistake) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias"});
  ImportOptions options;
  options.weights.push_back(arrays.weights());
  options.shapes["datum"] = {DimSpec::fixed(1), DimSpec::fixed(4)};
  std::string labelled =
      graphOf({Data, Weight, Bias, fullyConnected(R"({"num_hidden": "3"})").c_str(), Label,
               R"({"op": "SoftmaxOutput", "name": "out",
 "inputs": [[3,0,0],[4,0,0]]})"},
              "[[5,0,0]]");
  EXPECT_EQ(Imported(labelled, options).messages(),
            "error: a shape is given for 'datum', but no input is called so; did you mean 'data'? "
            "| note: the inputs are 'data', 'out_label'");
  options.shapes.clear();
  options.shapes["fc_wieght"] = {DimSpec::fixed(3)};
  EXPECT_EQ(Imported(labelled, options).messages(),
            "error: a shape is given for 'fc_wieght', but no input is called so; did you mean "
            "'fc_weight'? | note: the inputs are 'data', 'out_label'");
}

TEST(Inputs, FilesOfSaveParametersAreNamed) {
  const char *note = "note: it looks like a file of Gluon's save_parameters(), whose names are not "
                     "those of a symbol; use the files that HybridBlock.export() writes";
  Arrays arrays({"0.weight", "0.bias", "features.1.gamma"});
  EXPECT_EQ(Imported(network(), arrays.options()).messages(),
            std::string("3:24: error: 2 parameters have no value in 'net.params': 'fc_weight', "
                        "'fc_bias' | 3:24: note: 'fc_weight' is the weight of node 'fc' "
                        "('FullyConnected') | 3:24: note: no node uses these arrays of the file: "
                        "'0.weight', '0.bias', 'features.1.gamma' | 3:24: ") +
                note +
                " | 3:24: note: give --random-weights to draw them, or --shape NAME=... for one "
                "that is an input");
  Arrays drawn({"0.weight", "0.bias"});
  ImportOptions options = drawn.options();
  options.randomWeights = true;
  EXPECT_EQ(Imported(network(), options).messages(),
            std::string("warning: no node uses 2 arrays: '0.weight', '0.bias' | ") + note);
  // A symbol's own names may have dots; then the rest is no such file.
  Arrays mixed({"fc_weight", "0.bias"});
  EXPECT_EQ(Imported(network(), mixed.options()).messages().find("save_parameters"),
            std::string::npos);
}

TEST(Inputs, ShapesForAGraphWithoutInputs) {
  ImportOptions options;
  options.shapes["data"] = {DimSpec::fixed(1)};
  EXPECT_EQ(
      Imported(graphOf({R"j({"op": "_zeros", "name": "z", "attrs": {"shape": "(2, 3)"},
 "inputs": []})j"},
                       "[[0,0,0]]"),
               options)
          .messages(),
      "error: a shape is given for 'data', but no input is called so | note: the graph has no "
      "inputs");
}

TEST(Inputs, ShapesForAGraphWhoseVariablesHaveValues) {
  ImportOptions options;
  options.shapes["dat"] = {DimSpec::fixed(1)};
  options.randomWeights = true;
  EXPECT_EQ(
      Imported(network(), options).messages(),
      "error: a shape is given for 'dat', but no input is called so; did you mean 'data'? | note: "
      "the graph's variables are 'data', 'fc_weight', 'fc_bias'");
}

TEST(Inputs, TypesOfParametersStandInTheFile) {
  Arrays arrays({"arg:fc_weight", "arg:fc_bias"});
  ImportOptions options = arrays.options();
  options.dtypes["fc_bias"] = "float16";
  EXPECT_EQ(
      Imported(network(), options).messages(),
      "4:24: error: an element type is given for parameter 'fc_bias', whose type is in 'net.params'"
      " | 4:24: note: leave it out");
}

TEST(Inputs, UnknownTypes) {
  ImportOptions options;
  options.randomWeights = true;
  options.dtypes["data"] = "float31";
  EXPECT_EQ(
      Imported(network(), options).messages(),
      "2:24: error: unknown element type 'float31' for input 'data' | 2:24: note: element types "
      "are float32, float64, float16, uint8, int32, int8, int64, bool, int16, uint16, uint32, "
      "uint64, bfloat16");
}

std::string shapeMessages(std::vector<DimSpec> shape) {
  ImportOptions options;
  options.randomWeights = true;
  options.shapes["data"] = std::move(shape);
  return Imported(network(), options).messages();
}

TEST(Inputs, ExtentsOutOfRange) {
  EXPECT_EQ(
      shapeMessages({DimSpec::fixed(-2), DimSpec::fixed(4)}),
      "2:24: error: extent -2 of input 'data' (dimension 0) needs a positive number, a range, or "
      "0 for unknown");
  EXPECT_EQ(
      shapeMessages({DimSpec::range(5, 4)}),
      "2:24: error: extent 5..4 of input 'data' (dimension 0) needs a range that starts at 1 or "
      "more and does not end before");
  EXPECT_EQ(shapeMessages({DimSpec::fixed(int64_t(1) << 31), DimSpec::fixed(int64_t(1) << 33)}),
            "2:24: error: the shape of input 'data' has more than 2^48 elements");
}

TEST(Inputs, RangesBecomeSymbolicSizes) {
  ImportOptions options;
  options.randomWeights = true;
  options.shapes["data"] = {DimSpec::range(1, 8, "batch"), DimSpec::range(4, 32)};
  Imported net(network(), options);
  ASSERT_EQ(net.messages(), "");
  std::string text = net.text();
  EXPECT_NE(
      text.find("dim_max = array<i64: 8, 32>, dim_min = array<i64: 1, 4>, dim_names = [\"batch\", "
                "\"data.1\"]"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("tensor<?x?x!sg.unknown, #sg.extents<()[s0, s1] -> (s0, s1)>>"),
            std::string::npos)
      << text;
  options.shapes["data"] = {DimSpec::range(1, 8, "n"), DimSpec::range(1, 9, "n")};
  EXPECT_EQ(Imported(network(), options).messages(),
            "2:24: error: size 'n' is 1..9 here, and 1..8 before");
}

TEST(Inputs, ShapeAndTypeAttributesOfVariables) {
  ImportOptions options;
  options.randomWeights = true;
  auto with = [&](const char *attrs) {
    std::string data =
        R"({"op": "null", "name": "data", "attrs": )" + std::string(attrs) + R"(, "inputs": []})";
    return graphOf({data.c_str(), R"({"op": "Flatten", "name": "f", "inputs": [[0,0,0]]})"},
                   "[[1,0,0]]");
  };
  Imported net(with(R"j({"__shape__": "(8L, 0, 3)", "__dtype__": "6"})j"), options);
  EXPECT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("%arg0: tensor<8x?x3xi64> {"), std::string::npos) << net.text();
  EXPECT_EQ(Imported(with(R"({"__shape__": "(8,"})"), options).messages(),
            "2:55: error: attribute '__shape__' of variable 'data' expects a shape, found '(8,'");
  EXPECT_EQ(
      Imported(with(R"({"__dtype__": "float"})"), options).messages(),
      "2:55: error: attribute '__dtype__' of variable 'data' expects the number of an element "
      "type (0 for float32, ...), found 'float'");
}

TEST(Inputs, NamesThatCannotBe) {
  EXPECT_EQ(
      Imported(graphOf({Data, R"({"op": "null", "name": "data", "inputs": []})",
                        R"({"op": "add_n", "name": "s", "attrs": {"num_args": "2"},
 "inputs": [[0,0,0],[1,0,0]]})"},
                       "[[2,0,0]]"))
          .messages(),
      "3:24: error: two variables are called 'data', so a value or a shape cannot be given to "
      "either | 2:24: note: the other one is here");
  EXPECT_EQ(
      Imported(graphOf({R"({"op": "null", "name": "main", "inputs": []})",
                        R"({"op": "Flatten", "name": "f", "inputs": [[0,0,0]]})"},
                       "[[1,0,0]]"))
          .messages(),
      "2:24: error: a variable is called 'main', a name that compiled graphs use themselves | "
      "2:24: note: rename it in the symbol file and in the parameter file");
}

TEST(Inputs, OneNameTwiceWhereAllowed) {
  ImportOptions options;
  options.allowDuplicateNames = true;
  options.shapes["data"] = {DimSpec::fixed(2)};
  Imported net(graphOf({Data, Data, R"({"op": "add_n", "name": "s", "attrs": {"num_args": "2"},
 "inputs": [[0,0,0],[1,0,0]]})"},
                       "[[2,0,0]]"),
               options);
  ASSERT_EQ(net.messages(), "");
  EXPECT_NE(net.text().find("%arg0: tensor<2x!sg.unknown> {sg.name = \"data\"}, %arg1: "
                            "tensor<2x!sg.unknown> {sg.name = \"data\"}"),
            std::string::npos)
      << net.text();
}

TEST(Inputs, AuxiliaryStatesAreNoInputs) {
  ImportOptions options;
  options.randomWeights = true;
  options.shapes["m"] = {DimSpec::fixed(3)};
  EXPECT_EQ(
      Imported(withBatchNorm(), options).messages(),
      "5:24: error: 'm' is an auxiliary state and cannot be an input | 5:24: note: leave it out of "
      "the shapes");
}

TEST(Inputs, TrainingReadsLabels) {
  ImportOptions options;
  options.training = true;
  Imported net(
      graphOf(
          {Data, R"({"op": "SoftmaxOutput", "name": "out", "inputs": [[0,0,0],[2,0,0]]})", Label},
          "[[1,0,0]]"),
      options);
  EXPECT_EQ(net.messages(), "");
  EXPECT_EQ(net.text().find("sg.optional"), std::string::npos) << net.text();
}

} // namespace
