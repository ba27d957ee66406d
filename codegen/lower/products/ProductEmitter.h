// ProductEmitter.h: the code of a row of products (ProductRow.h): how one step of a sum loads its
// factors and adds their products. The register tile (TileKernel.h) calls it for each vector of
// outputs and each pixel. A file XProduct.cpp of this folder holds the emitter of the row X.
#ifndef SYMC_CODEGEN_LOWER_PRODUCTS_PRODUCTEMITTER_H
#define SYMC_CODEGEN_LOWER_PRODUCTS_PRODUCTEMITTER_H

#include "codegen/cpu/ProductRow.h"
#include "codegen/lower/Emission.h"
#include <memory>
#include <optional>

namespace symc::codegen {

class ProductEmitter {
public:
  /// What a step multiplies, in registers: one vector, or what it was taken apart into.
  struct Factor {
    mlir::Value whole, even, odd;
  };

  /// Sums are vectors of `lanes`. With `shifted` data is signed bytes, read plus 128.
  ProductEmitter(Emission &e, int64_t lanes, bool shifted) : e(e), lanes(lanes), shifted(shifted) {}
  virtual ~ProductEmitter() = default;

  /// Parts of a step, one behind the other; each loads its own factors.
  virtual int64_t parts() const { return 1; }
  /// Of a step whose first term alone exists, where terms beyond are not read: nothing where steps
  /// are read whole (weights beyond the channels are zero, data is integers).
  virtual std::optional<int64_t> partsOfOne() const { return std::nullopt; }
  /// Of a part: its row of the panel, and its element of data behind the step's first one.
  virtual int64_t rowOf(int64_t part) const { return 0; }
  virtual int64_t elementOf(int64_t part) const { return 0; }
  /// Whether weights stay in registers also where pixels are fewer.
  virtual bool holdsWeights() const { return false; }

  /// Weights of `width` outputs.
  virtual Factor loadRhs(mlir::Value pointer, int64_t part, int64_t width) = 0;
  /// Data of one pixel, the same for all outputs.
  virtual Factor loadLhs(mlir::Value pointer, int64_t part, int64_t width) = 0;
  /// The same of such a step.
  virtual Factor loadOne(mlir::Value pointer, int64_t part, int64_t width) {
    return loadLhs(pointer, part, width);
  }
  virtual mlir::Value accumulate(mlir::Value sum, const Factor &lhs, const Factor &rhs) = 0;

protected:
  Emission &e;
  int64_t lanes;
  bool shifted;
};

/// The emitter of a row.
std::unique_ptr<ProductEmitter> productEmitter(const ProductRow &row, Emission &e, int64_t lanes,
                                               bool shifted);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_PRODUCTS_PRODUCTEMITTER_H
