// GradientMutants.h: mistakes in rules of gradients, made in the graph behind sg-gradient: in one
// of the nodes that a rule built, another sign, comparison or choice, a factor or a contribution
// less.
#ifndef SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H
#define SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::conformance {

/// One of them: "fc1: sg.binary add without its operand 0".
struct GradientMutant {
  std::string text;
};

/// How many there are in the module.
size_t countGradientMutants(mlir::ModuleOp module);
/// Makes the mistake of that number; which one.
GradientMutant makeGradientMutant(mlir::ModuleOp module, size_t number);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H
