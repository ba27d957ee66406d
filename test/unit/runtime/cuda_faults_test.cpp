// cuda_faults_test.cpp: what fails on CUDA: every call of the driver once in turn, and machines
// without it. If these fail, an error is lost or has no sentence, something is not given back, or a
// context cannot be destroyed any more.
#include "cuda_model.h"

#include <cstring>
#include <set>

namespace {
struct Outcome {
  symc_status status = SYMC_STATUS_OK;
  std::string step, sentence;
  std::map<std::string, int> calls; // until the context ends
};
} // namespace

// A life of a context; the first step that fails ends it.
static Outcome live(const CudaModel &fake, FakeCuda &driver) {
  Outcome outcome;
  ScopedContext context(fake.model);
  auto step = [&](const char *name, symc_status status, const char *sentence) {
    if (status != SYMC_STATUS_OK)
      outcome = {status, name, sentence};
    return status == SYMC_STATUS_OK;
  };
  if (!step("create", context.status, context.error))
    return outcome;
  Tensor in({2, 4}, 1), out({2, 4}), mean({4}), scale({4}, 9);
  symc_tensor data = in.view(), output = out.view(), state = mean.view(), raw = scale.view();
  symc_context *handle = context.handle;
  for (int i = 0; i < 2; ++i)
    if (!step("run", symc_run(handle, &data, 1, &output, 1), symc_last_error(handle)))
      return outcome;
  if (step("get", symc_get_state(handle, "mean", &state), symc_last_error(handle)) &&
      step("set", symc_set_state(handle, "mean", &state), symc_last_error(handle)) &&
      step("reset", symc_reset_state(handle, nullptr), symc_last_error(handle)))
    step("parameters", symc_set_parameters(handle, &raw, 1), symc_last_error(handle));
  outcome.calls = driver.counted;
  return outcome;
}

// Their failures change nothing for the caller: they give back, or explain. What the thread uses is
// asked for only to bring it back.
static const std::set<std::string> quiet = {"cuMemFree_v2",     "cuModuleUnload",
                                            "cuMemGetInfo_v2",  "cuDevicePrimaryCtxRelease_v2",
                                            "cuGetErrorString", "cuCtxGetCurrent"};

// Of a call that fails at another step than the end of the context, the caller hears.
static bool isHeard(const Outcome &good, const std::string &function, int n) {
  bool restores = function == "cuCtxSetCurrent" && n % 2 == 0;
  return !quiet.count(function) && !restores && n <= good.calls.at(function);
}

TEST_F(Cuda, EveryCallFailsOnce) {
  fake.withoutCpu();
  ASSERT_EQ(live(fake, driver).status, SYMC_STATUS_OK); // the driver is started
  reset();
  Outcome good = live(fake, driver);
  int heard = 0;
  for (auto &[function, calls] : std::map<std::string, int>(driver.counted))
    for (int n = 1; n <= calls; ++n)
      for (int code : {1, 2, 719}) {
        reset();
        driver.failing = function;
        driver.failAt = n;
        driver.failWith = code;
        Outcome outcome = live(fake, driver);
        std::string where = function + " call " + std::to_string(n) + " with " +
                            std::to_string(code) + ": " + outcome.step + ": " + outcome.sentence;
        ASSERT_TRUE(driver.clean()) << where << driver.mistakes;
        if (isHeard(good, function, n)) {
          ++heard;
          bool launch = code == 1 && function == "cuLaunchKernel";
          EXPECT_EQ(outcome.status, launch        ? SYMC_STATUS_LAUNCH_FAILED
                                    : code == 1   ? SYMC_STATUS_DRIVER_FAILED
                                    : code == 719 ? SYMC_STATUS_DEVICE_LOST
                                                  : SYMC_STATUS_NO_DEVICE_MEMORY)
              << where;
          EXPECT_NE(outcome.sentence, "") << where;
        }
        reset();
        ASSERT_EQ(live(fake, driver).status, SYMC_STATUS_OK) << "after " << where;
      }
  EXPECT_GT(heard, 100);
}

