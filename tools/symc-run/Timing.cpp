// Timing.cpp: see Timing.h. Steps run one after the other on the calling thread,
// so that one clock and one list serve all probes.
#include "tools/symc-run/Timing.h"

#include "tools/driver/Steps.h"
#include <algorithm>
#include <chrono>

using namespace symc;
using namespace symc::run;

static double milliseconds() {
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
    double start = milliseconds();
    if (int status = model.run(inputs, outputs))
      return status;
    time = milliseconds() - start;
    sum += time;
  }
  std::sort(times.begin(), times.end());
  double median = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
  printf("min %.3f ms  median %.3f ms  mean %.3f ms  max %.3f ms  (runs %lld, threads %d, %s)\n",
         times.front(), median, sum / times.size(), times.back(),
         static_cast<long long>(line.bench), line.threads, model.isa());
  return ExitOk;
}

// What the probe fills in during a run: the time of each step.
static std::vector<double> *stepTimes = nullptr;
static double stepBegin = 0;

static void measure(const symc_frame *, int64_t step, int32_t phase) {
  double now = milliseconds();
  if (phase == 0) {
    stepBegin = now;
    return;
  }
  if (stepTimes->size() <= static_cast<size_t>(step))
    stepTimes->resize(step + 1, 0.0);
  (*stepTimes)[step] = now - stepBegin;
}

constexpr int kProfileRuns = 10;

int symc::run::profile(const CommandLine &line, Model &model, std::vector<Tensor> &inputs,
                       std::vector<Tensor> &outputs) {
  std::vector<double> best, current;
  stepTimes = &current;
  int64_t runs = line.bench ? line.bench : kProfileRuns;
  double whole = 0;
  for (int64_t i = 0; i <= runs; ++i) { // the first is not counted
    current.assign(best.size(), 0.0);
    listenToProbes(measure);
    double start = milliseconds();
    int status = model.run(inputs, outputs);
    double time = milliseconds() - start;
    listenToProbes(nullptr);
    if (status)
      return status;
    if (i == 0) {
      best.assign(current.size(), 0.0);
      continue;
    }
    for (size_t step = 0; step < best.size(); ++step)
      best[step] = i == 1 ? current[step] : std::min(best[step], current[step]);
    whole = i == 1 ? time : std::min(whole, time);
  }
  if (best.empty()) {
    sayError("'" + line.library + "' has no probes", "compile it with symc --probes");
    return ExitUsage;
  }
  double total = 0, flops = 0;
  for (double time : best)
    total += time;
  std::vector<StepDescription> steps;
  if (model.compiler())
    steps = describeSteps(model.compiler()->module());
  else if (auto *names = static_cast<const char *>(model.findSymbol("symc_probe_steps")))
    steps = readSteps(names);
  printf("step         ms   share  GFLOP/s  kernel                             node\n");
  for (size_t i = 0; i < best.size(); ++i) {
    const StepDescription *step = i < steps.size() ? &steps[i] : nullptr;
    flops += step ? step->flops : 0;
    printf("%4zu %10.4f %6.1f%%", i, best[i], total > 0 ? 100 * best[i] / total : 0);
    if (step && step->flops && best[i] > 0)
      printf(" %8.2f", step->flops / best[i] * 1e-6);
    else
      printf("        -");
    printf("  %-33s  %s\n", step ? step->kernel.c_str() : "-", step ? step->nodes.c_str() : "-");
  }
  printf("total %.3f ms in %zu steps, %.3f ms a run", total, best.size(), whole);
  if (flops > 0 && total > 0)
    printf(", %.3f GFLOP, %.2f GFLOP/s", flops * 1e-9, flops / total * 1e-6);
  printf("  (least of %lld runs, threads %d, %s)\n", static_cast<long long>(runs), line.threads,
         model.isa());
  return ExitOk;
}
