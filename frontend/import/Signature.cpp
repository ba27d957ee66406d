//===- Signature.cpp - a node's operands and results ----------------------===//
//
// Queries the operation's interface through the registered name, without an
// operation.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/Signature.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace symc::importer {

static const sg::OperatorInterface::Concept &interfaceOf(const sg::OpInfo &info,
                                                         MLIRContext *context) {
  auto name = RegisteredOperationName::lookup(info.mlirName, context);
  return *name->getInterface<sg::OperatorInterface>();
}

unsigned Signature::auxCount() const {
  return count_if(operands, [](const Operand &operand) { return operand.info->auxiliary; });
}

std::string Signature::resultName(const sg::OpInfo &info, int64_t i) const {
  // Results without names of their own are numbered where MXNet computes more than one.
  bool numbered = info.results.size() == 1 && info.results[0].kind == sg::ValueKind::Variadic &&
                  info.resultNames.empty();
  return info.resultName(i, numbered ? totalResults : visibleResults);
}

std::optional<Signature> signatureOf(const sg::OpInfo &info, DictionaryAttr params, int64_t given,
                                     std::string &message) {
  const auto &op = interfaceOf(info, params.getContext());
  sg::ParamView view(info, params);
  Signature signature;
  int64_t fixed = 0;
  SmallVector<bool> present;
  for (const sg::ValueInfo &operand : info.operands) {
    present.push_back(
        operand.kind == sg::ValueKind::Single ||
        (operand.kind == sg::ValueKind::Optional && op.hasOperand(operand.name, view)));
    fixed += present.back();
  }
  int64_t variadic = std::max<int64_t>(0, given - fixed);
  signature.openCount = any_of(info.operands, [](const sg::ValueInfo &operand) {
    return operand.kind == sg::ValueKind::Variadic;
  });
  if (!info.variadicCount.empty() && !view.isNone(info.variadicCount)) {
    // The counter of MXNet counts all inputs.
    variadic = view.getInt(info.variadicCount) - fixed;
    signature.counter = info.variadicCount;
    signature.openCount = false;
    if (variadic < 0 || variadic > MaxValues) {
      message = "parameter '" + info.variadicCount.str() + "' is " +
                std::to_string(view.getInt(info.variadicCount)) + ", needs " +
                std::to_string(fixed) + " to " + std::to_string(MaxValues);
      return std::nullopt;
    }
  }
  for (auto [operand, isThere] : zip(info.operands, present)) {
    bool many = operand.kind == sg::ValueKind::Variadic;
    int64_t count = many ? variadic : isThere;
    signature.segments.push_back(static_cast<int32_t>(count));
    for (int64_t i = 0; i < count; ++i)
      signature.operands.push_back(
          {many ? operand.name.str() + std::to_string(i) : operand.name.str(), &operand});
  }
  signature.visibleResults = info.results.size() - info.updates.size();
  if (info.results.size() == 1 && info.results[0].kind == sg::ValueKind::Variadic)
    signature.visibleResults = op.countResults(view);
  if (signature.visibleResults < 1 || signature.visibleResults > MaxValues) {
    message = "has " + std::to_string(signature.visibleResults) + " outputs, needs 1 to " +
              std::to_string(MaxValues);
    return std::nullopt;
  }
  signature.totalResults =
      std::max<int64_t>(signature.visibleResults + info.hiddenResults, info.resultNames.size());
  if (std::optional<int64_t> hidden = op.countHiddenResults(view))
    signature.totalResults = signature.visibleResults + *hidden;
  return signature;
}

std::string checkParams(const sg::OpInfo &info, DictionaryAttr params) {
  return interfaceOf(info, params.getContext()).checkParams(sg::ParamView(info, params));
}

} // namespace symc::importer
