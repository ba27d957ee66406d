// ConvolutionWeights.cpp: gradients of convolutions' weights as sums of products over the pixels of
// blocked images, in chunks, whose sums are joined and written row by row. Groups of channels that
// fill blocks are steps of their own; those that lie within blocks are sums of vectors.
//
//   %dw = sg.convolution_weights(%x, %dy)  ->  kernel.conv_weights data(%x in blocks) slope(%dy in
//                                              blocks) sums(%s), kernel.join_sums %s to %dw
//
// Pictures of few channels are read as they lie, unless they are blocked already.
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

struct ConvolutionWeightsRule {
  static constexpr RuleTraits traits{"convolution-weights", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    ConvolutionWeightsOp op;
    Window window;
    int64_t inputs, outputs, groups; // channels of a group
    bool readsPlanar;                // data as it lies

    bool isWithinBlock(int64_t blockWidth) const {
      return groups > 1 && inputs == outputs && inputs < blockWidth && blockWidth % inputs == 0;
    }
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<ConvolutionWeightsRule::Plan> ConvolutionWeightsRule::match(const GroupView &group) {
  auto op = dyn_cast<ConvolutionWeightsOp>(group.op);
  if (!op)
    return std::nullopt;
  const Tensors &t = group.t;
  size_t axes = op.getKernel().size();
  if (axes != 1 && axes != 2)
    return Refusal{llvm::formatv("its window has {0} axes, tiles take one or two", axes)};
  if (!elementTypeOf(op.getData().getType()).isF32())
    return elementRefusal(op.getData());
  SmallVector<int64_t> extents;
  for (Value value : {op.getData(), op.getGradient()})
    for (AffineExpr extent : extentsOf(value)) {
      extents.push_back(constantOf(extent).value_or(0));
      if (extents.back() < 1)
        return Refusal{"an extent of its images is known only at run time, or 0"};
    }
  int64_t groups = op.getNumGroup(), inputs = extents[1] / groups,
          outputs = extents[extents.size() / 2 + 1] / groups;
  Plan plan{RuleForms(), op, Window::ofConvolution(op), inputs, outputs, groups, false};
  if (groups > 1 && !plan.isWithinBlock(t.blockWidth) &&
      (inputs % t.blockWidth || outputs % t.blockWidth))
    return Refusal{
        llvm::formatv("its groups of {0} by {1} channels neither lie within blocks of {2} nor "
                      "fill them",
                      inputs, outputs, t.blockWidth)};
  bool few = groups == 1 && inputs < t.blockWidth;
  plan.readsPlanar = few && !t.hasBlocked(op.getData());
  plan.forms.operands = {{op.getData(), few ? RuleForms::Either : RuleForms::Blocked},
                         {op.getGradient(), RuleForms::Blocked}};
  return plan;
}

void ConvolutionWeightsRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  ConvolutionWeightsOp op = plan.op;
  const Window &window = plan.window;
  Location location = group.location;
  ViewSpec data;
  if (plan.readsPlanar) {
    data = t.imageView(op.getData(), location);
    if (!window.padding.isNone())
      data = t.padded(data, window.padding, location);
    data = t.pixelwise(data);
  } else {
    data = t.blockedView(op.getData(), window.padding, location);
  }
  ViewSpec slope = t.blockedView(op.getGradient(), {}, location);
  ViewSpec out = t.createPlain(op.getOutput(), location);

  int64_t taps = window.kernel[0] * window.kernel[1], lanes = *constantOf(data.sizes[4]);
  auto chunks = kernel::PixelChunks::of(*constantOf(slope.sizes[0]), *constantOf(slope.sizes[2]),
                                        *constantOf(slope.sizes[3]));
  OpBuilder &b = t.builder;
  int64_t perSlot = chunks.perSlot();
  SmallVector<AffineExpr> extents{t.constant(llvm::divideCeil(chunks.count, perSlot)),
                                  t.constant(1 + llvm::Log2_64(perSlot))};
  auto windowSize = b.getDenseI64ArrayAttr(window.kernel),
       strides = b.getDenseI64ArrayAttr(window.stride),
       dilations = b.getDenseI64ArrayAttr(window.dilate);
  // Sums of a block of outputs are `rows` vectors, one behind the other, that become rows of out.
  auto join = [&](Value sums, int64_t rows, int64_t first, int64_t outputs) {
    AffineExpr each = t.constant(rows), zero = t.constant(0), one = t.constant(1);
    AffineExpr blocks = t.constant(llvm::divideCeil(outputs, t.blockWidth)),
               width = t.constant(t.blockWidth), block = each * width;
    ViewSpec from{sums,
                  zero,
                  {extents[0], blocks, each, width},
                  {block * blocks * extents[1], block, width, one}};
    ViewSpec to{out.base, out.offset + each * first, {t.constant(outputs), each}, {each, one}};
    kernel::JoinSumsOp::create(b, location, t.materialise(from, location),
                               t.materialise(to, location), /*cut=*/{});
  };
  auto extend = [&](ArrayRef<int64_t> further) {
    SmallVector<AffineExpr> all(extents);
    for (int64_t extent : further)
      all.push_back(t.constant(extent));
    return t.buffer(all, b.getF32Type(), location);
  };
  if (plan.isWithinBlock(t.blockWidth)) {
    int64_t channels = plan.groups * plan.outputs,
            blocks = llvm::divideCeil(channels, t.blockWidth);
    Value sums = extend({blocks, plan.inputs, window.kernel[0], window.kernel[1], t.blockWidth});
    kernel::DepthwiseWeightsOp::create(b, location, t.materialise(data, location),
                                       t.materialise(slope, location), sums, windowSize, strides,
                                       dilations, b.getI64IntegerAttr(perSlot), /*cut=*/{});
    return join(sums, plan.inputs * taps, 0, channels);
  }
  int64_t inBlocks = llvm::divideCeil(plan.inputs, lanes),
          outBlocks = llvm::divideCeil(plan.outputs, t.blockWidth);
  for (int64_t g = 0; g < plan.groups; ++g) {
    auto slice = [&](ViewSpec view, int64_t blocks) {
      view.offset = view.offset + view.strides[1] * (g * blocks);
      view.sizes[1] = t.constant(blocks);
      return t.materialise(view, location);
    };
    Value images = slice(data, inBlocks), gradient = slice(slope, outBlocks);
    Value sums = extend({outBlocks, plan.inputs, window.kernel[0], window.kernel[1], t.blockWidth});
    kernel::ConvWeightsOp::create(b, location, images, gradient, sums, windowSize, strides,
                                  dilations, b.getI64IntegerAttr(plan.inputs),
                                  b.getI64IntegerAttr(plan.outputs), b.getI64IntegerAttr(perSlot),
                                  DenseI64ArrayAttr(), UnitAttr(), DenseI64ArrayAttr(),
                                  /*cut=*/{});
    join(sums, plan.inputs * taps, g * plan.outputs, plan.outputs);
  }
}

namespace symc::codegen {
void registerConvolutionWeightsRule(RuleList &rules) { rules.add<ConvolutionWeightsRule>(); }
} // namespace symc::codegen
