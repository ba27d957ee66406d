// MemoryModelTest.cpp: a graph that a program composed, with arrays in its memory,
// compiles into the process and computes; no file is read.
#include "symc/runtime.h"
#include "tools/driver/Compiler.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace symc;

namespace {

constexpr int64_t Rows = 2, In = 3, Out = 4;
const float Weight[Out * In] = {1, 2, 3, -1, -2, -3, 0.5, 0, -0.5, 2, 2, 2};
const float Bias[Out] = {0.25, -0.25, 1, -100};
const float Data[Rows * In] = {1, 2, 3, -4, 5, -6};

/// relu(data * weight^T + bias).
std::shared_ptr<symbol::Graph> layer() {
  auto graph = std::make_shared<symbol::Graph>();
  graph->name = "layer";
  symbol::Entry data = graph->addVariable("data");
  symbol::Entry weight = graph->addVariable("fc_weight"), bias = graph->addVariable("fc_bias");
  symbol::Entry fc =
      graph->addNode("FullyConnected", "fc", {data, weight, bias}, {{"num_hidden", "4"}});
  graph->heads = {graph->addNode("Activation", "relu", {fc}, {{"act_type", "relu"}})};
  return graph;
}

std::vector<float> expected() {
  std::vector<float> result;
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t o = 0; o < Out; ++o) {
      float sum = Bias[o];
      for (int64_t i = 0; i < In; ++i)
        sum += Data[r * In + i] * Weight[o * In + i];
      result.push_back(std::max(sum, 0.0f));
    }
  return result;
}

CompileRequest requestOf(std::shared_ptr<const symbol::Graph> graph) {
  CompileRequest request;
  request.model.graph = std::move(graph);
  request.shapes["data"] = {DimSpec::fixed(Rows), DimSpec::fixed(In)};
  request.targetCpus = {"native"};
  request.resourceDir = SYMC_TEST_RESOURCES;
  return request;
}

/// Compiles into the process and runs once: all outputs one after the other; empty after an
/// error, which `messages` gets.
std::vector<float> compute(const CompileRequest &request, std::string *messages = nullptr,
                           llvm::ArrayRef<float> given = Data) {
  Diagnostics diagnostics;
  Compiler compiler(request, diagnostics);
  PreparedWeights weights;
  codegen::InProcessOptions options;
  options.resourceDir = request.resourceDir;
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)}};
  std::unique_ptr<codegen::InProcess> loaded;
  if (compiler.read() && compiler.optimise() && compiler.schedule())
    loaded = compiler.load(weights, options);
  if (messages)
    *messages = diagnostics.str();
  else
    EXPECT_EQ(diagnostics.str(), "");
  if (!loaded)
    return {};
  symc_context *context = nullptr;
  EXPECT_EQ(symc_create(loaded->model(), nullptr, &context), SYMC_STATUS_OK);
  const symc_model &model = *loaded->model();
  std::vector<float> data = given.vec(), result;
  for (int32_t i = 0; i < model.n_outputs; ++i)
    result.resize(result.size() + model.outputs[i].max_bytes / sizeof(float));
  symc_tensor input{data.data(),           model.inputs[0].shape, model.inputs[0].rank,
                    model.inputs[0].dtype, SYMC_DEVICE_CPU,       0};
  std::vector<symc_tensor> outputs;
  float *next = result.data();
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    const symc_tensor_info &out = model.outputs[i];
    outputs.push_back({next, out.shape, out.rank, out.dtype, SYMC_DEVICE_CPU, 0});
    next += out.max_bytes / sizeof(float);
  }
  EXPECT_EQ(symc_run(context, &input, 1, outputs.data(), outputs.size()), SYMC_STATUS_OK)
      << symc_last_error(context);
  symc_destroy(context);
  return result;
}

TEST(MemoryModel, ArraysInMemory) {
  auto arrays = std::make_shared<params::MemoryWeights>();
  arrays->add("fc_weight", params::DType::F32, {Out, In}, Weight);
  arrays->add("arg:fc_bias", params::DType::F32, {Out}, Bias);
  CompileRequest request = requestOf(layer());
  request.model.weights = {arrays};
  EXPECT_EQ(compute(request), expected());
}

// Neither names nor alignment of the arrays in memory matter.
TEST(MemoryModel, ArraysOfSeveralSourcesAtAnyAddress) {
  std::vector<char> shifted(1 + sizeof Weight);
  std::memcpy(shifted.data() + 1, Weight, sizeof Weight);
  auto arrays = std::make_shared<params::MemoryWeights>("matrices");
  arrays->add("fc_weight", params::DType::F32, {Out, In}, shifted.data() + 1);
  auto computed = std::make_shared<params::ComputedWeights>("vectors");
  computed->add("fc_bias", params::DType::F32, {Out}, [](const params::ArrayInfo &info) {
    std::vector<char> bytes(info.byteCount);
    std::memcpy(bytes.data(), Bias, sizeof Bias);
    return bytes;
  });
  CompileRequest request = requestOf(layer());
  request.model.weights = {arrays, computed};
  EXPECT_EQ(compute(request), expected());
}

