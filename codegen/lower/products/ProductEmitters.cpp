// ProductEmitters.cpp: the emitters that are there, by the names of their rows.
#include "codegen/lower/products/ProductEmitter.h"

using namespace symc::codegen;

namespace symc::codegen {
#define SYMC_PRODUCT(NAME)                                                                         \
  std::unique_ptr<ProductEmitter> make##NAME##Product(Emission &e, int64_t lanes, bool shifted);
#include "codegen/lower/Products.inc"
#undef SYMC_PRODUCT
} // namespace symc::codegen

std::unique_ptr<ProductEmitter> symc::codegen::productEmitter(const ProductRow &row, Emission &e,
                                                              int64_t lanes, bool shifted) {
#define SYMC_PRODUCT(NAME)                                                                         \
  if (row.name == #NAME)                                                                           \
    return make##NAME##Product(e, lanes, shifted);
#include "codegen/lower/Products.inc"
#undef SYMC_PRODUCT
  llvm_unreachable("each row has an emitter");
}
