// PoolingGradient.cpp: gradients of poolings over blocked images.
//
//   %dx = sg.pooling_gradient(%x, %y, %dy)  ->  kernel.pool_gradient slope(%dy) ins(%x, %y)
//
// Averages and sums read neither data nor result. Images of few channels that lie in rows, and
// volumes, stay with the reference kernel.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Backward.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct PoolingGradientRule {
  static constexpr RuleTraits traits{"pooling-gradient", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    PoolingGradientOp op;
    Window window;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<PoolingGradientOp>(group.op);
    if (!op)
      return std::nullopt;
    const Tensors &t = group.t;
    if (!elementTypeOf(op.getData().getType()).isF32())
      return elementRefusal(op.getData());
    if (extentsOf(op.getData()).size() > 4)
      return Refusal{"its window has more than two axes"};
    for (Value value : {op.getData(), op.getGradient()})
      for (AffineExpr extent : extentsOf(value))
        if (constantOf(extent).value_or(0) < 1)
          return Refusal{"an extent of its images is known only at run time, or 0"};
    int64_t channels = *constantOf(extentsOf(op.getData())[1]);
    if (channels < t.blockWidth / 2 && !group.mayLieInBlocks(op.getGradient()))
      return Refusal{llvm::formatv("its images have {0} channels and lie in rows", channels)};
    Window window;
    if (!op.getGlobalPool()) {
      window = Window(op.getKernel(), op.getStride(), {}, op.getPad());
    } else {
      SmallVector<AffineExpr, 4> image = t.imageShape(op.getData());
      for (int i : {0, 1})
        window.kernel[i] = *constantOf(image[2 + i]);
    }
    Plan plan{RuleForms(RuleForms::Blocked), op, window};
    if (op.getPoolType() != "max")
      plan.forms.operands = {{op.getData(), RuleForms::Either},
                             {op.getResult(), RuleForms::Either}};
    return plan;
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t) {
    PoolingGradientOp op = plan.op;
    const Window &window = plan.window;
    Location location = group.location;
    auto view = [&](Value value) {
      return t.materialise(t.blockedView(value, {}, location), location);
    };
    Value slope = view(op.getGradient());
    SmallVector<Value> ins;
    if (op.getPoolType() == "max")
      ins = {view(op.getData()), view(op.getResult())};
    Value out = t.materialise(t.createBlocked(op.getOutput(), location), location);
    OpBuilder &b = t.builder;
    bool all = op.getPoolType() == "max" && op.getTies();
    StringRef kind = all ? "maxima" : op.getPoolType();
    kernel::PoolGradientOp::create(
        b, location, slope, ins, out, b.getStringAttr(kind), b.getDenseI64ArrayAttr(window.kernel),
        b.getDenseI64ArrayAttr(window.stride), window.padding.attribute(t.context()),
        b.getBoolAttr(op.getCountIncludePad().value_or(true)),
        /*cut=*/{});
  }
};

} // namespace

namespace symc::codegen {
void registerPoolingGradientRule(RuleList &rules) { rules.add<PoolingGradientRule>(); }
} // namespace symc::codegen
