// Vdpbf16psProduct.cpp: the row Vdpbf16ps: two products of bfloat16 are added to a sum of float32
// by one instruction (AVX512-BF16), which counts subnormal numbers, of sums too, as zero.
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc::codegen;

namespace {
class Vdpbf16psProduct : public ProductEmitter {
public:
  using ProductEmitter::ProductEmitter;
  Factor loadRhs(Value pointer, int64_t, int64_t width) override {
    return {e.load(pointer, e.builder().getI32Type(), width), {}, {}};
  }
  Factor loadLhs(Value pointer, int64_t, int64_t width) override {
    return {e.loadBroadcast(pointer, e.builder().getI32Type(), width), {}, {}};
  }
  std::optional<int64_t> partsOfOne() const override { return 1; }
  Factor loadOne(Value pointer, int64_t, int64_t width) override {
    OpBuilder &b = e.builder();
    // 16 bits: a bfloat16. The other half of its word is zero, as its weight is.
    Value half = e.load(pointer, b.getI16Type(), 1);
    Value word = arith::ExtUIOp::create(b, e.location(), b.getI32Type(), half);
    return {e.broadcast(word, width), {}, {}};
  }
  Value accumulate(Value sum, const Factor &lhs, const Factor &rhs) override {
    OpBuilder &b = e.builder();
    int64_t width = cast<VectorType>(sum.getType()).getNumElements();
    StringRef name = width == 16  ? "llvm.x86.avx512bf16.dpbf16ps.512"
                     : width == 8 ? "llvm.x86.avx512bf16.dpbf16ps.256"
                                  : "llvm.x86.avx512bf16.dpbf16ps.128";
    auto pairs = [&](Value words) -> Value {
      auto type = VectorType::get({width * 2}, b.getBF16Type());
      return LLVM::BitcastOp::create(b, e.location(), type, words);
    };
    // Data last: an operand in memory may be a broadcast.
    return LLVM::CallIntrinsicOp::create(b, e.location(), sum.getType(), b.getStringAttr(name),
                                         ValueRange{sum, pairs(rhs.whole), pairs(lhs.whole)})
        ->getResult(0);
  }
};
} // namespace

namespace symc::codegen {
std::unique_ptr<ProductEmitter> makeVdpbf16psProduct(Emission &e, int64_t lanes, bool shifted) {
  return std::make_unique<Vdpbf16psProduct>(e, lanes, shifted);
}
} // namespace symc::codegen
