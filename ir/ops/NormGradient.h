// NormGradient.h: the arithmetic that normalisations share, forwards in training and backwards.
// With the mean m and variance v of the elements of each row of data, y = (x - m) / sqrt(v + eps),
// and of a gradient g of y that of x is (g - mean(g) - y * mean(g * y)) / sqrt(v + eps). Numbers of
// rows stay as they are, and operators repeat them: chains of these are one walk over the data.
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
  /// Takes statistics, and sums for gradients, over all processes, in which the node has this name.
  void overRanks(llvm::StringRef node);
  /// Takes the statistics of the data; where the graph predicts, too, those given then.
  void measure(double eps, mlir::Value predictedMean = {}, mlir::Value predictedVariance = {});
  /// Takes these instead, one number a row.
  void take(mlir::Value mean, mlir::Value variance, double eps);

  /// Of each row, with 1 for its extents.
  mlir::Value mean() const { return meanOfRows; }
  mlir::Value variance() const { return varianceOfRows; }
  mlir::Value inverse() const { return inverses; }
  /// A vector of a number for each row with 1 for a row's extents.
  mlir::Value ofRows(mlir::Value perRow);
  /// y, times a number of each row and plus another, where these are given.
  mlir::Value normalised(mlir::Value scale = {}, mlir::Value shift = {});

  /// Of gradients g of y: the sums of g * y and of g over each row, or along `axes`.
  struct Sums {
    mlir::Value along, total;
  };
  Sums sums(mlir::Value slope) { return sumsAlong(slope, reduced); }
  Sums sumsAlong(mlir::Value slope, llvm::ArrayRef<int64_t> axes);
  /// The gradient of data, for `slope` of y and its own sums, times a number of each row.
  mlir::Value gradient(mlir::Value slope, const Sums &sums, mlir::Value scale = {});
  /// The same as one node, where nothing else reads the sums: it has each row in caches.
  mlir::Value gradientAlone(mlir::Value slope);
  /// op(x, y) in data's shape; y repeats.
  mlir::Value with(llvm::StringRef fn, mlir::Value x, mlir::Value y) {
    return core.broadcast(fn, x, y, shape);
  }

private:
  void predict(mlir::Value mean, mlir::Value variance);
  mlir::ResultRange combine(llvm::StringRef kind, mlir::Value first, mlir::Value second);

  CoreBuilder &core;
  mlir::Value data;
  Shape shape;
  std::optional<int64_t> ranksNode; // set: over processes
  llvm::SmallVector<int64_t> reduced;
  mlir::Value meanOfRows, varianceOfRows, inverses;
};

mlir::LogicalResult buildBatchNormGradient(BatchNormWithReLUOp op, GradientScope &scope);

} // namespace symc::sg

#endif // SYMC_IR_OPS_NORMGRADIENT_H
