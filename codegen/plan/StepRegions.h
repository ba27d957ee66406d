// StepRegions.h: what a step of a planned program works on besides weights, as parts of memory.
#ifndef SYMC_CODEGEN_PLAN_STEPREGIONS_H
#define SYMC_CODEGEN_PLAN_STEPREGIONS_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/plan/ViewPlace.h"

namespace symc::codegen {

/// An operand in the arena or in an argument. Scratch is neither read nor written.
struct StepRegion {
  kernel::ViewOrigin view;
  ViewPlace place;
  bool read, written;

  /// In bytes from the start of its space, and how many of a dense view; over the program's sizes.
  mlir::AffineExpr first() const;
  mlir::AffineExpr bytes() const;
  bool isConstant() const;
};

/// Those of a step, in the order of its operands.
mlir::FailureOr<llvm::SmallVector<StepRegion>> regionsOf(kernel::StepInterface step,
                                                         mlir::SymbolTableCollection &symbols);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PLAN_STEPREGIONS_H
