// Code.h: the model's code, from lowered loops to object bytes. Each function carries
// the instruction set that it was made for, so that several live in one file. Kernels
// beyond a size lie in units of their own (KernelParts.h), which are lowered, optimised
// and generated on all cores. Same modules in, same bytes out, on any machine and for
// any number of threads.
#ifndef SYMC_CODEGEN_EMIT_CODE_H
#define SYMC_CODEGEN_EMIT_CODE_H

#include "codegen/emit/CodeUnit.h"
#include <functional>
#include <string>
#include <vector>

namespace symc::codegen {

/// The error of work that its caller cancelled.
llvm::Error cancelled();

/// The bytes of one file.
using FileBytes = llvm::SmallVector<char, 0>;

class Code {
public:
  /// `triple`: of the machine, "x86_64-linux-musl".
  explicit Code(llvm::StringRef triple);

  /// Lowers `module` (lowerToLLVM) and adds its functions for that target; kernels may
  /// leave it. False where a lowering failed; it has reported the reason.
  bool add(mlir::ModuleOp module, const TargetDescription &target, MathMode math);

  /// Adds the reference kernels that module() calls (CodeUnit::addKernels).
  llvm::Error addKernels(const Resources &resources) {
    return units.front()->addKernels(resources);
  }

  /// All but the kernels that have a unit of their own, which it declares.
  llvm::Module &module() { return units.front()->module(); }

  /// Hides everything but `visible` of module(), then optimises. Loops keep the
  /// form that the lowerings gave them: no vectoriser runs over them.
  llvm::Error optimise(llvm::ArrayRef<std::string> visible);

  /// Objects that make up the code, module()'s first; it is spent afterwards. What one
  /// takes from another is hidden.
  llvm::Expected<std::vector<FileBytes>> objects();

  /// Called between pieces of the work by optimise and objects, on the caller's thread: false
  /// cancels them.
  std::function<bool()> mayGoOn;

  /// Brings all functions into module(), for text.
  llvm::Error join();
  /// Assembly, after join(); the code is spent afterwards.
  llvm::Expected<FileBytes> assembly();

private:
  /// Calls `work` for every unit, the longest first; the first error by their order.
  llvm::Error forEachUnit(llvm::function_ref<llvm::Error(size_t)> work);

  std::string triple;
  std::vector<std::unique_ptr<CodeUnit>> units; // the first has the entry points
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CODE_H
