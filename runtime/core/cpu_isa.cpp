// cpu_isa.cpp: which level of x86-64 the processor and the system offer together.
// A level counts only if the kernel saves the registers that it adds (xgetbv).
#include "symc/runtime.h"

#if defined(__x86_64__)
#include <cpuid.h>

static uint32_t saved_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int32_t detect() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d))
    return 1;
  auto has = [](unsigned word, unsigned bits) { return (word & bits) == bits; };
  unsigned leaf1 = c;
  if (!has(leaf1, bit_SSE3 | bit_SSSE3 | bit_SSE41 | bit_SSE42 | bit_POPCNT | bit_CMPXCHG16B))
    return 1;
  if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !has(c, bit_LAHF_LM))
    return 1;
  unsigned extended = c;
  if (!has(leaf1, bit_OSXSAVE | bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) ||
      !has(extended, bit_LZCNT) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
      !has(b, bit_AVX2 | bit_BMI | bit_BMI2) || !has(saved_registers(), 0x6))
    return 2;
  unsigned avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  if (!has(b, avx512) || !has(saved_registers(), 0xe6))
    return 3;
  return has(c, bit_AVX512VNNI) ? 5 : 4;
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
  static const char *const names[] = {"baseline",  "x86-64",    "x86-64-v2",
                                      "x86-64-v3", "x86-64-v4", "x86-64-v4+vnni"};
  return level >= 0 && level <= 5 ? names[level] : "unknown";
}
