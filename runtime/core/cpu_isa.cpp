// cpu_isa.cpp: which level of x86-64 the processor and the system offer together.
// A level counts only if the kernel saves the registers that it adds (xgetbv); cpu_levels.def has
// all.
#include "symc/runtime.h"

#if defined(__x86_64__)
#include <cpuid.h>

static uint32_t saved_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int32_t detect() {
  unsigned a, b, c, d, leaf1 = 0, extended = 0, leaf7b = 0, leaf7c = 0, leaf7_1a = 0;
  if (__get_cpuid(1, &a, &b, &c, &d))
    leaf1 = c;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    extended = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
    leaf7b = b, leaf7c = c;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
    leaf7_1a = a;
  unsigned saved = leaf1 & bit_OSXSAVE ? saved_registers() : 0;
  int32_t lacking = 0; // the least level that something is missing of
#define SYMC_CPU_LEVEL(level, name, needed) lacking = level + 1;
#include "symc/cpu_levels.def"
  auto require = [&](int32_t level, unsigned word, unsigned bits) {
    if ((word & bits) != bits && level < lacking)
      lacking = level;
  };
#define SYMC_CPU_LEVEL(level, name, needed) require(level, saved, needed);
#define SYMC_CPU_FEATURE(level, name, word, bits) require(level, word, bits);
#include "symc/cpu_levels.def"
  return lacking - 1;
}
#else
static int32_t detect() { return 0; }
#endif

// cpuid traps in virtual machines and costs microseconds there, so it runs once. Two
// threads that come first together write the same value.
int32_t symc_cpu_level(void) {
  static int32_t known = -1;
  int32_t level = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (level < 0) {
    level = detect();
    __atomic_store_n(&known, level, __ATOMIC_RELAXED);
  }
  return level;
}

const char *symc_cpu_level_name(int32_t level) {
  if (level == 0)
    return "baseline";
#define SYMC_CPU_LEVEL(number, name, needed)                                                       \
  if (level == number)                                                                             \
    return name;
#include "symc/cpu_levels.def"
  return "unknown";
}
