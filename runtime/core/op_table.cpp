// op_table.cpp: the op table. Its own rows are constant data expanded from
// kernels.def; rows of the application lie before them in a table of fixed length,
// whose slots are claimed and cleared by compare-and-swap. Whoever links this file
// links every kernel, so nothing else in the runtime refers to it.
#include "symc/runtime.h"

#include <string.h>

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

namespace {
#define SYMC_ISA_SCALAR "scalar"
#define SYMC_ISA_X86_64_V2 "x86-64-v2"
#define SYMC_ISA_X86_64_V3 "x86-64-v3"
#define SYMC_ISA_X86_64_V4 "x86-64-v4"

const symc_kernel rows[] = {
#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  {#mnemonic, SYMC_ISA_##isa, symbol, SYMC_##dtype, SYMC_DEVICE_CPU},
#include "symc/kernels.def"
#undef SYMC_KERNEL
    {nullptr, nullptr, nullptr, 0, 0} // a table is never empty
};

constexpr int capacity = 256;
const symc_kernel *registered[capacity];

// The level that an instruction set needs; -1 for a name that is none.
int level_of(const char *isa) {
  if (strcmp(isa, SYMC_ISA_SCALAR) == 0 || strcmp(isa, "baseline") == 0)
    return 0;
#define SYMC_CPU_LEVEL(level, name, saved)                                                         \
  if (strcmp(isa, name) == 0)                                                                      \
    return level;
#include "symc/cpu_levels.def"
  return -1;
}

struct Wanted {
  const char *mnemonic;
  int32_t dtype, device;
  int level;
};

// The level of a row that fits, or -1.
int fit(const symc_kernel *row, const Wanted &wanted) {
  if (!row || !row->mnemonic || row->dtype != wanted.dtype || row->device != wanted.device ||
      strcmp(row->mnemonic, wanted.mnemonic) != 0)
    return -1;
  int level = level_of(row->isa);
  return level <= wanted.level ? level : -1;
}
} // namespace

symc_status symc_register_kernel(const symc_kernel *kernel) {
  if (!kernel || !kernel->mnemonic || !kernel->isa || !kernel->function ||
      symc_dtype_bytes(kernel->dtype) == 0 || !symc_find_device(kernel->device))
    return SYMC_STATUS_BAD_ARGUMENT;
  if (level_of(kernel->isa) < 0)
    return SYMC_STATUS_BAD_ISA;
  for (const symc_kernel *&slot : registered) {
    const symc_kernel *empty = nullptr;
    if (__atomic_compare_exchange_n(&slot, &empty, kernel, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return SYMC_STATUS_OK;
  }
  return SYMC_STATUS_TABLE_FULL;
}

symc_status symc_unregister_kernel(const symc_kernel *kernel) {
  for (const symc_kernel *&slot : registered) {
    const symc_kernel *expected = kernel;
    if (kernel && __atomic_compare_exchange_n(&slot, &expected, nullptr, false, __ATOMIC_RELEASE,
                                              __ATOMIC_RELAXED))
      return SYMC_STATUS_OK;
  }
  return SYMC_STATUS_BAD_NAME;
}

const symc_kernel *symc_find_kernel(const char *mnemonic, int32_t dtype, int32_t device,
                                    const char *isa) {
  Wanted wanted = {mnemonic, dtype, device, isa ? level_of(isa) : symc_cpu_level()};
  const symc_kernel *best = nullptr;
  int bestLevel = -1;
  // The table's own rows first: a registered row of the same level replaces them.
  for (const symc_kernel &row : rows)
    if (fit(&row, wanted) > bestLevel) {
      best = &row;
      bestLevel = fit(&row, wanted);
    }
  for (const symc_kernel *&slot : registered) {
    const symc_kernel *row = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
    int level = fit(row, wanted);
    if (level >= 0 && level >= bestLevel) {
      best = row;
      bestLevel = level;
    }
  }
  return best;
}
