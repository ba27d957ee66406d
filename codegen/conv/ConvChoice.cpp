// ConvChoice.cpp: see ConvChoice.h.
#include "codegen/conv/ConvChoice.h"

#include "codegen/conv/ColumnPairs.h"
#include "codegen/conv/NarrowProducts.h"
#include "codegen/conv/Tuning.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

double symc::codegen::errorLimitOf(MathMode math) {
  return math <= MathMode::Strict ? 0 : math == MathMode::Default ? 2e-5 : 1e-4;
}

bool symc::codegen::mayMixPixels(MathMode math) { return math == MathMode::Fast; }

std::string symc::codegen::refusal(const ConvAlgorithm &algorithm, double error,
                                   const KernelPolicy &policy) {
  if (policy.errorLimit == 0)
    return "strict mathematics keeps to it";
  if (error > policy.errorLimit)
    return llvm::formatv("the error bound of {0}, {1:E1}, is above the limit, {2:E1}",
                         algorithm.title, error, policy.errorLimit);
  if (algorithm.mixesPixels() && !policy.mixing)
    return llvm::formatv("{0} mixes pixels and rows, which --math=fast allows", algorithm.title);
  return "";
}

// Sets algorithm, cut and error bound; returns the cycles.
static double take(ConvChoice &choice, const ConvLayer &layer, const ConvAlgorithm *algorithm,
                   const TargetDescription &target) {
  choice.algorithm = algorithm;
  choice.error = algorithm->errorBoundOf(layer);
  choice.cut = algorithm->cut(layer, target);
  return choice.cut->cycles;
}

static double cyclesOf(const ConvLayer &layer, const ConvAlgorithm *algorithm,
                       const TargetDescription &target) {
  return algorithm->cut(layer, target)->cycles;
}

namespace {
/// The algorithms besides the direct one that a layer may get, and why there are none.
struct Others {
  SmallVector<const ConvAlgorithm *> algorithms;
  std::string obstacle;
};
} // namespace

static bool mayTake(const ConvAlgorithm *algorithm, const KernelPolicy &policy) {
  return policy.among.empty() || llvm::is_contained(policy.among, algorithm);
}

static Others othersFor(const ConvLayer &layer, const KernelPolicy &policy) {
  Others others;
  if (layer.images == 0 || layer.rows == 0 || layer.columns == 0 || layer.inChannels == 0 ||
      layer.outChannels == 0) {
    others.obstacle = "it computes no element, or of none"; // such as the gradient of no images
    return others;
  }
  const ConvAlgorithm *forced = policy.forced;
  if (forced && forced != directAlgorithm()) {
    others.algorithms = {forced};
    others.obstacle = forced->obstacle(layer);
    return others;
  }
  for (const ConvAlgorithm *algorithm : convAlgorithms().drop_front()) {
    if (!mayTake(algorithm, policy))
      continue;
    std::string obstacle = algorithm->obstacle(layer);
    if (obstacle.empty())
      others.algorithms.push_back(algorithm);
    else if (others.obstacle.empty() && algorithm->isMeantFor(layer))
      others.obstacle = obstacle;
  }
  if (!others.algorithms.empty())
    others.obstacle.clear();
  return others;
}

// One algorithm for the layer at all batch sizes: the only one that any of them takes, or the
// best in the mean of those that some want.
static ConvChoice chooseShared(const ConvLayer &layer, const KernelPolicy &policy) {
  KernelPolicy alone = policy;
  alone.batches = {};
  ConvChoice own = chooseConvAlgorithm(layer, alone);
  if (policy.forced || own.directCycles == 0) // no size has a choice
    return own;
  llvm::SmallVector<ConvLayer> layers;
  llvm::SmallVector<const ConvAlgorithm *> wanted;
  for (int64_t batch : policy.batches) {
    layers.push_back(layer);
    int64_t &grows = layer.matrix ? layers.back().columns : layers.back().images;
    grows = std::max<int64_t>(grows * batch / policy.batch, 1);
    const ConvAlgorithm *algorithm = chooseConvAlgorithm(layers.back(), alone).algorithm;
    if (!llvm::is_contained(wanted, algorithm))
      wanted.push_back(algorithm);
  }
  const ConvAlgorithm *best = wanted.front();
  double least = 0;
  for (const ConvAlgorithm *algorithm : wanted) {
    double sum = 0;
    for (const ConvLayer &each : layers) {
      double cycles = cyclesOf(each, algorithm, *policy.target), fewest = cycles;
      for (const ConvAlgorithm *other : wanted)
        fewest = std::min(fewest, cyclesOf(each, other, *policy.target));
      sum += cycles / fewest;
    }
    if (algorithm == wanted.front() || sum < least) {
      best = algorithm;
      least = sum;
    }
  }
  ConvChoice taken = own;
  if (best != own.algorithm) {
    alone.forced = best;
    taken = chooseConvAlgorithm(layer, alone);
    taken.directCycles = own.directCycles;
    taken.cycles = cyclesOf(layer, best, *policy.target);
    taken.reason =
        llvm::formatv("all batch sizes share its weights; alone this one would take {0}, "
                      "with {1:F1} % of the cycles",
                      own.algorithm->name, 100 * own.cycles / taken.cycles);
  }
  if (policy.cost) {
    policy.cost->own += own.cycles;
    policy.cost->taken += taken.cycles;
  }
  return taken;
}

