// TaskSplit.h: an index space cut into tasks. One dimension is cut into equal
// chunks, the dimensions before it are walked one index a task, those after it
// lie whole inside every task. The cut depends on extents alone.
#ifndef SYMC_CODEGEN_LOWER_TASKSPLIT_H
#define SYMC_CODEGEN_LOWER_TASKSPLIT_H

#include "codegen/cpu/TaskCut.h"
#include "codegen/lower/Emission.h"

namespace symc::codegen {

struct TaskSplit {
  unsigned dim;              // the dimension that is cut; 0 when there is none
  mlir::OpFoldResult chunk;  // indices of `dim` a task
  mlir::OpFoldResult chunks; // pieces of `dim`
  mlir::OpFoldResult count;  // tasks in all
};

struct SplitOptions {
  int64_t work = 1;     // elements that one point of the space stands for
  int64_t multiple = 1; // chunks of the last two dimensions are a multiple of this
  unsigned whole = 0;   // so many of the last dimensions are never cut
};

TaskSplit splitTasks(Emission &emit, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     SplitOptions options = {});

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
