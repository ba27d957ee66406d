// Convolution.cpp: convolutions as tile kernels over blocked images, with the group's elementwise
// chain as epilogue. Groups of channels that fill blocks are a step each; those that passes leave
// anywhere in blocks (`shuffle`) are one step over the groups of each block of outputs.
//
//   %y = sg.convolution(%x, %w)  ->  kernel.conv data(%x in blocks) weights(panels of %w)
//
// Pictures of few channels are read as they lie, unless they are blocked already. Which algorithm
// computes the step is decided later (kernel-choose-algorithms).
#include "codegen/kernel/Groups.h"
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/TileLayer.h"
#include "ir/Gradient.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ConvolutionRule {
  static constexpr RuleTraits traits{"convolution", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    ConvolutionNode conv;
    Window window;
    bool readsPlanar;                            // data as it lies, without padding
    std::optional<kernel::ChannelGroups> groups; // of one step
    SmallVector<WeightRequest, 1> panels;        // of each group of channels

    int64_t groupInputs() const { return conv.channels / conv.groups; }
    int64_t groupOutputs() const { return conv.filters / conv.groups; }
    int64_t lanes() const { return panels.front().lanes; }
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

// A panel for each group that a block has outputs of.
static WeightRequest panelsOfGroups(const ConvolutionRule::Plan &plan, const Tensors &t) {
  const ConvolutionNode &conv = plan.conv;
  auto type =
      MemRefType::get({plan.groups->panels(conv.filters, t.blockWidth), 1, plan.window.kernel[0],
                       plan.window.kernel[1], plan.groupInputs(), t.blockWidth},
                      conv.elements->operand(t.context()));
  auto form = kernel::FormAttr::get(t.context(), kernel::groupsForm, conv.groups, 0, 1, false);
  return {conv.weight, form, t.blockWidth, 0, 1, "", type};
}

Match<ConvolutionRule::Plan> ConvolutionRule::match(const GroupView &group) {
  Match<ConvolutionNode> found = ConvolutionNode::of(group);
  if (!found)
    return Refusal{found.reason()};
  const ConvolutionNode &conv = *found;
  const Tensors &t = group.t;
  if (conv.channelsWithinBlock(t.blockWidth))
    return std::nullopt; // depthwise
  Plan plan{formsOf(conv, t.blockWidth), conv, Window::ofConvolution(conv.op), false, {}, {}};
  int64_t inputs = plan.groupInputs(), outputs = plan.groupOutputs();
  ConvolutionOp op = conv.op;
  if (!op.getShuffle().empty()) {
    if (!conv.elements->operand(t.context()).isF32())
      return elementRefusal(conv.data);
    plan.groups = kernel::ChannelGroups{conv.groups, op.getShuffle().front()};
    plan.panels.push_back(panelsOfGroups(plan, t));
    return plan;
  }
  if (conv.groups > 1 && (inputs % t.blockWidth || outputs % t.blockWidth))
    return Refusal{llvm::formatv("its groups of {0} channels neither lie within blocks of {1} nor "
                                 "fill them",
                                 inputs, t.blockWidth)};
  plan.readsPlanar = conv.groups == 1 && conv.channels < t.blockWidth && !t.hasBlocked(conv.data);
  int64_t lanes = plan.readsPlanar ? conv.channels : t.blockWidth;
  auto type = MemRefType::get({int64_t(llvm::divideCeil(outputs, t.blockWidth)),
                               int64_t(llvm::divideCeil(inputs, lanes)), plan.window.kernel[0],
                               plan.window.kernel[1], lanes, t.blockWidth},
                              conv.elements->operand(t.context()));
  for (int64_t g = 0; g < conv.groups; ++g)
    plan.panels.push_back(
        {conv.weight, t.form(conv.elements->panels), lanes, g, conv.groups, "", type});
  return plan;
}

// Images as they lie, pixel by pixel: [N, 1, H, W, C]. Those that run-time weights meet have their
// padding; that of others is laid around them when the algorithm is chosen.
static Value planarData(const GroupView &group, const ConvolutionRule::Plan &plan, Tensors &t) {
  const ConvolutionNode &conv = plan.conv;
  const kernel::Padding &padding = plan.window.padding;
  bool isPadded = !padding.isNone();
  ViewSpec image =
      isPadded ? t.imageView(conv.data, group.location)
               : t.rowMajor(t.plainView(conv.data, group.location).base, t.imageShape(conv.data));
  if (isPadded && !Tensors::isWeight(conv.weight))
    image = t.padded(image, padding, group.location);
  return t.materialise(t.pixelwise(image), group.location);
}

void ConvolutionRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  const ConvolutionNode &conv = plan.conv;
  const Window &window = plan.window;
  Location location = group.location;
  bool isPadded = !window.padding.isNone();
  ViewSpec source;
  Value planar;
  if (plan.readsPlanar)
    planar = planarData(group, plan, t);
  else
    source = t.blockedView(conv.data, window.padding, location);
  SmallVector<ViewSpec> extras = epilogueInBlocks(group, conv.bias, t);
  ViewSpec out = t.createBlocked(group.result, location);
  int64_t inBlocks = llvm::divideCeil(plan.groupInputs(), plan.lanes()),
          outBlocks = llvm::divideCeil(plan.groupOutputs(), t.blockWidth);
  int64_t outputs = plan.groups ? conv.filters : plan.groupOutputs();
  for (auto [g, request] : llvm::enumerate(plan.panels)) {
    auto slice = [&, g = g](ViewSpec view, int64_t blocks) {
      if (conv.groups > 1 && !plan.groups) {
        view.offset = view.offset + view.strides[1] * (int64_t(g) * blocks);
        view.sizes[1] = t.constant(blocks);
      }
      return t.materialise(view, location);
    };
    Value in = planar ? planar : slice(source, inBlocks);
    SmallVector<Value> more;
    for (ViewSpec &extra : extras)
      more.push_back(slice(extra, outBlocks));
    Value target = slice(out, outBlocks);
    auto step = kernel::ConvOp::create(t.builder, location, in, weightIn(request, location, t),
                                       more, target, window.kernel, window.stride, window.dilate,
                                       plan.groupInputs(), outputs);
    if (plan.groups)
      plan.groups->setOn(step);
    // Panels that each run makes meet many images in training; else they are summed directly.
    if (!plan.groups && (Tensors::isWeight(conv.weight) || (!planar && isTraining(group.op))))
      step.setChoose("images");
    if (!planar || !Tensors::isWeight(conv.weight))
      step.setZerosAttr(window.padding.attribute(t.context()));
    else if (isPadded)
      step.setPadAttr(window.padding.attribute(t.context()));
    buildBody(step.getBody(), group, group.root->getResult(0), static_cast<bool>(conv.bias),
              group.externalOperands(), conv.elements->accumulator(t.context()), t.builder);
  }
}

namespace symc::codegen {
void registerConvolutionRule(RuleList &rules) { rules.add<ConvolutionRule>(); }
} // namespace symc::codegen