const ProductRow *symc::codegen::columnPairsFor(kernel::ConvOp step, const KernelPolicy &policy) {
  if (!policy.target || !policy.precision)
    return nullptr;
  return columnPairsOf(step, *policy.target, policy.precision, policy.errorLimit == 0);
}

ConvLayer symc::codegen::layerFor(kernel::ConvOp step, const KernelPolicy &policy) {
  ConvLayer layer = layerOf(step);
  if (policy.target && policy.precision)
    layer.product = narrowProductOf(step, *policy.target, policy.precision);
  if (const ProductRow *row = columnPairsFor(step, policy)) {
    layer.product = row;
    layer.columnPairs = true;
  }
  return layer;
}

ConvChoice symc::codegen::chooseConvAlgorithm(const ConvLayer &layer, const KernelPolicy &policy) {
  if (policy.batches.size() > 1)
    return chooseShared(layer, policy);
  const ConvAlgorithm *direct = directAlgorithm();
  ConvChoice choice;
  choice.error = direct->errorBoundOf(layer);
  Others others = othersFor(layer, policy);
  choice.reason = others.obstacle;
  if (!choice.reason.empty())
    return choice;
  if (!policy.target) {
    choice.reason = "no instruction set is given";
    return choice;
  }
  const TargetDescription &target = *policy.target;
  if (policy.forced) {
    choice.reason = "forced";
    take(choice, layer, policy.forced, target);
    return choice;
  }
  if (policy.errorLimit == 0) {
    choice.reason = "strict mathematics keeps to it";
    return choice;
  }
  choice.directCycles = choice.cycles = cyclesOf(layer, direct, target);
  if (others.algorithms.empty()) // of `among`
    return choice;
  const TuningChoice *measured =
      policy.measured ? policy.measured->find(target, keyOfLayer(layer)) : nullptr;
  auto refused = [&](const ConvAlgorithm *algorithm) {
    return refusal(*algorithm, algorithm->errorBoundOf(layer), policy);
  };
  if (measured && mayTake(measured->algorithm, policy) &&
      (measured->algorithm == direct ||
       (llvm::is_contained(others.algorithms, measured->algorithm) &&
        refused(measured->algorithm).empty()))) {
    choice.reason = "measured as the fastest";
    choice.isMeasured = true;
    choice.cycles = take(choice, layer, measured->algorithm, target);
    return choice;
  }
  double bestOther = -1;
  std::string why;
  const ConvAlgorithm *rated = nullptr;
  if (!mayTake(direct, policy)) // the first of the others is better
    choice.cycles = std::numeric_limits<double>::infinity();
  for (const ConvAlgorithm *algorithm : others.algorithms) {
    if (std::string reason = refused(algorithm); !reason.empty()) {
      why = reason;
      continue;
    }
    rated = rated ? rated : algorithm;
    ConvChoice other = choice;
    double cycles = take(other, layer, algorithm, target);
    bestOther = bestOther < 0 ? cycles : std::min(bestOther, cycles);
    bool pays = !mayTake(direct, policy) || cycles < algorithm->shareNeeded * choice.directCycles;
    if (cycles < choice.cycles && pays) {
      choice = other;
      choice.cycles = cycles;
    }
  }
  auto thousands = [](double cycles) { return llvm::formatv("{0:F0}", cycles / 1000).str(); };
  if (!choice.isDirect())
    choice.reason = "the model gives " + thousands(choice.cycles) + " thousand cycles, direct " +
                    thousands(choice.directCycles);
  else if (!rated)
    choice.reason = why;
  else
    choice.reason = "the model gives " + rated->title.str() + " " + thousands(bestOther) +
                    " thousand cycles, direct " + thousands(choice.directCycles);
  return choice;
}
