// ScheduleRepeats.cpp: nodes that repeat elements, or put a border around images, as copies.
//
//   %y = sg.upsampling(%x) {scale = 2}  ->  kernel.copy from x as [N, C, H, 2, W, 2], with steps
//                                           of 0 where it repeats, to y's rows and columns
//   %y = sg.tile(%x) {reps = [3, 1]}    ->  the same, the repeated extent first
//   %y = sg.pad(%x) {mode = "edge"}     ->  kernel.copy to the middle and to each border
//
// Rows and columns of blocked images are repeated and padded where they lie.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Vision.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

/// How often an axis repeats: each element by itself, or the whole of it.
struct Repeat {
  size_t axis;
  int64_t count;
  bool each;
};

} // namespace

// The repeats of a node in the axes of its result; none where it is no such node.
static std::optional<SmallVector<Repeat, 4>> repeatsOf(Operation *op) {
  SmallVector<Repeat, 4> repeats;
  if (auto up = dyn_cast<UpSamplingOp>(op)) {
    if (up.getSampleType() != "nearest" || up.getArgs().size() != 1)
      return std::nullopt;
    int64_t scale = up.getScale();
    repeats = {{2, scale, true}, {3, scale, true}};
  } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
    int64_t rank = extentsOf(repeat.getData()).size(), axis = repeat.getAxis().value_or(0);
    repeats = {{size_t(axis < 0 ? axis + rank : axis), int64_t(repeat.getRepeats()), true}};
  } else if (auto tile = dyn_cast<TileOp>(op)) {
    ArrayRef<int64_t> reps = tile.getReps();
    size_t rank = extentsOf(tile.getOutput()).size();
    for (auto [i, count] : llvm::enumerate(reps))
      repeats.push_back({rank - reps.size() + i, count, false});
  } else {
    return std::nullopt;
  }
  llvm::erase_if(repeats, [](const Repeat &repeat) { return repeat.count == 1; });
  return repeats;
}

// Gives both views an extent more for each repeat, along which `from` does not move.
static void spread(ViewSpec &from, ViewSpec &to, ArrayRef<Repeat> repeats, Tensors &t) {
  for (const Repeat &repeat : llvm::reverse(repeats)) {
    AffineExpr count = t.constant(repeat.count), step = to.strides[repeat.axis];
    AffineExpr outer = step * (repeat.each ? count : from.sizes[repeat.axis]);
    size_t place = repeat.axis + (repeat.each ? 1 : 0); // of the new extent
    to.sizes[repeat.axis] = from.sizes[repeat.axis];
    to.strides[repeat.axis] = repeat.each ? outer : step;
    for (ViewSpec *view : {&from, &to}) {
      view->sizes.insert(view->sizes.begin() + place, count);
      view->strides.insert(view->strides.begin() + place, view == &from ? t.constant(0)
                                                          : repeat.each ? step
                                                                        : outer);
    }
  }
}

static void emitRepeats(Operation *op, ArrayRef<Repeat> repeats, bool blocked, Tensors &t) {
  Location location = op->getLoc();
  Value data = op->getOperand(0), result = op->getResult(0);
  auto [from, to] = t.viewsOf(data, result, blocked, location);
  if (!blocked) {
    auto repeat = dyn_cast<RepeatOp>(op);
    if (repeat && !repeat.getAxis()) { // of the elements in a row
      AffineExpr count = t.constant(1);
      for (AffineExpr extent : from.sizes)
        count = count * extent;
      from = t.rowMajor(from.base, {count});
    }
    while (from.sizes.size() < to.sizes.size()) {
      from.sizes.insert(from.sizes.begin(), t.constant(1));
      from.strides.insert(from.strides.begin(), t.constant(0));
    }
  }
  spread(from, to, repeats, t);
  t.copy(from, to, location);
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

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

static void emitPad(PadOp op, bool blocked, Tensors &t) {
  Location location = op.getLoc();
  auto [from, to] = t.viewsOf(op.getData(), op.getOutput(), blocked, location);
  if (op.getMode() == "constant")
    fillBorders(op, from, to, t);
  else
    copySegments(op, from, to, 0, t);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

// Blocks hold channels: what changes rows and columns alone leaves them as they are.
static bool keepsChannels(Operation *op, ArrayRef<Repeat> repeats, const Tensors &t) {
  Value data = op->getOperand(0), result = op->getResult(0);
  return extentsOf(data).size() == 4 && extentsOf(result).size() == 4 &&
         Scheduler::channelsOf(result) && t.layerElements(result) &&
         llvm::all_of(repeats, [](const Repeat &repeat) { return repeat.axis >= 2; });
}

const Scheduler::Rule Scheduler::repeatsRule = {
    "repeats", Rule::Generated,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      std::optional<SmallVector<Repeat, 4>> repeats = repeatsOf(group.op);
      auto pad = dyn_cast<PadOp>(group.op);
      if (!repeats && !(pad && (pad.getMode() != "constant" || borderOf(pad, s.t.builder))))
        return std::nullopt;
      bool either = keepsChannels(group.op, repeats.value_or(SmallVector<Repeat, 4>()), s.t);
      return RuleForms{either ? RuleForms::Either : RuleForms::Plain};
    },
    [](Scheduler &s, Group &group) {
      if (auto pad = dyn_cast<PadOp>(group.op))
        emitPad(pad, s.writesBlocks(group.op), s.t);
      else
        emitRepeats(group.op, *repeatsOf(group.op), s.writesBlocks(group.op), s.t);
      return true;
    }};
