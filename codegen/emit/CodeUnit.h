// CodeUnit.h: one module of LLVM IR with all that compiling it needs, a context and a
// code generator of its own among them, so that units can be compiled side by side.
#ifndef SYMC_CODEGEN_EMIT_CODEUNIT_H
#define SYMC_CODEGEN_EMIT_CODEUNIT_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/emit/Resources.h"
#include "codegen/lower/KernelLowering.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CodeGen.h"
#include <memory>
#include <optional>

namespace llvm {
class TargetMachine;
}

namespace symc::codegen {

class CodeUnit {
public:
  explicit CodeUnit(llvm::StringRef triple);
  ~CodeUnit();

  llvm::Module &module() { return *unit; }

  /// Lowers `module` (lowerToLLVM) and adds its functions for that target.
  /// False where a lowering failed; it has reported the reason.
  bool add(mlir::ModuleOp module, const TargetDescription &target, MathMode math);

  /// Adds the reference kernels that the code calls, with vectors of the weakest target that
  /// the code was made for. Their bitcode comes without: -O2 for any machine of the triple.
  llvm::Error addKernels(const Resources &resources);

  /// Adds the functions of a unit of another context, which is spent afterwards.
  llvm::Error join(CodeUnit &other);

  llvm::Error optimise();

  /// Object code, or assembly. After it the module is spent.
  llvm::Expected<llvm::SmallVector<char, 0>> generate(llvm::CodeGenFileType type);

private:
  llvm::Error merge(std::unique_ptr<llvm::Module> part);

  /// What LLVM reported as an error since the last call.
  std::string complaints();

  /// Vectors in loops of these functions; sums of floats keep their order.
  void vectorise(llvm::ArrayRef<llvm::Function *> functions);

  llvm::LLVMContext context;
  std::optional<TargetDescription> weakest; // of those that functions were added for
  std::string messages;
  std::unique_ptr<llvm::Module> unit;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CODEUNIT_H
