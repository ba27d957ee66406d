// ByteProducts.h: sums of products of bytes, four at a time in each lane of 32 bits. Data
// is unsigned, weights are signed; results are exact, wrapping in 32 bits. Where the
// target has the instruction for it, one does; elsewhere bytes are widened to 16 bits and
// multiplied in pairs, which never saturates.
#ifndef SYMC_CODEGEN_LOWER_BYTEPRODUCTS_H
#define SYMC_CODEGEN_LOWER_BYTEPRODUCTS_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

constexpr int64_t bytesInQuad = 4;
constexpr int64_t wordsInQuad = 2; // where kernel.split_bytes took it apart

class ByteProducts {
public:
  /// Vectors of `lanes` i32, each a quad. With `shifted` data is signed and 128 is added.
  ByteProducts(Emission &e, int64_t lanes, bool shifted) : e(e), lanes(lanes), shifted(shifted) {}

  /// A quad as it is multiplied: whole, or its even and odd bytes as pairs of 16 bits.
  struct Quads {
    mlir::Value whole, even, odd;
  };
  using Weights = Quads;
  using Data = Quads;
  Weights weights(mlir::Value quads);
  Data data(mlir::Value quads);
  /// The same as pairs on any target.
  Weights splitWeights(mlir::Value quads);
  Data splitData(mlir::Value quads);
  mlir::Value add(mlir::Value sums, const Data &data, const Weights &weights);
  /// Of words that kernel.split_bytes made of one half of the quads.
  mlir::Value addPairs(mlir::Value sums, mlir::Value data, mlir::Value weights);

private:
  bool takesQuads() const; // one instruction multiplies them
  mlir::Value unsignedOf(mlir::Value quads);
  mlir::Value constant(uint32_t bits);
  mlir::Value pairProducts(mlir::Value x, mlir::Value y);

  Emission &e;
  int64_t lanes;
  bool shifted;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_BYTEPRODUCTS_H
