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

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/KernelDialect.h"
#include "codegen/target/MathMode.h"

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

/// What the lowering of a call gets, see CallSite.h.
struct CallSite;

} // namespace symc::codegen

#include "codegen/lower/LoweringInterface.h.inc"

namespace symc::codegen {

/// Steps whose operands lie in memory as they are in registers.
template <typename Op> bool takesNoHalves(Op, mlir::OpOperand &) { return false; }

/// The lowering of an operation as two functions over it; `halves` is takesHalves.
template <typename Op, auto count, auto lower, auto halves>
struct TaskLowering : LoweringInterface::ExternalModel<TaskLowering<Op, count, lower, halves>, Op> {
  bool takesHalves(mlir::Operation *op, mlir::OpOperand &operand) const {
    return halves(llvm::cast<Op>(op), operand);
  }
  mlir::OpFoldResult countTasks(mlir::Operation *op, llvm::ArrayRef<View> operands,
                                LoweringContext &context) const {
    return count(llvm::cast<Op>(op), operands, context);
  }
  mlir::LogicalResult lowerTask(mlir::Operation *op, llvm::ArrayRef<View> operands,
                                mlir::Value task, LoweringContext &context) const {
    return lower(llvm::cast<Op>(op), operands, task, context);
  }
};

/// What an emitter can lower, where that is every operation that verifies.
template <typename Op>
mlir::LogicalResult takesAll(Op, llvm::ArrayRef<View>, const TargetDescription &) {
  return mlir::success();
}

/// The lowering of an operation as a class that is made of it, its operands and the context, with
/// countTasks() and lower(task); `check` reports operands that it does not take on a target.
template <typename Op, typename Emitter, auto check, auto halves>
struct EmitterLowering
    : LoweringInterface::ExternalModel<EmitterLowering<Op, Emitter, check, halves>, Op> {
  bool takesHalves(mlir::Operation *op, mlir::OpOperand &operand) const {
    return halves(llvm::cast<Op>(op), operand);
  }
  mlir::OpFoldResult countTasks(mlir::Operation *op, llvm::ArrayRef<View> operands,
                                LoweringContext &context) const {
    return Emitter(llvm::cast<Op>(op), operands, context).countTasks();
  }
  mlir::LogicalResult lowerTask(mlir::Operation *op, llvm::ArrayRef<View> operands,
                                mlir::Value task, LoweringContext &context) const {
    if (mlir::failed(check(llvm::cast<Op>(op), operands, context.target)))
      return mlir::failure();
    Emitter(llvm::cast<Op>(op), operands, context).lower(task);
    return mlir::success();
  }
};

/// Attaches a model to its operation in every context that the registry makes. A file
/// XLowering.cpp calls it in a function `void registerXLowering(DialectRegistry &)` of this
/// namespace, which registerLowerings calls because the file is there.
template <typename Op, typename Model> void addLowering(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, kernel::KernelDialect *) {
    Op::template attachInterface<Model>(*context);
  });
}
template <typename Op, auto count, auto lower, auto halves = takesNoHalves<Op>>
void addLowering(mlir::DialectRegistry &registry) {
  addLowering<Op, TaskLowering<Op, count, lower, halves>>(registry);
}
template <typename Op, typename Emitter, auto check = takesAll<Op>, auto halves = takesNoHalves<Op>>
void addEmitter(mlir::DialectRegistry &registry) {
  addLowering<Op, EmitterLowering<Op, Emitter, check, halves>>(registry);
}

/// The lowerings of all steps, for contexts in which programs become code.
void registerLowerings(mlir::DialectRegistry &registry);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_KERNELLOWERING_H
