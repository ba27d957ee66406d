// ShapeText.cpp: see ShapeText.h.
#include "tools/driver/ShapeText.h"

#include "llvm/ADT/SmallVector.h"

using namespace symc;

bool symc::parseShape(llvm::StringRef text, std::vector<DimSpec> &shape) {
  text = text.trim();
  if (text.empty())
    return true;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    part = part.trim();
    int64_t low, high;
    size_t dots = part.find("..");
    if (dots == llvm::StringRef::npos) {
      if (part.getAsInteger(10, low) || low < 0)
        return false;
      shape.push_back(DimSpec::fixed(low));
      continue;
    }
    if (part.take_front(dots).getAsInteger(10, low) ||
        part.drop_front(dots + 2).getAsInteger(10, high) || low < 1 || high < low)
      return false;
    shape.push_back(low == high ? DimSpec::fixed(low) : DimSpec::range(low, high));
  }
  return true;
}
