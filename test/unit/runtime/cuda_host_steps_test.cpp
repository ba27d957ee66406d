// cuda_host_steps_test.cpp: steps on the CPU between kernels of CUDA, over a driver that copies but
// runs no kernel. If these fail, such a step runs before its operands are there, later work before
// its results are, on other memory than it should, or an error of it is lost.
#include "core/refusals.h"
#include "cuda_model.h"

#include <cstring>

namespace {

// What the step does beside its work, once.
struct Wish {
  int32_t ends = 0, decides = 0;
  const char *says = nullptr;
} wish;
symc_frame seen;
const void *seenIo[2];
int runs;

// fc_output = data * weights, rows as the frame says; 8 numbers of the arena count the runs.
int32_t multiply(const symc_frame *frame) {
  seen = *frame;
  seenIo[0] = frame->io[0], seenIo[1] = frame->io[1];
  ++runs;
  auto *data = static_cast<const float *>(frame->io[0]);
  auto *output = static_cast<float *>(frame->io[3]);
  auto *weights = reinterpret_cast<const float *>(frame->weights);
  auto *counted = reinterpret_cast<float *>(frame->arena + 64);
  if (wish.decides)
    frame->dims[0] = wish.decides;
  for (int64_t i = 0; i < frame->dims[0] * 4; ++i)
    output[i] = data[i] * weights[i % 4] + counted[i];
  for (int i = 0; i < 8; ++i)
    counted[i] += 100;
  if (wish.says)
    strncpy(frame->error, wish.says, size_t(frame->error_bytes));
  return wish.ends;
}

void placesOfMultiply(const int64_t *dims, int64_t *places) {
  const int64_t bytes = dims[0] * 16, all[] = {0, bytes, 64, 32, 64, 32, 0, bytes, 128, 0};
  memcpy(places, all, sizeof all);
}

int32_t leaveStatus(const symc_frame *frame) {
  uint64_t word = uint64_t(symc::Refusal::OUTSIDE) | uint64_t(2) << 32; // by launch 2
  memcpy(frame->arena + 192, &word, sizeof word);
  return 0;
}

// The model of cuda_model.h whose second launch is a step on the CPU.
struct HostModel : CudaModel {
  HostModel() {
    static const symc_cuda_region regions[] = {{SYMC_CUDA_IO, 0, 128, 0, 128, 1, 0},
                                               {SYMC_CUDA_ARENA, 0, -64, 64, 32, 1, 0},
                                               {SYMC_CUDA_ARENA, 0, -64, 64, 32, 0, 1},
                                               {SYMC_CUDA_IO, 3, 256, 0, 128, 0, 1},
                                               {SYMC_CUDA_ARENA, 0, -64, 128, 64, 0, 0}};
    static const symc_cuda_region word[] = {{SYMC_CUDA_ARENA, 0, -192, 192, 8, 0, 1}};
    static const symc_cuda_host_step steps[] = {{multiply, placesOfMultiply, regions, -64, 5, 4},
                                                {leaveStatus, nullptr, word, -192, 1, 0}};
    static symc_cuda_launch launches[3];
    static symc_cuda_program code;
    memcpy(launches, CudaModel::program->launches, sizeof launches);
    launches[1] = {"potrf0", nullptr, 1, {1, 1, 1}, {1, 1, 1}, 0, 0, -1, 0};
    code = *CudaModel::program;
    code.launches = launches;
    code.host_steps = steps;
    code.host_bytes = 384;
    static const void *const programs[] = {&code};
    variants[0].programs = programs;
    variants[0].run = [](const symc_frame *frame) { return symc_cuda_run(frame, &code); };
    program = &code;
    changed = launches;
    withoutCpu();
  }
  symc_cuda_launch *changed;
};

struct CudaHostSteps : Cuda {
  CudaHostSteps() {
    wish = {};
    runs = 0;
  }
  HostModel host;
};

} // namespace

