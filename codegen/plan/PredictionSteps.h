// PredictionSteps.h: which steps of a trainer's program run to train, and which to predict.
//
//   %m = mean of the batch        train
//   %m = copy of the moving mean  predict       {kernel.predicting}
//   %y = normalise by %m          train, predict
//   %g = gradient                 train
//
// A step that predicts writes all of a value anew, so that what computed it does not run then. Both
// runs are some of the program's steps in its order, over its arena, weights and arguments.
#ifndef SYMC_CODEGEN_PLAN_PREDICTIONSTEPS_H
#define SYMC_CODEGEN_PLAN_PREDICTIONSTEPS_H

#include "codegen/kernel/KernelDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

namespace symc::codegen {

/// An attribute of a trainer's program that predicts: how many of its first outputs prediction
/// gives, and how many the caller has; the others are new values of states.
inline constexpr llvm::StringLiteral predictedName = "symc.predicted_outputs";

struct PredictionSteps {
  llvm::DenseSet<mlir::Operation *> predict; // looked up only
  llvm::DenseSet<mlir::Operation *> omitted; // in training; looked up only
  llvm::SmallBitVector inputs;               // that prediction reads
};

/// Of a program with predictedName; nothing of others, and where a step that predicts would write
/// another output of the caller's, or values decide a size.
std::optional<PredictionSteps> predictionSteps(kernel::ProgramOp program);

/// Whether training leaves the step out of a program with these prediction steps.
bool isOmitted(mlir::Operation *step, const std::optional<PredictionSteps> &predictions);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_PREDICTIONSTEPS_H
