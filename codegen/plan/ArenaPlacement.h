// ArenaPlacement.h: how buffers lie in the arena, an option of kernel-plan-arena.
#ifndef SYMC_CODEGEN_PLAN_ARENAPLACEMENT_H
#define SYMC_CODEGEN_PLAN_ARENAPLACEMENT_H

namespace symc::codegen {

/// Packed as tight as may be; or, to find code that leaves its buffers, every buffer alone in
/// pages of its own, between pages that nothing uses: as near to the one behind it as its
/// alignment lets it, or at the one before it.
enum class ArenaPlacement { Packed, ApartAtEnd, ApartAtStart };

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_ARENAPLACEMENT_H
