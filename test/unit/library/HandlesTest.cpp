// HandlesTest.cpp: symc.h called with what no program should give it. If this fails, a wrong handle
// or pointer ends the program, or goes unnoticed.
#include "symc/symc.h"
#include "gtest/gtest.h"
#include <random>

namespace {

// That the call failed, with a message that holds the text.
void expectMistake(int status, const std::string &text) {
  EXPECT_EQ(status, -1);
  EXPECT_NE(std::string(symc_compiler_error()).find(text), std::string::npos)
      << symc_compiler_error();
}

struct Handles : testing::Test {
  void SetUp() override { ASSERT_EQ(symc_symbol_create_variable("x", &variable), 0); }
  void TearDown() override { EXPECT_EQ(symc_symbol_free(variable), 0) << symc_compiler_error(); }

  // Calls every function of one symbol. True if all of them fail.
  bool allFail(symc_symbol handle) {
    symc_symbol made = 0;
    size_t count = 0;
    const char *text = nullptr;
    const char *const *texts = nullptr;
    symc_shapes shapes;
    symc_types types;
    int failed =
        symc_symbol_compose(handle, "n", 1, nullptr, &variable) +
        symc_symbol_compose(variable, "n", 1, nullptr, &handle) +
        symc_symbol_apply("relu", 0, nullptr, nullptr, "n", 1, nullptr, &handle, &made) +
        symc_symbol_create_group(1, &handle, &made) + symc_symbol_output(handle, 0, &made) +
        symc_symbol_output_count(handle, &count) + symc_symbol_internals(handle, &made) +
        symc_symbol_children(handle, &made) + symc_symbol_copy(handle, &made) +
        symc_symbol_name(handle, &text) + symc_symbol_attribute(handle, "k", &text) +
        symc_symbol_set_attribute(handle, "k", "v") +
        symc_symbol_attributes(handle, 1, &count, &texts) +
        symc_symbol_list(handle, SYMC_NAMES_OUTPUTS, &count, &texts) +
        symc_symbol_to_json(handle, &text) +
        symc_symbol_infer_shape(handle, 0, nullptr, nullptr, nullptr, &shapes) +
        symc_symbol_infer_type(handle, 0, nullptr, nullptr, &types) + symc_symbol_free(handle);
    return failed == -18;
  }

