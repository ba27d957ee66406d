// NvrtcTest.cpp: NVRTC compiles kernels for several architectures and tells what they take; without
// it, or with one that fails, there is one message. If these fail, errors in generated CUDA
// source cannot be found, or limits of registers and shared memory are not kept.
#include "codegen/cuda/Nvrtc.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

using namespace symc::codegen;

static const std::string libraries = SYMC_TEST_LIBRARIES;

template <typename T> static std::string messageOf(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

static std::unique_ptr<Nvrtc> openFake() {
  return llvm::cantFail(Nvrtc::open({libraries + "/libsymc-fake-nvrtc.so", {}}));
}

//===-- A library whose calls fail -----------------------------------------------------------===//

TEST(FakeNvrtc, CompilesEqualSourcesOnce) {
  unsetenv("FAKE_NVRTC_CALLS");
  auto nvrtc = openFake();
  EXPECT_EQ(nvrtc->version(), "12.1");
  EXPECT_EQ(nvrtc->architectures(), llvm::ArrayRef<int>({80, 90}));
  auto compile = [&](const char *source, const char *architecture, CudaImage::Kind kind) {
    return llvm::cantFail(nvrtc->compile(source, "net.cu", architecture, kind))->bytes;
  };
  EXPECT_EQ(compile("a", "80", CudaImage::Cubin), std::string("cubin of a", 11));
  compile("a", "80", CudaImage::Cubin);
  EXPECT_STREQ(getenv("FAKE_NVRTC_CALLS"), "1");
  EXPECT_EQ(compile("a", "80", CudaImage::Ptx), std::string("a", 2)); // with the cubin
  EXPECT_STREQ(getenv("FAKE_NVRTC_CALLS"), "1");
  compile("a", "90a", CudaImage::Cubin);
  compile("b", "80", CudaImage::Cubin);
  compile("b", "90", CudaImage::Ptx);
  EXPECT_STREQ(getenv("FAKE_NVRTC_CALLS"), "4");
}

TEST(FakeNvrtc, ThreadsThatAskForOneSourceCompileItOnce) {
  unsetenv("FAKE_NVRTC_CALLS");
  auto nvrtc = openFake();
  std::vector<std::thread> threads;
  std::vector<const CudaBinary *> found(8);
  for (const CudaBinary *&each : found)
    threads.emplace_back([&] {
      each = llvm::cantFail(nvrtc->compile("a", "net.cu", "80", CudaImage::Cubin)).get();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_STREQ(getenv("FAKE_NVRTC_CALLS"), "1");
  EXPECT_TRUE(llvm::all_equal(found));
}

// A store in memory.
struct MapStore : CudaStore {
  std::optional<std::string> find(llvm::ArrayRef<std::string> key) override {
    auto found = kept.find(key.vec());
    return found == kept.end() ? std::nullopt : std::optional<std::string>(found->second);
  }
  void add(llvm::ArrayRef<std::string> key, llvm::StringRef name, llvm::StringRef target,
           llvm::StringRef bytes) override {
    kept[key.vec()] = bytes.str();
    told = (name + ": " + target).str();
  }
  std::map<std::vector<std::string>, std::string> kept;
  std::string told;
};

TEST(FakeNvrtc, TakesFromAStoreWhatIsWhole) {
  MapStore store;
  auto compile = [&](const char *source, const char *name, const char *architecture) {
    unsetenv("FAKE_NVRTC_CALLS");
    auto nvrtc = openFake(); // another process
    nvrtc->keepIn(store);
    auto binary = llvm::cantFail(nvrtc->compile(source, name, architecture, CudaImage::Cubin));
    EXPECT_EQ(binary->bytes, "cubin of " + std::string(source, strlen(source) + 1));
    EXPECT_EQ(binary->ptx, std::string(source, strlen(source) + 1));
    EXPECT_EQ(binary->log, "something that nobody foresaw\n");
    return getenv("FAKE_NVRTC_CALLS") != nullptr;
  };
  EXPECT_TRUE(compile("a", "net.cu", "80"));
  EXPECT_EQ(store.told, "net.cu: sm_80, NVRTC 12.1");
  EXPECT_FALSE(compile("a", "net.cu", "80"));
  std::string whole = store.kept.begin()->second;
  for (const std::string &damaged :
       {std::string(), whole.substr(1), whole + "x", std::string("1\n2\nx\n"),
        std::string("1\n2\n3\n"), std::string("0\n0\n0\n")}) {
    store.kept.begin()->second = damaged;
    EXPECT_TRUE(compile("a", "net.cu", "80"));
    EXPECT_EQ(store.kept.begin()->second, whole);
  }
  EXPECT_EQ(store.kept.size(), 1u);
  EXPECT_TRUE(compile("a", "net.cu", "90a"));
  EXPECT_FALSE(compile("a", "other.cu", "80"));
  EXPECT_TRUE(compile("b", "net.cu", "80"));
  EXPECT_EQ(store.kept.size(), 3u);
}

TEST(FakeNvrtc, EachCallFails) {
  for (const char *name : {"nvrtcVersion", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs"}) {
    setenv("FAKE_NVRTC_FAILS", name, 1);
    EXPECT_EQ(messageOf(Nvrtc::open({libraries + "/libsymc-fake-nvrtc.so", {}})),
              std::string("NVRTC failed: ") + name + ": NVRTC_ERROR_INVALID_INPUT");
  }
  unsetenv("FAKE_NVRTC_FAILS");
  auto nvrtc = openFake();
  for (const char *name : {"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLog",
                           "nvrtcGetPTX", "nvrtcGetCUBIN"}) {
    setenv("FAKE_NVRTC_FAILS", name, 1);
    CudaImage::Kind kind = strcmp(name, "nvrtcGetPTX") ? CudaImage::Cubin : CudaImage::Ptx;
    EXPECT_EQ(messageOf(nvrtc->compile(name, "net.cu", "80", kind)),
              std::string("NVRTC failed: ") + name + ": NVRTC_ERROR_INVALID_INPUT");
  }
  unsetenv("FAKE_NVRTC_FAILS");
}

TEST(FakeNvrtc, Refusals) {
  auto nvrtc = openFake();
  EXPECT_EQ(messageOf(nvrtc->compile("a", "net.cu", "89", CudaImage::Cubin)),
            "NVRTC 12.1 compiles for no architecture 89; it supports 80, 90");
  for (const char *name : {"", "sm_80", "80b"})
    EXPECT_EQ(messageOf(nvrtc->compile("a", "net.cu", name, CudaImage::Cubin)),
              "CUDA architecture '" + std::string(name) +
                  "' is none; expected a number such as 80 or 90a");
  // A log that nobody understands is quoted.
  EXPECT_EQ(messageOf(nvrtc->compile("wrong", "net.cu", "80", CudaImage::Ptx)),
            "NVRTC 12.1 refuses code for compute_80:\nsomething that nobody foresaw");
}

TEST(FakeNvrtc, LibrariesThatAreNone) {
  EXPECT_EQ(messageOf(Nvrtc::open({libraries + "/missing.so", {}})),
            "cannot open NVRTC, which SYMC_NVRTC names: " + libraries +
                "/missing.so: cannot open shared object file: No such file or directory");
  EXPECT_EQ(
      messageOf(Nvrtc::open({libraries + "/libsymc-old-nvrtc.so", {}})),
      "the library of NVRTC has no function nvrtcGetCUBINSize; symc needs version 11.2 or later");
}

// As the wheel nvidia-cuda-nvrtc lies in a virtual environment.
TEST(FakeNvrtc, FoundAmongPythonPackages) {
  NvrtcSearch search;
  search.usual = false;
  std::string prefix = testing::TempDir() + "nvrtc",
              lib = prefix + "/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib";
  llvm::sys::fs::remove_directories(prefix);
  search.addPython(prefix);
  EXPECT_EQ(messageOf(Nvrtc::open(search)), "code for CUDA needs NVRTC, NVIDIA's compiler library, "
                                            "and finds no libnvrtc.so.13, .12 or .11.2; install "
                                            "it by 'pip install nvidia-cuda-nvrtc-cu12' (no GPU is "
                                            "needed) or with the CUDA toolkit, or name the "
                                            "library in SYMC_NVRTC");
  ASSERT_FALSE(llvm::sys::fs::create_directories(lib));
  ASSERT_FALSE(
      llvm::sys::fs::create_link(libraries + "/libsymc-fake-nvrtc.so", lib + "/libnvrtc.so.12"));
  search.addPython(prefix);
  EXPECT_EQ(llvm::cantFail(Nvrtc::open(search))->version(), "12.1");
}

//===-- Logs ---------------------------------------------------------------------------------===//

// As versions 12 and 13 write it.
TEST(NvrtcLog, WhatKernelsTake) {
  CudaBinary binary;
  readNvrtcLog(
      "kernels.cu(3): warning #177-D: variable \"unused\" was declared but never referenced\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_80'\n"
      "ptxas info    : Function properties for b\n"
      "ptxas         .     800 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 800 bytes cumulative stack size, "
      "1024 bytes smem, 376 bytes cmem[0]\n"
      "ptxas info    : Function properties for a\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 6 registers, 360 bytes cmem[0]\n",
      binary);
  ASSERT_EQ(binary.kernels.size(), 2u);
  EXPECT_EQ(binary.kernels[0].kernel, "a");
  EXPECT_EQ(binary.kernels[0].registers, 6);
  EXPECT_EQ(binary.kernels[0].sharedBytes, 0);
  const CudaKernelUse &b = binary.kernels[1];
  EXPECT_EQ(std::vector<int64_t>({b.registers, b.sharedBytes, b.constantBytes, b.stackBytes,
                                  b.spillStoreBytes, b.spillLoadBytes}),
            std::vector<int64_t>({40, 1024, 376, 800, 8, 12}));
  ASSERT_EQ(binary.messages.size(), 1u);
  EXPECT_FALSE(binary.messages[0].isError);
  EXPECT_EQ(binary.messages[0].line, 3);
}

//===-- The real one -------------------------------------------------------------------------===//

static const std::string sums =
    "extern \"C\" __global__ void __launch_bounds__(64) sums(char *io0, long long n) {\n"
    "  __shared__ float part[64];\n"
    "  part[threadIdx.x] = ((float *)io0)[threadIdx.x * n];\n"
    "  __syncthreads();\n"
    "  ((float *)io0)[threadIdx.x] = expf(part[63 - threadIdx.x]);\n"
    "}\n";

#define OPEN_OR_SKIP(nvrtc)                                                                        \
  const char *named = getenv("SYMC_NVRTC");                                                        \
  auto opened = Nvrtc::open({named ? named : "", {}});                                             \
  if (!opened)                                                                                     \
    GTEST_SKIP() << llvm::toString(opened.takeError());                                            \
  auto &nvrtc = *opened

TEST(RealNvrtc, CompilesForEachArchitecture) {
  OPEN_OR_SKIP(nvrtc);
  for (const char *architecture : {"80", "86", "90", "90a"}) {
    auto binary = nvrtc->compile(sums, "net.cu", architecture, CudaImage::Cubin);
    ASSERT_TRUE(bool(binary)) << llvm::toString(binary.takeError());
    EXPECT_EQ((*binary)->bytes.substr(0, 4), "\x7f"
                                             "ELF");
    ASSERT_EQ((*binary)->kernels.size(), 1u);
    const CudaKernelUse &use = (*binary)->kernels[0];
    EXPECT_EQ(use.kernel, "sums");
    EXPECT_EQ(use.sharedBytes, 256);
    EXPECT_GT(use.registers, 0);
    EXPECT_EQ(use.stackBytes + use.spillStoreBytes + use.spillLoadBytes, 0);
  }
  auto ptx = nvrtc->compile(sums, "net.cu", "80", CudaImage::Ptx);
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  EXPECT_NE((*ptx)->bytes.find(".target sm_80"), std::string::npos);
  // That of a cubin is the same.
  auto alone = llvm::cantFail(Nvrtc::open({named ? named : "", {}}));
  EXPECT_EQ(llvm::cantFail(alone->compile(sums, "net.cu", "80", CudaImage::Ptx))->bytes,
            (*ptx)->bytes);
}

TEST(RealNvrtc, QuotesLinesThatAreWrong) {
  OPEN_OR_SKIP(nvrtc);
  EXPECT_EQ(messageOf(nvrtc->compile(
                "extern \"C\" __global__ void k(char *arena) {\n  arena[0] = missing;\n}\n",
                "net.cu", "80", CudaImage::Cubin)),
            "NVRTC " + nvrtc->version() +
                " refuses code for sm_80:\nnet.cu:2: identifier \"missing\" is undefined\n  "
                "arena[0] = missing;");
  // More shared memory than a block may declare: ptxas tells it, of no line.
  std::string much = sums;
  much.replace(much.find("[64]"), 4, "[65536]");
  EXPECT_NE(messageOf(nvrtc->compile(much, "net.cu", "80", CudaImage::Cubin))
                .find("too much shared data"),
            std::string::npos);
}
