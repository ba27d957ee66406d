// machine_probe.cpp: prints what one core of this machine can do at best as a line of
// JSON, for compare_peers. With --serve it answers each line of its input with the
// GFLOP/s of the next two milliseconds: whether the machine is quiet at the moment.
#include "tools/bench/MachineProbe.h"

#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--serve")) {
    for (int c = getchar(); c != EOF; c = getchar())
      if (c == '\n') {
        printf("%.1f\n", symc::bench::measurePeakNow());
        fflush(stdout);
      }
    return 0;
  }
  if (argc > 1) {
    fprintf(stderr, "usage: machine-probe [--serve]\n");
    return 2;
  }
  symc::bench::MachineRates rates = symc::bench::measureMachine();
  printf("{\"peak_gflops\": %.1f, \"l1_gbs\": %.1f, \"l2_gbs\": %.1f, \"l3_gbs\": %.1f, "
         "\"dram_gbs\": %.1f, \"l1_bytes\": %lld, \"l2_bytes\": %lld, \"l3_bytes\": %lld}\n",
         rates.peakGflops, rates.l1Gbs, rates.l2Gbs, rates.l3Gbs, rates.dramGbs,
         static_cast<long long>(rates.l1Bytes), static_cast<long long>(rates.l2Bytes),
         static_cast<long long>(rates.l3Bytes));
  return 0;
}
