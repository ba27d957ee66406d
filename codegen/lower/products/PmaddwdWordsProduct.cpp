// PmaddwdWordsProduct.cpp: the row PmaddwdWords: words that kernel.split_bytes made of quads, one
// behind the other: of weights one word's are in registers, which a tile of sums leaves few of.
#include "codegen/lower/products/BytePairs.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class PmaddwdWordsProduct : public ProductEmitter {
public:
  PmaddwdWordsProduct(Emission &e, int64_t lanes, bool shifted)
      : ProductEmitter(e, lanes, shifted), bytes(e, lanes, /*shifted=*/false) {}
  int64_t parts() const override { return 2; }
  int64_t rowOf(int64_t part) const override { return part; }
  int64_t elementOf(int64_t part) const override { return part; }
  bool holdsWeights() const override { return true; }
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    return {e.load(pointer, e.builder().getI32Type(), width), {}, {}};
  }
  Factor loadLhs(Value pointer, int64_t, int64_t width) override {
    return {e.loadBroadcast(pointer, e.builder().getI32Type(), width), {}, {}};
  }
  Value accumulate(Value sum, const Factor &lhs, const Factor &rhs) override {
    Value products =
        bytes.products(bytes.as(lhs.whole, lanes * 2, 16), bytes.as(rhs.whole, lanes * 2, 16));
    return arith::AddIOp::create(e.builder(), e.location(), sum, products);
  }

private:
  BytePairs bytes;
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makePmaddwdWordsProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<PmaddwdWordsProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
