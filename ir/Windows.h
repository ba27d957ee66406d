// Windows.h: what convolutions, poolings and their like share in checking their
// parameters and finding the extents of their results.
#ifndef SYMC_IR_WINDOWS_H
#define SYMC_IR_WINDOWS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace symc::sg {

/// "(3, 3)"
std::string tupleText(llvm::ArrayRef<int64_t> values);

/// The message where `values` is neither empty nor as long as `kernel`, or has an
/// element below `least` or above what checkLargest takes; else empty.
std::string checkWindow(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                        llvm::ArrayRef<int64_t> kernel, int64_t least);

/// The message where an extent of a window, its step or its border is over 2^31 - 1, so that
/// the product of two of them fits into int64; else empty.
std::string checkLargest(llvm::StringRef name, llvm::ArrayRef<int64_t> values);

/// Channels lie before the extents of images where no layout is given.
inline bool isChannelsFirst(std::optional<llvm::StringRef> layout) {
  return !layout || layout->starts_with("NC");
}
inline bool isChannelLast(std::optional<llvm::StringRef> layout) {
  return layout && layout->ends_with("C");
}

/// Element `i`, or `otherwise` of an empty tuple.
inline int64_t at(llvm::ArrayRef<int64_t> values, size_t i, int64_t otherwise) {
  return values.empty() ? otherwise : values[i];
}

/// Padding before and behind the extents of an image. `ends` is empty where it is the same.
struct Padding {
  llvm::ArrayRef<int64_t> begins, ends;

  Padding(llvm::ArrayRef<int64_t> begins, llvm::ArrayRef<int64_t> ends = {})
      : begins(begins), ends(ends) {}
  int64_t begin(size_t i) const { return at(begins, i, 0); }
  int64_t end(size_t i) const { return at(ends, i, begin(i)); }
  int64_t sum(size_t i) const { return begin(i) + end(i); }
};

} // namespace symc::sg

#endif // SYMC_IR_WINDOWS_H
