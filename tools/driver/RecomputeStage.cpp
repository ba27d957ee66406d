// RecomputeStage.cpp: --recompute=BYTES, in the place of the optimisation of a graph of training.
// sg-recompute counts bytes of results in the order of the graph; fusion, layouts and sharing make
// of these the arena. So how many bytes it is given is found by trying: each trial is optimised and
// planned on a copy of the inferred graph. Of those whose arena fits the one with most bytes, which
// computes the least again, is taken; of none that fits the smallest arena, unless others are
// nearly as small.
#include "codegen/Pipelines.h"
#include "ir/Gradient.h"
#include "tools/driver/Compiler.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace symc;

namespace {
constexpr int kMostTrials = 6;
// Of arenas that do not fit, the one for which more is computed again is taken if it is smaller by
// this factor: a few bytes are not worth LeNet's layers (0.98 of the arena in 1.6 of the time).
constexpr double kWorthwhile = 0.95;

struct Trial {
  int64_t given, arena;
  size_t nodes = 0;
};
} // namespace

bool Compiler::recompute() {
  OwningOpRef<ModuleOp> inferred = std::move(whole);
  auto attempt = [&](int64_t bytes) -> std::optional<Trial> {
    request.gradients.recomputeBytes = bytes;
    whole = inferred->clone();
    nets = {*whole};
    if (!runOptimisation(*whole) || !chooseTargets())
      return std::nullopt;
    codegen::CodegenOptions options = codegenOptions();
    options.tuning = request.tuningFile;
    OwningOpRef<ModuleOp> planned = whole->clone();
    if (!runPasses(*planned, [&](OpPassManager &manager) {
          codegen::buildSchedulePipeline(manager, options);
        }))
      return std::nullopt;
    Trial trial{bytes, 0};
    for (size_t i = 0; i < targets.size(); ++i)
      trial.arena = std::max(trial.arena, arenaBytesOf(*planned, i));
    whole->walk([&](Operation *op) { trial.nodes += op->hasAttr(sg::kRecomputed); });
    return trial;
  };
  std::optional<Trial> best;
  int64_t without = 0;
  {
    llvm::SaveAndRestore quiet(trying, true);
    best = attempt(-1);
    if (best)
      without = best->arena;
    // Between what is known to fit and what is known not to.
    int64_t fits = 0, exceeds = 0, next = request.recompute;
    for (int i = 0; best && without > request.recompute && i < kMostTrials; ++i) {
      std::optional<Trial> trial = attempt(next);
      if (!trial)
        return false;
      bool isBetter = best->arena > request.recompute
                          ? trial->arena <= request.recompute ||
                                double(trial->arena) < kWorthwhile * double(best->arena)
                          : trial->arena <= request.recompute && trial->given > best->given;
      if (trial->arena <= request.recompute)
        fits = trial->given;
      else
        exceeds = trial->given;
      if (isBetter)
        best = trial;
      if (fits && exceeds)
        next = fits + (exceeds - fits) / 2;
      else
        next = fits ? 2 * fits : exceeds / 2;
    }
  }
  if (!best)
    return false;
  // Once more with its remarks.
  request.gradients.recomputeBytes = best->given;
  whole = std::move(inferred);
  nets = {*whole};
  if (!runOptimisation(*whole) || !chooseTargets())
    return false;
  recomputed = {best->arena, without, best->nodes};
  if (best->arena > request.recompute)
    diagnostics.warning(request.model.name(), {},
                        "the arena has " + llvm::Twine(best->arena) + " bytes, more than the " +
                            llvm::Twine(request.recompute) + " of --recompute, and " +
                            llvm::Twine(without) + " without");
  return true;
}
