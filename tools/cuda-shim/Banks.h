// Banks.h: how often shared memory is accessed by the warps of a launch, and how often again
// because words share a bank. It has 32 banks of 4 bytes. Lanes access it together, all 32 for up
// to 4 bytes, 16 for 8 bytes, 8 for 16 bytes; a word that several of them read is read once. Each
// group of them takes as many wavefronts as the bank with most words has words: ideally one.
//
// Threads of a warp run one after the other, so that accesses of a warp are found again: those of
// one place in the code, the n-th of each lane since the lanes last met.
#ifndef SYMC_TOOLS_CUDA_SHIM_BANKS_H
#define SYMC_TOOLS_CUDA_SHIM_BANKS_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace symc::shim {

struct BankCount {
  uint64_t accesses = 0;   // of warps
  uint64_t wavefronts = 0; // that they take
  uint64_t ideal = 0;      // that they would take without conflicts
  uint64_t extra() const { return wavefronts - ideal; }
};

class Banks {
public:
  /// Forgets what is counted.
  void begin();
  /// A thread of the block accesses shared memory.
  void access(unsigned thread, uintptr_t address, unsigned bytes, void *caller);
  /// The lanes of a warp, the threads of the block have met, or ended.
  void endWarpInterval(unsigned warp);
  void endInterval();
  /// By the address of the call.
  const std::map<void *, BankCount> &counts() const { return all; }

private:
  struct Together {
    uintptr_t addresses[32];
    unsigned lanes; // one bit each
    unsigned bytes;
  };
  struct Place {
    unsigned times[32] = {}; // of each lane
    std::vector<Together> accesses;
  };
  using Places = std::unordered_map<void *, Place>;
  static void count(const Together &access, BankCount &sum);

  std::vector<Places> warps;
  std::map<void *, BankCount> all;
};

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_BANKS_H
