// States.h: what a run changes. sg-lift-states makes the value of such a weight an argument
// of @main; its new value is a result. Both carry the weight's symbol as `sg.state`.
#ifndef SYMC_IR_STATES_H
#define SYMC_IR_STATES_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// The symbol of the weight whose value at the beginning of a run the argument is; empty
/// where it is an input.
llvm::StringRef stateOfArgument(GraphOp graph, unsigned i);

/// The symbol of the weight whose value after a run the result is; empty where it is an output.
llvm::StringRef stateOfResult(GraphOp graph, unsigned i);

} // namespace symc::sg

#endif // SYMC_IR_STATES_H
