// context_device_test.cpp: a context on a device that is a fake: a row of functions that count.
// If these fail, a context allocates or copies past its device, or takes memory of another one.
#include "core/context.h"
#include "fake_model.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

namespace {
struct Calls {
  int allocations, releases, copies[3], waits, ordinal, entered;
  size_t held, copied;
  void *stream;
} calls;
symc_status copyStatus;
int failAt; // the allocation that gets no memory

const symc_device counting = {
    "counting",
    [](int32_t ordinal, size_t bytes, size_t alignment, void **memory) {
      if (calls.allocations == failAt)
        return SYMC_STATUS_NO_DEVICE_MEMORY;
      ++calls.allocations;
      calls.ordinal = ordinal;
      calls.held += bytes;
      *memory = bytes % alignment ? nullptr : aligned_alloc(alignment, bytes);
      return SYMC_STATUS_OK;
    },
    [](int32_t, void *memory, size_t bytes) {
      ++calls.releases;
      calls.held -= (bytes + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
      free(memory);
    },
    [](void *target, const void *source, size_t bytes, int32_t direction, void *stream) {
      ++calls.copies[direction];
      calls.copied += bytes;
      calls.stream = stream;
      memcpy(target, source, bytes);
      return copyStatus;
    },
    [](void *) {
      ++calls.waits;
      return SYMC_STATUS_OK;
    },
    [](int32_t, void **) {
      ++calls.entered;
      return SYMC_STATUS_OK;
    },
    [](void *) { --calls.entered; },
    nullptr,
    nullptr,
    nullptr,
    &symc::deviceWork};

struct ContextDevice : testing::Test {
  ContextDevice() {
    calls = {};
    copyStatus = SYMC_STATUS_OK;
    failAt = -1;
    options.device = &counting;
    options.ordinal = 3;
    options.stream = &calls;
  }
  // Code for a device that the table lacks; memory is the CPU's all the same.
  void compileForAnother() { fake.variants[1].device = 7; }
  symc_tensor onDevice(Tensor &tensor) {
    symc_tensor view = tensor.view();
    view.device = fake.variants[1].device;
    view.ordinal = 3;
    return view;
  }
  symc_status run(symc_context *context) {
    symc_tensor in = onDevice(data), out = onDevice(output);
    return symc_run(context, &in, 1, &out, 1);
  }
  FakeModel fake;
  symc_options options = {};
  Tensor data{{2, 4}, 1}, output{{2, 4}};
};
} // namespace

TEST_F(ContextDevice, AllocatesAndCopiesThroughItsRow) {
  {
    ScopedContext context(fake.model, options);
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    EXPECT_EQ(calls.allocations, 2); // arena, states; weights of the CPU stay where they are
    EXPECT_EQ(calls.held, 256u);
    EXPECT_EQ(calls.ordinal, 3);
    EXPECT_EQ(calls.copies[SYMC_COPY_TO_DEVICE], 1); // the state's first value
    EXPECT_EQ(calls.copied, 16u);
    EXPECT_EQ(calls.waits, 1);
    EXPECT_EQ(calls.stream, &calls);
    Calls before = calls;
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK) << symc_last_error(context.handle);
    EXPECT_EQ(memcmp(&before, &calls, sizeof calls), 0) << "a run needs nothing of the device";
    Tensor value({4}, NAN);
    symc_tensor view = value.view();
    ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
    EXPECT_EQ(value.data[0], 12);
    EXPECT_EQ(calls.copies[SYMC_COPY_FROM_DEVICE], 1);
    ASSERT_EQ(symc_set_state(context.handle, "mean", &view), SYMC_STATUS_OK);
    ASSERT_EQ(symc_reset_state(context.handle, nullptr), SYMC_STATUS_OK);
    EXPECT_EQ(calls.copies[SYMC_COPY_TO_DEVICE], 3);
    EXPECT_EQ(calls.waits, 4);
  }
  EXPECT_EQ(calls.releases, calls.allocations);
  EXPECT_EQ(calls.held, 0u);
}

TEST_F(ContextDevice, OtherDevicesGetACopyOfTheWeights) {
  compileForAnother();
  fake.weights[3] = 5;
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(calls.allocations, 3);
  EXPECT_EQ(calls.copied, 64u + 16u);
  fake.weights[3] = 0; // the image is not what the code reads
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[3], 5);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  EXPECT_EQ(calls.allocations, 3); // in the place of the old ones
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[3], 9);
}

