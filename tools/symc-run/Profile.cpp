// Profile.cpp: see Timing.h. Steps run one after the other on the calling thread,
// so that one clock and one list serve all probes.
//
// The roofline of a step: it takes at least flops / peak and at least bytes /
// bandwidth, where the bandwidth is that of the smallest cache that holds all that
// the step reads and writes, but memory's for weights once all weights of the model
// outgrow the last cache. The share is the larger of both times over the measured
// one. Peak and bandwidths are measured on this machine, for one core.
#include "codegen/emit/OutputFile.h"
#include "tools/bench/MachineProbe.h"
#include "tools/driver/ProfileTable.h"
#include "tools/symc-run/Timing.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace symc;
using namespace symc::run;

namespace {

struct StepTime {
  double begin = 0, length = 0; // milliseconds; `begin` since the run began
};

/// The bounds of one core of this machine.
class Roofline {
public:
  explicit Roofline(int64_t allWeights) : rates(bench::measureMachine()), allWeights(allWeights) {}

  /// The least milliseconds of a step with `threads` threads.
  double bound(const StepDescription &step, int threads) const {
    bool cold = allWeights > rates.l3Bytes;
    double weightRate = cold ? rates.dramGbs : bandwidth(step.bytes);
    double moving =
        step.weightBytes / weightRate + (step.bytes - step.weightBytes) / bandwidth(step.bytes);
    return std::max(step.flops / rates.peakGflops, moving) * 1e-6 / threads;
  }
  void print(int threads) const {
    printf("one core: %.0f GFLOP/s; reads of L1 %.0f, L2 %.0f, L3 %.0f, memory %.0f GB/s%s\n",
           rates.peakGflops, rates.l1Gbs, rates.l2Gbs, rates.l3Gbs, rates.dramGbs,
           threads > 1 ? "; bounds assume that threads share nothing" : "");
  }

private:
  double bandwidth(int64_t bytes) const {
    const std::pair<int64_t, double> levels[] = {
        {rates.l1Bytes, rates.l1Gbs}, {rates.l2Bytes, rates.l2Gbs}, {rates.l3Bytes, rates.l3Gbs}};
    for (auto [size, rate] : levels)
      if (bytes <= size && rate > 0)
        return rate;
    return rates.dramGbs;
  }
  bench::MachineRates rates;
  int64_t allWeights;
};

} // namespace

// What the probe fills in during a run.
static std::vector<StepTime> *stepTimes = nullptr;
static double runBegin = 0, stepBegin = 0;

static void measure(const symc_frame *, int64_t step, int32_t phase) {
  double now = milliseconds();
  if (phase == 0) {
    stepBegin = now;
    return;
  }
  if (stepTimes->size() <= static_cast<size_t>(step))
    stepTimes->resize(step + 1);
  StepTime &time = (*stepTimes)[step]; // of all pieces of the step
  if (time.length == 0)
    time.begin = stepBegin - runBegin;
  time.length += now - stepBegin;
}

// The sizes of a run, and whether all are the largest. None where sizes are fixed, or where values
// decide one and the others are not the largest.
struct RunSizes {
  std::vector<int64_t> sizes;
  bool largest = true;
};

static RunSizes sizesOf(const symc_model &model, llvm::ArrayRef<Tensor> inputs) {
  RunSizes found;
  if (model.batches)
    return found;
  found.sizes.assign(model.n_dims, -1);
  for (int32_t i = 0; i < model.n_inputs; ++i)
    for (int32_t d = 0; d < model.inputs[i].rank; ++d)
      if (int64_t extent = model.inputs[i].shape[d]; extent < 0)
        found.sizes[-extent - 1] = inputs[i].shape[d];
  for (int32_t i = 0; i < model.n_dims; ++i)
    found.largest &= found.sizes[i] < 0 || found.sizes[i] == model.dims[i].max;
  for (int32_t i = 0; i < model.n_dims; ++i)
    if (found.sizes[i] < 0 && found.largest)
      found.sizes[i] = model.dims[i].max; // as many as there may be
    else if (found.sizes[i] < 0)
      return {{}, false};
  return found;
}

// A library has the figures of its largest sizes alone.
static std::vector<StepDescription> stepsOf(Model &model, llvm::ArrayRef<Tensor> inputs) {
  RunSizes run = sizesOf(model.table(), inputs);
  if (model.compiler())
    return describeSteps(model.compiler()->module(), model.compiler()->targetList(), 0, run.sizes);
  auto *names = static_cast<const char *>(model.findSymbol("symc_probe_steps"));
  if (!names)
    return {};
  if (!run.largest)
    llvm::errs() << "symc-run: note: the library has operations and bytes of its largest sizes "
                    "alone; without --shape they are those of the run\n";
  return readSteps(names, model.isa(), run.largest);
}

