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

/// The problem of a run that requests more memory than there is.
inline constexpr const char *noMemory = "internal error: no memory for a guarded run";

/// What models with probes call before and behind each step.
void guardedStep(const symc_frame *frame, int64_t step, int32_t phase);

/// How a run ended.
struct GuardedOutcome {
  std::string problem;  // the first, or ""
  bool refused = false; // the model takes no inputs of these shapes
  int64_t slots = 0, bytes = 0;
};

/// `prepared`: the weights as the compiler prepared them. Without stored outputs results are
/// compared with each other only. `rounding`: see Results.
GuardedOutcome runGuarded(const symc_model &model, const MemoryMap &map, const uint8_t *prepared,
                          const StoredCase &stored, const RunOptions &options, symc_pool *pool,
                          llvm::ArrayRef<std::vector<double>> rounding = {});

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GUARDEDRUN_H
