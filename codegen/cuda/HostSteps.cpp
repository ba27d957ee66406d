// HostSteps.cpp: see HostSteps.h.
#include "codegen/cuda/HostSteps.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/plan/StepRegions.h"
#include "ir/Interval.h"
#include "ir/OpTable.h"
#include "runtime/include/symc/abi.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace symc::codegen::cuda {

std::optional<std::string> whyNoKernel(kernel::StepInterface step,
                                       const ReferenceKernels *references) {
  if (!isa<CudaStepInterface>(step.getOperation()))
    return "no kernel is written for it";
  auto call = dyn_cast<kernel::CallOp>(step.getOperation());
  if (!call)
    return std::nullopt;
  if (call.getBodies())
    return "it runs graphs";
  if (call.getDecides())
    return "it decides a size";
  if (call.getCustom())
    return "it is a custom operator";
  const sg::OpInfo *info = sg::lookupMnemonic(call.getOp());
  if (info && !info->library.empty())
    return "its kernel calls " + info->library.upper();
  if (!references || !references->kernelOf(call.getOp()))
    return "no kernel is written for it";
  return std::nullopt;
}

static int64_t alignedEnd(int64_t bytes) { return llvm::alignTo(bytes, SYMC_ALIGN); }

// From its lowest byte of the arena to its highest one, then one argument behind the other.
FailureOr<CudaHostStep> describeHostStep(kernel::StepInterface step, std::string reason,
                                         SymbolTableCollection &symbols) {
  FailureOr<SmallVector<StepRegion>> regions = regionsOf(step, symbols);
  if (failed(regions))
    return failure();
  sg::SymbolRanges ranges = kernel::symbolRanges(step->getParentOfType<kernel::ProgramOp>());
  auto largest = [&](AffineExpr expr) { return sg::intervalOf(expr, ranges).max; };
  CudaHostStep result;
  result.reason = std::move(reason);
  int64_t low = INT64_MAX, high = 0;
  std::map<int64_t, int64_t> arguments; // to their bytes, then to their shifts
  for (const StepRegion &region : *regions)
    if (region.place.space == ViewPlace::Arena) {
      low = std::min(low, region.place.byteOffset);
      high = std::max(high, region.place.byteOffset + region.place.rootBytes);
    } else {
      int64_t &bytes = arguments[region.place.argument];
      bytes = std::max(bytes, largest(region.first()) + largest(region.bytes()));
    }
  low = std::min(low, high);
  result.arenaShift = -low;
  result.bytes = alignedEnd(high - low);
  for (auto &[argument, bytes] : arguments) {
    int64_t shift = result.bytes;
    result.bytes += alignedEnd(bytes);
    bytes = shift;
  }
  for (const StepRegion &region : *regions) {
    bool inArena = region.place.space == ViewPlace::Arena;
    result.hasPlaces |= !region.isConstant();
    auto first = dyn_cast<AffineConstantExpr>(region.first());
    result.regions.push_back({inArena ? CudaArgument::Arena : CudaArgument::Io,
                              region.place.argument,
                              inArena ? result.arenaShift : arguments[region.place.argument],
                              first ? first.getValue() : region.place.byteOffset,
                              largest(region.bytes()), region.read, region.written});
  }
  return result;
}

} // namespace symc::codegen::cuda
