// WidenedPairsProduct.cpp: the row WidenedPairs: weights are pairs of bfloat16, which a step widens
// to float32, data is float32: two multiply-adds a pair, in the order of the channels. Weights are
// read for each of them, so that the tile holds those of one channel at a time.
#include "codegen/lower/products/FloatProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class WidenedPairsProduct : public FloatProduct {
public:
  using FloatProduct::FloatProduct;
  int64_t parts() const override { return 2; }
  std::optional<int64_t> partsOfOne() const override { return 1; }
  int64_t elementOf(int64_t part) const override { return part; }
  Factor loadRhs(Value pointer, int64_t part, int64_t width) override {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    // 32 bits: a pair; a bfloat16 is the upper half of a float32.
    Value pairs = e.load(pointer, b.getI32Type(), width), wide;
    if (part == 0)
      wide = arith::ShLIOp::create(b, loc, pairs, e.splat(b.getI32IntegerAttr(16), width));
    else
      wide = arith::AndIOp::create(
          // 32 bits: a pair.
          b, loc, pairs, e.splat(b.getI32IntegerAttr(static_cast<int32_t>(0xffff0000u)), width));
    return {arith::BitcastOp::create(b, loc, e.vectorType(b.getF32Type(), width), wide), {}, {}};
  }
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makeWidenedPairsProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<WidenedPairsProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
