// Arrivals.h: copies by a device's engine (TMA), and the barriers in shared memory (mbarrier) that
// signal when they have arrived. A barrier is made for one arrival a phase: who announces the
// bytes.
#ifndef SYMC_TOOLS_CUDA_SHIM_ARRIVALS_H
#define SYMC_TOOLS_CUDA_SHIM_ARRIVALS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace symc::shim {

/// Bytes on their way. Their place holds 0xff in each byte until somebody waits for them, or the
/// next phase begins, as late as a device may write them.
struct EngineCopy {
  uintptr_t shared;
  std::vector<char> bytes; // in the order of the copy, which the swizzle changes
  bool checked;
};

struct Arrival {
  unsigned maker = 0;     // the thread
  bool published = false; // to the engine, by a fence of the maker
  uint64_t ended = 0;     // phases
  bool announced = false; // the bytes of this one
  int64_t missing = 0;    // of these
  std::vector<EngineCopy> copies;
  uint32_t landed = 0; // the id of the writes of the last phase that ended
  bool hasEnded() const { return announced && missing == 0; }
};

/// Of a block, by their addresses.
using Arrivals = std::map<uintptr_t, Arrival>;

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_ARRIVALS_H
