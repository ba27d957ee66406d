// create_test.cpp: what symc_create accepts, and the sentence for all that it refuses.
#include "core/cpu_isa.h"
#include "fake_model.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

static void expectFailure(const symc_model &model, symc_options options, symc_status status,
                          const char *sentence) {
  ScopedContext context(model, options);
  EXPECT_EQ(context.status, status);
  EXPECT_STREQ(context.error, sentence);
  EXPECT_EQ(context.handle, nullptr);
}

TEST(Create, DescribesModelAndContext) {
  FakeModel fake;
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  EXPECT_EQ(symc_context_model(context.handle), &fake.model);
  EXPECT_STREQ(symc_context_variant(context.handle)->isa, "x86-64");
  EXPECT_EQ(symc_context_threads(context.handle), 1);
  EXPECT_STREQ(symc_context_weights(context.handle), "embedded");
  EXPECT_STREQ(symc_last_error(context.handle), "");
  EXPECT_EQ(symc_arena_bytes(&fake.model), 128);
  EXPECT_EQ(symc_input_count(&fake.model), 2);
  EXPECT_EQ(symc_output_count(&fake.model), 1);
  EXPECT_EQ(symc_state_count(&fake.model), 1);
  EXPECT_EQ(symc_parameter_count(&fake.model), 1);
  EXPECT_STREQ(symc_input(&fake.model, 1)->name, "label");
  EXPECT_STREQ(symc_output(&fake.model, 0)->name, "fc_output");
  EXPECT_STREQ(symc_parameter(&fake.model, 0)->name, "scale");
  EXPECT_EQ(symc_input(&fake.model, 2), nullptr);
  EXPECT_EQ(symc_output(&fake.model, -1), nullptr);
  EXPECT_STREQ(symc_state(&fake.model, 0)->name, "mean");
  EXPECT_EQ(symc_state(&fake.model, 1), nullptr);
  EXPECT_EQ(symc_find_input(&fake.model, "label"), 1);
  EXPECT_EQ(symc_find_output(&fake.model, "mean"), -1);
  EXPECT_EQ(symc_find_state(&fake.model, "mean"), 0);
  EXPECT_EQ(symc_find_state(&fake.model, "fc_output"), -1);
  EXPECT_EQ(symc_find_parameter(&fake.model, "scale"), 0);
  EXPECT_EQ(symc_find_input(&fake.model, "dat"), -1);
  EXPECT_EQ(symc_find_input(&fake.model, nullptr), -1);
}

TEST(Create, NullArguments) {
  FakeModel fake;
  symc_context *context;
  char error[64];
  symc_options options = {};
  options.error = error;
  options.error_bytes = sizeof error;
  EXPECT_EQ(symc_create(nullptr, &options, &context), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error, "model is NULL");
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(symc_create(&fake.model, &options, nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error, "context is NULL");
  EXPECT_EQ(symc_create(nullptr, nullptr, &context), SYMC_STATUS_BAD_ARGUMENT);
  symc_destroy(nullptr);
}

TEST(Create, SentenceIsCutToItsBuffer) {
  char error[8] = "1234567";
  symc_options options = {};
  options.error = error;
  options.error_bytes = 6;
  symc_context *context;
  EXPECT_EQ(symc_create(nullptr, &options, &context), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error, "model");
  EXPECT_EQ(error[6], '7');
}

TEST(Create, ForeignModel) {
  FakeModel fake;
  fake.model.abi_version = 11;
  expectFailure(fake.model, {}, SYMC_STATUS_BAD_MODEL,
                "model 'fake': expected ABI version 10, got 11");
  fake.model.magic = 0;
  expectFailure(fake.model, {}, SYMC_STATUS_BAD_MODEL,
                "the model table does not begin with the mark of a model");
}

// A library row: the first file does not exist, the second lacks a function, the third serves.
TEST(Create, LibrariesByFilesAndSymbols) {
  FakeModel fake;
  const char *files[] = {"libnowhere.so.0", "libc.so.6", "libm.so.6"};
  const char *symbols[] = {"strlen", "cos"};
  void *functions[2] = {};
  symc_library library = {"Cosines", files, symbols, functions, 2, 2, symc_open_library};
  fake.model.libraries = &library;
  fake.model.n_libraries = 1;
  expectFailure(fake.model, {}, SYMC_STATUS_NO_LIBRARY,
                "model 'fake' calls Cosines, but no library among libnowhere.so.0, libc.so.6 can "
                "be opened and has all 2 functions that it needs");
  EXPECT_EQ(functions[0], nullptr);
  library.n_files = 3;
  for (int i = 0; i < 2; ++i) { // the second context finds it open
    ScopedContext context(fake.model);
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    double (*cosine)(double);
    memcpy(&cosine, &functions[1], sizeof cosine);
    EXPECT_EQ(cosine(0), 1);
    library.files = nullptr;
  }
}

TEST(Create, InstructionSets) {
  FakeModel fake;
  std::string level = symc_cpu_level_name(symc_cpu_level());
  symc_options options = {};
  options.isa = "x86-64-v9";
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ISA,
                "options.isa: 'x86-64-v9' was requested, the file has future, x86-64");
  options.isa = "future";
  expectFailure(fake.model, options, SYMC_STATUS_UNSUPPORTED_CPU,
                ("options.isa: 'future' was requested, this processor has " + level).c_str());
  {
    ScopedVariable variable("SYMC_ISA", "future");
    expectFailure(fake.model, {}, SYMC_STATUS_UNSUPPORTED_CPU,
                  ("SYMC_ISA: 'future' was requested, this processor has " + level).c_str());
    EXPECT_EQ(symc_arena_bytes(&fake.model), 0);
  }
  fake.model.n_variants = 1;
  expectFailure(fake.model, {}, SYMC_STATUS_UNSUPPORTED_CPU,
                ("the code needs future, this processor has " + level).c_str());
}

