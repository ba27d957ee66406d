// ViewPlace.h: in which memory a view of a planned program lies, and where.
#ifndef SYMC_CODEGEN_PLAN_VIEWPLACE_H
#define SYMC_CODEGEN_PLAN_VIEWPLACE_H

#include "codegen/kernel/ViewOrigin.h"
#include "mlir/IR/SymbolTable.h"

namespace symc::codegen {

/// The memory behind a view, in bytes from the start of its space.
struct ViewPlace {
  enum Space { Arena, Weights, Argument } space;
  int64_t argument;   // frame io number, for Argument
  int64_t byteOffset; // of the root
  int64_t alignment;  // bytes that the view's first element is known to be aligned to
  int64_t rootBytes;  // at the largest extents; -1 for arguments
};

/// Where the view's root lies; fails where the planner has not set an offset. `symbols` finds
/// prepared weights.
mlir::FailureOr<ViewPlace> placeOf(const kernel::ViewOrigin &view, kernel::ProgramOp program,
                                   mlir::SymbolTableCollection &symbols);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_VIEWPLACE_H
