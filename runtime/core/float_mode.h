// float_mode.h: how the calling thread rounds, and whether it computes with denormal numbers.
#ifndef SYMC_RUNTIME_CORE_FLOAT_MODE_H
#define SYMC_RUNTIME_CORE_FLOAT_MODE_H

#include <stdint.h>

namespace symc {

#if defined(__x86_64__)
constexpr uint32_t floatFlags = 0x3f;     // MXCSR: what has happened, no mode
constexpr uint32_t flushingMode = 0x8040; // to zero; denormals are zeros
inline uint32_t float_mode() { return __builtin_ia32_stmxcsr(); }
inline void set_float_mode(uint32_t mode) { __builtin_ia32_ldmxcsr(mode); }
#elif defined(__aarch64__)
constexpr uint32_t floatFlags = 0;
constexpr uint32_t flushingMode = 1 << 24; // FPCR.FZ
inline uint32_t float_mode() {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return uint32_t(mode);
}
inline void set_float_mode(uint32_t mode) {
  __asm__ volatile("msr fpcr, %0" : : "r"(uint64_t(mode)) : "memory");
}
#endif

/// The thread computes with zeros in place of denormal numbers while it lives.
class FlushDenormals {
public:
  explicit FlushDenormals(bool wanted) : wanted(wanted), before(float_mode()) {
    if (wanted)
      set_float_mode(before | flushingMode);
  }
  FlushDenormals(const FlushDenormals &) = delete;
  ~FlushDenormals() {
    if (wanted)
      set_float_mode((before & ~floatFlags) | (float_mode() & floatFlags));
  }

private:
  bool wanted;
  uint32_t before;
};

} // namespace symc
#endif
