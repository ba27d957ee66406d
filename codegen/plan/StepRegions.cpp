// StepRegions.cpp: see StepRegions.h.
#include "codegen/plan/StepRegions.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

AffineExpr StepRegion::first() const {
  return view.offset * kernel::elementBytes(view.elementType) + place.byteOffset;
}

AffineExpr StepRegion::bytes() const {
  AffineExpr product =
      getAffineConstantExpr(kernel::elementBytes(view.elementType), view.elementType.getContext());
  for (AffineExpr size : view.sizes)
    product = product * size;
  return product;
}

bool StepRegion::isConstant() const {
  return isa<AffineConstantExpr>(first()) && isa<AffineConstantExpr>(bytes());
}

FailureOr<SmallVector<StepRegion>> symc::codegen::regionsOf(kernel::StepInterface step,
                                                            SymbolTableCollection &symbols) {
  auto program = step->getParentOfType<kernel::ProgramOp>();
  OperandRange outputs = step.getOutputs();
  Value scratch;
  if (auto works = dyn_cast<kernel::ScratchInterface>(step.getOperation()))
    scratch = works.getScratch();
  SmallVector<StepRegion> regions;
  for (OpOperand &use : step->getOpOperands()) {
    FailureOr<kernel::ViewOrigin> view = kernel::traceView(use.get());
    if (failed(view))
      return failure();
    FailureOr<ViewPlace> place = placeOf(*view, program, symbols);
    if (failed(place))
      return failure();
    unsigned first = outputs.getBeginOperandIndex(), number = use.getOperandNumber();
    bool written = number >= first && number < first + outputs.size(), works = use.get() == scratch;
    if (place->space != ViewPlace::Weights)
      regions.push_back({*view, *place, !written, written && !works});
  }
  return regions;
}