// Registers that the system saves for processes that ask for it.
TEST(Create, RegistersThatAreRefused) {
  FakeModel fake;
  fake.variants[0].isa = "x86-64-v4+amx";
  fake.variants[0].cpu_level = 7;
  symc::assume_cpu_level(7, true);
  EXPECT_STREQ(symc_context_variant(ScopedContext(fake.model).handle)->isa, "x86-64-v4+amx");
  symc::assume_cpu_level(7, false);
  EXPECT_STREQ(symc_context_variant(ScopedContext(fake.model).handle)->isa, "x86-64");
  symc_options options = {};
  options.isa = "x86-64-v4+amx";
  expectFailure(fake.model, options, SYMC_STATUS_UNSUPPORTED_CPU,
                "options.isa: 'x86-64-v4+amx' was requested, the system refuses its registers to "
                "this process");
  fake.model.n_variants = 1;
  expectFailure(fake.model, {}, SYMC_STATUS_UNSUPPORTED_CPU,
                "the code needs x86-64-v4+amx, this processor has x86-64-v4+amx, whose registers "
                "the system refuses to this process");
  symc::assume_cpu_level(-1, false);
#if defined(__x86_64__)
  // Nothing asks a system for what the processor lacks.
  EXPECT_EQ(symc_cpu_permits(6), 1);
  if (symc_cpu_level() < 7)
    EXPECT_EQ(symc_cpu_permits(7), 0);
#endif
}

TEST(Create, Threads) {
  FakeModel fake;
  symc_options options = {};
  options.threads = 3;
  ScopedContext three(fake.model, options);
  EXPECT_EQ(symc_context_threads(three.handle), 3);
  options.threads = -1;
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT,
                "options.threads: expected 0..1024, got -1");
  symc_pool *pool;
  ASSERT_EQ(symc_pool_create(2, &pool), SYMC_STATUS_OK);
  options.pool = pool;
  options.threads = 2;
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT,
                "options.threads: expected 0 beside a pool, got 2");
  options.threads = 0;
  pool->abi_version = 11;
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT,
                "options.pool: expected a pool of ABI version 10, got 11");
  pool->abi_version = SYMC_ABI_VERSION;
  {
    ScopedContext shared(fake.model, options);
    EXPECT_EQ(symc_context_threads(shared.handle), 2);
  }
  symc_pool_destroy(pool);
  {
    ScopedVariable variable("SYMC_THREADS", "2");
    ScopedContext two(fake.model);
    EXPECT_EQ(symc_context_threads(two.handle), 2);
  }
  for (const char *bad : {"two", "-1", "1025", "99999999999999999999"}) {
    ScopedVariable variable("SYMC_THREADS", bad);
    expectFailure(fake.model, {}, SYMC_STATUS_BAD_ARGUMENT,
                  (std::string("SYMC_THREADS: expected 0..1024, got '") + bad + "'").c_str());
  }
  ScopedVariable variable("SYMC_THREADS", "0");
  ScopedContext all(fake.model);
  EXPECT_GE(symc_context_threads(all.handle), 1);
}

TEST(Create, SuppliedArena) {
  FakeModel fake;
  alignas(64) uint8_t arena[192];
  symc_options options = {};
  options.arena = arena;
  options.arena_bytes = 127;
  expectFailure(fake.model, options, SYMC_STATUS_ARENA_TOO_SMALL,
                "supplied arena: expected at least 128 bytes, got 127");
  options.arena = arena + 4;
  options.arena_bytes = 128;
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ALIGNMENT,
                "supplied arena: expected memory aligned to 64 bytes");
  options.arena = arena;
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK);
  Tensor data({1, 4}, 1), output({1, 4});
  symc_tensor in = data.view(), out = output.view();
  arena[0] = 77;
  ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
  EXPECT_NE(arena[0], 77); // the model worked there
}

