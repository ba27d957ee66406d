// Pipelines.h: the order of code generation. symc, symc-opt, symc-run, the conformance
// runner and the tests build what they run here.
#ifndef SYMC_CODEGEN_PIPELINES_H
#define SYMC_CODEGEN_PIPELINES_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/plan/ArenaPlacement.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace symc::codegen {

/// What code is generated for, and how. Names are those of the command line.
struct CodegenOptions {
  /// Best first; the first decides algorithms.
  std::vector<std::string> targets = TargetDescription::defaults();
  std::string math = "default";       // strict, default or fast (MathMode)
  std::string forceKernel;            // of convolutions (ConvAlgorithm); none: the model's choice
  bool reference = false;             // every node by its reference kernel
  bool openProducts = true;           // ScheduleOptions::openProducts
  std::string tuning;                 // a file of measured choices; none: the model's choices
  llvm::SmallVector<int64_t> batches; // of a module of modules, one for each size
  std::string prefix = "model";       // of the functions' names
  std::string precision;              // of factors of products on CPUs: f16, bf16; none: float32
  std::string storage;                // of what layers for CUDA read and write: f16 or bf16
  bool prepare = false;               // functions for @prepare_program, too
  ArenaPlacement placement = ArenaPlacement::Packed;
  bool probes = false; // symc_probe around each step of @main_program
};

/// Optimised sg -> kernel.variants, one for each instruction set, whose steps carry every
/// decision: layouts, algorithms, bands, offsets in the arena, tiles, orders, tasks.
void buildSchedulePipeline(mlir::OpPassManager &manager, const CodegenOptions &options);

/// The first passes of it alone: layouts, algorithms and steps.
void addSchedulePasses(mlir::OpPassManager &manager, const CodegenOptions &options);

/// Scheduled variants -> functions of loops in each of them. Decides nothing.
void buildLoopsPipeline(mlir::OpPassManager &manager, const CodegenOptions &options);

/// Both, one behind the other.
void buildCpuPipeline(mlir::OpPassManager &manager, const CodegenOptions &options);

/// Optimised sg -> one kernel.variant whose program is planned, for CUDA C++ (codegen/cuda): direct
/// algorithms, whole images, with `storage` in 16 bits where layers have them. Layouts and weights
/// are those of code for CPUs, so that `targets` and `math` of the options are not used.
void buildCudaPipeline(mlir::OpPassManager &manager, const CodegenOptions &options);

/// Functions of loops -> LLVM dialect. How mathematics is computed:
///   f32 exp, expm1, log, log1p, log2, tanh, erf   polynomials, the same bits on
///                                                 every instruction set
///   f16 and bf16                                  in f32, rounded after each operation
///   other functions without an instruction        libm, lane by lane
/// A multiply-add of those polynomials is fused unless `unfuse` is set.
void buildLLVMPipeline(mlir::OpPassManager &manager, bool unfuse);

/// The pipelines symc-schedule, symc-loops, symc-cpu and symc-llvm, for symc-opt.
void registerCodegenPipelines();

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PIPELINES_H
