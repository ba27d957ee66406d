// PlanArena.h: places every buffer of a program in one arena. Afterwards every
// kernel.buffer has an offset (a multiple of 64 bytes), the program has
// arena_bytes, and calls that need scratch have a buffer for it. Two buffers
// overlap only where no step needs both, or where a step may write over an input;
// those that lie apart (ArenaPlacement.h) never do.
#ifndef SYMC_CODEGEN_PLAN_PLANARENA_H
#define SYMC_CODEGEN_PLAN_PLANARENA_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/plan/ArenaPlacement.h"

namespace symc::codegen {

/// Buffers start at multiples of this; SYMC_ALIGN of the runtime's ABI.
constexpr int64_t arenaAlignment = 64;

/// Buffers that lie apart, and their unused pages, take whole pages of this, bytes.
constexpr int64_t apartPage = 4096;

mlir::LogicalResult planArena(kernel::ProgramOp program);

/// Plans all programs of a module in their order, those that others call first; each variant
/// by itself. Apart, no two
/// programs that are called share a byte of the scratch that they work in, and prepared weights
/// lie apart as buffers do.
mlir::LogicalResult planArenas(mlir::ModuleOp module, ArenaPlacement placement);

/// Of a planned program: the largest sum, over all steps, of the bytes of buffers
/// that were begun and are still needed. Buffers that share bytes count once. No
/// placement of these buffers takes less than this.
int64_t largestLiveBytes(kernel::ProgramOp program);

/// A buffer of a planned program: its bytes of the arena, and the first and the last step that
/// need it. Those that a step writes over an input share bytes with it.
struct PlacedBuffer {
  kernel::BufferOp buffer;
  int64_t offset, bytes, first, last;
};
/// In the order of the program; without those that no step needs.
std::vector<PlacedBuffer> placedBuffers(kernel::ProgramOp program);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_PLANARENA_H
