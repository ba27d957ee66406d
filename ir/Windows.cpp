// Windows.cpp: see Windows.h.
#include "ir/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

std::string symc::sg::tupleText(ArrayRef<int64_t> values) {
  std::string text = "(";
  for (auto [i, value] : llvm::enumerate(values))
    text += (i ? ", " : "") + std::to_string(value);
  return text + ")";
}

std::string symc::sg::checkWindow(StringRef name, ArrayRef<int64_t> values,
                                  ArrayRef<int64_t> kernel, int64_t least) {
  if (!values.empty() && values.size() != kernel.size())
    return ("parameter '" + name + "' is " + tupleText(values) +
            ", needs one extent for each of kernel " + tupleText(kernel))
        .str();
  for (int64_t value : values)
    if (value < least)
      return ("parameter '" + name + "' is " + tupleText(values) + ", needs extents of at least " +
              Twine(least))
          .str();
  return checkLargest(name, values);
}

std::string symc::sg::checkLargest(StringRef name, ArrayRef<int64_t> values) {
  if (llvm::all_of(values, [](int64_t value) { return value <= INT32_MAX; }))
    return {};
  return ("parameter '" + name + "' is " + tupleText(values) + ", needs extents of at most " +
          Twine(INT32_MAX))
      .str();
}
