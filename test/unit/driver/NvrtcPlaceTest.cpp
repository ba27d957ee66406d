// NvrtcPlaceTest.cpp: environment variables decide which NVRTC is opened and which nvdisasm runs,
// and a wheel's is found. If this fails, a user cannot choose them.
#include "tools/driver/NvrtcPlace.h"
#include "codegen/cuda/Nvdisasm.h"
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

TEST(NvdisasmPlace, EnvironmentAndWheel) {
  using symc::codegen::Nvdisasm;
  std::string prefix = testing::TempDir() + "nvdisasm-place",
              folder = prefix + "/lib/python3.9/site-packages/nvidia/cu13/bin";
  llvm::sys::fs::remove_directories(prefix);
  setenv("SYMC_NVDISASM", "/bin/sh", 1);
  EXPECT_EQ(llvm::cantFail(Nvdisasm::find(symc::nvdisasmPlace())).program(), "/bin/sh");
  unsetenv("SYMC_NVDISASM");
  symc::codegen::NvrtcSearch search;
  search.usual = false;
  search.addPython(prefix);
  EXPECT_EQ(llvm::toString(Nvdisasm::find(search).takeError()),
            "SASS is read by NVIDIA's disassembler, and there is no program nvdisasm; install it "
            "by 'pip install nvidia-cuda-nvdisasm' or with the CUDA toolkit, or name it in "
            "SYMC_NVDISASM");
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder));
  ASSERT_FALSE(llvm::sys::fs::create_link("/bin/sh", folder + "/nvdisasm"));
  search.addPython(prefix);
  EXPECT_EQ(llvm::cantFail(Nvdisasm::find(search)).program(), folder + "/nvdisasm");
}
