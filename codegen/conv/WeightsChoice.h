// WeightsChoice.h: which algorithm sums the gradients of a convolution's weights, and what the
// schedule needs to put its step in the place of kernel.conv_weights.
#ifndef SYMC_CODEGEN_CONV_WEIGHTSCHOICE_H
#define SYMC_CODEGEN_CONV_WEIGHTSCHOICE_H

#include "codegen/conv/ConvChoice.h"
#include <functional>

namespace symc::codegen {

struct WeightsChoice {
  /// Builds the other step in front of `op`, which the caller erases; none: direct sums.
  std::function<void(kernel::ConvWeightsOp op, mlir::Value scratch, mlir::Value slots)> create;
  int64_t scratchRows = 0, scratchElements = 0; // rows, and elements of a row
  std::string description;                      // of how it is cut, for remarks
  std::string reason;                           // half a sentence for remarks
  double error = 0;    // the bound of a gradient over the channel's largest
  bool isMeant = true; // an algorithm other than direct takes such windows
};

WeightsChoice chooseWeightsAlgorithm(kernel::ConvWeightsOp op, const KernelPolicy &policy);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WEIGHTSCHOICE_H
