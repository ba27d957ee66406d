// cuda_driver_test.cpp: a driver that is missing, old or does not start. A program of its own,
// since a process keeps the driver that it has opened. If these fail, a machine without a driver,
// or with an old one, gets no sentence that says so.
#include "cuda_model.h"

static void expectFailure(const CudaModel &fake, symc_status status, const std::string &sentence) {
  symc_options options = {};
  options.device_name = "cuda";
  ScopedContext context(fake.model, options);
  EXPECT_EQ(context.status, status);
  EXPECT_EQ(std::string(context.error).substr(0, sentence.size()), sentence);
}

TEST_F(Cuda, DriversThatDoNotStart) {
  {
    ScopedVariable none("SYMC_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    expectFailure(fake, SYMC_STATUS_NO_DRIVER,
                  "cannot open the CUDA driver: /nowhere/libcuda.so.1: cannot open shared object");
    ScopedContext context(fake.model); // nobody asked for CUDA
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    EXPECT_STREQ(symc_context_variant(context.handle)->isa, "x86-64");
  }
  {
    ScopedVariable another("SYMC_CUDA_DRIVER", "libm.so.6");
    expectFailure(fake, SYMC_STATUS_OLD_DRIVER,
                  "the CUDA driver has no function cuInit, as those for CUDA 11.0 and later have");
  }
  ScopedVariable library("SYMC_CUDA_DRIVER", SYMC_TEST_FAKE_CUDA);
  driver.version = 10020;
  expectFailure(fake, SYMC_STATUS_OLD_DRIVER,
                "the CUDA driver is one for CUDA 10.2, expected one for CUDA 11.0 or later");
  driver.version = 12040;
  driver.devices = 0;
  expectFailure(fake, SYMC_STATUS_NO_DEVICE, "the machine has no CUDA device");
  reset();
  driver.failing = "cuInit";
  driver.failAt = 1;
  driver.failWith = 803;
  expectFailure(fake, SYMC_STATUS_DRIVER_FAILED, "cannot start the CUDA driver: fake error 803");
  reset();
  ScopedContext context(fake.model);
  EXPECT_EQ(context.status, SYMC_STATUS_OK) << "a driver that starts later is used";
}

// One before CUDA 12.0 makes no tensor maps, which code for sm_90a alone needs.
TEST_F(Cuda, ADriverWithoutTensorMaps) {
  fake.withMaps();
  driver.version = 11080;
  driver.architectures = {90};
  expectFailure(fake, SYMC_STATUS_OLD_DRIVER,
                "the file's code for sm_90a needs tensor maps, which CUDA drivers have from CUDA "
                "12.0 on (the driver is one for CUDA 12.4)"); // as it said when it was opened
  driver.architectures = {86};
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
}

// One before CUDA 11.8 starts each kernel when the one before has ended.
TEST_F(Cuda, ADriverThatLacksAFunction) {
  fake.withCodeOf90();
  driver.architectures = {90};
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(driver.counted["cuLaunchKernel"], 5);
}
