// BytePairs.h: bytes taken apart into pairs of 16 bits, and sums of products of such pairs. Data is
// unsigned, weights are signed; results are exact, wrapping in 32 bits, and never saturate.
#ifndef SYMC_CODEGEN_LOWER_PRODUCTS_BYTEPAIRS_H
#define SYMC_CODEGEN_LOWER_PRODUCTS_BYTEPAIRS_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

constexpr int64_t bytesInQuad = 4;
constexpr unsigned bitsInHalf = 16; // of a product's operands

class BytePairs {
public:
  /// Vectors of `lanes` i32, each a quad. With `shifted` data is signed and 128 is added.
  BytePairs(Emission &e, int64_t lanes, bool shifted) : e(e), lanes(lanes), shifted(shifted) {}

  /// The even and the odd bytes of quads, in 16 bits each.
  struct Halves {
    mlir::Value even, odd;
  };
  Halves weights(mlir::Value quads);
  Halves data(mlir::Value quads);
  /// The bytes of data without a sign, as quads.
  mlir::Value unsignedOf(mlir::Value quads);
  /// Products of neighbours of 16 bits, summed in 32.
  mlir::Value products(mlir::Value x, mlir::Value y);
  /// A vector of `lanes` i32 as one of so many integers.
  mlir::Value as(mlir::Value value, int64_t count, unsigned bits);

private:
  mlir::Value constant(uint32_t bits);

  Emission &e;
  int64_t lanes;
  bool shifted;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_PRODUCTS_BYTEPAIRS_H
