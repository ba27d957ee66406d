// ConvChoice.h: which algorithm computes a convolution or matrix product, decided in this
// one place from the layer's shape, the target's description and what the caller allows.
// Afterwards a schedule has the algorithm, how its work is cut, how exact it is and why
// it was chosen.
#ifndef SYMC_CODEGEN_CONV_CONVCHOICE_H
#define SYMC_CODEGEN_CONV_CONVCHOICE_H

#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/target/MathMode.h"

namespace symc::codegen {

class Tuning;

/// The model's cycles of all layers: with each one's own best algorithm, and with those taken.
struct KernelCost {
  double own = 0, taken = 0;
};

/// What a schedule may choose from.
struct KernelPolicy {
  /// The instruction set that the model is rated for; without one every layer is direct.
  const TargetDescription *target = nullptr;
  /// The largest error bound of a layer that an algorithm other than direct may have;
  /// see errorBound. 0: direct only.
  double errorLimit = 0;
  /// Whether algorithms may mix pixels and rows; see ConvAlgorithm::mixesPixels.
  bool mixing = false;
  /// Taken wherever it can compute the layer, whatever the model rates.
  const ConvAlgorithm *forced = nullptr;
  /// Measured choices, taken before the model's where their error bound allows it.
  const Tuning *measured = nullptr;
  /// Batch sizes that share one form of each weight, and which of them this is: a layer gets
  /// the algorithm whose cycles, over those of each size's best, are fewest in the mean.
  llvm::ArrayRef<int64_t> batches = {};
  int64_t batch = 0;
  /// The algorithms to choose from, one at least that can compute the layer within the error
  /// limit; empty: all.
  llvm::ArrayRef<const ConvAlgorithm *> among = {};
  /// What factors of direct steps are kept as, where they may be (NarrowProducts.h); null: float32.
  mlir::FloatType precision = {};
  /// The name of the first instruction set of a file that multiplies two such factors, or none.
  llvm::StringRef multiplies;
  /// Where to count what that costs.
  KernelCost *cost = nullptr;
};

/// The errorLimit and `mixing` of each --math.
double errorLimitOf(MathMode math);
bool mayMixPixels(MathMode math);

/// Why an algorithm other than direct, whose error bound it is, may not be taken, half a
/// sentence; nothing where it may.
std::string refusal(const ConvAlgorithm &algorithm, double error, const KernelPolicy &policy);

struct ConvChoice {
  const ConvAlgorithm *algorithm = directAlgorithm();
  std::shared_ptr<const ConvCut> cut;  // none where the target is not known
  double directCycles = 0, cycles = 0; // the model's, for all images; 0: not rated
  double error = 0;                    // errorBound of the algorithm
  std::string reason;                  // half a sentence for remarks
  bool isMeasured = false;             // named by `measured` of the policy

  bool isDirect() const { return algorithm == directAlgorithm(); }
};

/// The layer of a direct step as the policy would have it computed.
ConvLayer layerFor(kernel::ConvOp step, const KernelPolicy &policy);

/// The row of the layer's direct step if that takes pairs of columns (ColumnPairs.h), or null.
const ProductRow *columnPairsFor(kernel::ConvOp step, const KernelPolicy &policy);

ConvChoice chooseConvAlgorithm(const ConvLayer &layer, const KernelPolicy &policy);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_CONVCHOICE_H
