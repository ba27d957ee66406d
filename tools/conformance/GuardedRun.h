// GuardedRun.h: runs a case in guarded memory (GuardedMemory.h), twice in one context with
// different poison. Every byte that a tensor, buffer or weight lacks is a signal, or
// changed poison; every byte that a run reads and nobody wrote, a second result.
#ifndef SYMC_TOOLS_CONFORMANCE_GUARDEDRUN_H
#define SYMC_TOOLS_CONFORMANCE_GUARDEDRUN_H

#include "tools/conformance/Case.h"
#include "tools/conformance/GuardedMemory.h"
#include "tools/conformance/Results.h"

namespace symc::conformance {

/// The memory that a scheduled model works in, by names of nodes.
struct MemoryMap {
  std::vector<PlannedSlot> arena, prepareArena, weights;
  std::vector<std::string> steps; // as probes number them
};

/// Of a module whose buffers lie apart (ArenaPlacement.h), after schedule.
MemoryMap describeMemory(mlir::ModuleOp module);

/// What models with probes call before and behind each step.
void guardedStep(const symc_frame *frame, int64_t step, int32_t phase);

/// The first problem, or "". `prepared`: the weights as the compiler prepared them. Without stored
/// outputs results are compared with each other only; `refused`, where it is not null, becomes
/// whether the model takes no inputs of these shapes, which is no problem then.
std::string runGuarded(const symc_model &model, const MemoryMap &map, const uint8_t *prepared,
                       const StoredCase &stored, const RunOptions &options, symc_pool *pool,
                       bool *refused = nullptr);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GUARDEDRUN_H
