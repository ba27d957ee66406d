// OperatorsTest.cpp: operators of the process that compiles (symc_add_operators). If this fails, a
// description in memory is not checked, or a model with such an operator runs another kernel, or
// is written to a file that no other process can run.
#include "Nets.h"
#include "symc/custom_op.h"

using namespace symc;
using namespace symc::test;

namespace {

int32_t addThree(const symc_op_call *call) {
  const symc_op_tensor &data = call->inputs[0];
  int64_t count = 1;
  for (int32_t d = 0; d < data.rank; ++d)
    count *= data.shape[d];
  for (int64_t i = 0; i < count; ++i)
    static_cast<float *>(call->outputs[0].data)[i] = static_cast<const float *>(data.data)[i] + 3;
  return 0;
}

const symc_op_value inputs[] = {{"data", 0, 0}, {}};
const symc_op_value outputs[] = {{"output", 0, 0}, {}};
const symc_op_kernel kernels[] = {{"add_three", addThree, SYMC_OP_FLOAT32, 0}, {}};

symc_op described(const char *name, const symc_op_kernel *kernels) {
  symc_op op = {};
  op.bytes = sizeof op;
  op.name = name;
  op.summary = "data and three";
  op.inputs = inputs;
  op.outputs = outputs;
  op.kernels = kernels;
  op.flags = SYMC_OP_ELEMENTWISE;
  return op;
}

TEST(Operators, OfTheProcessRunInIt) {
  static const symc_op op = described("add_three", kernels);
  static const symc_op *const list[] = {&op, nullptr};
  static const symc_op_library library = {SYMC_OP_VERSION, 0, list};
  ASSERT_EQ(symc_add_operators(&library), 0) << symc_compiler_error();
  Symbol net = Symbol::apply("add_three", {}, "more", {Symbol::variable("data")});
  Request request({"--shape", "data=2,2"});
  request.symbol = net.number();
  symc_loaded loaded;
  const symc_model *model;
  ASSERT_EQ(symc_compile_model(&request, &loaded), 0) << symc_compiler_error();
  ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
  std::vector<float> answers = answersOf(model);
  EXPECT_FLOAT_EQ(answers[0], 3);
  EXPECT_FLOAT_EQ(answers[3], 3 + 3.f / 7);
  EXPECT_EQ(symc_loaded_free(loaded), 0);

  symc_compiled compiled;
  request.words.push_back("-shared");
  request.options = request.words.data();
  request.option_count = request.words.size();
  expectMistake(symc_compile_bytes(&request, &compiled),
                "kernel 'add_three' of a custom operator is a function of this process, which no "
                "file can hold");
  EXPECT_NE(std::string(symc_compiler_error()).find("compile the model into the process"),
            std::string::npos);
  expectMistake(symc_add_operators(&library), "operators of this process: ");
}

TEST(Operators, DescriptionsAreChecked) {
  expectMistake(symc_add_operators(nullptr), "'library' is NULL");
  symc_op_library none = {SYMC_OP_VERSION, 0, nullptr};
  expectMistake(symc_add_operators(&none),
                "operators of this process: describes no operators: its list is NULL");
  const symc_op_kernel empty[] = {{"add_three", nullptr, SYMC_OP_FLOAT32, 0}, {}};
  symc_op op = described("add_four", empty);
  const symc_op *const list[] = {&op, nullptr};
  symc_op_library library = {SYMC_OP_VERSION, 0, list};
  expectMistake(symc_add_operators(&library),
                "operator 'add_four': kernel 'add_three' has no function");
  library.version = 7;
  expectMistake(symc_add_operators(&library), "was made for version 7 of symc/custom_op.h");
}

} // namespace
