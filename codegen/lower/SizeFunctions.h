// SizeFunctions.h: what a program with symbolic sizes checks and returns before a run, as functions
// over the array of sizes: the extents of its outputs, and which of its conditions the sizes
// violate.
#ifndef SYMC_CODEGEN_LOWER_SIZEFUNCTIONS_H
#define SYMC_CODEGEN_LOWER_SIZEFUNCTIONS_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/lower/FrameReader.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace symc::codegen {

/// Marks functions that run before the processor's instruction set is known: code of the triple's
/// weakest processor, in whichever variant's module they stand.
inline constexpr llvm::StringLiteral anyProcessor = "symc-any-processor";

/// A function of the module, with its entry block.
mlir::LLVM::LLVMFuncOp addFunction(mlir::ModuleOp module, mlir::Location loc,
                                   const llvm::Twine &name, mlir::Type result,
                                   llvm::ArrayRef<mlir::Type> arguments,
                                   mlir::LLVM::Linkage linkage);

/// void <symbol>_output_shapes(const int64_t *sizes, int64_t *extents), where the program has
/// output_shapes.
void addOutputShapes(kernel::ProgramOp program, llvm::StringRef symbol, mlir::ModuleOp module);

/// int32_t <symbol>_check_sizes(const int64_t *sizes), where the program has conditions or clips:
/// the number of the first condition that the sizes violate, or -1. Sets the sizes that are clips
/// (ir/Clips.h). Conditions and clips of `undecided` sizes are left; `checked` gets the other
/// conditions.
void addSizeChecks(kernel::ProgramOp program, llvm::StringRef symbol,
                   const llvm::SmallBitVector &undecided, mlir::ModuleOp module,
                   llvm::SmallBitVector &checked);

/// Both, for the runs of another device.
void addSizeFunctions(kernel::ProgramOp program, llvm::StringRef symbol, mlir::ModuleOp module);

/// The sizes that steps of the program decide, and the clips of such.
llvm::SmallBitVector decidedSizes(kernel::ProgramOp program);
/// Size `decided` is known now: takes it from `undecided`, and sets the clips that are known by it.
void settleSize(kernel::ProgramOp program, unsigned decided, llvm::SmallBitVector &undecided);
/// The same, and makes code that sets the clips.
void settleSize(kernel::ProgramOp program, unsigned decided, llvm::SmallBitVector &undecided,
                mlir::OpBuilder &b, FrameReader &frame);
/// Whether a condition is about one of these sizes.
bool readsSizes(kernel::ProgramOp program, size_t condition, const llvm::SmallBitVector &sizes);
/// Whether the sizes violate it, an i1.
mlir::Value violatesCondition(kernel::ProgramOp program, size_t condition, mlir::OpBuilder &b,
                              FrameReader &frame);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_SIZEFUNCTIONS_H