TEST(Create, AllocatorHooksGetBackAllThatTheyGave) {
  FakeModel fake;
  Hooks hooks;
  symc_options options = {};
  options.allocator = hooks.table();
  {
    ScopedContext context(fake.model, options);
    ASSERT_EQ(context.status, SYMC_STATUS_OK);
    EXPECT_EQ(hooks.calls, 3); // context, arena, states
    EXPECT_GT(hooks.held, 128u);
  }
  EXPECT_EQ(hooks.held, 0u);
}

// The functions of a device take the same numbers as the hooks do.
TEST(Create, DeviceFunctionsGetBackTheBytesThatTheyGave) {
  FakeModel fake;
  symc_device device = *symc_find_device(SYMC_DEVICE_CPU);
  static std::map<void *, size_t> blocks;
  static std::string wrong;
  device.allocate = [](int32_t, size_t bytes, size_t alignment, void **memory) {
    *memory = aligned_alloc(alignment, bytes);
    blocks[*memory] = bytes;
    wrong += bytes % alignment ? "allocate " + std::to_string(bytes) : "";
    return SYMC_STATUS_OK;
  };
  device.release = [](int32_t, void *memory, size_t bytes) {
    wrong += blocks[memory] == bytes ? "" : "release " + std::to_string(bytes);
    blocks.erase(memory);
    free(memory);
  };
  symc_options options = {};
  options.device = &device;
  fake.variants[1].arena_bytes = 100;
  {
    ScopedContext context(fake.model, options);
    ASSERT_EQ(context.status, SYMC_STATUS_OK);
    EXPECT_EQ(blocks.size(), 2u); // arena, states
  }
  EXPECT_EQ(blocks.size(), 0u);
  EXPECT_EQ(wrong, "");
}

TEST(Create, Flags) {
  FakeModel fake;
  symc_options options = {};
  for (int32_t flags : {1024, 32, -1}) {
    options.flags = flags;
    std::string sentence = "options.flags: expected a sum of SYMC_VERIFY_WEIGHTS and the other "
                           "flags, which are below 32, got " +
                           std::to_string(flags);
    expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT, sentence.c_str());
  }
  options.flags = SYMC_VERIFY_WEIGHTS | SYMC_MAP_WEIGHTS | SYMC_TRUST_WEIGHTS;
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT,
                "options.flags: SYMC_VERIFY_WEIGHTS and SYMC_TRUST_WEIGHTS exclude each other");
}

TEST(Create, OutOfMemoryAtEveryAllocation) {
  FakeModel fake;
  const char *sentences[] = {"cannot allocate a context", "cannot allocate 128 bytes of arena",
                             "cannot allocate 128 bytes of states"};
  for (int failAt = 0; failAt < 3; ++failAt) {
    Hooks hooks;
    hooks.failAt = failAt;
    symc_options options = {};
    options.allocator = hooks.table();
    expectFailure(fake.model, options, SYMC_STATUS_OUT_OF_MEMORY, sentences[failAt]);
    EXPECT_EQ(hooks.held, 0u) << failAt;
  }
}

TEST(Create, HalfAnAllocator) {
  FakeModel fake;
  symc_options options = {};
  options.allocator.release = [](void *, void *, size_t) {};
  expectFailure(fake.model, options, SYMC_STATUS_BAD_ARGUMENT,
                "options.allocator: expected both functions or none, got one");
}

// Without SYMC_PREFAULT the pages of a fresh arena come with the first run.
TEST(Create, PrefaultTouchesTheArena) {
  FakeModel fake;
  constexpr size_t bytes = size_t(3) << 20; // too small for huge pages
  fake.variants[1].arena_bytes = bytes;
  auto residentPages = [&](const char *asked) {
    static uint8_t *arena;
    ScopedVariable variable("SYMC_PREFAULT", asked);
    symc_options options = {};
    options.allocator.allocate = [](void *, size_t size, size_t alignment) -> void * {
      if (size < bytes)
        return aligned_alloc(alignment, size);
      void *fresh = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      arena = static_cast<uint8_t *>(fresh);
      return fresh;
    };
    options.allocator.release = [](void *, void *memory, size_t size) {
      if (size < bytes)
        free(memory);
      else
        munmap(memory, size);
    };
    ScopedContext context(fake.model, options);
    EXPECT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    std::vector<unsigned char> pages(bytes / 4096);
    EXPECT_EQ(mincore(arena, bytes, pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; });
  };
  EXPECT_EQ(residentPages("1"), int64_t(bytes / 4096));
  EXPECT_LT(residentPages("0"), int64_t(bytes / 4096));
}

TEST(Create, LargeArenasInHugePagesAndWithout) {
  FakeModel fake;
  fake.variants[1].arena_bytes = 9 << 20;
  for (const char *huge : {"", "0", "1"}) {
    ScopedVariable variable("SYMC_HUGEPAGES", huge);
    ScopedContext context(fake.model);
    ASSERT_EQ(context.status, SYMC_STATUS_OK);
    Tensor data({1, 4}, 1), output({1, 4});
    symc_tensor in = data.view(), out = output.view();
    EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[3], 4);
  }
}
