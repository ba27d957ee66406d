// GradientMutants.h: mistakes in rules of gradients, made in the graph behind sg-gradient: in one
// of the nodes that a rule built, another sign, comparison or choice, a factor or a contribution
// less.
#ifndef SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H
#define SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace symc::conformance {

/// One of them: "fc1: sg.binary add without its operand 0".
struct GradientMutant {
  std::string text;
  std::string rule; // the operator whose rule made the node: "sg.fully_connected"
  std::string kind; // the mistake in the rule, whatever the node is called
};

/// All that the module has room for.
std::vector<GradientMutant> gradientMutantsOf(mlir::ModuleOp module);
/// Makes the one of that number.
void makeGradientMutant(mlir::ModuleOp module, size_t number);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GRADIENTMUTANTS_H
