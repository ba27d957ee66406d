// IntegerBody.h: the arithmetic of steps over quantised integers, in the order of the
// reference kernels (runtime/kernels/reference/quantized.h), so that both give the same
// bits, and the elementwise step that such a body stands in.
#ifndef SYMC_CODEGEN_SCHEDULE_INTEGERBODY_H
#define SYMC_CODEGEN_SCHEDULE_INTEGERBODY_H

#include "codegen/schedule/Tensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace symc::codegen {

/// Builds a body at `b`.
struct IntegerBody {
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value real(double value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  mlir::Value times(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value over(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  mlir::Value minus(mlir::Value x) { return mlir::arith::NegFOp::create(b, loc, x); }
  /// x where it compares so with y, else `other`.
  mlir::Value choose(mlir::arith::CmpFPredicate predicate, mlir::Value x, mlir::Value y,
                     mlir::Value first, mlir::Value second);
  mlir::Value select(mlir::arith::CmpFPredicate predicate, mlir::Value x, mlir::Value limit) {
    return choose(predicate, x, limit, x, limit);
  }
  mlir::Value relu(mlir::Value x) { return select(mlir::arith::CmpFPredicate::OGT, x, real(0)); }
  mlir::Value atMost(mlir::Value x, double most) {
    return select(mlir::arith::CmpFPredicate::OLT, x, real(most));
  }
  /// An integer of 8 or 32 bits in 32; as float32.
  mlir::Value wide(mlir::Value integer, bool isUnsigned);
  mlir::Value number(mlir::Value integer, bool isUnsigned) {
    return mlir::arith::SIToFPOp::create(b, loc, b.getF32Type(), wide(integer, isUnsigned));
  }
  /// The nearest byte, ties to even; NaN becomes the least.
  mlir::Value saturate(mlir::Value x, bool isUnsigned) {
    return saturateAround(x, 0, isUnsigned ? 0 : -128, isUnsigned ? 255 : 127);
  }
  /// The nearest integer plus `zero`, held between two of a byte.
  mlir::Value saturateAround(mlir::Value x, int64_t zero, int64_t least, int64_t most);
  /// Cut off to 32 bits; what does not fit becomes the least integer.
  mlir::Value cutOff(mlir::Value x);
  /// The greater size of two limits.
  mlir::Value reach(mlir::Value min, mlir::Value max);
  /// Whether the i32 `place` is below a length of that type, cut off to an integer; floats beyond
  /// 64 bits count as no length at all.
  mlir::Value isWithin(mlir::Value place, mlir::Value length, mlir::Type type);
  /// Integers for one where `range` of them stand for `reach`.
  mlir::Value scaleFor(double range, mlir::Value reach);
};

/// A kernel.loops over views of one shape, whose body `fill` makes of the index along each of
/// `coordinates` and one element of each input.
void integerStep(
    Tensors &tensors, llvm::ArrayRef<ViewSpec> ins, llvm::ArrayRef<ViewSpec> outs,
    mlir::Location location,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(IntegerBody &, llvm::ArrayRef<mlir::Value>)>
        fill,
    llvm::ArrayRef<int64_t> coordinates = {});

/// The first element of a view, repeated in the shape of another.
ViewSpec repeated(Tensors &tensors, const ViewSpec &one, const ViewSpec &shape);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_INTEGERBODY_H