TEST_F(CudaHostSteps, RunBetweenKernels) {
  symc_options options = {};
  options.stream = reinterpret_cast<void *>(77);
  ScopedContext context(host.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  driver.calls.clear();
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  std::string calls;
  for (const std::string &call : driver.calls)
    calls += call.substr(0, call.find(" arguments")) + "\n";
  EXPECT_EQ(calls, "cuCtxGetCurrent\ncuCtxSetCurrent\ncuMemAlloc_v2 128\n"
                   "cuMemcpyHtoDAsync_v2 32 stream 77\n"
                   "cuLaunchKernel scale grid 1 2 3 block 4 5 6 shared 0 stream 77\n"
                   "cuMemcpyDtoHAsync_v2 32 stream 77\ncuMemcpyDtoHAsync_v2 32 stream 77\n"
                   "cuStreamSynchronize stream 77\n"
                   "cuMemcpyHtoDAsync_v2 32 stream 77\ncuMemcpyHtoDAsync_v2 32 stream 77\n"
                   "cuLaunchKernel scale grid 9 1 1 block 10 1 1 shared 16 stream 77\n"
                   "cuMemcpyDtoHAsync_v2 32 stream 77\ncuStreamSynchronize stream 77\n"
                   "cuCtxSetCurrent\n");
  EXPECT_EQ(output.data, (std::vector<float>{1, 2, 3, 4, 1, 2, 3, 4}));
  EXPECT_EQ(seen.stream, nullptr);
  EXPECT_EQ(seen.host, nullptr) << "its own code finds nothing of the device";
  EXPECT_EQ(seenIo[1], nullptr) << "what it does not read";
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seenIo[0]) % SYMC_ALIGN, 0u);
  EXPECT_EQ(seen.weights, host.model.weights) << "those of the CPU, without a copy";
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[0], 101) << "the arena is the device's";
}

TEST_F(CudaHostSteps, DecideSizes) {
  ScopedContext context(host.model);
  wish.decides = 1;
  driver.calls.clear();
  Tensor one({1, 4}, 7);
  symc_tensor in = data.view(), out = one.view();
  out.shape = output.shape.data();
  out.data = output.data.data();
  ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
  EXPECT_EQ(driver.callsOf("cuMemcpyHtoDAsync"), "cuMemcpyHtoDAsync_v2 32 stream 0\n"
                                                 "cuMemcpyHtoDAsync_v2 32 stream 0\n"
                                                 "cuMemcpyHtoDAsync_v2 16 stream 0\n");
  std::string last = driver.callsOf("cuLaunchKernel scale grid 9");
  EXPECT_EQ(last.substr(last.size() - 3), " 1\n") << "kernels behind it have the size: " << last;
}

TEST_F(CudaHostSteps, EndRuns) {
  ScopedContext context(host.model);
  wish.ends = SYMC_STATUS_BAD_SHAPE;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(std::string(symc_last_error(context.handle)),
            std::string("a step failed: ") + symc_status_message(SYMC_STATUS_BAD_SHAPE));
  wish.says = "node 'potrf0': no root";
  EXPECT_EQ(run(context.handle), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context.handle), "node 'potrf0': no root");
  static const symc_condition condition = {"node 'potrf0': s0 is odd", nullptr, 0, 0};
  host.model.conditions = &condition;
  host.model.n_conditions = 1;
  wish = {-1, 0, nullptr};
  EXPECT_EQ(run(context.handle), SYMC_STATUS_BAD_SHAPE);
  std::string refusal = symc_last_error(context.handle);
  EXPECT_EQ(refusal.find("node 'potrf0': "), 0u) << refusal;
  EXPECT_EQ(refusal.find("s0"), std::string::npos) << "the size's value: " << refusal;
  EXPECT_NE(refusal.find(" is odd"), std::string::npos) << refusal;
  driver.calls.clear();
  EXPECT_EQ(run(context.handle), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(driver.callsOf("cuLaunchKernel scale grid 9"), "") << "nothing runs behind it";
}

TEST_F(CudaHostSteps, FindTheirWeights) {
  const_cast<symc_cuda_program *>(host.program)->weights_offset = 16;
  {
    ScopedContext context(host.model);
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    EXPECT_EQ(output.data, (std::vector<float>{10, 20, 30, 40, 10, 20, 30, 40}));
  }
  const_cast<symc_cuda_program *>(host.program)->weights_offset = 0;
}

// A kernel that failed has left a status: the step would work on what it did not write.
TEST_F(CudaHostSteps, RunBehindNoFailure) {
  host.changed[0] = host.changed[1];
  host.changed[0].kernel = -2;
  symc_cuda_program *program = const_cast<symc_cuda_program *>(host.program);
  program->status_offset = 192;
  {
    ScopedContext context(host.model);
    EXPECT_EQ(run(context.handle), SYMC_STATUS_RUN_FAILED);
    EXPECT_EQ(runs, 0);
    EXPECT_STREQ(symc_last_error(context.handle),
                 "node 'conv1': an index lies outside of the data");
  }
  program->status_offset = -1;
  ScopedContext context(host.model);
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(runs, 1);
}

