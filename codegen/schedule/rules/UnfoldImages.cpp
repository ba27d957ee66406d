// UnfoldImages.cpp: windows of images, one image behind the other, as a view: the blocks of an
// image, and the images, lie behind each other.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Patches.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct UnfoldImagesRule {
  static constexpr RuleTraits traits{"unfold-images", Benefit::Moves, Use::Generated};
  struct Plan {
    RuleForms forms;
    UnfoldImagesOp op;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<UnfoldImagesOp>(group.op);
    if (!op)
      return std::nullopt;
    std::optional<int64_t> channels = channelsOf(op.getData());
    bool mayBlock =
        group.t.layerElements(group.result) && channels && *channels % group.t.blockWidth == 0;
    return Plan{RuleForms::eitherIf(mayBlock), op, group.writesBlocks()};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void UnfoldImagesRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  UnfoldImagesOp op = plan.op;
  Value data = op.getData(), result = op.getOutput();
  Location location = op.getLoc();
  auto unfold = [&](ViewSpec view) {
    view.sizes[0] = extentsOf(result)[0];
    view.sizes[1] = view.sizes[1] * op.getSize();
    view.strides[0] = view.strides[0] * op.getStep();
    return view;
  };
  if (!plan.inBlocks) {
    ViewSpec windows = unfold(t.plainView(data, location));
    if (t.headMemory.count(result))
      t.copy(windows, t.createPlain(result, location), location);
    else
      t.setStrided(result, windows);
    return;
  }
  ViewSpec images = t.blockedView(data, {}, location);
  if (images.strides[0] != images.strides[1] * images.sizes[1]) { // among other channels
    t.copy(images, t.createBlocked(data, location), location);
    images = t.blockedView(data, {}, location);
  }
  t.setBlocked(result, unfold(images), t.blockedHalo(data));
}

namespace symc::codegen {
void registerUnfoldImagesRule(RuleList &rules) { rules.add<UnfoldImagesRule>(); }
} // namespace symc::codegen
