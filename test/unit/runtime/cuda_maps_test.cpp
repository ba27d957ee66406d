// cuda_maps_test.cpp: kernels with tensor maps, over a driver that runs nothing. If these fail, a
// kernel for sm_90a gets other maps than the file says, or none.
#include "cuda_model.h"

struct CudaMaps : Cuda {
  CudaMaps() { fresh(); }
  void fresh() {
    reset();
    fake.withMaps();
    driver.architectures = {90};
  }
};

TEST_F(CudaMaps, AreMadeForEachStart) {
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  EXPECT_EQ(driver.callsOf("cuTensorMap"),
            "cuTensorMapEncodeIm2col type 1 sizes 16,3,2,1,1 strides 32,96,32,32 steps 1,2,3,1,1 "
            "lower -1,-2,0 upper -3,4,0 box 16,64 layout 0,1,2,0\n"
            "cuTensorMapEncodeTiled type 1 sizes 16,9,2,1 strides 32,288,32 steps 1,1,1,1 "
            "box 16,8,2,1 layout 0,1,2,0\n");
  ASSERT_EQ(driver.ran.size(), 5u);
  EXPECT_NE(driver.ran[0].find(" 1001 1002 2"), std::string::npos) << driver.ran[0];
}

// A graph keeps the maps that it was captured with, until other memory is used.
TEST_F(CudaMaps, StayInGraphs) {
  ScopedContext context(fake.model);
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  EXPECT_EQ(driver.counted["cuGraphLaunch"], 3);
  EXPECT_EQ(driver.maps, 8u) << "two runs and two captures, as states change places";
}

// PTX for any device has another way, and gets zeros in their place.
TEST_F(CudaMaps, NotForOtherCode) {
  driver.architectures = {86};
  ScopedContext context(fake.model);
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  EXPECT_EQ(driver.maps, 0u);
  EXPECT_NE(driver.ran[0].find(" 0 0 2"), std::string::npos) << driver.ran[0];
}

TEST_F(CudaMaps, Refused) {
  driver.failing = "cuTensorMapEncodeTiled";
  driver.failAt = driver.failWith = 1;
  ScopedContext context(fake.model);
  EXPECT_EQ(run(context.handle), SYMC_STATUS_LAUNCH_FAILED);
  EXPECT_STREQ(symc_last_error(context.handle),
               "node 'conv0+relu0': cannot start kernel 'scale' on cuda:0: fake error 1");
}

TEST_F(CudaMaps, EveryCallFailsOnce) {
  failEachCall(
      4, {1, 719}, [&] { fresh(); }, [](const std::string &, int, symc_status, std::string) {});
}
