// Arithmetic.h: operations on floats of one type, or vectors of them, at one place: what
// functions are expanded into.
#ifndef SYMC_CODEGEN_CPU_ARITHMETIC_H
#define SYMC_CODEGEN_CPU_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace symc::codegen {

class Arithmetic {
public:
  using Predicate = mlir::arith::CmpFPredicate;

  /// `type`: a float, or vectors of it.
  Arithmetic(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type)
      : b(b), loc(loc), type(type) {}

  mlir::Value constant(double value) {
    return make(type, b.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return create<mlir::arith::AddFOp>(x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return create<mlir::arith::SubFOp>(x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return create<mlir::arith::MulFOp>(x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return create<mlir::arith::DivFOp>(x, y); }
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return create<mlir::math::FmaOp>(x, y, z);
  }
  mlir::Value compare(Predicate how, mlir::Value x, mlir::Value y) {
    return create<mlir::arith::CmpFOp>(how, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return create<mlir::arith::SelectOp>(condition, x, y);
  }
  // `x` if it is no number: the order that one instruction of minimum and maximum has.
  mlir::Value atMost(mlir::Value x, double bound) { return choose(Predicate::OLT, bound, x); }
  mlir::Value atLeast(mlir::Value x, double bound) { return choose(Predicate::OGT, bound, x); }

  /// The polynomial of these coefficients, the highest first.
  mlir::Value horner(mlir::Value x, std::initializer_list<double> coefficients) {
    mlir::Value sum = constant(*coefficients.begin());
    for (const double *next = coefficients.begin() + 1; next != coefficients.end(); ++next)
      sum = fma(sum, x, constant(*next));
    return sum;
  }

  // Integers of the floats' width, and floats of their bits.
  mlir::Value integer(int64_t value) {
    mlir::Type of = integers();
    return make(of, b.getIntegerAttr(mlir::getElementTypeOrSelf(of), value));
  }
  mlir::Value bits(mlir::Value x) { return create<mlir::arith::BitcastOp>(integers(), x); }
  mlir::Value fromBits(mlir::Value x) { return create<mlir::arith::BitcastOp>(type, x); }
  mlir::Value addBits(mlir::Value x, mlir::Value y) { return create<mlir::arith::AddIOp>(x, y); }
  mlir::Value left(mlir::Value x, int64_t by) {
    return create<mlir::arith::ShLIOp>(x, integer(by));
  }

protected:
  template <typename Op, typename... Operands> mlir::Value create(Operands... operands) {
    return Op::create(b, loc, operands...);
  }
  mlir::Type shaped(mlir::Type element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      return vector.clone(element);
    return element;
  }
  mlir::Type integers() {
    return shaped(b.getIntegerType(mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

private:
  mlir::Value make(mlir::Type of, mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(of))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(b, loc, value);
  }
  mlir::Value choose(Predicate predicate, double bound, mlir::Value x) {
    mlir::Value limit = constant(bound);
    return select(compare(predicate, limit, x), limit, x);
  }
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_ARITHMETIC_H
