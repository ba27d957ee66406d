// ViewPlace.cpp: see ViewPlace.h.
#include "codegen/plan/ViewPlace.h"

#include "runtime/include/symc/abi.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

FailureOr<ViewPlace> symc::codegen::placeOf(const ViewOrigin &view, kernel::ProgramOp program,
                                            SymbolTableCollection &symbols) {
  int64_t elementBytes = kernel::elementBytes(view.elementType);
  int64_t step = view.offset.getLargestKnownDivisor() * elementBytes;
  if (auto constant = dyn_cast<AffineConstantExpr>(view.offset))
    step = constant.getValue() * elementBytes;
  auto alignmentAt = [&](int64_t base) {
    return (int64_t)llvm::MinAlign(SYMC_ALIGN, llvm::MinAlign(base, step));
  };
  if (auto argument = dyn_cast<BlockArgument>(view.root))
    return ViewPlace{ViewPlace::Argument, argument.getArgNumber(), 0, elementBytes, -1};
  FailureOr<ViewOrigin> root = kernel::traceView(view.root);
  if (failed(root))
    return failure();
  int64_t bytes = kernel::largestBytes(*root, program).get();
  if (auto buffer = view.root.getDefiningOp<kernel::BufferOp>()) {
    if (!buffer.getOffset())
      return buffer.emitError("internal error: the buffer has no offset; plan the arena first");
    int64_t base = *buffer.getOffset();
    return ViewPlace{ViewPlace::Arena, 0, base, alignmentAt(base), bytes};
  }
  auto weight = cast<kernel::WeightOp>(view.root.getDefiningOp());
  auto prepared = symbols.lookupNearestSymbolFrom<kernel::PreparedOp>(
      program->getParentOfType<ModuleOp>(), weight.getNameAttr());
  if (!prepared)
    return weight.emitError("internal error: no kernel.prepared of this name");
  int64_t base = prepared.getOffset();
  return ViewPlace{ViewPlace::Weights, 0, base, alignmentAt(base), bytes};
}
