// TaskCut.h: how the work of a step is cut into tasks: how many of its units make one, from
// their number and cycles alone. Of convolutions the cut, with the register tile, the order
// of loops and prefetches, is decided here for one target and set as attributes; *Tasks.cpp
// beside this file decide those of other steps. Lowerings read them.
#ifndef SYMC_CODEGEN_CPU_TASKCUT_H
#define SYMC_CODEGEN_CPU_TASKCUT_H

#include "codegen/cpu/TileChoice.h"

namespace symc::codegen {

/// Elements that a task should hold at least: some microseconds of work.
constexpr int64_t taskGrain = 16384;

/// The shortest task that earns being handed to another thread.
constexpr double leastTaskCycles = 10'000;

/// A step is cut into at most about so many tasks.
constexpr int64_t maxTasks = 32;

/// How many of `units` equal pieces of work, `cycles` each, make one task. A task
/// is never shorter than the time after which handing it to another thread pays;
/// of the cuts that are left, the one whose last tasks end together on 2, 4 and 8
/// threads wins. The answer depends on these numbers alone.
int64_t unitsPerTask(int64_t units, double cycles, int64_t mostTasks = maxTasks);

/// The fewest units that are worth a task; for counts that are run-time values.
int64_t leastUnitsPerTask(double cycles);

/// The extents of views that are known, others mlir::ShapedType::kDynamic. A product with a
/// 0 is known.
int64_t productOf(llvm::ArrayRef<int64_t> extents);

/// The `cut` of a step over an index space: the outermost axis that leaves a task's worth of
/// work, and how many of its indices make one. A point stands for `work` elements; the last
/// `whole` axes are not cut.
kernel::CutAttr cutSpace(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> extents,
                         int64_t work = 1, unsigned whole = 0);

/// How a kernel.conv is done with one tile.
struct ConvTasks {
  kernel::ConvTasksAttr cut;
  bool pixelsOutside; // the model's order
};
ConvTasks cutConvTasks(mlir::MLIRContext *context, const ConvExtents &extents, const ConvTile &tile,
                       const TargetDescription &target);

/// Gives the step that tile, tasks for it, the order (the model's where none is given) and
/// prefetches.
void setChoice(kernel::ConvOp op, ConvTile tile, std::optional<bool> pixelsOutside,
               const TargetDescription &target);

/// Sets on the step what is not set yet: the model's tile, or the rest for the tile that it
/// has.
void chooseTile(kernel::ConvOp op, const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TASKCUT_H
