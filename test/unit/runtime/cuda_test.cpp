// cuda_test.cpp: contexts on CUDA over a driver that runs nothing. If these fail, kernels start in
// another order or with other arguments than the table says, tensors or weights lie elsewhere than
// they should, or a file runs on another device than was asked for.
#include "cuda/driver.h"
#include "cuda_model.h"

#include <thread>

static std::string address(const void *memory) {
  return std::to_string(uint64_t(reinterpret_cast<uintptr_t>(memory)));
}

TEST_F(Cuda, StartsKernelsInOrderWithTheirArguments) {
  symc_options options = {};
  options.stream = reinterpret_cast<void *>(77);
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_STREQ(symc_context_variant(context.handle)->isa, "cuda");
  EXPECT_EQ(symc_context_device(context.handle), &symc_cuda_device);
  EXPECT_EQ(driver.callsOf("cuFuncSetAttribute"), "cuFuncSetAttribute add 8 65536\n");
  // Weights of 64 bytes, an arena of 256, a state of 16 twice: in this order, each on pages of
  // 4096.
  ASSERT_EQ(driver.memory.size(), 3u);
  uint64_t weights = driver.memory.begin()->first, arena = weights + 4096, states = arena + 4096;
  EXPECT_EQ(driver.held(), 64u + 256u + 128u);
  driver.calls.clear();
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  std::string in = std::to_string(states + 4096), out = std::to_string(states + 4096 + 64);
  std::string scale = " arguments " + std::to_string(arena) + " " + std::to_string(weights) + " " +
                      in + " " + out + " 2\n";
  auto add = [&](int round) {
    return "cuLaunchKernel add grid 7 1 1 block 8 1 1 shared 65536 stream 77 arguments " +
           std::to_string(round) + " " + std::to_string(states + 64) + "\n";
  };
  EXPECT_EQ(driver.callsOf("cu"),
            "cuCtxGetCurrent\ncuCtxSetCurrent\ncuMemAlloc_v2 128\n"
            "cuMemcpyHtoDAsync_v2 32 stream 77\n"
            "cuLaunchKernel scale grid 1 2 3 block 4 5 6 shared 0 stream 77" +
                scale + add(0) + add(1) + add(2) +
                "cuLaunchKernel scale grid 9 1 1 block 10 1 1 shared 16 stream 77" + scale +
                "cuMemcpyDtoHAsync_v2 32 stream 77\ncuStreamSynchronize stream 77\n"
                "cuCtxSetCurrent\n");
  EXPECT_EQ(output.data[0], 0); // as the memory of the device was
  driver.calls.clear();
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(driver.callsOf("cuMemAlloc"), "") << "the place of copies is kept";
  EXPECT_NE(driver.callsOf("cuLaunchKernel add").find(std::to_string(states)), std::string::npos);
}

TEST_F(Cuda, TensorsOnTheDeviceAreUsedAsTheyAre) {
  symc_options options = {};
  options.flags = SYMC_ASYNCHRONOUS;
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  const symc_device &device = *symc_context_device(context.handle);
  symc_device_guard guard;
  ASSERT_EQ(symc_device_enter(&device, 0, &guard), SYMC_STATUS_OK);
  void *memory = nullptr;
  ASSERT_EQ(device.allocate(0, 64, 64, &memory), SYMC_STATUS_OK);
  EXPECT_EQ(device.allocate(0, 64, 4096, &memory), SYMC_STATUS_BAD_ALIGNMENT);
  ASSERT_EQ(device.allocate(0, 64, 64, &memory), SYMC_STATUS_OK);
  symc_tensor in = data.view(), out = output.view();
  in.data = memory;
  in.device = out.device = SYMC_DEVICE_CUDA;
  out.data = static_cast<char *>(memory) + 32;
  driver.calls.clear();
  ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
  EXPECT_EQ(driver.callsOf("cuMem"), "");
  EXPECT_EQ(driver.callsOf("cuStreamSynchronize"), "") << "nobody waits";
  EXPECT_NE(driver.callsOf("cuLaunchKernel scale").find(address(memory) + " " + address(out.data)),
            std::string::npos);
  out.ordinal = 1;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_DEVICE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "output 'fc_output': expected memory of device 1, ordinal 0, or of the CPU, got "
               "device 1, ordinal 1");
  std::vector<uint64_t> own;
  for (auto &[at, block] : driver.memory)
    if (block.size() == 64 && at >= uint64_t(uintptr_t(memory)) - 4096)
      own.push_back(at);
  for (uint64_t at : own)
    device.release(0, reinterpret_cast<void *>(at), 64);
  symc_device_leave(&guard);
}

