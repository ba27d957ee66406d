// RowStep.h: a kernel.reduce in the making: views in any order of extents, of which some are
// reduced, and bodies as functions. What the views have in common is brought into the form
// that the step needs: kept extents first, extents of 1 left out, neighbours made one.
#ifndef SYMC_CODEGEN_SCHEDULE_ROWSTEP_H
#define SYMC_CODEGEN_SCHEDULE_ROWSTEP_H

#include "codegen/schedule/Tensors.h"

namespace symc::codegen {

/// What elements of a type are computed in: half floats in f32, short integers in i32.
mlir::Type computeTypeOf(mlir::Type element);

/// Builds a body of kernel.reduce at `b`; all but ins and saved are of the type that is
/// computed in.
struct RowBody {
  using Fill = std::function<llvm::SmallVector<mlir::Value>(RowBody &)>;

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;             // that is computed in
  mlir::Value position, count; // i32, or i64 where a row has more elements than i32 counts
  llvm::SmallVector<mlir::Value> ins;
  mlir::Value saved; // null before it is
  llvm::SmallVector<mlir::Value> results;

  mlir::Value real(double value);
  /// An element as a number of the type that is computed in, and back.
  mlir::Value wide(mlir::Value element, bool isUnsigned);
  mlir::Value narrow(mlir::Value value, mlir::Type element);
  /// An integer as a number of `type`, its low bits where that is an integer of fewer.
  mlir::Value number(mlir::Value integer, mlir::Type type);
  mlir::Value plus(mlir::Value x, mlir::Value y);
  mlir::Value minus(mlir::Value x, mlir::Value y);
  mlir::Value times(mlir::Value x, mlir::Value y);
  mlir::Value over(mlir::Value x, mlir::Value y);
  mlir::Value size(mlir::Value x);
  mlir::Value root(mlir::Value x);
  mlir::Value exponential(mlir::Value x);
  mlir::Value logarithm(mlir::Value x);
  /// `least` where x is below it.
  mlir::Value atLeast(mlir::Value x, double least);
  /// `other` where x is no number.
  mlir::Value orElse(mlir::Value x, double other);
};

struct RowStep {
  struct Pass {
    llvm::StringRef combiner;
    RowBody::Fill fill;
  };

  /// Of one rank; row_outs and lengths have stride 0 along reduced axes.
  llvm::SmallVector<ViewSpec> ins, rowOuts, outs;
  std::optional<ViewSpec> lengths;
  llvm::SmallVector<bool> reduced; // axes
  llvm::SmallVector<Pass> passes;
  RowBody::Fill rows, elements; // null for no outputs of that kind
  std::optional<int64_t> saves;
  bool savesData = false; // what is saved is the data
  int64_t partials = 64;
  mlir::Type type; // that is computed in

  /// Whether vectors of the step lie along its rows (kernel.reduce's order).
  bool alongRows(Tensors &t) const;
  /// Makes the step; two or three where rows are few and long.
  void create(Tensors &t, mlir::Location location);

private:
  unsigned kept() const { return llvm::count(reduced, false); }
  void arrange(Tensors &t);
  bool createSplit(Tensors &t, mlir::Location location);
  void createOne(Tensors &t, mlir::Location location);
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_ROWSTEP_H
