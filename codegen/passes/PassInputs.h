// PassInputs.h: what options of several passes name, looked up: targets, kinds of math, tuning
// files, and the modules of a net of several batch sizes.
#ifndef SYMC_CODEGEN_PASSES_PASSINPUTS_H
#define SYMC_CODEGEN_PASSES_PASSINPUTS_H

#include "codegen/conv/Tuning.h"
#include "codegen/cpu/TargetDescription.h"
#include "codegen/schedule/Schedule.h"
#include "codegen/target/MathMode.h"

namespace symc::codegen {

/// The target and mode that options of a pass name; after an error at `op` nothing.
struct TargetAndMath {
  TargetDescription target;
  MathMode math;

  static std::optional<TargetAndMath> get(mlir::Operation *op, llvm::StringRef pass,
                                          llvm::StringRef target, llvm::StringRef math = "default");
};

/// The target of the variant that a program is in, or `target`.
llvm::StringRef targetOf(mlir::Operation *program, llvm::StringRef target);

/// A target that is named, or any of the device: all of them share layouts.
std::string targetOr(const std::string &target);

/// The choices of a tuning file; none without a path. Nothing after an error at `op`.
std::optional<Tuning> readTuning(mlir::Operation *op, llvm::StringRef pass, llvm::StringRef path);

/// The modules in a module of several batch sizes, or the module itself.
llvm::SmallVector<mlir::ModuleOp> modulesOf(mlir::ModuleOp module);

/// Whether there is a batch size for each module, or none; an error at `op` where not.
bool fitBatches(mlir::Operation *op, llvm::StringRef pass, size_t batches, size_t modules);

/// What layouts and schedules are made for; after an error at `op` nothing.
struct ScheduleInputs {
  TargetDescription target;
  bool referenceOnly;
  ScheduleOptions options() const { return {&target, referenceOnly}; }

  static std::optional<ScheduleInputs> get(mlir::Operation *op, llvm::StringRef pass,
                                           const std::string &target, bool referenceOnly);
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PASSES_PASSINPUTS_H
