// Steps.h: what the steps of a scheduled program are called, for tables.
#ifndef SYMC_TOOLS_DRIVER_STEPS_H
#define SYMC_TOOLS_DRIVER_STEPS_H

#include "codegen/conv/Tuning.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace symc {

/// One step of @main_program; its place in the list is the number that probes report.
struct StepDescription {
  std::string kernel;      // "conv 2x6x64", "conv 4x1x6, error 3e-06", "loops", "call
                           // symc_ref_pooling_f32"
  std::string nodes;       // "conv0+relu0"
  std::string output;      // "1x4x26x26x16"
  int64_t flops = 0;       // 0 if unknown
  int64_t bytes = 0;       // of all that it reads and writes, each once; 0 if unknown
  int64_t weightBytes = 0; // of `bytes`, those of prepared weights
  std::string why;         // of a tile: what the model of the target expects of it
  int64_t work = 0;        // of a reference kernel: steps on numbers at the largest extents
};

/// The factors of a product on CPUs that are f16 or bf16 in memory: its weights, or data as well.
struct NarrowFactors {
  mlir::Type half; // null: none
  int64_t count = 0;
};
NarrowFactors narrowFactorsOf(mlir::Operation *step);

/// The shared libraries that called kernels need ("lapack"), sorted.
std::vector<std::string> librariesOf(mlir::ModuleOp module);

/// The steps of the variant of that number. The kernel of a step of the first names what each
/// variant of the module has, "conv 2x1x14|1x2x3"; others name their own. The reason is the
/// variant's, for its one of `targets`. Extents, operations and bytes are those at the program's
/// `sizes`; without them what depends on a size is unknown.
std::vector<StepDescription> describeSteps(mlir::ModuleOp module,
                                           llvm::ArrayRef<codegen::TargetDescription> targets = {},
                                           size_t number = 0, llvm::ArrayRef<int64_t> sizes = {});
/// The largest sizes of the main program; none where all are fixed.
llvm::ArrayRef<int64_t> largestSizes(mlir::ModuleOp module);

/// A step of reference code, or all of them together.
struct ReferenceTime {
  std::string kernel, nodes;
  double cycles = 0, share = 0; // of all steps' estimated cycles
};
/// The steps of reference code by what a rough model expects of them on a core of the target,
/// slowest first. Empty where an extent is known only at run time, or there are none.
std::vector<ReferenceTime> referenceTimes(llvm::ArrayRef<StepDescription> steps,
                                          const codegen::TargetDescription &target);

/// How the convolutions and products of a variant differ from those of the first.
struct VariantDifference {
  int64_t layers = 0;  // that it computes by another algorithm
  int64_t weights = 0; // bytes of prepared weights that only it reads
};
VariantDifference compareVariant(mlir::ModuleOp module, size_t number);

/// The lists of all variants as text, and back that of the variant for `isa`: a line with the
/// variant's instruction set, and a line a step, "FLOPS<tab>OUTPUT<tab>KERNEL<tab>NODES
/// <tab>BYTES<tab>WEIGHTBYTES<tab>WHY". A program with open sizes has a second list, with the
/// figures of its largest sizes, which `atLargest` chooses.
std::string writeSteps(mlir::ModuleOp module, llvm::ArrayRef<codegen::TargetDescription> targets);
std::vector<StepDescription> readSteps(llvm::StringRef text, llvm::StringRef isa,
                                       bool atLargest = false);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_STEPS_H
