// Fibre.h: threads of a block on one thread of the machine: stacks of their own, between which
// the code itself switches. A fibre that is left for good is started again from its beginning.
#ifndef SYMC_TOOLS_CUDA_SHIM_FIBRE_H
#define SYMC_TOOLS_CUDA_SHIM_FIBRE_H

#include <cstddef>
#include <cstdint>

namespace symc::shim {

class Fibre {
public:
  static constexpr size_t stackBytes = 256 << 10;

  /// Makes a stack, with a page below it that no access survives.
  Fibre();
  ~Fibre();
  Fibre(const Fibre &) = delete;

  /// The next switch to the fibre calls `main`, which must never return.
  void restart(void (*main)());
  /// Continues the fibre; returns when it calls leave().
  void enter();
  /// Called on the fibre: continues after enter().
  void leave();

  uintptr_t stackBegin() const { return reinterpret_cast<uintptr_t>(stack); }

private:
  char *stack = nullptr;
  void *point = nullptr;   // where the fibre stopped
  void *outside = nullptr; // where enter() was called
};

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_FIBRE_H
