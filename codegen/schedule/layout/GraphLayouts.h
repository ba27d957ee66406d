// GraphLayouts.h: the layouts of a graph's values (#kernel.layout), step by step: forms by a
// minimum cut, places in joined values, halos; then as attributes, set and read.
#ifndef SYMC_CODEGEN_SCHEDULE_LAYOUT_GRAPHLAYOUTS_H
#define SYMC_CODEGEN_SCHEDULE_LAYOUT_GRAPHLAYOUTS_H

#include "codegen/schedule/Schedule.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"

namespace symc::codegen {

/// Layouts as they are chosen or read. Halos and places stand in Tensors, which makes what they
/// name.
struct GraphLayouts {
  Tensors &t;
  const ScheduleOptions &options;
  NodeForms forms = {};

  /// A node before forms are chosen.
  GroupView view(mlir::Operation *op) const { return GroupView(op, t, options, nullptr); }
  bool writesBlocks(mlir::Operation *op) const { return forms.of(op).value_or(false); }
};

/// Step 1 (ChooseForms.cpp): whether nodes write rows or blocks.
void chooseForms(sg::GraphOp graph, GraphLayouts &layouts);
/// Step 2 (ChoosePlaces.cpp): values that are written where a join of them lies.
void choosePlaces(sg::GraphOp graph, GraphLayouts &layouts);
/// Step 3 (ChooseHalos.cpp): zeros around images.
void chooseHalos(sg::GraphOp graph, GraphLayouts &layouts);

/// The layouts as attributes of the graph (LayoutAttributes.cpp), and back.
void setLayouts(sg::GraphOp graph, const GraphLayouts &layouts);
mlir::LogicalResult readLayouts(sg::GraphOp graph, GraphLayouts &layouts);

/// The concatenation whose operands a depth_to_space puts between each other, one for each place
/// of a block of pixels; null where it does anything else.
sg::ConcatOp joinOfRemainders(sg::DepthToSpaceOp spread);
/// Gives these operands their places.
void placeRemainders(sg::DepthToSpaceOp spread, sg::ConcatOp concat, Tensors &t);

inline mlir::remark::RemarkOpts layoutRemark(llvm::StringRef name) {
  return mlir::remark::RemarkOpts::name(name).category("kernel-layout");
}

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_LAYOUT_GRAPHLAYOUTS_H
