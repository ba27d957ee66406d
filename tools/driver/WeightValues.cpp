// WeightValues.cpp: see WeightValues.h. SplitMix64 from the weight's seed.
#include "tools/driver/WeightValues.h"

#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace symc;

static uint64_t next(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void append(std::vector<char> &bytes, double value, Type type) {
  if (auto real = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(value);
    bool inexact;
    number.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    uint64_t bits = number.bitcastToAPInt().getZExtValue();
    const char *raw = reinterpret_cast<const char *>(&bits);
    bytes.insert(bytes.end(), raw, raw + sg::typeBytes(type));
    return;
  }
  int64_t integer = static_cast<int64_t>(value);
  const char *raw = reinterpret_cast<const char *>(&integer);
  bytes.insert(bytes.end(), raw, raw + sg::typeBytes(type));
}

std::vector<char> symc::drawWeight(sg::WeightOp weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  StringRef role = weight.getSymName();
  if (auto attr = weight->getAttrOfType<StringAttr>("sg.role"))
    role = attr.getValue();
  int64_t count = type.getNumElements();
  std::vector<char> bytes;
  bytes.reserve(count * sg::typeBytes(type.getElementType()));
  bool one = role.ends_with("gamma") || role.ends_with("var");
  bool zero = role.ends_with("beta") || role.ends_with("bias") || role.ends_with("mean");
  double fan = type.getRank() > 1 ? static_cast<double>(count) / type.getDimSize(0) : 4;
  double scale = std::sqrt(3.0 / std::max(fan, 1.0));
  uint64_t state = *weight.getRandom();
  for (int64_t i = 0; i < count; ++i) {
    double uniform = static_cast<double>(next(state) >> 11) * 0x1p-53 * 2 - 1;
    append(bytes, one ? 1 : zero ? 0 : uniform * scale, type.getElementType());
  }
  return bytes;
}

static double valueAt(const char *data, Type type) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, sg::typeBytes(type));
  if (auto real = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(real.getFloatSemantics(), llvm::APInt(type.getIntOrFloatBitWidth(), bits));
    bool inexact;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return number.convertToDouble();
  }
  unsigned width = sg::typeBytes(type) * 8;
  if (type.isUnsignedInteger() || type.isInteger(1))
    return static_cast<double>(bits);
  return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

std::vector<char> symc::convertWeight(const char *data, Type stored, RankedTensorType type) {
  std::vector<char> bytes;
  bytes.reserve(type.getNumElements() * sg::typeBytes(type.getElementType()));
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    append(bytes, valueAt(data + i * sg::typeBytes(stored), stored), type.getElementType());
  return bytes;
}
