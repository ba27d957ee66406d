// KernelChoice.h: direct convolution, Winograd's or Strassen's product, decided in this
// one place from the layer's shape, the target's description and what the caller allows.
// Afterwards a schedule knows the kernel, how its work is cut, how exact it is and
// why it was chosen.
#ifndef SYMC_CODEGEN_CPU_KERNELCHOICE_H
#define SYMC_CODEGEN_CPU_KERNELCHOICE_H

#include "codegen/cpu/MathMode.h"
#include "codegen/cpu/StrassenChoice.h"
#include "codegen/kernel/WinogradShape.h"

namespace symc::codegen {

class Tuning;

enum class ConvKernel {
  Direct,
  WinogradF2,
  WinogradF4,
  WinogradF4Late,
  WinogradPhases,
  Strassen
};
inline constexpr ConvKernel winogradKernels[] = {ConvKernel::WinogradF2, ConvKernel::WinogradF4,
                                                 ConvKernel::WinogradF4Late,
                                                 ConvKernel::WinogradPhases};

/// "direct", "winograd-f2", "winograd-f4", "winograd-f4-late", "winograd-phases", "strassen":
/// the values of --force-kernel.
llvm::StringRef nameOf(ConvKernel kernel);
std::optional<ConvKernel> convKernelNamed(llvm::StringRef name);

/// The model's cycles of all layers: with each one's own best kernel, and with those taken.
struct KernelCost {
  double own = 0, taken = 0;
};

/// What a schedule may choose from.
struct KernelPolicy {
  /// The instruction set that the model is rated for; without one every layer is direct.
  std::optional<TargetDescription> target;
  /// The largest error bound of a layer that a kernel other than direct may have;
  /// see errorBound. 0: direct only.
  double errorLimit = 0;
  /// Taken wherever it can compute the layer, whatever the model says.
  std::optional<ConvKernel> forced;
  /// Measured kernels, taken before the model's where their error bound allows it.
  const Tuning *measured = nullptr;
  /// Batch sizes that share one form of each weight, and which of them this is: a layer gets
  /// the kernel whose cycles, over those of each size's best, are fewest in the mean.
  llvm::ArrayRef<int64_t> batches = {};
  int64_t batch = 0;
  /// Where to count what that costs.
  KernelCost *cost = nullptr;
};

/// The errorLimit of each --math.
double errorLimitOf(MathMode math);

/// A convolution. Output extents are mlir::ShapedType::kDynamic at run time.
struct ConvLayer {
  int64_t images, rows, columns;
  int64_t inChannels, outChannels;
  int64_t kernel[2], strides[2], dilations[2];
  bool blocked; // data comes in blocks of 16 channels
  int64_t extras = 0; // views that the step's body reads
  bool flat = false;  // pixels of all views lie at one distance
  bool matrix = false; // columns are rows of a matrix, whose number grows with the batch
};

struct ConvChoice {
  ConvKernel kernel = ConvKernel::Direct;
  kernel::WinogradShape winograd; // of Winograd's kernels
  kernel::StrassenShape strassen; // of Strassen's
  double directCycles = 0, cycles = 0; // the model's, for all images; 0: not rated
  double error = 0;               // errorBound of the kernel
  std::string reason;             // half a sentence for remarks
};

ConvChoice chooseConvKernel(const ConvLayer &layer, const KernelPolicy &policy);

/// The largest max|error| / max|output| against exact arithmetic that a layer of so
/// many input channels has, by kernel: a table that a test validates.
double errorBound(ConvKernel kernel, int64_t inChannels);

/// The same of products of matrices by one step of Strassen's scheme, by the length of
/// their sums.
double strassenErrorBound(int64_t length);

/// The register tile of the op's products: its `tile`, or the model's.
ConvTile productTile(kernel::WinogradOp op, const TargetDescription &target);

/// The `most` cheapest tiles of the op's products, best first.
std::vector<ConvTile> rankProductTiles(kernel::WinogradOp op, const TargetDescription &target,
                                       size_t most);

/// Sets `tile` on the op unless it is set.
void chooseTile(kernel::WinogradOp op, const TargetDescription &target);

/// Which kernel the op is.
ConvKernel kernelOf(kernel::WinogradOp op);
inline ConvKernel kernelOf(kernel::StrassenOp) { return ConvKernel::Strassen; }

/// What a late product keeps in registers: sums of so many columns of positions (6 or
/// 3) and tiles. Three columns transform a row of weights twice, for half the tiles' passes.
struct LateTile {
  int64_t columns, tiles;
};
LateTile lateTile(int64_t tiles, const TargetDescription &target);

/// The model's cycles of one core with that cut.
double estimateWinogradCycles(const kernel::WinogradShape &shape, const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_KERNELCHOICE_H
