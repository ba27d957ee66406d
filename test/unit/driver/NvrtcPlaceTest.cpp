// NvrtcPlaceTest.cpp: environment variables decide which NVRTC is opened. If this fails, a user
// cannot choose it.
#include "tools/driver/NvrtcPlace.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <gtest/gtest.h>

TEST(NvrtcPlace, Environment) {
  std::string prefix = testing::TempDir() + "nvrtc-place",
              packages = prefix + "/lib/python3.9/site-packages";
  ASSERT_FALSE(llvm::sys::fs::create_directories(packages));
  unsetenv("SYMC_NVRTC");
  unsetenv("VIRTUAL_ENV");
  EXPECT_EQ(symc::nvrtcPlace().library, "");
  EXPECT_TRUE(symc::nvrtcPlace().folders.empty());
  setenv("SYMC_NVRTC", "/a/libnvrtc.so", 1);
  setenv("VIRTUAL_ENV", prefix.c_str(), 1);
  EXPECT_EQ(symc::nvrtcPlace().library, "/a/libnvrtc.so");
  EXPECT_EQ(symc::nvrtcPlace().folders.at(0), packages);
  unsetenv("SYMC_NVRTC");
  unsetenv("VIRTUAL_ENV");
}
