// FloatProduct.h: what rows have in common that multiply float32 in registers, whatever type
// weights have in memory.
#ifndef SYMC_CODEGEN_LOWER_PRODUCTS_FLOATPRODUCT_H
#define SYMC_CODEGEN_LOWER_PRODUCTS_FLOATPRODUCT_H

#include "codegen/lower/products/ProductEmitter.h"

namespace symc::codegen {

/// Data is float32; one multiply-add a part of a step.
class FloatProduct : public ProductEmitter {
public:
  using ProductEmitter::ProductEmitter;
  Factor loadLhs(mlir::Value pointer, int64_t, int64_t width) override {
    return {e.loadBroadcast(pointer, e.builder().getF32Type(), width), {}, {}};
  }
  mlir::Value accumulate(mlir::Value sum, const Factor &lhs, const Factor &rhs) override {
    return e.multiplyAdd(lhs.whole, rhs.whole, sum);
  }
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_PRODUCTS_FLOATPRODUCT_H
