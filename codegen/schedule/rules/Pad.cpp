// Pad.cpp: borders around images, as copies and fills.
//
//   %y = sg.pad(%x) {mode = "edge"}      ->  kernel.copy to the middle and to each border
//   %y = sg.pad(%x) {mode = "constant"}  ->  kernel.fill of each border, kernel.copy to the middle
//
// Rows and columns of blocked images are padded where they lie.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Vision.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// The constant of a border; null where the element type has no such value.
static TypedAttr borderOf(PadOp op, Builder &b) {
  Type type = Tensors::storageType(elementTypeOf(op.getData().getType()));
  double value = op.getConstantValue().convertToDouble();
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, value);
  return value == 0 ? b.getZeroAttr(type) : TypedAttr();
}

namespace {
/// Rows of a result, along one axis, and where they come from: side by side, or from the last to
/// the first, or all from one.
struct Segment {
  AffineExpr to, from, count;
  int64_t direction;
};
} // namespace

// What an axis of the result is made of. A constant border comes from nowhere.
static SmallVector<Segment, 3> segmentsOf(PadOp op, size_t axis, AffineExpr extent, Tensors &t) {
  int64_t before = op.getPadWidth()[2 * axis], after = op.getPadWidth()[2 * axis + 1];
  SmallVector<Segment, 3> segments{{t.constant(before), t.constant(0), extent, 1}};
  bool mirrored = op.getMode() == "reflect";
  int64_t direction = mirrored ? -1 : 0;
  if (before)
    segments.push_back(
        {t.constant(0), t.constant(mirrored ? before : 0), t.constant(before), direction});
  if (after)
    segments.push_back(
        {extent + before, extent - (mirrored ? 2 : 1), t.constant(after), direction});
  return segments;
}

// The rows of one segment of an axis.
static ViewSpec rowsOf(ViewSpec view, size_t axis, AffineExpr first, AffineExpr count,
                       int64_t direction = 1) {
  view.offset = view.offset + view.strides[axis] * first;
  view.sizes[axis] = count;
  view.strides[axis] = view.strides[axis] * direction;
  return view;
}

// Copies every combination of the segments of `axis` and those behind it.
static void copySegments(PadOp op, const ViewSpec &from, const ViewSpec &to, size_t axis,
                         Tensors &t) {
  if (axis == op.getPadWidth().size() / 2)
    return t.copy(from, to, op.getLoc());
  for (const Segment &part : segmentsOf(op, axis, from.sizes[axis], t))
    copySegments(op, rowsOf(from, axis, part.from, part.count, part.direction),
                 rowsOf(to, axis, part.to, part.count), axis + 1, t);
}

// Fills the border: of an axis, in front of and behind the middle of those before it.
static void fillBorders(PadOp op, const ViewSpec &from, ViewSpec to, Tensors &t) {
  ArrayRef<int64_t> widths = op.getPadWidth();
  for (size_t axis = 0; axis < widths.size() / 2; ++axis) {
    AffineExpr before = t.constant(widths[2 * axis]), extent = from.sizes[axis];
    for (const ViewSpec &border :
         {rowsOf(to, axis, t.constant(0), before),
          rowsOf(to, axis, before + extent, t.constant(widths[2 * axis + 1]))})
      if (border.sizes[axis] != t.constant(0))
        t.fill(border, borderOf(op, t.builder), op.getLoc());
    to = rowsOf(to, axis, before, extent);
  }
  t.copy(from, to, op.getLoc());
}

namespace {

struct PadRule {
  static constexpr RuleTraits traits{"pad", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms;
    PadOp op;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<PadOp>(group.op);
    if (!op)
      return std::nullopt;
    Builder builder(group.t.context());
    if (op.getMode() == "constant" && !borderOf(op, builder))
      return Refusal{"its border is not 0 and its elements are integers"};
    return Plan{RuleForms::eitherIf(mapsImages(op, group.t)), op, group.writesBlocks()};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    PadOp op = plan.op;
    auto [from, to] = t.viewsOf(op.getData(), op.getOutput(), plan.inBlocks, op.getLoc());
    if (op.getMode() == "constant")
      fillBorders(op, from, to, t);
    else
      copySegments(op, from, to, 0, t);
  }
};

} // namespace

namespace symc::codegen {
void registerPadRule(RuleList &rules) { rules.add<PadRule>(); }
} // namespace symc::codegen
