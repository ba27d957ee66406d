// WidenedHalvesProduct.cpp: the row WidenedHalves: weights are float16, which a step widens to
// float32 (F16C), data is float32: one multiply-add a channel.
#include "codegen/lower/products/FloatProduct.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class WidenedHalvesProduct : public FloatProduct {
public:
  using FloatProduct::FloatProduct;
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    Value halves = e.load(pointer, e.builder().getF16Type(), width);
    return {e.convert(halves, e.builder().getF32Type()), {}, {}};
  }
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makeWidenedHalvesProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<WidenedHalvesProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
