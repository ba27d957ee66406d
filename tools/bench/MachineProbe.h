// MachineProbe.h: what one core of this machine can do at best, measured: fused
// multiply-adds a second, and bytes a second out of each cache and of memory.
#ifndef SYMC_TOOLS_BENCH_MACHINEPROBE_H
#define SYMC_TOOLS_BENCH_MACHINEPROBE_H

#include <cstdint>

namespace symc::bench {

struct MachineRates {
  double peakGflops = 0;                               // fp32, widest vectors of this CPU
  double l1Gbs = 0, l2Gbs = 0, l3Gbs = 0, dramGbs = 0; // reads, one core
  int64_t l1Bytes = 0, l2Bytes = 0, l3Bytes = 0;       // sizes as the system reports them
};

/// Takes about a quarter of a second. The best of several samples counts, as a shared
/// core only ever gets slower. Bandwidths of caches that are unknown stay 0.
MachineRates measureMachine();

/// GFLOP/s of two milliseconds of multiply-adds, once: low where others use the core.
double measurePeakNow();

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_MACHINEPROBE_H
