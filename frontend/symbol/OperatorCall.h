// OperatorCall.h: one operator with its parameters as a person types it:
// "Convolution(kernel=(3,3), num_filter=8)".
#ifndef SYMC_FRONTEND_SYMBOL_OPERATORCALL_H
#define SYMC_FRONTEND_SYMBOL_OPERATORCALL_H

#include "frontend/symbol/Graph.h"

namespace symc::symbol {

struct OperatorCall {
  std::string op;
  AttributeMap attributes; // as a file has them, in the order of the text
};

/// Values end at a comma outside of brackets and quotes; quotes around a whole value go. A name
/// alone is an operator without parameters. Nothing comes back after a mistake, which
/// `message` describes.
std::optional<OperatorCall> parseOperatorCall(llvm::StringRef text, std::string &message);

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_OPERATORCALL_H
