// BytePairs.cpp: see BytePairs.h.
#include "codegen/lower/products/BytePairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc::codegen;

Value BytePairs::constant(uint32_t bits) {
  // 32 bits: four bytes.
  return e.splat(e.builder().getI32IntegerAttr(static_cast<int32_t>(bits)), lanes);
}

Value BytePairs::as(Value value, int64_t count, unsigned bits) {
  auto type = VectorType::get({count}, e.builder().getIntegerType(bits));
  return LLVM::BitcastOp::create(e.builder(), e.location(), type, value);
}

BytePairs::Halves BytePairs::weights(Value quads) {
  OpBuilder &b = e.builder();
  Location loc = e.location();
  // Each 16 bits hold an even byte below an odd one.
  Value pairs = as(quads, lanes * 2, 16);
  Value eight = e.splat(b.getI16IntegerAttr(8), lanes * 2);
  Value even = arith::ShRSIOp::create(b, loc, arith::ShLIOp::create(b, loc, pairs, eight), eight);
  return {even, arith::ShRSIOp::create(b, loc, pairs, eight)};
}

// Signed bytes plus 128 are those bits without a sign.
Value BytePairs::unsignedOf(Value quads) {
  if (!shifted)
    return quads;
  return arith::XOrIOp::create(e.builder(), e.location(), quads, constant(0x80808080u));
}

BytePairs::Halves BytePairs::data(Value quads) {
  OpBuilder &b = e.builder();
  Location loc = e.location();
  quads = unsignedOf(quads);
  Value even = arith::AndIOp::create(b, loc, quads, constant(0x00ff00ffu));
  Value odd = arith::ShRUIOp::create(b, loc, as(quads, lanes * 2, 16),
                                     e.splat(b.getI16IntegerAttr(8), lanes * 2));
  return {as(even, lanes * 2, 16), odd};
}

Value BytePairs::products(Value x, Value y) {
  OpBuilder &b = e.builder();
  Location loc = e.location();
  if (e.target().architecture() != "x86_64") {
    auto product = [&](bool odd) {
      auto half = [&](Value pairs) -> Value {
        Value wide = as(pairs, lanes, 32);
        Value sixteen = e.splat(b.getI32IntegerAttr(16), lanes);
        if (!odd)
          wide = arith::ShLIOp::create(b, loc, wide, sixteen);
        return arith::ShRSIOp::create(b, loc, wide, sixteen);
      };
      return arith::MulIOp::create(b, loc, half(x), half(y));
    };
    return arith::AddIOp::create(b, loc, product(false), product(true));
  }
  StringRef name = lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                   : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                : "llvm.x86.sse2.pmadd.wd";
  auto type = VectorType::get({lanes}, b.getI32Type());
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), ValueRange{x, y})
      ->getResult(0);
}
