// PmaddwdProduct.cpp: the row Pmaddwd: bytes are widened to 16 bits and multiplied in pairs.
#include "codegen/lower/products/BytePairs.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class PmaddwdProduct : public ProductEmitter {
public:
  PmaddwdProduct(Emission &e, int64_t lanes, bool shifted)
      : ProductEmitter(e, lanes, shifted), bytes(e, lanes, shifted) {}
  // They are taken apart before they are multiplied.
  bool holdsWeights() const override { return true; }
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    return parted(bytes.weights(e.load(pointer, e.builder().getI32Type(), width)));
  }
  Factor loadLhs(Value pointer, int64_t, int64_t width) override {
    return parted(bytes.data(e.loadBroadcast(pointer, e.builder().getI32Type(), width)));
  }
  Value accumulate(Value sum, const Factor &lhs, const Factor &rhs) override {
    OpBuilder &b = e.builder();
    Value even = bytes.products(lhs.even, rhs.even), odd = bytes.products(lhs.odd, rhs.odd);
    return arith::AddIOp::create(b, e.location(), arith::AddIOp::create(b, e.location(), sum, even),
                                 odd);
  }

private:
  static Factor parted(const BytePairs::Halves &halves) { return {{}, halves.even, halves.odd}; }
  BytePairs bytes;
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makePmaddwdProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<PmaddwdProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
