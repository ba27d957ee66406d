// ReduceCombiner.h: how the values of a pass of kernel.reduce become one: its start, and one
// value of two, on vectors of rows or of elements (KernelOps.td has what each combiner gives).
#ifndef SYMC_CODEGEN_LOWER_REDUCECOMBINER_H
#define SYMC_CODEGEN_LOWER_REDUCECOMBINER_H

#include "codegen/lower/Emission.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace symc::codegen {

class ReduceCombiner {
public:
  /// `types`: of a pass's own values, those of its elements.
  ReduceCombiner(Emission &e, llvm::StringRef name, mlir::TypeRange types)
      : e(e), name(name), types(types.begin(), types.end()) {}

  /// Values that one result is made of: argmax and argmin carry a second one, sums are two.
  size_t states() const { return name.starts_with("arg") || name == "sums" ? 2 : 1; }
  /// A sum that rounds: its order matters, so its terms come in blocks.
  bool rounds() const {
    return (name == "sum" || name == "sums" || name == "prod") &&
           llvm::isa<mlir::FloatType>(types[0]);
  }

  /// What leaves every value as it is.
  llvm::SmallVector<mlir::Value> identity(int64_t lanes);
  /// All of `later` come after all of `earlier` in the row, or lanes are in `anyOrder`.
  llvm::SmallVector<mlir::Value> combine(mlir::ValueRange earlier, mlir::ValueRange later,
                                         bool anyOrder = false);
  /// `values` where the mask is set, elsewhere what changes nothing.
  llvm::SmallVector<mlir::Value> masked(mlir::Value mask, llvm::SmallVector<mlir::Value> values,
                                        int64_t lanes);
  /// One value of all of `partials`, of `lanes` each: the second half is combined with the first
  /// until one is left.
  llvm::SmallVector<mlir::Value> halved(llvm::ArrayRef<mlir::Value> partials, int64_t lanes);

private:
  mlir::TypedAttr startOf(mlir::Type type);
  template <typename Op> mlir::Value make(mlir::Value x, mlir::Value y) {
    return Op::create(e.builder(), e.location(), x, y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpFOp::create(e.builder(), e.location(), predicate, x, y);
  }
  mlir::Value integer(mlir::arith::CmpIPredicate predicate, mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpIOp::create(e.builder(), e.location(), predicate, x, y);
  }
  mlir::Value choose(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(e.builder(), e.location(), condition, x, y);
  }

  Emission &e;
  llvm::StringRef name;
  llvm::SmallVector<mlir::Type> types;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_REDUCECOMBINER_H
