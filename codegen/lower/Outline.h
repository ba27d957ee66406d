// Outline.h: a planned kernel program becomes functions. Identical steps share
// one function that runs one task; a thin wrapper of a step of several tasks reads addresses
// and sizes from the frame; one function runs all steps in order.
//
// The result mixes func (kernels), LLVM (wrappers), scf, arith, math and vector
// operations and converts to the LLVM dialect by the ordinary conversions.
#ifndef SYMC_CODEGEN_LOWER_OUTLINE_H
#define SYMC_CODEGEN_LOWER_OUTLINE_H

#include "codegen/lower/KernelLowering.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// A unit attribute of the program of a trainer. Behind each step that is the last to touch an
/// output its function calls symc_report_step(frame, output), and with -1 behind other steps that
/// follow the first such one: void symc_report_step(const symc_frame *, int32_t output). With
/// -2 - 2 * output where the parameter may change whose gradient that is, and -3 - 2 * output
/// behind the step before the first that touches the gradient (Updates.h).
inline constexpr llvm::StringLiteral reportsName = "symc.reports";

struct OutlineOptions {
  /// Brackets every step with symc_probe(frame, step, 0 = begins / 1 = ended):
  /// void symc_probe(const symc_frame *, int64_t step, int32_t phase).
  bool probes = false;
  /// Kernels that differ in integers alone become one (KernelForms.h): for programs that run once,
  /// which are as long compiled as run.
  bool mergesForms = false;
};

/// Adds the program to `target`:
///   int32_t <symbol>(const symc_frame *)                      runs every step
///   int32_t <symbol>_forward(const symc_frame *)              of a program with gradients: runs
///   int32_t <symbol>_backward(const symc_frame *)             the steps of one part
///   int32_t <symbol>_watched(const symc_frame *)   of a trainer: runs and checks them (Watched.h)
///   int32_t <symbol>_predict(const symc_frame *)   of one that predicts, too (PredictionSteps.h)
///   void <symbol>_output_shapes(const int64_t *, int64_t *)   if output_shapes is set
///   int32_t <symbol>_check_sizes(const int64_t *)             if it has conditions or clips
/// and internal functions <symbol>_step<I>, <symbol>_k<N>_<op>. External symbols
/// that it calls: symc_parallel, kernels of kernel.call, symc_probe,
/// symc_report_step, and of a table symc_run_steps and symc_watch_steps (StepTable.h, Watched.h).
/// `target` must be another module than the program's. Buffers have offsets.
mlir::LogicalResult lowerProgram(kernel::ProgramOp program, llvm::StringRef symbol,
                                 const TargetDescription &target, MathMode math,
                                 mlir::ModuleOp module, const OutlineOptions &options = {});

/// Adds one step of the program, for a run whose other steps are not the CPU's:
///   int32_t <symbol>(const symc_frame *)
///     runs it, and the checks of sizes behind it;
///   void <symbol>_places(const int64_t *sizes, int64_t *places)
///     first byte and bytes of each of regionsOf(step), where one of them is no constant.
mlir::LogicalResult lowerStep(kernel::StepInterface step, llvm::StringRef symbol,
                              const TargetDescription &target, MathMode math,
                              mlir::ModuleOp module);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_OUTLINE_H
