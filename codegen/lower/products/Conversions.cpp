// Conversions.cpp: Emission::convert: float32 in registers, 16 bits in memory.
#include "codegen/lower/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace symc::codegen;

Value Emission::convert(Value value, Type element) {
  Type given = getElementTypeOrSelf(value.getType());
  if (given == element)
    return value;
  auto vector = dyn_cast<VectorType>(value.getType());
  int64_t lanes = vector ? vector.getNumElements() : 1;
  Type type = vectorType(element, lanes);
  if (given.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  bool rounds = element.isBF16() && context.target.has("avx512bf16");
  if (!rounds || (lanes != 16 && lanes != 8))
    return arith::TruncFOp::create(b, loc, type, value);
  // One instruction, else it becomes a dozen of them.
  StringRef name =
      lanes == 16 ? "llvm.x86.avx512bf16.cvtneps2bf16.512" : "llvm.x86.avx512bf16.cvtneps2bf16.256";
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), value)->getResult(0);
}
