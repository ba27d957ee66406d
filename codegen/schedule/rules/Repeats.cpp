// Repeats.cpp: nodes that repeat elements, as copies.
//
//   %y = sg.upsampling(%x) {scale = 2}  ->  kernel.copy from x as [N, C, H, 2, W, 2], with steps
//                                           of 0 where it repeats, to y's rows and columns
//   %y = sg.tile(%x) {reps = [3, 1]}    ->  the same, the repeated extent first
//
// Rows and columns of blocked images are repeated where they lie.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
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

namespace {

struct RepeatsRule {
  static constexpr RuleTraits traits{"repeats", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms;
    SmallVector<Repeat, 4> repeats;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    std::optional<SmallVector<Repeat, 4>> repeats = repeatsOf(group.op);
    if (!repeats)
      return std::nullopt;
    // Blocks hold channels: what changes rows and columns alone leaves them as they are.
    bool keepsChannels =
        llvm::all_of(*repeats, [](const Repeat &repeat) { return repeat.axis >= 2; });
    return Plan{RuleForms::eitherIf(keepsChannels && mapsImages(group.op, group.t)), *repeats,
                group.writesBlocks()};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void RepeatsRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Operation *op = group.op;
  Location location = op->getLoc();
  Value data = op->getOperand(0), result = op->getResult(0);
  auto [from, to] = t.viewsOf(data, result, plan.inBlocks, location);
  if (!plan.inBlocks) {
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
  spread(from, to, plan.repeats, t);
  t.copy(from, to, location);
}

namespace symc::codegen {
void registerRepeatsRule(RuleList &rules) { rules.add<RepeatsRule>(); }
} // namespace symc::codegen
