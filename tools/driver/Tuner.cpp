// Tuner.cpp: see Tuner.h. A candidate is a step that runs by itself (StepRunner.h). Before
// a sample the caches are put into the state that a whole network leaves: weights as far away
// as the model's size requires, the input near.
#include "tools/driver/Tuner.h"

#include "codegen/conv/ConvChoice.h"
#include "tools/driver/StepRunner.h"
#include "llvm/ADT/StringSet.h"
#include <chrono>

using namespace mlir;
using namespace symc;
using codegen::StepChoice;
using codegen::TargetDescription;
using codegen::TunableStep;
using codegen::Tuning;
using codegen::TuningChoice;

static double microseconds() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Cycles of this core in a microsecond: a chain of multiplications, 3 cycles each.
static double cyclesPerMicrosecond() {
  double best = 1;
  for (int round = 0; round < 5; ++round) {
    constexpr int links = 100'000;
    uint64_t value = round | 1;
    double start = microseconds();
    for (int i = 0; i < links; ++i) {
#if defined(__x86_64__)
      __asm__ volatile("imulq %0, %0" : "+r"(value));
#else
      value = value * value + i;
#endif
    }
    best = std::max(best, 3.0 * links / (microseconds() - start));
  }
  return best;
}

namespace {
/// One way to compute a layer: a step of one of the schedules and its tile.
struct Candidate {
  Operation *op;
  TuningChoice choice;
};
} // namespace

// Measures all candidates of one shape.
static llvm::Error measure(MutableArrayRef<Candidate> candidates, const TargetDescription &target,
                           const TuneOptions &options) {
  SmallVector<StepRunner::Step> steps;
  for (Candidate &candidate : candidates) {
    steps.push_back({candidate.op, candidate.choice.ofStep()});
    candidate.choice.microseconds = std::numeric_limits<double>::infinity();
  }
  auto runner = StepRunner::compile(steps, target, options.math, options.resourceDir);
  if (!runner)
    return runner.takeError();
  for (int round = 0; round < options.rounds; ++round)
    for (auto [number, candidate] : llvm::enumerate(candidates)) {
      double &least = candidate.choice.microseconds;
      (*runner)->settle(number, options.weightBytes);
      double start = microseconds();
      (*runner)->run(number);
      least = std::min(least, microseconds() - start);
      // Short steps are below the clock's grain; their operands stay near.
      if (least > 30)
        continue;
      start = microseconds();
      for (int repeat = 0; repeat < 20; ++repeat)
        (*runner)->run(number);
      least = std::min(least, (microseconds() - start) / 20);
    }
  return llvm::Error::success();
}

namespace {
/// The candidates of one shape; the first is the model's choice.
struct Shape {
  int64_t count = 0; // steps of the model's schedule
  std::vector<Candidate> candidates;
  llvm::StringSet<> algorithms; // that have candidates
};
} // namespace

// By key: what the schedules offer, the model's choice first.
static std::map<std::string, Shape> collectShapes(ArrayRef<ModuleOp> schedules,
                                                  const TargetDescription &target,
                                                  const TuneOptions &options,
                                                  const Tuning &tuning) {
  codegen::KernelPolicy policy;
  policy.errorLimit = codegen::errorLimitOf(options.math);
  policy.mixing = codegen::mayMixPixels(options.math);
  std::map<std::string, Shape> shapes;
  for (ModuleOp schedule : schedules)
    kernel::mainPrograms(schedule).front().walk([&](TunableStep step) {
      std::string key = step.getKey();
      if (key.empty() || tuning.find(target, key))
        return;
      Shape &shape = shapes[key];
      bool own = schedule == schedules.front();
      shape.count += own;
      const codegen::ConvAlgorithm *algorithm = codegen::algorithmOf(step);
      if (shape.algorithms.contains(step.getAlgorithm()) ||
          (!own && algorithm && algorithm != codegen::directAlgorithm() &&
           !refusal(*algorithm, step.getErrorBound(), policy).empty()))
        return;
      shape.algorithms.insert(step.getAlgorithm());
      for (const StepChoice &choice : step.getCandidates(target, options.tiles))
        shape.candidates.push_back({step, {choice.tile, choice.pixelsOutside, 0, algorithm}});
    });
  return shapes;
}

llvm::Expected<std::vector<TunedShape>> symc::tune(ArrayRef<ModuleOp> schedules,
                                                   const TargetDescription &target,
                                                   const TuneOptions &options, Tuning &tuning) {
  if (!target.runsOn(*TargetDescription::get("native")))
    return codegen::emitError("cannot tune for '" + target.name +
                              "': this machine does not run its instructions; name others by "
                              "--target-cpu");
  std::vector<TunedShape> tuned;
  double clock = cyclesPerMicrosecond();
  for (auto &[key, shape] : collectShapes(schedules, target, options, tuning)) {
    std::vector<Candidate> candidates = shape.candidates;
    if (llvm::Error error = measure(candidates, target, options))
      return std::move(error);
    const Candidate *best = &candidates.front();
    // The model's own choice stays unless another one is clearly faster.
    for (const Candidate &one : candidates)
      if (one.choice.microseconds < 0.98 * best->choice.microseconds)
        best = &one;
    tuning.set(target, key, best->choice);
    const TuningChoice &modelled = candidates.front().choice;
    double cycles = cast<TunableStep>(candidates.front().op)
                        .getCycles(modelled.ofStep(), target, options.weightBytes);
    tuned.push_back({key, shape.count, best->choice, modelled, cycles / clock});
  }
  return tuned;
}

std::string symc::summarise(const std::vector<TunedShape> &shapes) {
  double modelled = 0, best = 0;
  std::vector<double> errors;
  for (const TunedShape &shape : shapes) {
    modelled += shape.count * shape.modelled.microseconds;
    best += shape.count * shape.best.microseconds;
    errors.push_back(std::abs(shape.estimated / shape.modelled.microseconds - 1));
  }
  std::sort(errors.begin(), errors.end());
  char text[256];
  std::snprintf(text, sizeof text,
                "%zu shapes: %.3f ms by the model's choices, %.3f ms by the best ones (%.1f %% "
                "less); the model's times are off by %.1f %% (median)",
                shapes.size(), modelled / 1e3, best / 1e3,
                modelled > 0 ? 100 * (1 - best / modelled) : 0.0,
                errors.empty() ? 0.0 : 100 * errors[errors.size() / 2]);
  return text;
}
