// States.h: what a run changes. sg-lift-states makes the value of such a weight an argument
// of @main; its new value is a result. Both carry the weight's symbol as `sg.state`. sg-grow-states
// does so with inputs to which a concatenation appends; `sg.state` is the input's name then.
#ifndef SYMC_IR_STATES_H
#define SYMC_IR_STATES_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// The symbol of the weight whose value at the beginning of a run the argument is; empty
/// where it is an input.
llvm::StringRef stateOfArgument(GraphOp graph, unsigned i);

/// The symbol of the weight whose value after a run the result is; empty where it is an output.
llvm::StringRef stateOfResult(GraphOp graph, unsigned i);

/// A state that a run makes longer (--grow): it has no weight but memory for `rows` along `axis`,
/// in which the rows that a run appends follow those that are there. `sg.grows = [axis, rows]`.
struct Growth {
  int64_t axis, rows;
};
inline constexpr llvm::StringLiteral growsName = "sg.grows";

/// That of an input to be such a state, or of the argument that it has become (sg-grow-states).
std::optional<Growth> growthOfArgument(GraphOp graph, unsigned i);
/// That of a result, the state with the appended rows.
std::optional<Growth> growthOfResult(GraphOp graph, unsigned i);
/// That of the concatenation which appends rows to its first operand, the state.
std::optional<Growth> growthOf(mlir::Operation *concat);

} // namespace symc::sg

#endif // SYMC_IR_STATES_H
