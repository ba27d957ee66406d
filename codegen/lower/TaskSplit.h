// TaskSplit.h: an index space in tasks, by the `cut` of its step (KernelOps.td). One dimension
// is cut into equal chunks, the dimensions before it are walked one index a task, those
// after it lie whole inside every task.
#ifndef SYMC_CODEGEN_LOWER_TASKSPLIT_H
#define SYMC_CODEGEN_LOWER_TASKSPLIT_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

struct TaskSplit {
  unsigned dim;              // the dimension that is cut; 0 when there is none
  mlir::OpFoldResult chunk;  // indices of `dim` a task
  mlir::OpFoldResult chunks; // pieces of `dim`
  mlir::OpFoldResult count;  // tasks in all
};

/// The tasks of a step over an index space, as its `cut` says. Chunks of the last two dimensions
/// are rounded up to a multiple.
TaskSplit splitTasks(Emission &emit, kernel::CutAttr cut, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     int64_t multiple = 1);

/// The part of the space that task number `task` covers: [lower, upper) in every
/// dimension; the first `fixed` dimensions hold one index each.
struct TaskRange {
  unsigned fixed = 0;
  llvm::SmallVector<mlir::OpFoldResult> lower, upper;
};
TaskRange rangeOfTask(Emission &emit, const TaskSplit &split,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value task);

/// Nested loops over the first `depth` dimensions of the range.
void forRange(Emission &emit, const TaskRange &range, unsigned depth,
              llvm::function_ref<void(llvm::ArrayRef<mlir::OpFoldResult> position)> body);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_TASKSPLIT_H
