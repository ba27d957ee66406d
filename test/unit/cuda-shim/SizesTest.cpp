// SizesTest.cpp: a small net compiled for CUDA with a range of batches, and for several batch
// sizes, run by the runtime on the shim's driver. If these fail, a program computes other rows than
// the CPU's program for that size, takes sizes that it has no room for, or runs repeated as a graph
// compute something else.
#include "runtime/include/symc/cuda.h"
#include "symc/runtime.h"
#include "tools/cuda-shim/HostCompiler.h"
#include "tools/driver/Compiler.h"
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace symc;

namespace {

constexpr int64_t Channels = 3, Side = 6, Classes = 7, Pixels = Channels * Side * Side;

/// Its channels are no multiple of a block's, and pooling has a remainder.
std::shared_ptr<symbol::Graph> net() {
  auto graph = std::make_shared<symbol::Graph>();
  graph->name = "net";
  symbol::Entry data = graph->addVariable("data");
  symbol::Entry filter = graph->addVariable("conv_weight"), shift = graph->addVariable("conv_bias");
  symbol::Entry conv = graph->addNode("Convolution", "conv", {data, filter, shift},
                                      {{"kernel", "(3, 3)"}, {"num_filter", "5"}});
  symbol::Entry relu = graph->addNode("Activation", "relu", {conv}, {{"act_type", "relu"}});
  symbol::Entry pool =
      graph->addNode("Pooling", "pool", {relu},
                     {{"kernel", "(3, 3)"}, {"stride", "(1, 1)"}, {"pool_type", "max"}});
  symbol::Entry weight = graph->addVariable("fc_weight"), bias = graph->addVariable("fc_bias");
  symbol::Entry fc =
      graph->addNode("FullyConnected", "fc", {pool, weight, bias}, {{"num_hidden", "7"}});
  graph->heads = {graph->addNode("softmax", "classes", {fc}, {})};
  return graph;
}

/// A compiled net, in this process.
class Loaded {
public:
  explicit Loaded(bool onDevice, DimSpec batch, std::vector<int64_t> batches = {}) {
    CompileRequest request;
    request.model.graph = net();
    request.shapes["data"] = {batch, DimSpec::fixed(Channels), DimSpec::fixed(Side),
                              DimSpec::fixed(Side)};
    request.batches = std::move(batches);
    request.randomWeights = true;
    request.targetCpus = {onDevice ? "x86-64-v3" : "native"};
    request.math = codegen::MathMode::Strict;
    request.onDevice = onDevice;
    request.resourceDir = SYMC_TEST_RESOURCES;
    compiler = std::make_unique<Compiler>(request, diagnostics);
    compiler->imageOf = [](const codegen::CudaProgram &program) {
      return imageForShim(program, /*checked=*/false);
    };
    codegen::InProcessOptions options;
    options.resourceDir = request.resourceDir;
    options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
                    {"symc_cuda_run", reinterpret_cast<const void *>(&symc_cuda_run)},
                    {"symc_cuda_device", &symc_cuda_device},
                    {"symc_run_batches", reinterpret_cast<const void *>(&symc_run_batches)}};
    if (compiler->read() && compiler->optimise() && compiler->schedule())
      loaded = compiler->load(weights, options);
    for (const Diagnostic &message : diagnostics.all())
      ADD_FAILURE() << message.message;
    if (loaded && symc_create(loaded->model(), nullptr, &context))
      ADD_FAILURE() << "no context";
  }
  ~Loaded() { symc_destroy(context); }
  const symc_model &model() { return *loaded->model(); }
  std::string error() { return symc_last_error(context); }

  /// The classes of `rows` pictures, the first of which is number `first`.
  symc_status run(int64_t rows, std::vector<float> &classes, int first = 0) {
    std::vector<float> pictures;
    for (int64_t i = 0; i < rows * Pixels; ++i)
      pictures.push_back(float((i + first * Pixels) * 37 % 101) / 50 - 1);
    classes.assign(rows * Classes, -1);
    int64_t data[] = {rows, Channels, Side, Side}, result[] = {rows, Classes};
    symc_tensor in = {pictures.data(), data, 4, SYMC_F32, SYMC_DEVICE_CPU, 0};
    symc_tensor out = {classes.data(), result, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
    return symc_run(context, &in, 1, &out, 1);
  }

private:
  Diagnostics diagnostics;
  std::unique_ptr<Compiler> compiler;
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  symc_context *context = nullptr;
};

struct CudaSizes : testing::Test {
  CudaSizes() { setenv("SYMC_CUDA_DRIVER", SYMC_TEST_CUDA_SHIM, 1); }
  ~CudaSizes() override { unsetenv("SYMC_CUDA_DRIVER"); }

  static unsigned long long graphs() {
    static void *shim = dlopen(SYMC_TEST_CUDA_SHIM, RTLD_NOW | RTLD_LOCAL);
    auto *count = reinterpret_cast<unsigned long long (*)()>(dlsym(shim, "symc_cuda_shim_graphs"));
    return count();
  }

  /// Runs the same sizes round by round, the later ones as graphs, on other pictures each time.
  static void compare(Loaded &device, std::vector<int64_t> sizes) {
    for (int64_t rows : sizes) {
      Loaded alone(/*onDevice=*/false, DimSpec::fixed(rows));
      for (int round = 0; round < 4; ++round) {
        std::vector<float> expected, classes;
        ASSERT_EQ(alone.run(rows, expected, round), SYMC_STATUS_OK) << alone.error();
        ASSERT_EQ(device.run(rows, classes, round), SYMC_STATUS_OK) << device.error();
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_NEAR(classes[i], expected[i], 1e-6) << rows << " rows, round " << round;
      }
    }
  }
};

} // namespace

TEST_F(CudaSizes, ARangeOfBatches) {
  Loaded device(/*onDevice=*/true, DimSpec::range(1, 8, "rows"));
  unsigned long long before = graphs();
  compare(device, {1, 8, 2, 5, 1});
  EXPECT_EQ(graphs() - before, 4u * 3 + 4) << "all but the first round of each size";
  std::vector<float> classes;
  EXPECT_EQ(device.run(9, classes), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(device.error(), "argument 'data': expected f32 [1..8, 3, 6, 6], got f32 [9, 3, 6, 6] "
                            "(dimension 0)");
  EXPECT_EQ(classes[0], -1) << "nothing was touched";
}

TEST_F(CudaSizes, SeveralBatchSizes) {
  Loaded device(/*onDevice=*/true, {0, 0, 0, batchSymbol}, {4, 1});
  ASSERT_EQ(device.model().n_variants, 1);
  EXPECT_EQ(device.model().variants[0].n_programs, 2);
  unsigned long long before = graphs();
  compare(device, {1, 4, 3, 9});
  EXPECT_GT(graphs() - before, 0u);
}
