// Timing.cpp: see Timing.h.
#include "tools/symc-run/Timing.h"

#include <algorithm>
#include <chrono>

using namespace symc;
using namespace symc::run;

double symc::run::milliseconds() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int symc::run::bench(const CommandLine &line, Model &model, std::vector<Tensor> &inputs,
                     std::vector<Tensor> &outputs) {
  std::vector<double> times(line.bench);
  if (int status = model.run(inputs, outputs))
    return status;
  double sum = 0;
  for (double &time : times) {
    if (int status = model.run(inputs, outputs))
      return status;
    time = model.lastRun();
    sum += time;
  }
  std::sort(times.begin(), times.end());
  double median = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
  printf("min %.3f ms  median %.3f ms  mean %.3f ms  max %.3f ms  (runs %lld, threads %d, %s)\n",
         times.front(), median, sum / times.size(), times.back(),
         static_cast<long long>(line.bench), line.threads, model.isa());
  return ExitOk;
}
