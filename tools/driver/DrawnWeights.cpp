// DrawnWeights.cpp: see DrawnWeights.h. SplitMix64 from the weight's seed.
#include "tools/driver/DrawnWeights.h"

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

// Writes `count` elements of `type`, the i-th from value(i). The two common types
// have loops of their own; the rest goes through APFloat, one element at a time.
template <typename Value> static std::vector<char> fill(int64_t count, Type type, Value value) {
  int64_t bytes = sg::typeBytes(type);
  std::vector<char> result(count * bytes);
  auto store = [&](auto convert) {
    for (int64_t i = 0; i < count; ++i) {
      auto element = convert(value(i));
      std::memcpy(result.data() + i * bytes, &element, bytes);
    }
  };
  auto real = dyn_cast<FloatType>(type);
  if (type.isF32())
    store([](double x) { return static_cast<float>(x); });
  else if (type.isF64())
    store([](double x) { return x; });
  else if (real)
    store([&](double x) {
      llvm::APFloat number(x);
      bool inexact;
      number.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      return number.bitcastToAPInt().getZExtValue();
    });
  else
    store([](double x) { return static_cast<int64_t>(x); });
  return result;
}

static std::vector<char> draw(sg::WeightOp weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  StringRef role = weight.getSymName();
  if (auto attr = weight->getAttrOfType<StringAttr>("sg.role"))
    role = attr.getValue();
  int64_t count = type.getNumElements();
  bool one = role.ends_with("gamma") || role.ends_with("var");
  bool zero = role.ends_with("beta") || role.ends_with("bias") || role.ends_with("mean");
  double fan = type.getRank() > 1 ? static_cast<double>(count) / type.getDimSize(0) : 4;
  double scale = std::sqrt(3.0 / std::max(fan, 1.0));
  uint64_t state = *weight.getRandom();
  return fill(count, type.getElementType(), [&](int64_t) {
    double uniform = static_cast<double>(next(state) >> 11) * 0x1p-53 * 2 - 1;
    return one ? 1 : zero ? 0 : uniform * scale;
  });
}

std::unique_ptr<params::WeightSource> symc::drawWeights(ModuleOp module) {
  auto source = std::make_unique<params::ComputedWeights>(drawnWeights.str());
  for (auto weight : module.getOps<sg::WeightOp>()) {
    if (!weight.getRandom())
      continue;
    auto type = cast<RankedTensorType>(weight.getType());
    auto dtype = static_cast<params::DType>(*sg::flagFromType(type.getElementType()));
    source->add(((weight.getAux() ? "aux:" : "arg:") + weight.getSymName()).str(), dtype,
                type.getShape(), [weight](const params::ArrayInfo &) { return draw(weight); });
  }
  return source;
}
