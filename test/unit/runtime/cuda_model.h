// cuda_model.h: the model of fake_model.h with code for CUDA, too, for the driver of fake_cuda.h:
//   scale(arena, weights, data, fc_output, n), then three rounds of add(round, mean), then scale.
#ifndef SYMC_TEST_UNIT_RUNTIME_CUDA_MODEL_H
#define SYMC_TEST_UNIT_RUNTIME_CUDA_MODEL_H

#include "fake_cuda.h"
#include "fake_model.h"
#include "symc/cuda.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string.h>

// A function of the driver of SYMC_TEST_FAKE_CUDA, the one that the runtime opens.
template <class Function> Function *fakeFunction(const char *name) {
  static void *library = dlopen(SYMC_TEST_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return reinterpret_cast<Function *>(dlsym(library, name));
}

struct CudaModel : FakeModel {
  CudaModel() {
    static const symc_cuda_image cubins[] = {
        {"cubin scale:5 add:2", 20, SYMC_CUDA_CUBIN, 80, 0, 0},
        {"cubin90 scale:5 add:2", 22, SYMC_CUDA_CUBIN, 90, 0, 1}};
    static const char *const kernels[] = {"scale", "add"};
    static const symc_cuda_argument scale[] = {{SYMC_CUDA_ARENA, 0},
                                               {SYMC_CUDA_WEIGHTS, 0},
                                               {SYMC_CUDA_IO, 0},
                                               {SYMC_CUDA_IO, 3},
                                               {SYMC_CUDA_SIZE, 0}};
    static const symc_cuda_argument add[] = {{SYMC_CUDA_ROUND, 0}, {SYMC_CUDA_IO, 4}};
    static const symc_cuda_launch launches[] = {
        {"conv0+relu0", scale, 1, {1, 2, 3}, {4, 5, 6}, 0, 5, 0, 0},
        {"mean0", add, 3, {7, 1, 1}, {8, 1, 1}, 65536, 2, 1, 0},
        {"conv1", scale, 1, {9, 1, 1}, {10, 1, 1}, 16, 5, 0, 0}};
    static symc_cuda_module *modules[SYMC_CUDA_DEVICES];
    static symc_cuda_program code;
    code = {cubins, launches, kernels, modules, 1, 3, 2, 0, -1};
    static const void *const programs[] = {&code};
    variants[0] = {"cuda",
                   0,
                   256,
                   [](const symc_frame *frame) { return symc_cuda_run(frame, &code); },
                   SYMC_DEVICE_CUDA,
                   1,
                   programs,
                   &symc_cuda_device};
    program = &code;
  }
  // Code for sm_90a, whose first kernel has two tensor maps: scale(arena, weights, map 1, map 0,
  // n).
  void withMaps() {
    static const symc_cuda_image images[] = {
        {"ptx scale:5 add:2", 18, SYMC_CUDA_PTX, 80, 0, 0},
        {"cubin90a scale:5 add:2", 23, SYMC_CUDA_CUBIN, 90, 1, 0}};
    static const symc_cuda_map maps[] = {{{SYMC_CUDA_WEIGHTS, 16},
                                          {16, 9, 2, 1},
                                          {32, 288, 32},
                                          {16, 8, 2, 1},
                                          {1, 1, 1, 1},
                                          {},
                                          {},
                                          4,
                                          0},
                                         {{SYMC_CUDA_ARENA, 32},
                                          {16, 3, 2, 1, 1},
                                          {32, 96, 32, 32},
                                          {16, 64},
                                          {1, 2, 3, 1, 1},
                                          {-1, -2, 0},
                                          {-3, 4, 0},
                                          5,
                                          1}};
    static const symc_cuda_argument scale[] = {{SYMC_CUDA_ARENA, 0},
                                               {SYMC_CUDA_WEIGHTS, 0},
                                               {SYMC_CUDA_MAP, 1},
                                               {SYMC_CUDA_MAP, 0},
                                               {SYMC_CUDA_SIZE, 0}};
    static symc_cuda_launch launches[3];
    memcpy(launches, program->launches, sizeof launches);
    launches[0].arguments = scale;
    program->launches = launches;
    program->images = images;
    program->n_images = 2;
    program->maps = maps;
  }
  void withoutCpu() { model.n_variants = 1; }
  void withCodeOf90() { program->n_images = 2; } // whose kernels wait by themselves
  symc_cuda_program *program;
};

struct Cuda : testing::Test {
  Cuda() { reset(); }
  ~Cuda() override {
    EXPECT_EQ(driver.mistakes, "");
    EXPECT_EQ(driver.held(), 0u);
    EXPECT_EQ(driver.modules, 0);
    EXPECT_EQ(driver.retained, 0);
    EXPECT_EQ(driver.streams, 0);
    EXPECT_EQ(driver.events, 0);
    EXPECT_EQ(driver.graphs, 0);
    reset();
  }
  static void reset() { fakeFunction<void()>("fake_cuda_reset")(); }
  symc_status run(symc_context *context) {
    symc_tensor in = data.view(), out = output.view();
    return symc_run(context, &in, 1, &out, 1);
  }
  // A context with so many runs: the status of what failed first, whose sentence is not empty.
  symc_status statusOf(int runs) {
    ScopedContext context(fake.model);
    if (context.status != SYMC_STATUS_OK)
      return context.status;
    for (int i = 0; i < runs; ++i)
      if (symc_status status = run(context.handle)) {
        EXPECT_STRNE(symc_last_error(context.handle), "");
        return status;
      }
    return SYMC_STATUS_OK;
  }
  // Each call of the driver that such a life makes fails once, with each of the codes, after
  // fresh(): nothing is held behind it, kernels ran if no error was told, and the next life works.
  // check(function, code, status, where) may ask for more.
  template <class Fresh, class Check>
  void failEachCall(int runs, std::vector<int> codes, Fresh fresh, Check check) {
    fake.withoutCpu();
    ASSERT_EQ(statusOf(runs), SYMC_STATUS_OK); // the driver is started
    fresh();
    ASSERT_EQ(statusOf(runs), SYMC_STATUS_OK);
    size_t kernels = driver.ran.size();
    EXPECT_EQ(kernels, size_t(runs) * 5);
    for (auto &[function, calls] : std::map<std::string, int>(driver.counted))
      for (int n = 1; n <= calls; ++n)
        for (int code : codes) {
          fresh();
          driver.failing = function;
          driver.failAt = n;
          driver.failWith = code;
          std::string where =
              function + " call " + std::to_string(n) + " with " + std::to_string(code);
          symc_status status = statusOf(runs);
          ASSERT_TRUE(driver.clean()) << where << driver.mistakes;
          if (status == SYMC_STATUS_OK) {
            EXPECT_EQ(driver.ran.size(), kernels) << where;
          }
          check(function, code, status, where);
          fresh();
          ASSERT_EQ(statusOf(runs), SYMC_STATUS_OK) << "after " << where;
        }
  }
  FakeCuda &driver = *fakeFunction<FakeCuda *()>("fake_cuda")();
  ScopedVariable library{"SYMC_CUDA_DRIVER", SYMC_TEST_FAKE_CUDA};
  CudaModel fake;
  Tensor data{{2, 4}, 1}, output{{2, 4}, 7};
};

#endif