TEST_F(Cuda, ContextsOfAModelShareWeights) {
  ScopedContext first(fake.model);
  size_t held = driver.held();
  {
    ScopedContext second(fake.model);
    ASSERT_EQ(second.status, SYMC_STATUS_OK) << second.error;
    EXPECT_EQ(driver.held(), 2 * held - 64);
    EXPECT_EQ(driver.modules, 1);
    Tensor scale({4}, 9);
    symc_tensor parameter = scale.view();
    ASSERT_EQ(symc_set_parameters(second.handle, &parameter, 1), SYMC_STATUS_OK);
    EXPECT_EQ(driver.held(), 2 * held) << "new weights are its own";
    ASSERT_EQ(symc_set_parameters(second.handle, &parameter, 1), SYMC_STATUS_OK);
    EXPECT_EQ(driver.held(), 2 * held) << "in the place of the old ones";
    ASSERT_EQ(run(second.handle), SYMC_STATUS_OK);
  }
  EXPECT_EQ(driver.held(), held);
  float value;
  memcpy(&value, driver.memory.begin()->second.data(), sizeof value);
  EXPECT_EQ(value, 1) << "the shared ones are as they were";
  ASSERT_EQ(run(first.handle), SYMC_STATUS_OK);
}

TEST_F(Cuda, StatesAreCopied) {
  ScopedContext context(fake.model);
  Tensor value({4});
  symc_tensor view = value.view();
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(value.data[3], 40);
  value.data[3] = 5;
  ASSERT_EQ(symc_set_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  value.data[3] = 0;
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(value.data[3], 5);
  ASSERT_EQ(symc_reset_state(context.handle, "mean"), SYMC_STATUS_OK);
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(value.data[3], 40);
}

TEST_F(Cuda, WhatTheThreadUsedIsRestored) {
  ScopedContext started(fake.model);
  const symc::cuda::Driver &functions = symc::cuda::driver();
  int anything;
  CUcontext another = reinterpret_cast<CUcontext>(&anything), found = nullptr;
  functions.cuCtxSetCurrent(another);
  {
    ScopedContext context(fake.model);
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    functions.cuCtxGetCurrent(&found);
    EXPECT_EQ(found, another);
  }
  functions.cuCtxGetCurrent(&found);
  EXPECT_EQ(found, another);
  functions.cuCtxSetCurrent(nullptr);
}

TEST_F(Cuda, DevicesByNumber) {
  driver.devices = 2;
  driver.architectures = {75, 86}; // the first one runs nothing of the file
  struct Row {
    const char *name;
    int32_t ordinal;
    symc_status status;
    const char *sentence;
  } rows[] = {
      {"cuda:1", 0, SYMC_STATUS_OK, ""},
      {"cuda", 1, SYMC_STATUS_OK, ""},
      {nullptr, 1, SYMC_STATUS_OK, ""},
      {"cuda:0", 1, SYMC_STATUS_NO_CODE,
       "the CUDA device has architecture sm_75, the file has code for sm_80"},
      {"cuda:2", 0, SYMC_STATUS_BAD_ORDINAL,
       "cuda:2 was requested, expected a device in cuda:0..cuda:1"},
      {nullptr, -1, SYMC_STATUS_BAD_ORDINAL,
       "cuda:-1 was requested, expected a device in cuda:0..cuda:1"},
      {"cuda:", 0, SYMC_STATUS_BAD_ARGUMENT,
       "options.device_name: expected a device's number behind ':', got 'cuda:'"},
      {"gpu", 0, SYMC_STATUS_NO_CODE,
       "options.device_name: 'gpu' was requested, the file has code for cuda, cpu"},
  };
  for (const Row &row : rows) {
    symc_options options = {};
    options.device_name = row.name;
    options.ordinal = row.ordinal;
    ScopedContext context(fake.model, options);
    EXPECT_EQ(context.status, row.status) << row.sentence;
    EXPECT_STREQ(context.error, row.sentence);
    if (context.handle) {
      EXPECT_EQ(symc_context_ordinal(context.handle), 1);
      EXPECT_EQ(run(context.handle), SYMC_STATUS_OK);
    }
  }
}

TEST_F(Cuda, TheEnvironmentChooses) {
  EXPECT_EQ(symc_arena_bytes(&fake.model), 128) << "of the code for the CPU";
  {
    ScopedVariable device("SYMC_DEVICE", "cpu");
    ScopedContext context(fake.model);
    EXPECT_STREQ(symc_context_variant(context.handle)->isa, "x86-64");
    symc_options options = {};
    options.device_name = "cuda";
    ScopedContext other(fake.model, options);
    EXPECT_STREQ(symc_context_variant(other.handle)->isa, "cuda");
  }
  ScopedVariable device("SYMC_DEVICE", "cuda");
  EXPECT_EQ(symc_arena_bytes(&fake.model), 256);
  fake.variants[0] = fake.variants[1];
  ScopedContext context(fake.model);
  EXPECT_EQ(context.status, SYMC_STATUS_NO_CODE);
  EXPECT_STREQ(context.error, "SYMC_DEVICE: 'cuda' was requested, the file has code for cpu");
}

// Two programs of a variant, of 2 rows and of 1, compute 5 rows of tensors of the CPU in parts.
TEST_F(Cuda, PartsOfABatch) {
  static const symc_cuda_argument arguments[] = {{SYMC_CUDA_IO, 0}, {SYMC_CUDA_IO, 2}};
  static const symc_cuda_launch launches[] = {
      {"fc", arguments, 1, {2, 1, 1}, {1, 1, 1}, 0, 2, 1, 0},
      {"fc", arguments, 1, {1, 1, 1}, {1, 1, 1}, 0, 2, 0, 0}};
  static const symc_cuda_image image = {"ptx one:2 two:2", 15, SYMC_CUDA_PTX, 80, 0, 0};
  static const char *const kernels[] = {"one", "two"};
  static symc_cuda_module *modules[2][SYMC_CUDA_DEVICES];
  static const symc_cuda_program two = {&image, launches, kernels, modules[0], 1, 1, 2, 0, -1};
  static const symc_cuda_program one = {&image, launches + 1, kernels, modules[1], 1, 1, 2, 0, -1};
  static const void *const programs[] = {&two, &one};
  static const int64_t sizes[] = {2, 1}, least[] = {0}, rowBytes[] = {16, 4, 16};
  static const symc_batches batches = {sizes, least, rowBytes, 2, 3};
  fake.model.batches = &batches;
  fake.model.n_states = 0;
  fake.variants[0].programs = programs;
  fake.variants[0].n_programs = 2;
  fake.variants[0].run = [](const symc_frame *frame) {
    static int32_t (*const code[])(const symc_frame *) = {
        [](const symc_frame *part) { return symc_cuda_run(part, &two); },
        [](const symc_frame *part) { return symc_cuda_run(part, &one); }};
    void *io[3];
    return symc_run_batches(frame, &batches, code, io);
  };
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(driver.modules, 2);
  data = Tensor({5, 4}, 1);
  output = Tensor({5, 4});
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  uint64_t in = driver.memory.rbegin()->first, out = in + 128; // 80 bytes, padded
  std::string expected;
  for (uint64_t row : {0, 2, 4})
    expected += std::string(row < 4 ? "cuLaunchKernel two grid 2" : "cuLaunchKernel one grid 1") +
                " 1 1 block 1 1 1 shared 0 stream 0 arguments " + std::to_string(in + 16 * row) +
                " " + std::to_string(out + 16 * row) + "\n";
  EXPECT_EQ(driver.callsOf("cuLaunchKernel"), expected);
}

// A program whose kernels may fail clears a word of the arena before them, and reads it behind
// them.
TEST_F(Cuda, TheWordThatKernelsLeave) {
  static const symc_cuda_argument arguments[] = {{SYMC_CUDA_ARENA, 64}, {SYMC_CUDA_SEED, 0}};
  static const symc_cuda_launch launches[] = {
      {"sorted", arguments, 1, {1, 1, 1}, {1, 1, 1}, 0, 2, 0, 0}};
  static const symc_cuda_image image = {"ptx one:2", 9, SYMC_CUDA_PTX, 80, 0, 0};
  static const char *const kernels[] = {"one"};
  static symc_cuda_module *modules[SYMC_CUDA_DEVICES];
  static const symc_cuda_program leaves = {&image, launches, kernels, modules, 1, 1, 1, 0, 64};
  static const void *const programs[] = {&leaves};
  fake.variants[0].programs = programs;
  fake.variants[0].run = [](const symc_frame *frame) { return symc_cuda_run(frame, &leaves); };
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
  driver.failing = "cuMemcpyDtoHAsync_v2";
  driver.failAt = driver.counted[driver.failing] + 1;
  driver.failWith = 1;
  EXPECT_NE(run(context.handle), SYMC_STATUS_OK);
  std::string said = symc_last_error(context.handle);
  EXPECT_EQ(said.find("cannot read what kernels left on cuda:0: "), 0u) << said;
}

// Contexts come and go in several threads; whatever they share is made once and ends once.
TEST_F(Cuda, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        Tensor in({2, 4}, 1), out({2, 4});
        symc_tensor views[] = {in.view(), out.view()};
        ScopedContext context(fake.model);
        ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
        ASSERT_EQ(symc_run(context.handle, &views[0], 1, &views[1], 1), SYMC_STATUS_OK);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
