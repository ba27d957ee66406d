// VpdpbusdProduct.cpp: the row Vpdpbusd: four products of bytes are added to a sum by one
// instruction (AVX512-VNNI).
#include "codegen/lower/products/BytePairs.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class VpdpbusdProduct : public ProductEmitter {
public:
  VpdpbusdProduct(Emission &e, int64_t lanes, bool shifted)
      : ProductEmitter(e, lanes, shifted), bytes(e, lanes, shifted) {}
  bool holdsWeights() const override { return true; }
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    return {e.load(pointer, e.builder().getI32Type(), width), {}, {}};
  }
  Factor loadLhs(Value pointer, int64_t, int64_t width) override {
    Value quads = e.loadBroadcast(pointer, e.builder().getI32Type(), width);
    return {bytes.unsignedOf(quads), {}, {}};
  }
  Value accumulate(Value sum, const Factor &lhs, const Factor &rhs) override {
    OpBuilder &b = e.builder();
    return LLVM::CallIntrinsicOp::create(b, e.location(), sum.getType(),
                                         b.getStringAttr("llvm.x86.avx512.vpdpbusd.512"),
                                         ValueRange{sum, bytes.as(lhs.whole, lanes * 4, 8),
                                                    bytes.as(rhs.whole, lanes * 4, 8)})
        ->getResult(0);
  }

private:
  BytePairs bytes;
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makeVpdpbusdProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<VpdpbusdProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
