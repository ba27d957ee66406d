// NormGradient.h: the arithmetic that normalisations share, forwards in training and backwards.
// With the mean m and variance v of the elements of each row of data, y = (x - m) / sqrt(v + eps),
// and of a gradient g of y that of x is (g - mean(g) - y * mean(g * y)) / sqrt(v + eps).
#ifndef SYMC_IR_OPS_NORMGRADIENT_H
#define SYMC_IR_OPS_NORMGRADIENT_H

#include "ir/CoreBuilder.h"
#include "ir/ops/Norm.h"

namespace symc::sg {

class GradientScope;

class NormGradient {
public:
  /// Computes in `type`.
  NormGradient(CoreBuilder &core, mlir::Value data, mlir::Type type)
      : core(core), data(core.cast(data, type)), shape(shapeOf(data.getType())) {}

  /// The axes that a row runs along: all but these, or these.
  void reduceAllBut(llvm::ArrayRef<int64_t> kept);
  void reduceAlong(llvm::ArrayRef<int64_t> axes) { reduced.assign(axes.begin(), axes.end()); }
  /// Takes the statistics of the data.
  void measure(double eps);
  /// Takes these instead, one number a row.
  void take(mlir::Value mean, mlir::Value variance, double eps);

  /// Of each row, with 1 for its extents.
  mlir::Value mean() const { return meanOfRows; }
  mlir::Value variance() const { return varianceOfRows; }
  mlir::Value inverseOfRows() const { return inverses; }
  /// Repeated to data's shape.
  mlir::Value inverse() { return core.broadcastTo(inverses, shape); }
  /// A vector of a number for each row, or for each place along the axes that rows do not have.
  mlir::Value repeat(mlir::Value perRow);
  mlir::Value normalised();
  /// The gradient of data for one of normalised().
  mlir::Value gradient(mlir::Value slope);
  /// The sum over each row, as a tensor of that type.
  mlir::Value sumOf(mlir::Value value, mlir::Type type);

private:
  mlir::Value meanOf(mlir::Value value);

  CoreBuilder &core;
  mlir::Value data;
  Shape shape;
  llvm::SmallVector<int64_t> reduced;
  mlir::Value meanOfRows, varianceOfRows, inverses, normal;
};

mlir::LogicalResult buildBatchNormGradient(BatchNormWithReLUOp op, GradientScope &scope);

} // namespace symc::sg

#endif // SYMC_IR_OPS_NORMGRADIENT_H
