// FmaProduct.cpp: the row Fma: one multiply-add of float32 a term.
#include "codegen/lower/products/FloatProduct.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class FmaProduct : public FloatProduct {
public:
  using FloatProduct::FloatProduct;
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    return {e.load(pointer, e.builder().getF32Type(), width), {}, {}};
  }
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makeFmaProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<FmaProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
