// cuda_graphs_test.cpp: runs as CUDA graphs over a driver that runs nothing. If these fail, runs
// start other kernels when they are repeated, numbers of an earlier run stay in a graph, an
// application's own capture is disturbed, or a graph that fails is an error of the run.
#include "cuda_model.h"

#include <set>
#include <thread>

// Runs leave their states in one of two places, alternately, so that two kinds of them repeat.
struct CudaGraphs : Cuda {
  std::vector<std::string> runOnce(symc_context *context) {
    driver.ran.clear();
    driver.calls.clear();
    EXPECT_EQ(run(context), SYMC_STATUS_OK) << symc_last_error(context);
    return driver.ran;
  }
  int captures() { return driver.counted["cuStreamBeginCapture_v2"]; }
};

TEST_F(CudaGraphs, CapturesARunThatIsRepeated) {
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  std::vector<std::string> even = runOnce(context.handle), odd = runOnce(context.handle);
  EXPECT_EQ(even.size(), 5u);
  EXPECT_NE(even, odd);
  EXPECT_EQ(captures(), 0) << "a run that is not repeated pays nothing";
  EXPECT_EQ(driver.callsOf("cuGraph"), "");
  EXPECT_EQ(runOnce(context.handle), even);
  EXPECT_EQ(driver.callsOf("cuStreamBegin"), "cuStreamBeginCapture_v2 1\n");
  EXPECT_EQ(driver.callsOf("cuGraph"),
            "cuGraphInstantiate_v2 5\ncuGraphDestroy\ncuGraphLaunch 5 stream 0\n");
  EXPECT_EQ(runOnce(context.handle), odd);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(runOnce(context.handle), even);
    EXPECT_EQ(driver.callsOf("cuLaunchKernel"), "");
    EXPECT_EQ(driver.callsOf("cuGraph"), "cuGraphLaunch 5 stream 0\n");
    EXPECT_EQ(runOnce(context.handle), odd);
  }
  EXPECT_EQ(captures(), 2);
  EXPECT_EQ(driver.streams, 0);
  EXPECT_EQ(driver.graphs, 2);
}

TEST_F(CudaGraphs, OtherSizesAreOtherGraphs) {
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  Tensor otherData{{1, 4}, 1}, otherOutput{{1, 4}};
  auto other = [&] {
    driver.ran.clear();
    symc_tensor in = otherData.view(), out = otherOutput.view();
    EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    return driver.ran;
  };
  std::vector<std::string> two = runOnce(context.handle), one = other();
  EXPECT_EQ(two[0].back(), '2');
  EXPECT_EQ(one[0].back(), '1');
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(runOnce(context.handle), two);
    EXPECT_EQ(other(), one);
  }
  EXPECT_EQ(driver.graphs, 2);
}

// Each thread finds the graphs of its own context.
TEST_F(CudaGraphs, ManyThreads) {
  constexpr int count = 8, runs = 20;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&] {
      ScopedContext context(fake.model);
      Tensor ownData{{2, 4}, 1}, ownOutput{{2, 4}};
      symc_tensor in = ownData.view(), out = ownOutput.view();
      for (int k = 0; k < runs; ++k)
        EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(driver.ran.size(), size_t(count * runs * 5));
  EXPECT_EQ(captures(), 2 * count);
  EXPECT_EQ(driver.counted["cuGraphLaunch"], count * (runs - 2));
}

