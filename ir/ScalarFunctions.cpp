// ScalarFunctions.cpp: lookup in the generated table of scalar functions, and
// textual substitution, which is safe since arguments are whole identifiers and
// every substituted value is a primary of the grammar.
#include "ir/ScalarFunctions.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace symc::sg;

namespace {
#include "ir/ScalarFunctions.inc" // kScalarFns, sorted by name
} // namespace

ArrayRef<ScalarFn> symc::sg::allScalarFns() { return kScalarFns; }

const ScalarFn *symc::sg::lookupScalarFn(StringRef name) {
  const ScalarFn *found =
      std::lower_bound(std::begin(kScalarFns), std::end(kScalarFns), name,
                       [](const ScalarFn &fn, StringRef wanted) { return fn.name < wanted; });
  return found != std::end(kScalarFns) && found->name == name ? found : nullptr;
}

std::string symc::sg::substituteArgs(StringRef text, ArrayRef<const char *> args,
                                     ArrayRef<std::string> values) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      result += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && isWord(text[end]))
      ++end;
    StringRef word = text.slice(i, end);
    const auto *arg = llvm::find(args, word);
    result += arg != args.end() ? values[arg - args.begin()] : word.str();
    i = end;
  }
  return result;
}

std::string symc::sg::applyScalarFn(StringRef name, ArrayRef<std::string> values) {
  const ScalarFn *fn = lookupScalarFn(name);
  assert(fn && fn->args.size() == values.size() && "internal: no such scalar function");
  return substituteArgs(fn->body, fn->args, values);
}

std::string symc::sg::scalarLiteral(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "(-inf)";
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  return std::signbit(value) ? "(" + std::string(text) + ")" : text;
}

SmallVector<int64_t> symc::sg::alignedAxes(Operation *op, unsigned operand) {
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  int64_t own = cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < own; ++axis)
    axes.push_back(rank - own + axis);
  return axes;
}
