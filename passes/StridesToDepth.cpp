// StridesToDepth.cpp: sg-strides-to-depth.
//
//   convolution(x [N, C, H, W], w [O, C, s*t, s*t]) stride s
//       ->  convolution(space_to_depth(x) [N, s*s*C, H/s, W/s], space_to_depth(w) [O, s*s*C, t, t])
//   convolution_weights(x, g) stride s
//       ->  depth_to_space(convolution_weights(space_to_depth(x), g))
//
// of x with its padding, and without what no window reads: pixels at one place modulo the stride
// are channels of their own, over which the window has t taps and no stride. That takes as many
// products, and algorithms that compute layers of few taps without stride in fewer products,
// forwards and for gradients of weights (codegen/conv), compute these, too. The image is copied,
// which it pays for in training, where forward and the gradient of weights read one copy; and the
// gradient of a deconvolution's data is such a layer. Channels that are whole blocks are copied as
// vectors.
#include "ir/CoreBuilder.h"
#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_STRIDESTODEPTH
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

static constexpr int64_t mostTaps =
    4; // of the window without stride: tiles of fast algorithms have no more

namespace {

// The layer along one axis of its image.
struct Axis {
  int64_t stride, taps, input, output, pad;

  int64_t pixels() const { return output + taps - 1; }
  int64_t behind() const { return pixels() * stride - input - pad; } // zeros, or cut off
};

struct StridesToDepth : symc::impl::StridesToDepthBase<StridesToDepth> {
  using StridesToDepthBase::StridesToDepthBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      if (!isTraining(graph))
        continue;
      for (auto conv : llvm::make_early_inc_range(graph.getBlock().getOps<ConvolutionOp>()))
        visit(conv);
      for (auto op : llvm::make_early_inc_range(graph.getBlock().getOps<ConvolutionWeightsOp>()))
        visit(op);
    }
  }

  // Both axes; nothing where the layer stays.
  template <class Op> std::optional<std::array<Axis, 2>> axesOf(Op op, Value output) const {
    Shape data = shapeOf(op.getData().getType()), result = shapeOf(output.getType());
    ArrayRef<int64_t> stride = op.getStride(), dilate = op.getDilate(), pad = op.getPad();
    auto isOne = [](int64_t value) { return value == 1; };
    if (op.getKernel().size() != 2 || stride.size() != 2 || stride[0] != stride[1] ||
        stride[0] < 2 || op.getNumGroup() != 1 || !llvm::all_of(dilate, isOne) ||
        !data.isStatic() || !result.isStatic() || data[1].get() % blockWidth ||
        !elementTypeOf(op.getData().getType()).isF32())
      return std::nullopt;
    std::array<Axis, 2> axes;
    for (int i : {0, 1}) {
      int64_t extent = op.getKernel()[i];
      if (extent % stride[i])
        return std::nullopt;
      axes[i] = {stride[i], extent / stride[i], data[2 + i].get(), result[2 + i].get(),
                 pad.empty() ? 0 : pad[i]};
    }
    int64_t most = std::max(axes[0].taps, axes[1].taps),
            least = std::min(axes[0].taps, axes[1].taps);
    if (most < 2 || most > mostTaps || (least != most && least != 1))
      return std::nullopt;
    return axes;
  }

  static Value spaceToDepth(Value value, int64_t stride, CoreBuilder &core) {
    Shape shape = shapeOf(value.getType());
    Shape result({shape[0], core.dim(shape[1].get() * stride * stride),
                  core.dim(shape[2].get() / stride), core.dim(shape[3].get() / stride)});
    return core.make("space_to_depth", value, core.withShape(value, result),
                     core.number("block_size", stride));
  }

  // Space-to-depth of the image with its padding.
  static Value depthOf(Value image, ArrayRef<Axis> axes, CoreBuilder &core) {
    SmallVector<int64_t> around(4, 0);
    Shape padded = shapeOf(image.getType());
    for (auto [i, axis] : llvm::enumerate(axes)) {
      if (axis.behind() < 0)
        image = core.slice(image, 2 + i, 0, axis.input + axis.behind());
      around.append({axis.pad, std::max<int64_t>(axis.behind(), 0)});
      padded[2 + i] = core.dim(axis.pixels() * axis.stride);
    }
    if (llvm::any_of(around, [](int64_t zeros) { return zeros != 0; }))
      image = core.make("pad", image, core.withShape(image, padded),
                        {core.text("mode", "constant"), core.numbers("pad_width", around)});
    return spaceToDepth(image, axes[0].stride, core);
  }

  static void report(Operation *op, ArrayRef<Axis> axes) {
    remark::passed(op->getLoc(), remark::RemarkOpts::name("space-to-depth")
                                     .category("sg-strides-to-depth")
                                     .function(op->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(op) + "' reads space-to-depth of its image by blocks of " +
            llvm::Twine(axes[0].stride) + "x" + llvm::Twine(axes[0].stride) + ", by a window of " +
            llvm::Twine(axes[0].taps) + "x" + llvm::Twine(axes[1].taps))
               .str();
  }

  void visit(ConvolutionOp op) {
    if (op.getLayout() && !op.getLayout()->starts_with("NC"))
      return;
    auto axes = axesOf(op, op.getOutput());
    if (!axes)
      return;
    CoreBuilder core(op);
    SmallVector<Value> operands{depthOf(op.getData(), *axes, core),
                                spaceToDepth(op.getWeight(), (*axes)[0].stride, core)};
    if (op.getBias())
      operands.push_back(op.getBias());
    Value result = core.make("convolution", operands, op.getOutput().getType(),
                             {core.numbers("kernel", {(*axes)[0].taps, (*axes)[1].taps}),
                              core.number("num_filter", op.getNumFilter()),
                              core.flag("no_bias", operands.size() == 2)});
    report(op, *axes);
    op.getOutput().replaceAllUsesWith(result);
    op.erase();
  }

  void visit(ConvolutionWeightsOp op) {
    auto axes = axesOf(op, op.getGradient());
    if (!axes)
      return;
    CoreBuilder core(op);
    int64_t stride = (*axes)[0].stride;
    Value image = depthOf(op.getData(), *axes, core);
    Shape weight = shapeOf(op.getOutput().getType());
    weight[1] = core.dim(weight[1].get() * stride * stride);
    for (int i : {0, 1})
      weight[2 + i] = core.dim((*axes)[i].taps);
    Value sums = core.make("convolution_weights", {image, op.getGradient()},
                           core.withShape(op.getOutput(), weight),
                           {core.numbers("kernel", {(*axes)[0].taps, (*axes)[1].taps})});
    Value result = core.make("depth_to_space", sums, op.getOutput().getType(),
                             core.number("block_size", stride));
    report(op, *axes);
    op.getOutput().replaceAllUsesWith(result);
    op.erase();
  }
};

} // namespace
