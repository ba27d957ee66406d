// Labels.h: labels of loss heads that prediction leaves out. The data stands in such a label's
// place, and the head has kNoLabel: nothing is needed of the label's shape. A graph may also name
// its data as the label itself; that has to fit as any other does.
#ifndef SYMC_IR_LABELS_H
#define SYMC_IR_LABELS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace symc::sg {

/// A unit attribute of the head.
constexpr llvm::StringLiteral kNoLabel = "sg.no_label";

/// Whether the head has one of which a shape is needed.
inline bool hasLabel(mlir::Operation *head) { return !head->hasAttr(kNoLabel); }

inline void leaveOutLabel(mlir::OpOperand &label) {
  mlir::Operation *head = label.getOwner();
  label.set(head->getOperand(0));
  head->setAttr(kNoLabel, mlir::UnitAttr::get(head->getContext()));
}

} // namespace symc::sg

#endif // SYMC_IR_LABELS_H