// The steps of one run in the format that chrome://tracing and Perfetto read.
static bool writeTrace(const std::string &path, const std::vector<StepTime> &times,
                       const std::vector<StepDescription> &steps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    llvm::json::OStream json(os, 1);
    json.object([&] {
      json.attribute("displayTimeUnit", "ms");
      json.attributeArray("traceEvents", [&] {
        for (size_t i = 0; i < times.size(); ++i)
          json.object([&] {
            bool known = i < steps.size();
            json.attribute("name", known ? steps[i].nodes : "step " + std::to_string(i));
            json.attribute("cat", known ? steps[i].kernel : "step");
            json.attribute("ph", "X");
            json.attribute("ts", times[i].begin * 1e3);
            json.attribute("dur", times[i].length * 1e3);
            json.attribute("pid", 1);
            json.attribute("tid", 1);
            if (known)
              json.attributeObject("args", [&] {
                json.attribute("step", int64_t(i));
                json.attribute("output", steps[i].output);
                json.attribute("flops", steps[i].flops);
                json.attribute("bytes", steps[i].bytes);
              });
          });
      });
    });
  }
  os << "\n";
  llvm::Error error = codegen::writeWhole(path, text);
  if (!error)
    return true;
  sayError(llvm::toString(std::move(error)));
  return false;
}

static void printSteps(const std::vector<StepTime> &best, const std::vector<StepDescription> &steps,
                       const Roofline &roofline, int threads, double total) {
  printf(
      "step         ms   share  GFLOP/s       MB  roof  kernel                             node\n");
  for (size_t i = 0; i < best.size(); ++i) {
    const StepDescription *step = i < steps.size() ? &steps[i] : nullptr;
    double time = best[i].length;
    printf("%4zu %10.4f %6.1f%%", i, time, total > 0 ? 100 * time / total : 0);
    if (step && step->flops && time > 0)
      printf(" %8.2f", step->flops / time * 1e-6);
    else
      printf("        -");
    if (step && step->bytes && time > 0)
      printf(" %8.3f %4.0f%%", step->bytes * 1e-6, 100 * roofline.bound(*step, threads) / time);
    else
      printf("        -     -");
    printf("  %-33s  %s%s%s\n", step ? step->kernel.c_str() : "-", step ? step->nodes.c_str() : "-",
           step && !step->why.empty() ? "  " : "", step ? step->why.c_str() : "");
  }
}

static void printNodes(const std::vector<StepTime> &best, const std::vector<StepDescription> &steps,
                       const Roofline &roofline, const CommandLine &line) {
  std::vector<double> times, least;
  for (const StepTime &time : best)
    times.push_back(time.length);
  for (const StepDescription &step : steps)
    least.push_back(roofline.bound(step, line.threads));
  std::string table = profileTable(profileRows(steps, times, line.top, least));
  table.resize(table.rfind("total ")); // the line of sums that follows has more
  fputs(table.c_str(), stdout);
}

constexpr int kProfileRuns = 10;

int symc::run::profile(const CommandLine &line, Model &model, std::vector<Tensor> &inputs,
                       std::vector<Tensor> &outputs) {
  std::vector<StepTime> best, current, shortest;
  stepTimes = &current;
  int64_t runs = line.bench ? line.bench : kProfileRuns;
  double whole = 0;
  for (int64_t i = 0; i <= runs; ++i) { // the first is not counted
    current.assign(best.size(), {});    // steps may run in several pieces
    listenToProbes(measure);
    runBegin = milliseconds();
    int status = model.run(inputs, outputs);
    double time = model.lastRun();
    listenToProbes(nullptr);
    if (status)
      return status;
    if (i == 0) {
      best.assign(current.size(), {});
      continue;
    }
    for (size_t step = 0; step < best.size(); ++step)
      best[step].length =
          i == 1 ? current[step].length : std::min(best[step].length, current[step].length);
    if (i == 1 || time < whole) {
      whole = time;
      shortest = current;
    }
  }
  if (best.empty()) {
    sayError("'" + line.library + "' has no probes", "compile it with symc --probes");
    return ExitUsage;
  }
  std::vector<StepDescription> steps = stepsOf(model, inputs);
  double total = 0, flops = 0, bound = 0;
  int64_t weights = 0;
  for (const StepDescription &step : steps) {
    weights += step.weightBytes;
    flops += step.flops;
  }
  Roofline roofline(weights);
  for (const StepTime &time : best)
    total += time.length;
  for (const StepDescription &step : steps)
    bound += roofline.bound(step, line.threads);
  roofline.print(line.threads);
  if (line.profileSteps)
    printSteps(best, steps, roofline, line.threads, total);
  else
    printNodes(best, steps, roofline, line);
  printf("total %.3f ms in %zu steps, %.3f ms a run", total, best.size(), whole);
  if (flops > 0 && total > 0)
    printf(", %.3f GFLOP, %.2f GFLOP/s, %.0f%% of the roofline", flops * 1e-9, flops / total * 1e-6,
           100 * bound / total);
  printf("  (least of %lld runs, threads %d, %s)\n", static_cast<long long>(runs), line.threads,
         model.isa());
  if (!line.traceFile.empty() && !writeTrace(line.traceFile, shortest, steps))
    return ExitFailed;
  return ExitOk;
}
