// Coordinates.cpp: see Coordinates.h.
#include "codegen/schedule/Coordinates.h"

#include <cmath>

using namespace mlir;
using namespace symc::codegen;

std::optional<Refusal> symc::codegen::inexactRefusal(AffineExpr extent, const Tensors &t) {
  constexpr int64_t most = int64_t(1) << 24;
  if (t.rangeOf(extent).max <= most)
    return std::nullopt;
  return Refusal{"places along its extent need more than 24 bits"};
}

TypedAttr symc::codegen::elementOf(double value, Type type, MLIRContext *context) {
  Builder b(context);
  Type storage = Tensors::storageType(type);
  if (isa<FloatType>(storage))
    return b.getFloatAttr(storage, value);
  bool fits = value == std::trunc(value) && std::abs(value) < 2147483648.0 && !type.isInteger(1);
  return fits ? TypedAttr(b.getIntegerAttr(storage, int64_t(value))) : TypedAttr();
}

Refusal symc::codegen::valueRefusal() { return {"its elements cannot hold its constants"}; }

Refusal symc::codegen::conversionRefusal() {
  return {"its operands have types without conversions to its result's"};
}