  symc_symbol variable = 0;
};

TEST_F(Handles, NumbersThatAreNoSymbols) {
  symc_symbol freed;
  ASSERT_EQ(symc_symbol_copy(variable, &freed), 0);
  ASSERT_EQ(symc_symbol_free(freed), 0);
  for (symc_symbol handle : {symc_symbol(0), freed, ~symc_symbol(0), freed + 1000})
    EXPECT_TRUE(allFail(handle)) << handle;
  expectMistake(symc_symbol_free(freed), " is no symbol: it was freed");
  expectMistake(symc_symbol_free(0), "0 is no symbol");
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(allFail(random() | symc_symbol(1) << 40));
}

TEST_F(Handles, PointersThatAreNull) {
  symc_symbol made = 0;
  const char *const *texts = nullptr;
  const char *key = "k", *none = nullptr;
  symc_shapes shapes;
  symc_types types;
  int32_t rank = 1;
  expectMistake(symc_list_operators(nullptr, &texts), "'count' is NULL");
  expectMistake(symc_operator_table(nullptr), "'json' is NULL");
  const char *text = nullptr;
  double time = 1;
  expectMistake(symc_profile_table(nullptr, "x", 1, &time, 0, &text), "'steps' is NULL");
  expectMistake(symc_profile_table("", nullptr, 1, &time, 0, &text), "'isa' is NULL");
  expectMistake(symc_profile_rows("", "x", 1, nullptr, 0, &text), "'milliseconds' is NULL");
  expectMistake(symc_profile_rows("", "x", 1, &time, 0, nullptr), "'json' is NULL");
  expectMistake(symc_symbol_create_variable(nullptr, &made), "'name' is NULL");
  expectMistake(symc_symbol_create_variable("x", nullptr), "'made' is NULL");
  expectMistake(symc_symbol_create(nullptr, 0, nullptr, nullptr, &made), "'op' is NULL");
  expectMistake(symc_symbol_create("relu", 1, nullptr, nullptr, &made), "'keys' is NULL");
  expectMistake(symc_symbol_create("relu", 1, &key, nullptr, &made), "'values' is NULL");
  expectMistake(symc_symbol_create("relu", 1, &none, &key, &made), "'a key' is NULL");
  expectMistake(symc_symbol_create("relu", 1, &key, &none, &made), "'a value' is NULL");
  expectMistake(symc_symbol_create_group(1, nullptr, &made), "'inputs' is NULL");
  expectMistake(symc_symbol_copy(variable, nullptr), "'an out parameter' is NULL");
  expectMistake(symc_symbol_attribute(variable, nullptr, &key), "'key' is NULL");
  expectMistake(symc_symbol_list(variable, SYMC_NAMES_INPUTS, nullptr, &texts), "'count' is NULL");
  expectMistake(symc_symbol_from_json(nullptr, 1, &made), "'json' is NULL");
  expectMistake(symc_symbol_from_file(nullptr, &made), "'path' is NULL");
  expectMistake(symc_symbol_infer_shape(variable, 1, &key, &rank, nullptr, &shapes),
                "'extents' is NULL");
  expectMistake(symc_symbol_infer_type(variable, 1, &none, &key, &types), "'a name' is NULL");
}

// A symbol that reads itself would never be given back.
TEST_F(Handles, OperatorsThatWaitAreNoInputs) {
  const char *key = "num_hidden", *value = "3", *data = "data", *json = nullptr;
  symc_symbol layer = 0, other = 0;
  ASSERT_EQ(symc_symbol_create("FullyConnected", 1, &key, &value, &layer), 0);
  ASSERT_EQ(symc_symbol_create("FullyConnected", 1, &key, &value, &other), 0);
  expectMistake(symc_symbol_compose(layer, "fc", 1, nullptr, &layer),
                "input 0 is operator 'FullyConnected', which waits for its own inputs");
  expectMistake(symc_symbol_compose(layer, "fc", 1, &data, &other),
                "argument 'data' is operator 'FullyConnected', which waits for its own inputs");
  EXPECT_EQ(symc_symbol_compose(layer, "fc", 1, nullptr, &variable), 0) << symc_compiler_error();
  EXPECT_EQ(symc_symbol_to_json(layer, &json), 0) << symc_compiler_error();
  symc_symbol_free(layer);
  symc_symbol_free(other);
}

// Symbols that grow by doubling end in a message, not with the memory.
TEST_F(Handles, SymbolsThatGrowWithoutEnd) {
  symc_symbol group, twice[2] = {variable, variable};
  int doublings = 0;
  while (symc_symbol_create_group(2, twice, &group) == 0) {
    if (doublings++)
      symc_symbol_free(twice[0]);
    twice[0] = twice[1] = group;
  }
  expectMistake(-1, "2097152 outputs of a group, at most 1048576 are possible");
  EXPECT_EQ(doublings, 20);
  symc_symbol_free(group);

  symc_symbol body, next;
  const char *keys[] = {"num_args",     "num_outputs",   "num_out_data",
                        "in_data_locs", "in_state_locs", "remain_locs"};
  const char *values[] = {"2", "1", "1", "[0]", "[]", "[]"};
  // How deep a loop whose body has `copies` of the last one can lie.
  auto nest = [&](size_t copies) {
    EXPECT_EQ(symc_symbol_copy(variable, &body), 0);
    for (int nested = 0;; ++nested) {
      std::vector<symc_symbol> bodies(copies, body);
      EXPECT_EQ(symc_symbol_create("_foreach", 6, keys, values, &next), 0) << symc_compiler_error();
      const bool fits = symc_symbol_set_subgraphs(next, copies, bodies.data()) == 0;
      if (fits)
        EXPECT_EQ(symc_symbol_compose(next, "f", 1, nullptr, &variable), 0);
      const std::string message = symc_compiler_error();
      symc_symbol_free(body);
      body = next;
      if (!fits) {
        symc_symbol_free(next);
        return std::to_string(nested) + ": " + message;
      }
    }
  };
  EXPECT_EQ(nest(1), "60: subgraphs within each other are 61 deep, at most 60 are possible");
  EXPECT_EQ(nest(8), "5: 337040 nodes of subgraphs, at most 131072 are possible");
}

TEST_F(Handles, CountsAndPlacesOutOfRange) {
  symc_symbol made = 0;
  size_t count = 0;
  const char *const *texts = nullptr;
  const char *twice[] = {"k", "k"};
  expectMistake(symc_symbol_output(variable, 1, &made), "output 1 of 1 outputs");
  expectMistake(symc_symbol_list(variable, 5, &count, &texts),
                "5 is no list of a symbol: lists are 0 to 4");
  expectMistake(symc_symbol_create("relu", 2, twice, twice, &made), "attribute 'k' is given twice");
  expectMistake(symc_symbol_create("relu", size_t(1) << 40, twice, twice, &made),
                "1099511627776 attributes, at most");
  const size_t many = size_t(1) << 40;
  expectMistake(symc_symbol_create_group(many, &variable, &made),
                "1099511627776 inputs, at most 1048576 are possible");
  expectMistake(symc_symbol_compose(variable, nullptr, many, nullptr, &variable),
                "1099511627776 inputs, at most");
  const char *name = "x", *type = "float32";
  int32_t rank = 65;
  int64_t extent = 1;
  symc_shapes shapes;
  symc_types types;
  expectMistake(symc_symbol_infer_shape(variable, many, &name, &rank, &extent, &shapes),
                "1099511627776 shapes, at most");
  expectMistake(symc_symbol_infer_shape(variable, 1, &name, &rank, &extent, &shapes),
                "the shape of 'x' has rank 65, needs -1, which is unknown, to 64");
  rank = -5;
  expectMistake(symc_symbol_infer_shape(variable, 1, &name, &rank, &extent, &shapes),
                "the shape of 'x' has rank -5, needs -1, which is unknown, to 64");
  rank = -1;
  EXPECT_EQ(symc_symbol_infer_shape(variable, 1, &name, &rank, &extent, &shapes), 0);
  rank = 1, extent = -2;
  expectMistake(symc_symbol_infer_shape(variable, 1, &name, &rank, &extent, &shapes),
                "extent 0 of 'x' is -2, needs at least 0, which is unknown");
  extent = 1;
  expectMistake(symc_symbol_infer_type(variable, many, &name, &type, &types),
                "1099511627776 types, at most");
  expectMistake(symc_symbol_from_json("{}", ~size_t(0), &made),
                "the text is 18446744073709551615 bytes, more than the limit of 2 GiB for a graph");
  expectMistake(
      symc_symbol_create_group(0, nullptr, &made) ? -1 : symc_symbol_set_attribute(made, "k", "v"),
      "outputs of several nodes, or none, have no attributes of their own");
}

} // namespace
