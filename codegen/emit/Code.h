// Code.h: the model's code as one module of LLVM IR, from lowered loops to
// object bytes. Each function carries the instruction set that it was made for,
// so that several live in one file. Same modules in, same bytes out, on any
// machine and for any number of threads.
#ifndef SYMC_CODEGEN_EMIT_CODE_H
#define SYMC_CODEGEN_EMIT_CODE_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/emit/Resources.h"
#include "codegen/lower/KernelLowering.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace llvm {
class TargetMachine;
}

namespace symc::codegen {

class Code {
public:
  /// `triple`: of the machine, "x86_64-linux-musl".
  explicit Code(llvm::StringRef triple);
  ~Code();

  /// Lowers `module` (lowerToLLVM) and adds its functions for that target.
  /// False where a lowering failed; it has reported the reason.
  bool add(mlir::ModuleOp module, const TargetDescription &target, MathMode math);

  llvm::Module &module() { return *unit; }

  /// Makes everything internal but `visible`, then optimises. Loops keep the
  /// form that the lowerings gave them: no vectoriser runs.
  llvm::Error optimise(llvm::ArrayRef<std::string> visible);

  /// Object code, or assembly. After it the module is spent.
  llvm::Expected<llvm::SmallVector<char, 0>> generate(llvm::CodeGenFileType type);

private:
  llvm::Error merge(std::unique_ptr<llvm::Module> part, const TargetDescription &target);

  /// What LLVM reported as an error since it was last asked.
  std::string complaints();

  llvm::LLVMContext context;
  std::string said;
  std::unique_ptr<llvm::Module> unit;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CODE_H