TEST_F(Cuda, FailuresAreSentences) {
  fake.withoutCpu();
  struct Row {
    const char *function;
    int at, with;
    symc_status status;
    const char *step, *sentence;
  } rows[] = {
      {"cuDeviceGetCount", 1, 999, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot count the CUDA devices: fake error 999"},
      {"cuDeviceGet", 1, 101, SYMC_STATUS_BAD_ORDINAL, "create",
       "cannot find the CUDA device: fake error 101"},
      {"cuDeviceGetAttribute", 2, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot read the CUDA device's architecture: fake error 1"},
      {"cuDevicePrimaryCtxRetain", 1, 2, SYMC_STATUS_NO_DEVICE_MEMORY, "create",
       "cannot use the CUDA device: fake error 2"},
      {"cuCtxSetCurrent", 1, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot use the CUDA device: a call of the device's driver failed"},
      {"cuCtxSetCurrent", 3, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot use cuda:0: a call of the device's driver failed"},
      {"cuModuleLoadData", 1, 222, SYMC_STATUS_OLD_DRIVER, "create",
       "the CUDA driver refused the file's code for sm_80: fake error 222 (the driver is one for "
       "CUDA 12.4)"},
      {"cuModuleLoadData", 1, 209, SYMC_STATUS_NO_CODE, "create",
       "the CUDA driver refused the file's code for sm_80: fake error 209 (the driver is one for "
       "CUDA 12.4)"},
      {"cuModuleGetFunction", 2, 500, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot find kernel 'add' in the file's code for CUDA: fake error 500"},
      {"cuFuncSetAttribute", 1, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "node 'mean0': the CUDA device refused 65536 bytes of shared memory: fake error 1"},
      {"cuMemAlloc_v2", 1, 2, SYMC_STATUS_NO_DEVICE_MEMORY, "create",
       "cannot allocate 64 bytes of weights on cuda:0, which has 1073741824 bytes free"},
      {"cuMemAlloc_v2", 2, 2, SYMC_STATUS_NO_DEVICE_MEMORY, "create",
       "cannot allocate 256 bytes of arena on cuda:0, which has 1073741760 bytes free"},
      {"cuMemAlloc_v2", 3, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot allocate 128 bytes of states on cuda:0: a call of the device's driver failed"},
      {"cuMemcpyHtoDAsync_v2", 1, 719, SYMC_STATUS_DEVICE_LOST, "create",
       "cannot copy the weights to cuda:0: work on the device failed, and the process cannot use "
       "the device any more"},
      {"cuMemcpyHtoDAsync_v2", 2, 1, SYMC_STATUS_DRIVER_FAILED, "create",
       "cannot copy states to cuda:0: a call of the device's driver failed"},
      {"cuMemAlloc_v2", 4, 2, SYMC_STATUS_NO_DEVICE_MEMORY, "run",
       "cannot allocate 128 bytes of copies of inputs and outputs on cuda:0, which has 1073741376 "
       "bytes free"},
      {"cuMemcpyHtoDAsync_v2", 3, 1, SYMC_STATUS_DRIVER_FAILED, "run",
       "cannot copy argument 'data' to cuda:0: a call of the device's driver failed"},
      {"cuLaunchKernel", 2, 701, SYMC_STATUS_LAUNCH_FAILED, "run",
       "node 'mean0': cannot start kernel 'add' on cuda:0: fake error 701"},
      {"cuLaunchKernel", 5, 719, SYMC_STATUS_DEVICE_LOST, "run",
       "node 'conv1': cannot start kernel 'scale' on cuda:0: fake error 719"},
      {"cuMemcpyDtoHAsync_v2", 1, 1, SYMC_STATUS_DRIVER_FAILED, "run",
       "cannot copy output 'fc_output' from cuda:0: a call of the device's driver failed"},
      {"cuStreamSynchronize", 3, 700, SYMC_STATUS_DEVICE_LOST, "run",
       "the run failed on cuda:0: work on the device failed, and the process cannot use the device "
       "any more"},
      {"cuMemcpyDtoHAsync_v2", 3, 1, SYMC_STATUS_DRIVER_FAILED, "get",
       "cannot copy state 'mean' from cuda:0: a call of the device's driver failed"},
  };
  for (const Row &row : rows) {
    reset();
    driver.failing = row.function;
    driver.failAt = row.at;
    driver.failWith = row.with;
    Outcome outcome = live(fake, driver);
    EXPECT_EQ(outcome.status, row.status) << row.sentence;
    EXPECT_EQ(outcome.step, row.step);
    EXPECT_EQ(outcome.sentence, row.sentence);
    EXPECT_TRUE(driver.clean()) << row.sentence << driver.mistakes;
  }
}

// A run that fails leaves states as it found them.
TEST_F(Cuda, AFailingRunKeepsStates) {
  ScopedContext context(fake.model);
  Tensor mean({4});
  symc_tensor view = mean.view();
  driver.failing = "cuLaunchKernel";
  driver.failAt = 3;
  driver.failWith = 1;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_LAUNCH_FAILED);
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(mean.data[0], 10);
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
}

TEST_F(Cuda, CodeThatNobodyLoaded) {
  char error[128];
  symc_frame frame = {};
  frame.error = error;
  frame.error_bytes = sizeof error;
  frame.ordinal = 2;
  EXPECT_EQ(symc_cuda_run(&frame, fake.program), SYMC_STATUS_NO_CODE);
  EXPECT_STREQ(error, "no context has the program's code on cuda:2");
  frame.ordinal = SYMC_CUDA_DEVICES;
  EXPECT_EQ(symc_cuda_run(&frame, fake.program), SYMC_STATUS_NO_CODE);
}

// Where there are no devices a file with code for the CPU runs that, unless CUDA is asked for. Any
// other failure is told.
TEST_F(Cuda, WithoutDevicesTheCpuRuns) {
  ASSERT_EQ(live(fake, driver).status, SYMC_STATUS_OK); // the driver is started
  driver.devices = 0;
  {
    ScopedContext context(fake.model);
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    EXPECT_STREQ(symc_context_variant(context.handle)->isa, "x86-64");
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[1], 2);
  }
  auto refused = [&](symc_options options, symc_status status, const char *sentence) {
    ScopedContext context(fake.model, options);
    EXPECT_EQ(context.status, status);
    EXPECT_STREQ(context.error, sentence);
  };
  symc_options options = {};
  options.device_name = "cuda";
  refused(options, SYMC_STATUS_NO_DEVICE, "the machine has no CUDA device");
  options.device_name = nullptr;
  options.isa = "cuda";
  refused(options, SYMC_STATUS_NO_DEVICE, "the machine has no CUDA device");
  driver.devices = 1;
  driver.architectures = {75};
  refused({}, SYMC_STATUS_NO_CODE,
          "the CUDA device has architecture sm_75, the file has code for sm_80");
  fake.withoutCpu();
  driver.devices = 0;
  refused({}, SYMC_STATUS_NO_DEVICE, "the machine has no CUDA device");
}