// Of more kinds of runs than there are places the last ones stay.
TEST_F(CudaGraphs, AreBounded) {
  symc_options options = {};
  options.flags = SYMC_ASYNCHRONOUS;
  ScopedContext context(fake.model, options);
  const symc_device &device = *symc_context_device(context.handle);
  symc_device_guard guard;
  ASSERT_EQ(symc_device_enter(&device, 0, &guard), SYMC_STATUS_OK);
  void *memory = nullptr;
  ASSERT_EQ(device.allocate(0, 4096, 64, &memory), SYMC_STATUS_OK);
  for (int k = 0; k < 40; ++k)
    for (int i = 0; i < 6; ++i) {
      symc_tensor in = data.view(), out = output.view();
      in.device = out.device = SYMC_DEVICE_CUDA;
      in.data = static_cast<char *>(memory) + 64 * k;
      out.data = static_cast<char *>(memory) + 64 * k + 32;
      ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
      ASSERT_LE(driver.graphs, 16);
    }
  EXPECT_EQ(driver.ran.size(), 40u * 6 * 5);
  EXPECT_EQ(captures(), 80);
  EXPECT_EQ(driver.graphs, 16);
  device.release(0, memory, 4096);
  symc_device_leave(&guard);
}

TEST_F(CudaGraphs, NotWhileTheApplicationCaptures) {
  ScopedContext context(fake.model);
  driver.capturing = 1;
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(runOnce(context.handle).size(), 5u);
  EXPECT_EQ(captures(), 0);
  driver.capturing = 0;
  runOnce(context.handle);
  EXPECT_EQ(captures(), 1) << "afterwards they are";
  driver.capturing = 1;
  runOnce(context.handle), runOnce(context.handle);
  EXPECT_EQ(driver.callsOf("cuGraphLaunch"), "");
}

TEST_F(CudaGraphs, NotWhereTheVariableSaysZero) {
  ScopedVariable variable("SYMC_CUDA_GRAPHS", "0");
  ScopedContext context(fake.model);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(runOnce(context.handle).size(), 5u);
  EXPECT_EQ(captures(), 0);
  EXPECT_EQ(driver.counted["cuStreamIsCapturing"], 0);
}

// A seed or the number of a run is another one each time.
TEST_F(CudaGraphs, NotOfRandomNumbers) {
  for (int64_t kind : {SYMC_CUDA_SEED, SYMC_CUDA_ITERATION}) {
    static symc_cuda_module *modules[SYMC_CUDA_DEVICES];
    static symc_cuda_argument draw[] = {{SYMC_CUDA_IO, 3}, {0, 0}};
    draw[1].kind = kind;
    static const symc_cuda_launch launch = {"drop", draw, 3, {1, 1, 1}, {1, 1, 1}, 0, 2, 0, 0};
    static const char *const kernels[] = {"draw"};
    static const symc_cuda_image image = {"cubin draw:2", 13, SYMC_CUDA_CUBIN, 80, 0, 0};
    static const symc_cuda_program code = {&image, &launch, kernels, modules, 1, 1, 1, 0, -1};
    static const void *const programs[] = {&code};
    fake.variants[0].programs = programs;
    fake.variants[0].run = [](const symc_frame *frame) { return symc_cuda_run(frame, &code); };
    ScopedContext context(fake.model);
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    std::set<std::string> seen;
    for (int i = 0; i < 6; ++i)
      seen.insert(runOnce(context.handle).back());
    EXPECT_EQ(seen.size(), kind == SYMC_CUDA_SEED ? 1u : 6u);
    EXPECT_EQ(captures(), 0);
  }
}

// What a capture or a graph's start fails with is no error: the kernels start one by one, unless
// the device is lost, and nothing is captured again. Each call of the driver fails once.
TEST_F(CudaGraphs, EveryCallFailsOnce) {
  static const std::set<std::string> ofGraphs = {
      "cuStreamCreate",          "cuStreamDestroy_v2",    "cuStreamIsCapturing",
      "cuStreamBeginCapture_v2", "cuStreamEndCapture",    "cuGraphDestroy",
      "cuGraphLaunch",           "cuGraphInstantiate_v2", "cuGraphExecDestroy"};
  int fellBack = 0;
  failEachCall(
      8, {1, 2, 719}, [&] { reset(); },
      [&](const std::string &function, int code, symc_status status, const std::string &where) {
        if (!ofGraphs.count(function) || code == 719)
          return;
        EXPECT_EQ(status, SYMC_STATUS_OK) << where;
        ++fellBack;
      });
  EXPECT_GT(fellBack, 30);
}