TEST_F(CudaHostSteps, FailuresAreSentences) {
  struct Row {
    const char *function;
    int at, with; // of the calls of a run
    symc_status status;
    const char *sentence;
  } rows[] = {
      {"cuMemcpyDtoHAsync_v2", 2, 1, SYMC_STATUS_DRIVER_FAILED,
       "node 'potrf0', on the CPU: cannot copy what it reads from cuda:0: fake error 1"},
      {"cuStreamSynchronize", 1, 700, SYMC_STATUS_DEVICE_LOST,
       "node 'potrf0', on the CPU: cannot wait for cuda:0: fake error 700"},
      {"cuMemcpyHtoDAsync_v2", 2, 719, SYMC_STATUS_DEVICE_LOST,
       "node 'potrf0', on the CPU: cannot copy what it wrote to cuda:0: fake error 719"},
  };
  for (const Row &row : rows) {
    reset();
    {
      ScopedContext context(host.model);
      ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
      driver.failing = row.function;
      driver.failAt = driver.counted[row.function] + row.at;
      driver.failWith = row.with;
      EXPECT_EQ(run(context.handle), row.status) << row.sentence;
      EXPECT_STREQ(symc_last_error(context.handle), row.sentence);
    }
    EXPECT_TRUE(driver.clean()) << row.sentence << driver.mistakes;
  }
}

// Each call of a run fails once: the caller hears of it, and everything is given back.
TEST_F(CudaHostSteps, EveryCallFailsOnce) {
  std::map<std::string, int> before, all;
  {
    ScopedContext context(host.model);
    before = driver.counted;
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    all = driver.counted;
  }
  int heard = 0;
  for (const char *function : {"cuMemAlloc_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
                               "cuStreamSynchronize", "cuLaunchKernel"})
    for (int n = before[function] + 1; n <= all[function]; ++n)
      for (int code : {1, 2, 719}) {
        reset();
        std::string where =
            function + (" call " + std::to_string(n)) + " with " + std::to_string(code);
        {
          ScopedContext context(host.model);
          driver.failing = function;
          driver.failAt = n;
          driver.failWith = code;
          EXPECT_NE(run(context.handle), SYMC_STATUS_OK) << where;
          EXPECT_STRNE(symc_last_error(context.handle), "") << where;
          ++heard;
          if (code != 719) {
            EXPECT_EQ(run(context.handle), SYMC_STATUS_OK) << "after " << where;
          }
        }
        EXPECT_TRUE(driver.clean()) << where << driver.mistakes;
      }
  EXPECT_EQ(heard, 3 * 11);
}

TEST_F(CudaHostSteps, WithoutMemory) {
  auto *program = const_cast<symc_cuda_program *>(host.program);
  ScopedContext context(host.model);
  program->host_bytes = int64_t(1) << 60;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(symc_last_error(context.handle),
               "node 'potrf0', on the CPU: cannot allocate 1152921504606846976 bytes for copies of "
               "what it works on");
  program->host_bytes = 384;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
  program->host_bytes = 4096; // grows, behind a wait for copies from the old one
  driver.calls.clear();
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(driver.callsOf("cuStreamSynchronize"), "cuStreamSynchronize stream 0\n"
                                                   "cuStreamSynchronize stream 0\n"
                                                   "cuStreamSynchronize stream 0\n");
}

// A graph would not wait for the step.
TEST_F(CudaHostSteps, AreNeverCaptured) {
  ScopedContext context(host.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  for (int i = 0; i < 6; ++i)
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  EXPECT_EQ(runs, 6);
  EXPECT_EQ(driver.ran.size(), 12u);
  EXPECT_EQ(driver.counted["cuStreamBeginCapture_v2"], 0);
}

TEST_F(CudaHostSteps, AreInProfiles) {
  ScopedFolder folder;
  std::string file = folder / "profile";
  {
    ScopedVariable variable("SYMC_CUDA_PROFILE", file.c_str());
    ScopedContext context(host.model);
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  }
  std::string text = readFile(file);
  EXPECT_NE(text.find("  on the CPU                                potrf0\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  scale                                     conv1\n"), std::string::npos);
}

// Copies stand before the kernel behind such a step, which waits for them as any other does.
TEST_F(CudaHostSteps, LetNoKernelStartEarly) {
  host.withCodeOf90();
  driver.architectures = {90};
  ScopedContext context(host.model);
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  EXPECT_EQ(driver.counted["cuLaunchKernel"], 2);
  EXPECT_EQ(driver.counted["cuLaunchKernelEx"], 0);
}
