// cuda_early_test.cpp: kernels that start while the one before them ends, over a driver that runs
// nothing. If these fail, kernels that do not wait by themselves start too early, or those that do
// are started too late.
#include "cuda_model.h"

#include <set>

struct CudaEarly : Cuda {
  ScopedVariable asked{"SYMC_CUDA_DEPENDENT_LAUNCH", "1"};
  CudaEarly() { fresh(); }
  void fresh() {
    reset();
    fake.withCodeOf90();
    driver.architectures = {90};
  }
  // "L" for each start of a kernel, "E" where it may start early, "G" for a graph's.
  std::string starts() const {
    std::string text;
    for (const std::string &call : driver.calls)
      if (call.rfind("cuGraphLaunch", 0) == 0)
        text += 'G';
      else if (call.rfind("cuLaunchKernelEx", 0) == 0)
        text += 'E';
      else if (call.rfind("cuLaunchKernel", 0) == 0)
        text += 'L';
    return text;
  }
  std::string startsOfRun(symc_context *context) {
    driver.calls.clear();
    EXPECT_EQ(run(context), SYMC_STATUS_OK) << symc_last_error(context);
    return starts();
  }
};

TEST_F(CudaEarly, AllButTheFirstOfARun) {
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(startsOfRun(context.handle), "LEEEE");
  EXPECT_EQ(startsOfRun(context.handle), "LEEEE");
  EXPECT_EQ(startsOfRun(context.handle), "LEEEEG") << "into a capture, too";
  EXPECT_EQ(driver.ran.size(), 15u);
}

// The device's architecture does not matter, but that of the code.
TEST_F(CudaEarly, OnlyCodeThatWaits) {
  for (int architecture : {80, 86, 90, 120})
    for (bool has90 : {false, true}) {
      reset();
      fake.program->n_images = has90 ? 2 : 1;
      static const symc_cuda_image images[] = {
          {"ptx scale:5 add:2", 18, SYMC_CUDA_PTX, 80, 0, 0},
          {"ptx90 scale:5 add:2", 20, SYMC_CUDA_PTX, 90, 0, 1}};
      fake.program->images = images;
      driver.architectures = {architecture};
      ScopedContext context(fake.model);
      ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
      EXPECT_EQ(startsOfRun(context.handle), has90 && architecture >= 90 ? "LEEEE" : "LLLLL")
          << architecture;
    }
}

TEST_F(CudaEarly, NotWhereSomebodyWantsOtherwise) {
  {
    ScopedVariable variable("SYMC_CUDA_DEPENDENT_LAUNCH", "0");
    ScopedContext context(fake.model);
    EXPECT_EQ(startsOfRun(context.handle), "LLLLL");
    startsOfRun(context.handle);
    EXPECT_EQ(startsOfRun(context.handle), "LLLLLG");
  }
  {
    ScopedContext context(fake.model); // nobody asked
    EXPECT_EQ(startsOfRun(context.handle), "LLLLL");
  }
  ScopedVariable again("SYMC_CUDA_DEPENDENT_LAUNCH", "1");
  {
    ScopedVariable variable("SYMC_CUDA_GRAPHS", "0");
    ScopedContext context(fake.model);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(startsOfRun(context.handle), "LEEEE");
    driver.capturing = 1; // the application
    EXPECT_EQ(startsOfRun(context.handle), "LLLLL");
    driver.capturing = 0;
  }
  ScopedVariable variable("SYMC_CUDA_PROFILE", "/dev/null");
  ScopedContext context(fake.model);
  EXPECT_EQ(startsOfRun(context.handle), "LLLLL");
}

// A driver that refuses is asked once.
TEST_F(CudaEarly, ADriverThatRefuses) {
  driver.failing = "cuLaunchKernelEx";
  driver.failAt = 2;
  driver.failWith = 801;
  ScopedContext context(fake.model);
  EXPECT_EQ(startsOfRun(context.handle), "LEELLL");
  EXPECT_EQ(startsOfRun(context.handle), "LLLLL");
  EXPECT_EQ(startsOfRun(context.handle), "LLLLLG");
  EXPECT_EQ(driver.ran.size(), 15u);
}

// What a capture refuses is captured once more, without.
TEST_F(CudaEarly, ACaptureThatFails) {
  for (const char *function :
       {"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiate_v2"}) {
    fresh();
    driver.failing = function;
    driver.failAt = 1;
    driver.failWith = 801;
    ScopedContext context(fake.model);
    EXPECT_EQ(startsOfRun(context.handle), "LEEEE");
    EXPECT_EQ(startsOfRun(context.handle), "LEEEE");
    bool begins = driver.failing == "cuStreamBeginCapture_v2";
    EXPECT_EQ(startsOfRun(context.handle), begins ? "LLLLLG" : "LEEEELLLLLG") << function;
    EXPECT_EQ(startsOfRun(context.handle), "LLLLLG") << function;
    EXPECT_EQ(startsOfRun(context.handle), "G") << function;
    EXPECT_EQ(driver.ran.size(), 25u);
  }
}

// Each call of the driver fails once: kernels run all the same or the run says why, and the next
// context works.
TEST_F(CudaEarly, EveryCallFailsOnce) {
  int refused = 0;
  failEachCall(
      6, {1, 719}, [&] { fresh(); },
      [&](const std::string &function, int code, symc_status status, const std::string &where) {
        if (function != "cuLaunchKernelEx" || code != 1)
          return;
        EXPECT_EQ(status, SYMC_STATUS_OK) << where;
        ++refused;
      });
  EXPECT_GT(refused, 0);
}
