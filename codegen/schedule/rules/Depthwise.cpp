// Depthwise.cpp: convolutions whose groups of channels lie within blocks, with the group's
// elementwise chain as epilogue.
//
//   %y = sg.convolution(%x, %w) {num_group = 32}  ->  kernel.depthwise over blocks of channels
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/TileLayer.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct DepthwiseRule {
  static constexpr RuleTraits traits{"depthwise", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    ConvolutionNode conv;
    Window window;
    WeightRequest taps;
  };

  static Match<Plan> match(const GroupView &group) {
    Match<ConvolutionNode> conv = ConvolutionNode::of(group);
    const Tensors &t = group.t;
    int64_t channels = conv ? conv->channelsWithinBlock(t.blockWidth) : 0;
    if (!channels)
      return std::nullopt; // the rule of other convolutions has the reason
    Window window = Window::ofConvolution(conv->op);
    SmallVector<int64_t> shape{int64_t(llvm::divideCeil(conv->filters, t.blockWidth)),
                               window.kernel[0], window.kernel[1], t.blockWidth};
    if (channels > 1)
      shape.insert(shape.end() - 1, channels);
    Type element = conv->elements->operand(t.context());
    return Plan{formsOf(*conv, t.blockWidth),
                *conv,
                window,
                {conv->weight, t.form(weight_form::depthwise), t.blockWidth, 0, 1, "",
                 MemRefType::get(shape, element)}};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void DepthwiseRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  const ConvolutionNode &conv = plan.conv;
  const Window &window = plan.window;
  Location location = group.location;
  Value in = t.materialise(t.blockedView(conv.data, window.padding, location), location);
  Value taps = weightIn(plan.taps, location, t);
  SmallVector<Value> extras;
  for (const ViewSpec &view : epilogueInBlocks(group, conv.bias, t))
    extras.push_back(t.materialise(view, location));
  Value out = t.materialise(t.createBlocked(group.result, location), location);
  auto step = kernel::DepthwiseOp::create(
      t.builder, location, in, taps, extras, out, t.builder.getDenseI64ArrayAttr(window.kernel),
      t.builder.getDenseI64ArrayAttr(window.stride), t.builder.getDenseI64ArrayAttr(window.dilate),
      /*piece=*/{}, /*cut=*/{});
  buildBody(step.getBody(), group, group.root->getResult(0), static_cast<bool>(conv.bias),
            group.externalOperands(), conv.elements->accumulator(t.context()), t.builder);
}

namespace symc::codegen {
void registerDepthwiseRule(RuleList &rules) { rules.add<DepthwiseRule>(); }
} // namespace symc::codegen
