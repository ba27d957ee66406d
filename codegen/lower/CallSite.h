// CallSite.h: where a step that is one call is emitted: the body of its wrapper.
#ifndef SYMC_CODEGEN_LOWER_CALLSITE_H
#define SYMC_CODEGEN_LOWER_CALLSITE_H

#include "codegen/lower/FrameReader.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// A program that a called kernel runs, and its function.
struct CalledProgram {
  kernel::ProgramOp program;
  mlir::LLVM::LLVMFuncOp run;
};

/// What CallLoweringInterface::emitCall gets. Code is emitted at `builder`, in an LLVM
/// function's body; globals are added to `module`, named after `prefix`.
struct CallSite {
  llvm::ArrayRef<kernel::ViewOrigin> views; // of the step's operands
  llvm::ArrayRef<ViewPlace> places;
  FrameReader &frame;
  mlir::OpBuilder &builder;
  mlir::ModuleOp module;
  llvm::StringRef prefix;
  llvm::ArrayRef<CalledProgram> programs; // getCalledPrograms of the step
};

/// The declaration of an external function, made once.
mlir::Operation *declareFunction(mlir::ModuleOp module, llvm::StringRef name,
                                 mlir::Type functionType);

/// An internal constant, `text` with a zero behind it.
mlir::LLVM::GlobalOp addText(mlir::ModuleOp module, mlir::Location loc, const llvm::Twine &name,
                             llvm::StringRef text);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_CALLSITE_H