// Nobody can tell what the device holds then.
TEST_F(ContextDevice, AFailingCopyOfNewWeightsLeavesNone) {
  compileForAnother();
  ScopedContext context(fake.model, options);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  copyStatus = SYMC_STATUS_OUT_OF_MEMORY;
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(symc_last_error(context.handle),
               "cannot copy the weights to counting:3: memory could not be allocated");
  copyStatus = SYMC_STATUS_OK;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_NO_WEIGHTS);
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[3], 9);
}

// Runs may still use the memory that destroy gives back.
TEST_F(ContextDevice, DestroyWaitsForTheDevice) {
  compileForAnother();
  int waits;
  {
    ScopedContext context(fake.model, options);
    waits = calls.waits;
  }
  EXPECT_EQ(calls.waits, waits + 1);
}

TEST_F(ContextDevice, TensorsLieInItsMemory) {
  compileForAnother();
  ScopedContext context(fake.model, options);
  symc_tensor in = data.view(), out = onDevice(output);
  in.device = 5;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_DEVICE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "argument 'data': expected memory of device 7, ordinal 3, or of the CPU, got device "
               "5, ordinal 0");
  in = onDevice(data);
  out.ordinal = 1;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_DEVICE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "output 'fc_output': expected memory of device 7, "
               "ordinal 3, or of the CPU, got device 7, ordinal 1");
}

// Each is copied by itself, into one block that grows with what runs need.
TEST_F(ContextDevice, TensorsOfTheCpuAreCopied) {
  compileForAnother();
  {
    ScopedContext context(fake.model, options);
    Calls before = calls;
    Tensor large({8, 4}, 3), result({8, 4});
    symc_tensor in = data.view(), out = output.view();
    ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[3], 4);
    EXPECT_EQ(calls.allocations, before.allocations + 1);
    EXPECT_EQ(calls.held, before.held + 128);
    EXPECT_EQ(calls.copies[SYMC_COPY_TO_DEVICE], before.copies[SYMC_COPY_TO_DEVICE] + 1);
    EXPECT_EQ(calls.copies[SYMC_COPY_FROM_DEVICE], 1);
    EXPECT_EQ(calls.waits, before.waits + 1);
    in = large.view();
    out = onDevice(result);
    ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(result.data[31], 12);
    EXPECT_EQ(calls.copies[SYMC_COPY_FROM_DEVICE], 1) << "the output lay there";
    out = result.view();
    ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(calls.held, before.held + 256) << "in the place of the smaller one";
    EXPECT_EQ(calls.entered, 0);
  }
  EXPECT_EQ(calls.held, 0u);
}

TEST_F(ContextDevice, FailingCopiesAreSentences) {
  copyStatus = SYMC_STATUS_OUT_OF_MEMORY;
  ScopedContext states(fake.model, options);
  EXPECT_EQ(states.status, SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(states.error, "cannot copy states to counting:3: memory could not be allocated");
  compileForAnother();
  ScopedContext weights(fake.model, options);
  EXPECT_STREQ(weights.error,
               "cannot copy the weights to counting:3: memory could not be allocated");
  EXPECT_EQ(calls.held, 0u);
}

TEST_F(ContextDevice, OutOfMemoryAtEveryAllocation) {
  compileForAnother();
  const char *sentences[] = {"cannot allocate 64 bytes of weights on counting:3",
                             "cannot allocate 128 bytes of arena on counting:3",
                             "cannot allocate 128 bytes of states on counting:3"};
  for (failAt = 0; failAt < 3; ++failAt) {
    calls = {};
    ScopedContext context(fake.model, options);
    EXPECT_EQ(context.status, SYMC_STATUS_NO_DEVICE_MEMORY);
    EXPECT_STREQ(context.error, sentences[failAt]);
    EXPECT_EQ(calls.held, 0u);
  }
}

// Without a row for it, code for a device does not run; other code of the file does.
TEST_F(ContextDevice, CodeForADeviceThatIsNotThere) {
  fake.variants[0].cpu_level = 0;
  fake.variants[0].device = 7;
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_STREQ(symc_context_variant(context.handle)->isa, "x86-64");
  symc_options asked = {};
  asked.isa = "future";
  ScopedContext refused(fake.model, asked);
  EXPECT_EQ(refused.status, SYMC_STATUS_UNSUPPORTED_CPU);
  EXPECT_STREQ(refused.error, "options.isa: 'future' was requested, this runtime has no device 7");
}
