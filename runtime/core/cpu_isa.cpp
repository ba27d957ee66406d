// cpu_isa.cpp: which level of x86-64 the processor and the system offer together.
// A level counts only if the kernel saves the registers that it adds (xgetbv); cpu_levels.def has
// all. Registers of matrices it saves for processes that request it, once for all of their threads.
#include "cpu_isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t saved_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int32_t detect() {
  unsigned a, b, c, d, leaf1 = 0, extended = 0, leaf7b = 0, leaf7c = 0, leaf7d = 0, leaf7_1a = 0;
  if (__get_cpuid(1, &a, &b, &c, &d))
    leaf1 = c;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    extended = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
    leaf7b = b, leaf7c = c, leaf7d = d;
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

static bool request_matrices() {
#if defined(__linux__)
  constexpr long requestPermission = 0x1023, matrices = 18; // ARCH_REQ_XCOMP_PERM, a bit of XCR0
  return syscall(SYS_arch_prctl, requestPermission, matrices) == 0;
#else
  return true;
#endif
}
#else
static int32_t detect() { return 0; }
static bool request_matrices() { return false; }
#endif

// cpuid traps in virtual machines and costs microseconds there, so it runs once. Two
// threads that come first together write the same value.
static int32_t knownLevel = -1, knownMatrices = -1;

int32_t symc_cpu_level(void) {
  int32_t level = __atomic_load_n(&knownLevel, __ATOMIC_RELAXED);
  if (level < 0) {
    level = detect();
    __atomic_store_n(&knownLevel, level, __ATOMIC_RELAXED);
  }
  return level;
}

int32_t symc_cpu_permits(int32_t level) {
  constexpr uint32_t matrices = 1u << 18;
  uint32_t needed = 0;
#define SYMC_CPU_LEVEL(number, name, saved)                                                        \
  if (level == number)                                                                             \
    needed = saved;
#include "symc/cpu_levels.def"
  if (!(needed & matrices))
    return 1;
  int32_t given = __atomic_load_n(&knownMatrices, __ATOMIC_RELAXED);
  if (given < 0) {
    given = request_matrices();
    __atomic_store_n(&knownMatrices, given, __ATOMIC_RELAXED);
  }
  return given;
}

void symc::assume_cpu_level(int32_t level, bool permitted) {
  __atomic_store_n(&knownLevel, level, __ATOMIC_RELAXED);
  __atomic_store_n(&knownMatrices, level < 0 ? -1 : int32_t(permitted), __ATOMIC_RELAXED);
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
