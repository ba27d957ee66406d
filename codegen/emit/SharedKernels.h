// SharedKernels.h: one function for a kernel that several instruction sets of a file have in
// common.
//
//   run_1 for x86-64-v4       { k2_pool, k3_conv of float32 }
//   run_0 for x86-64-v4+bf16  { k5_pool, k6_conv of bfloat16 }
//     -> run_0 declares run_1's k2_pool in the place of its k5_pool, and calls it
//
// Kernels are compared by their content, as loops and vectors: what is equal there is lowered,
// optimised and generated once, for the lesser instruction set.
#ifndef SYMC_CODEGEN_EMIT_SHAREDKERNELS_H
#define SYMC_CODEGEN_EMIT_SHAREDKERNELS_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/target/MathMode.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace symc::codegen {

/// The kernels of a file so far. All modules are of one MLIRContext and come with the least
/// instruction set first.
class SharedKernels {
public:
  explicit SharedKernels(llvm::ArrayRef<TargetDescription> targets)
      : targets(targets.begin(), targets.end()) {}

  /// Whether two of the targets can have kernels in common.
  bool isPossible() const;
  /// Replaces kernels of `module` (as lowerProgram makes them, for `target`) by declarations of
  /// equal ones of lesser targets. Kernels that modules to come may declare become external.
  void share(mlir::ModuleOp module, const TargetDescription &target, MathMode math);

private:
  struct Known {
    std::string symbol;
    uint64_t cpuLevel; // of its target
  };
  std::vector<TargetDescription> targets; // of the file
  llvm::StringMap<Known> known;           // by target and content
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_SHAREDKERNELS_H
