// Passes.h: the passes over sg (documented in Passes.td) and the pipeline of
// prediction. Each pass is sg in, sg out, has of a target what its options hold,
// and reads no weight's value.
#ifndef SYMC_PASSES_PASSES_H
#define SYMC_PASSES_PASSES_H

#include "passes/WantedGradients.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace symc {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

/// Imported sg -> optimised sg for prediction by a target that computes so many channels
/// together; `strict` keeps the graph's order of linear layers and its floats, and `onCpu` states
/// that the target computes attention layers in one step, and layers over bytes; `anyGroups`, that
/// its layers have groups of channels of any size.
void buildPredictPipeline(mlir::OpPassManager &manager, int64_t blockWidth, bool strict = false,
                          bool onCpu = true, bool anyGroups = false);
/// Inferred sg of training -> the same with gradients; nodes that training computes otherwise than
/// prediction are rewritten. What follows is either of the other pipelines.
void buildGradientPipeline(mlir::OpPassManager &manager, const WantedGradients &wanted);
/// Only what the reference kernels need: weights moved out, nothing rewritten.
void buildReferencePipeline(mlir::OpPassManager &manager);
/// Fails where rows of the batch, the size s0 of an inferred module, depend on each other;
/// what is left of the module serves no other end.
void buildRowCheckPipeline(mlir::OpPassManager &manager);

} // namespace symc

#endif // SYMC_PASSES_PASSES_H
