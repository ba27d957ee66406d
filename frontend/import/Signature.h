//===- Signature.h - a node's operands and results ------------------------===//
//
// Which operands and results a node has under its parameters: names, optional
// ones left out, variadic ones counted.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_SIGNATURE_H
#define SYMC_FRONTEND_IMPORT_SIGNATURE_H

#include "ir/GraphDialect.h"
#include <vector>

namespace symc::importer {

/// More operands or results than this are taken for a mistake.
constexpr int64_t MaxValues = 4096;

struct Signature {
  struct Operand {
    std::string name;
    const sg::ValueInfo *info;
  };
  std::vector<Operand> operands;
  /// How many operands each declared one stands for.
  llvm::SmallVector<int32_t> segments;
  /// The parameter that counts the operands, or "".
  llvm::StringRef counter;
  /// No parameter counts the variadic operand: it takes what is given.
  bool openCount = false;
  int64_t visibleResults = 1;
  /// With those that MXNet computes and does not list.
  int64_t totalResults = 1;
  /// The graph names one of these: the operation has all of them.
  bool hiddenShown = false;

  /// How many results the operation has, without new values of states.
  int64_t builtResults() const { return hiddenShown ? totalResults : visibleResults; }
  unsigned auxCount() const;
  /// list_outputs' ending for result `i`: "output".
  std::string resultName(const sg::OpInfo &info, int64_t i) const;
};

/// `given` is the number of inputs in the file, for variadic operands without a
/// counter. Sets `message` and returns nothing when a count is out of bounds.
std::optional<Signature> signatureOf(const sg::OpInfo &info, mlir::DictionaryAttr params,
                                     int64_t given, std::string &message);

/// What is wrong with the parameters by the operator's own check, or "".
std::string checkParams(const sg::OpInfo &info, mlir::DictionaryAttr params);

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_SIGNATURE_H
