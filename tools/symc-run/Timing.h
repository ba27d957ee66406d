// Timing.h: how long a model takes, and where: whole runs, or steps with probes.
#ifndef SYMC_TOOLS_SYMC_RUN_TIMING_H
#define SYMC_TOOLS_SYMC_RUN_TIMING_H

#include "tools/symc-run/Model.h"

namespace symc::run {

/// The steady clock's time in milliseconds.
double milliseconds();

/// Runs `line.bench` times after one that is not counted and prints the line that
/// compiled programs print. A status of this tool.
int bench(const CommandLine &line, Model &model, std::vector<Tensor> &inputs,
          std::vector<Tensor> &outputs);

/// Runs a model with probes and prints a row a step: the shortest time of all runs,
/// its share, GFLOP/s, bytes, share of the roofline, kernel, nodes and the reason for
/// the kernel. Writes the steps of the shortest run to `line.traceFile` where given.
int profile(const CommandLine &line, Model &model, std::vector<Tensor> &inputs,
            std::vector<Tensor> &outputs);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_TIMING_H
