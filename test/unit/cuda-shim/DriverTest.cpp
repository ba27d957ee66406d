// DriverTest.cpp: the shim's driver answers mistakes of its callers, and a failed launch, as CUDA's
// does. If these fail, a runtime that works on the shim may not work on a device.
#include "tools/cuda-shim/Driver.h"
#include "tools/cuda-shim/HostCompiler.h"
#include "tools/cuda-shim/Runner.h"
#include <dlfcn.h>
#include <gtest/gtest.h>

using symc::compileForHost;
using symc::codegen::CudaLaunch;

namespace {
class Driver : public testing::Test {
protected:
  void SetUp() override {
    cuInit(0);
    CUcontext context;
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    cuCtxPushCurrent_v2(context);
  }
  void TearDown() override {
    cuCtxPopCurrent_v2(nullptr);
    EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  }
  /// What is printed while `call` gives `expected`.
  template <typename F> std::string printed(CUresult expected, F call) {
    symc_cuda_shim_print_failures(true);
    testing::internal::CaptureStderr();
    EXPECT_EQ(call(), expected);
    return testing::internal::GetCapturedStderr();
  }
};
} // namespace

TEST_F(Driver, WithoutAContext) {
  CUcontext own;
  cuCtxPopCurrent_v2(&own);
  CUdeviceptr pointer;
  EXPECT_EQ(cuMemAlloc_v2(&pointer, 4), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPopCurrent_v2(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  cuCtxSetCurrent(own);
  EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
}

TEST_F(Driver, Devices) {
  char name[40];
  ASSERT_EQ(cuDeviceGetName(name, sizeof(name), 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "symc CUDA shim");
  CUdevice device;
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  void *function = nullptr;
  EXPECT_EQ(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(function, reinterpret_cast<void *>(&cuMemAlloc_v2));
  EXPECT_EQ(cuGetProcAddress_v2("cuNothing", &function, 12000, 0, nullptr), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Driver, HasAllThatTheRuntimeCalls) {
  const char *names[] = {
#define SYMC_CUDA_FUNCTION(name, arguments) #name,
#include "runtime/cuda/driver_functions.def"
  };
  for (const char *name : names)
    EXPECT_NE(dlsym(RTLD_DEFAULT, name), nullptr) << name;
}

TEST_F(Driver, CopiesAndFills) {
  char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(printed(CUDA_ERROR_INVALID_VALUE, [&] { return cuMemcpyHtoD_v2(16, bytes, 4); }),
            "cuda shim: a copy writes 4 bytes at memory that nobody allocated\n");
  CUdeviceptr pointer, other;
  size_t before, after, total;
  cuMemGetInfo_v2(&before, &total);
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 8), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc_v2(&other, 8), CUDA_SUCCESS);
  cuMemGetInfo_v2(&after, &total);
  EXPECT_EQ(before - after, 16u);
  EXPECT_EQ(cuMemAlloc_v2(&other, total), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(
      printed(CUDA_ERROR_INVALID_VALUE, [&] { return cuMemcpyHtoD_v2(pointer + 4, bytes, 5); }),
      "cuda shim: a copy writes 5 bytes at byte 4 of device memory, which has 8\n");
  EXPECT_EQ(printed(CUDA_ERROR_INVALID_VALUE,
                    [&] { return cuMemsetD8Async(pointer - 1, 0, 5, nullptr); }),
            "cuda shim: a fill writes 5 bytes at byte -1 of device memory, which has 8\n");
  EXPECT_EQ(
      printed(CUDA_ERROR_INVALID_VALUE, [&] { return cuMemcpyDtoH_v2(bytes, pointer + 8, 1); }),
      "cuda shim: a copy reads 1 bytes at byte 8 of device memory, which has 8\n");
  // Mistakes of a copy harm nothing; bytes travel.
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(pointer, bytes, 8, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(other, pointer + 2, 6, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8Async(other + 6, 9, 2, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(bytes, other, 8, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(std::string(bytes, 8), std::string("\3\4\5\6\7\10\11\11"));
  EXPECT_EQ(cuMemFree_v2(pointer + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
}

// A failed launch is told by the next call, and by all behind it.
TEST_F(Driver, FailureStays) {
  CudaLaunch launch;
  launch.kernel = "k";
  auto library =
      compileForHost("extern \"C\" __global__ void k() { *(volatile int *)16 = 1; }\n", launch);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  CUmodule module;
  CUfunction function;
  ASSERT_EQ(cuModuleLoadData(&module, library->data()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "missing"), CUDA_ERROR_NOT_FOUND);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
  auto start = [&](unsigned threads, unsigned shared) {
    return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, shared, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(start(1025, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(start(1, 200 << 10), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(printed(CUDA_SUCCESS, [&] { return start(1, 0); }),
            "cuda shim: kernels.cu:1: kernel 'k', block (0, 0, 0), thread (0, 0, 0) writes memory "
            "that nobody "
            "allocated\n");
  const char *name;
  EXPECT_EQ(cuGetErrorName(cuStreamSynchronize(nullptr), &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_EQ(start(1, 0), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
}

// A captured launch runs when its graph is started, each time, with the arguments that it had.
TEST_F(Driver, Graphs) {
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cuStreamBeginCapture_v2(nullptr, 1), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CudaLaunch launch{"add", "", {1, 1, 1}, {1, 1, 1}, 0, 1, {}};
  auto library = compileForHost("extern \"C\" __global__ void add(int *sum, long long by) "
                                "{ *sum += by; }",
                                launch);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  CUmodule module;
  CUfunction add;
  ASSERT_EQ(cuModuleLoadData(&module, library->data()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&add, module, "add"), CUDA_SUCCESS);
  CUdeviceptr sum;
  int value = 10;
  ASSERT_EQ(cuMemAlloc_v2(&sum, sizeof value), CUDA_SUCCESS);
  cuMemcpyHtoD_v2(sum, &value, sizeof value);
  int64_t by = 5;
  void *arguments[] = {&sum, &by};
  ASSERT_EQ(cuStreamCreate(&stream, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const char *words = nullptr;
  cuGetErrorString(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, &words);
  EXPECT_STREQ(words, "not possible in a captured stream");
  int capturing = 0;
  cuStreamIsCapturing(stream, &capturing);
  EXPECT_EQ(capturing, 1);
  EXPECT_EQ(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
  by = 100;
  auto read = [&] {
    cuMemcpyDtoH_v2(&value, sum, sizeof value);
    return value;
  };
  EXPECT_EQ(read(), 10);
  EXPECT_EQ(cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(read(), 20);
  EXPECT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphLaunch(exec, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Driver, ImagesThatAreNone) {
  CUmodule module;
  char image[4096] = {};
  EXPECT_EQ(printed(CUDA_ERROR_INVALID_IMAGE, [&] { return cuModuleLoadData(&module, image); }),
            "cuda shim: the image is no library for this processor\n");
}

TEST(HostCompiler, Mistakes) {
  CudaLaunch launch;
  launch.kernel = "k";
  auto messageOf = [&](const char *source) {
    auto library = compileForHost(source, launch, "net.cu");
    return library ? "" : llvm::toString(library.takeError());
  };
  EXPECT_EQ(messageOf("extern \"C\" __global__ void k(char *arena) {\n  arena[0] = missing;\n}\n"),
            "clang does not compile the CUDA source for this machine:\n"
            "net.cu:2:14: error: use of undeclared identifier 'missing'");
  EXPECT_NE(messageOf("extern \"C\" __global__ void k(int n) {}\n")
                .find("an argument of a kernel has 8 bytes"),
            std::string::npos);
  EXPECT_NE(
      messageOf("extern \"C\" __global__ void k(char *a) { a[0] = __shfl_sync(1u, a[0], 0); }\n")
          .find("shuffles move 4 or 8 bytes"),
      std::string::npos);
  setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EQ(messageOf(""), "cannot make a temporary folder: No such file or directory");
  unsetenv("TMPDIR");
}

// A name that no kernel has, in a program with its library.
TEST(Runner, KernelThatIsMissing) {
  CudaLaunch launch;
  launch.kernel = "k";
  auto library = compileForHost("extern \"C\" __global__ void k() {}\n", launch);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  symc::codegen::CudaProgram program;
  program.images = {{symc::codegen::CudaImage::HostLibrary, 0, false, *library}};
  launch = {"other", "conv0", {1, 1, 1}, {1, 1, 1}, 0, 1, {}};
  program.launches = {launch};
  EXPECT_EQ(llvm::toString(symc::runOnShim(program, {}).takeError()),
            "other: CUDA_ERROR_NOT_FOUND");
}
