// CallStep.h: a kernel.call step as the body of its wrapper: tensors and
// arguments in the ABI's layout on the stack, parameters and static shapes as
// constant globals, then the call.
#ifndef SYMC_CODEGEN_LOWER_CALLSTEP_H
#define SYMC_CODEGEN_LOWER_CALLSTEP_H

#include "codegen/lower/FrameReader.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// A program that a called kernel runs, and its function.
struct CalledProgram {
  kernel::ProgramOp program;
  mlir::LLVM::LLVMFuncOp run;
};

/// Emits at `builder` (an LLVM function's body) and adds globals named after
/// `prefix` to `module`. Returns the status of the call, an i32.
mlir::FailureOr<mlir::Value> emitCall(kernel::CallOp call,
                                      llvm::ArrayRef<kernel::ViewOrigin> views,
                                      llvm::ArrayRef<ViewPlace> places, FrameReader &frame,
                                      mlir::OpBuilder &builder, mlir::ModuleOp module,
                                      llvm::StringRef prefix,
                                      llvm::ArrayRef<CalledProgram> bodies = {});

/// The declaration of an external function, made once.
mlir::Operation *declareFunction(mlir::ModuleOp module, llvm::StringRef name,
                                 mlir::Type functionType);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_CALLSTEP_H