// Weights are cast by @prepare, with MXNet's rounding: to nearest, ties to even. The graph
// adds each to a zero.
TEST(MemoryModel, StoredTypesAreCast) {
  using params::DType;
  const uint16_t half[] = {0x3c00, 0xc000, 0x3555}, brain[] = {0x3f80, 0xc000, 0x3f40};
  // 2^24 + 1 lies between two floats, of which 2^24 is the even one.
  const double wide[] = {16777217.0, 0.5, 16777219.0};
  const int32_t number[] = {16777217, -7, 16777219};
  const int64_t large[] = {-9, 7, int64_t(1) << 40};
  const uint8_t byte[] = {255, 1, 0}, truth[] = {1, 0, 1};
  const int8_t small[] = {-128, 127, 0};
  struct {
    DType dtype;
    const void *data;
    std::vector<float> read;
  } weights[] = {
      {DType::F16, half, {1, -2, 0.333251953125f}},
      {DType::BF16, brain, {1, -2, 0.75f}},
      {DType::F64, wide, {16777216, 0.5, 16777220}},
      {DType::I32, number, {16777216, -7, 16777220}},
      {DType::I64, large, {-9, 7, 1099511627776.0f}},
      {DType::U8, byte, {255, 1, 0}},
      {DType::I8, small, {-128, 127, 0}},
      {DType::Bool, truth, {1, 0, 1}},
  };
  auto graph = std::make_shared<symbol::Graph>();
  graph->name = "types";
  symbol::Entry data = graph->addVariable("data");
  auto arrays = std::make_shared<params::MemoryWeights>();
  std::vector<float> read;
  for (const auto &weight : weights) {
    std::string type = params::name(weight.dtype).str();
    symbol::Entry variable = graph->addVariable(type);
    graph->heads.push_back(graph->addNode("elemwise_add", "sum_" + type, {data, variable}));
    arrays->add(type, weight.dtype, {In}, weight.data);
    read.insert(read.end(), weight.read.begin(), weight.read.end());
  }
  CompileRequest request = requestOf(graph);
  request.shapes["data"] = {DimSpec::fixed(In)};
  request.model.weights = {arrays};
  EXPECT_EQ(compute(request, nullptr, std::vector<float>(In)), read);
  request.referenceOnly = true;
  EXPECT_EQ(compute(request, nullptr, std::vector<float>(In)), read);
}

TEST(MemoryModel, DrawnWeightsRepeat) {
  CompileRequest request = requestOf(layer());
  request.randomWeights = true;
  std::vector<float> once = compute(request);
  EXPECT_EQ(once, compute(request));
  request.seed = 7;
  EXPECT_NE(once, compute(request));
}

TEST(MemoryModel, MessagesNameTheModelAndItsNodes) {
  std::string messages;
  auto arrays = std::make_shared<params::MemoryWeights>();
  arrays->add("fc_weight", params::DType::F32, {Out, In}, Weight);
  CompileRequest request = requestOf(layer());
  request.model.weights = {arrays};
  EXPECT_TRUE(compute(request, &messages).empty());
  EXPECT_EQ(messages,
            "layer: error: a parameter has no value in 'memory': 'fc_bias'\n"
            "layer: note: 'fc_bias' is the bias of node 'fc' ('FullyConnected')\n"
            "layer: note: give --random-weights to draw them, or --shape NAME=... for one "
            "that is an input\n");
  arrays->add("fc_bias", params::DType::F32, {Out + 1}, Weight);
  EXPECT_TRUE(compute(request, &messages).empty());
  EXPECT_EQ(messages, "layer: error: node 'fc': bias has shape [5] but needs "
                      "[4] with num_hidden = 4\n"
                      "layer: note: data is argument 'data', shape [2, 3]\n"
                      "layer: note: weight is argument 'fc_weight', shape [4, 3]\n"
                      "layer: note: bias is argument 'fc_bias', shape [5]\n"
                      "layer: note: node 'fc' takes 3 values of each row\n");
  auto unsound = layer();
  unsound->heads[0].node = 17;
  request.model.graph = unsound;
  EXPECT_TRUE(compute(request, &messages).empty());
  EXPECT_EQ(messages, "layer: error: head 0 refers to node 17, but the graph has 5 nodes\n");
}

} // namespace
