// Coordinates.h: what rules have in common whose elements depend on where they are: loops over
// elements with coordinates. Extents of coordinates fit in 24 bits, so that all types that are
// compared and computed in hold them.
#ifndef SYMC_CODEGEN_SCHEDULE_COORDINATES_H
#define SYMC_CODEGEN_SCHEDULE_COORDINATES_H

#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/ScheduleRule.h"

namespace symc::codegen {

/// Why coordinates along the extent are not exact in f32; nothing where they are.
std::optional<Refusal> inexactRefusal(mlir::AffineExpr extent, const Tensors &t);

/// An element of `type` with that value; null where it has none.
mlir::TypedAttr elementOf(double value, mlir::Type type, mlir::MLIRContext *context);

/// Of values that an element of the result cannot hold.
Refusal valueRefusal();
/// Of types that no operations convert.
Refusal conversionRefusal();

inline mlir::Value constant(IntegerBody &body, mlir::TypedAttr value) {
  return mlir::arith::ConstantOp::create(body.b, body.loc, value);
}

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_COORDINATES_H
