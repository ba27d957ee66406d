// Refusals.cpp: see Refusals.h.
#include "codegen/schedule/Refusals.h"

#include "llvm/Support/FormatVariadic.h"

using namespace symc;
using namespace symc::codegen;

Refusal symc::codegen::elementRefusal(mlir::Value value) {
  return {llvm::formatv("the target has no layers of {0} elements",
                        sg::typeName(sg::elementTypeOf(value.getType())))};
}

Refusal symc::codegen::openChannelsRefusal() { return {"its channels are known only at run time"}; }

Refusal symc::codegen::computedRefusal(llvm::StringRef operand) {
  return {("its " + operand + " is computed by the graph").str()};
}

Refusal symc::codegen::chainRefusal() {
  return {"a node around it has no operations on its types of elements"};
}

Refusal symc::codegen::operandRefusal() {
  return {"an operand of the nodes around it cannot be read in the form of its result"};
}
