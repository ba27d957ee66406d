// KernelLowering.h: what the lowering of a kernel step gets and gives. One step
// becomes one function that runs ONE task; identical steps share a function.
//
// A lowering sees views: a raw pointer that already includes every static
// offset, plus sizes and strides in elements, each a constant or a function
// argument. It emits scf, arith, math and vector operations, and LLVM-dialect
// loads, stores and prefetches on the pointers (no memref: raw addressing keeps
// prefetches, masks and alignment in our hands).
#ifndef SYMC_CODEGEN_LOWER_KERNELLOWERING_H
#define SYMC_CODEGEN_LOWER_KERNELLOWERING_H

#include "codegen/cpu/MathMode.h"
#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// One operand of a step inside its outlined function.
struct View {
  mlir::Value pointer;                           // !llvm.ptr to element [0, ..., 0]
  mlir::Type elementType;                        // signless
  llvm::SmallVector<mlir::OpFoldResult> sizes;   // index attributes or values
  llvm::SmallVector<mlir::OpFoldResult> strides; // elements; 0 = broadcast
};

struct LoweringContext {
  mlir::OpBuilder &builder; // at the start of the outlined function's body
  const TargetDescription &target;
  MathMode math;
};

/// The number of tasks of a step, from its views (operand order of the op):
/// a constant, or a value computed by ops that are emitted at the builder.
/// Never depends on the number of threads.
mlir::OpFoldResult countTasks(mlir::Operation *step, llvm::ArrayRef<View> operands,
                              LoweringContext &context);

/// Emits the body of task number `task` (index) of the step. The same views and
/// the same task count as countTasks saw.
mlir::LogicalResult lowerTask(mlir::Operation *step, llvm::ArrayRef<View> operands,
                              mlir::Value task, LoweringContext &context);

// The families that countTasks and lowerTask dispatch to (Dispatch.cpp), one
// file each.
#define SYMC_FAMILY(NAME, OP)                                                                      \
  mlir::OpFoldResult count##NAME##Tasks(kernel::OP op, llvm::ArrayRef<View> operands,              \
                                        LoweringContext &context);                                 \
  mlir::LogicalResult lower##NAME(kernel::OP op, llvm::ArrayRef<View> operands,                    \
                                  mlir::Value task, LoweringContext &context);
SYMC_FAMILY(Loops, LoopsOp)         // Loops.cpp
SYMC_FAMILY(Conv, ConvOp)           // Conv.cpp (micro-kernel emitter: TileKernel.cpp)
SYMC_FAMILY(Winograd, WinogradOp)   // Winograd.cpp
SYMC_FAMILY(Strassen, StrassenOp)   // Strassen.cpp
SYMC_FAMILY(Depthwise, DepthwiseOp) // Depthwise.cpp
SYMC_FAMILY(Pool, PoolOp)           // Pool.cpp
SYMC_FAMILY(Recurrent, RecurrentOp) // Recurrent.cpp
SYMC_FAMILY(Copy, CopyOp)           // Copy.cpp
SYMC_FAMILY(Fill, FillOp)           // Fill.cpp
SYMC_FAMILY(Pack, PackOp)           // Pack.cpp
SYMC_FAMILY(Softmax, SoftmaxOp)     // Softmax.cpp
#undef SYMC_FAMILY

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_KERNELLOWERING_H
