// VolumesToImages.cpp: sg-volumes-to-images.
//
//   convolution(x, w) kernel d,h,w  ->  x [N,C,D,H,W] as images [N*D,C,H,W]; where d > 1, the
//       images d taps apart behind each other, as channels: [N*D',d*C,H,W], of one volume by
//       unfold_images, which can read them where they lie;
//       convolution(images, w [O,C,d,h,w] as [O,d*C,h,w]) kernel h,w; and back
//       Where each channel is alone: the sum of a layer for each of the d.
//       Of a window d,1,1 between values that are no images: x as one image [N,C,D,H*W], where
//       it has d rows
//   convolution_weights(x, dy)      ->  that of the same images and those of dy, transposed
//   pooling(x) kernel d,h,w         ->  pooling(images) kernel h,w; where d > 1, the maximum
//       or sum of the images d taps apart
//   pooling_gradient(x, y, dy)      ->  that along the depth, between y and the pooled images, as
//       one image [N,C,D,H'*W'] with a window d,1; then that of each image
//
// The images, or the image, of each value are kept beside it: what follows such a layer and works
// on elements or channels alone is computed on images, and the transposes back have no readers left
// but those that need the volume.
#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/States.h"
#include "ir/Windows.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include "passes/PoolWindows.h"

namespace symc {
#define GEN_PASS_DEF_VOLUMESTOIMAGES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// A window of more images than this would become as many nodes, and its data so many times as
// large.
static constexpr int64_t mostTaps = 64;
// Images of fewer lie in rows, where reference kernels compute gradients of poolings.
static constexpr int64_t fewestChannels = 8;

namespace {

// The window of a layer along the depth, and that of images.
struct Window {
  int64_t taps = 1, stride = 1, dilate = 1, before = 0, after = 0; // along the depth
  SmallVector<int64_t> kernel, strides, dilates, pads;             // of images
  SmallVector<int64_t> padEnds;                                    // empty: as pads

  Window(ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides, ArrayRef<int64_t> dilates,
         ArrayRef<int64_t> pads, ArrayRef<int64_t> padEnds = {})
      : kernel(kernel.drop_front()) {
    auto split = [](ArrayRef<int64_t> list, int64_t &first, SmallVector<int64_t> &others) {
      if (list.empty())
        return;
      first = list.front();
      others.assign(list.begin() + 1, list.end());
    };
    taps = kernel.front();
    split(strides, stride, this->strides);
    split(dilates, dilate, this->dilates);
    split(pads, before, this->pads);
    after = before;
    split(padEnds, after, this->padEnds);
  }
  static Window of(ConvolutionOp op) {
    return Window(op.getKernel(), op.getStride(), op.getDilate(), op.getPad(), op.getPadEnd());
  }
  bool movesAlongDepth() const { return taps > 1 || stride > 1 || before || after; }
  bool movesAlongDepthAlone() const {
    auto all = [](ArrayRef<int64_t> list, int64_t value) {
      return llvm::all_of(list, [&](int64_t each) { return each == value; });
    };
    return movesAlongDepth() && all(kernel, 1) && all(strides, 1) && all(pads, 0) &&
           all(padEnds, 0);
  }
};

// How a volume is computed: as the images [N * D, C, H, W], or as the image [N, C, D, H * W].
enum class Form { Images, Image };

bool isVolume(Value value) {
  auto shape = shapeOf(value.getType());
  return shape.isFullyKnown() && shape.rank() == 5 && shape[1].isStatic();
}

bool isOfDepthAlone(Operation *op) {
  auto conv = dyn_cast<ConvolutionOp>(op);
  return conv && conv.getKernel().size() == 3 && isVolume(conv.getData()) &&
         isVolume(conv.getOutput()) && isChannelsFirst(conv.getLayout()) &&
         Window::of(conv).movesAlongDepthAlone();
}

// Whether nothing needs the images of a volume: its readers are such layers, the graph's heads,
// and functions of elements with such readers.
bool isReadWithoutImages(Value volume) {
  SetVector<Value> values;
  values.insert(volume);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *reader : values[i].getUsers()) {
      if (isa<ElementwiseInterface>(reader) && reader->getNumResults() == 1)
        values.insert(reader->getResult(0));
      else if (!isa<HeadsOp>(reader) && !isOfDepthAlone(reader))
        return false;
    }
  return true;
}

struct VolumesToImages : symc::impl::VolumesToImagesBase<VolumesToImages> {
  DenseMap<Value, Value> images, image; // of volumes
  DenseMap<Value, Value> pooledImages;  // by a pooling's images: those before the depth is pooled

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      if (graph.getSymName() == "prepare")
        continue;
      images.clear();
      image.clear();
      pooledImages.clear();
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        CoreBuilder core(&op);
        if (auto gradient = dyn_cast<ConvolutionWeightsOp>(op)) {
          if (Value made = sumWeights(gradient, core)) {
            gradient.getOutput().replaceAllUsesWith(made);
            gradient.erase();
          }
          continue;
        }
        if (Value made = visitDepth(&op, core))
          replace(op, core.reshape(made, shapeOf(op.getResult(0).getType())), made, image);
        else if (Value made = visit(&op, core))
          replace(op, volumeOf(core, made, shapeOf(op.getResult(0).getType())), made, images);
      }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock())))
        if (isa<TransposeOp, ReshapeOp>(op) && op.use_empty())
          op.erase();
    }
  }

  static void replace(Operation &op, Value volume, Value made, DenseMap<Value, Value> &forms) {
    op.getResult(0).replaceAllUsesWith(volume);
    forms[volume] = made;
    op.erase();
  }

  // The image of the first result of an operator, or null where that is none.
  Value visitDepth(Operation *op, CoreBuilder &core) {
    if (isOfDepthAlone(op)) {
      auto conv = cast<ConvolutionOp>(op);
      return !images.lookup(conv.getData()) && isReadWithoutImages(conv.getOutput())
                 ? convolveDepth(conv, core)
                 : Value();
    }
    bool maps = isa<ElementwiseInterface>(op) && op->getNumResults() == 1 &&
                isVolume(op->getResult(0)) &&
                llvm::none_of(op->getOperands(), [&](Value x) { return images.lookup(x); });
    return maps ? mapElements(op, core, Form::Image) : Value();
  }

  // The images of the first result of an operator, or null where it stays as it is.
  Value visit(Operation *op, CoreBuilder &core) {
    if (auto conv = dyn_cast<ConvolutionOp>(op)) {
      if (conv.getKernel().size() == 3)
        return convolve(conv, core);
    } else if (auto pool = dyn_cast<PoolingOp>(op)) {
      if (isVolume(pool.getData()) && isVolume(pool.getOutput()))
        return this->pool(pool, core);
    } else if (auto gradient = dyn_cast<PoolingGradientOp>(op)) {
      if (isVolume(gradient.getData()) && isVolume(gradient.getResult()))
        return poolGradient(gradient, core);
    } else if (auto concat = dyn_cast<ConcatOp>(op)) {
      if (isVolume(concat.getOutput()) && concat.getDim() == 1 && !growthOf(concat))
        return concatenate(concat, core);
    } else if (isa<ElementwiseInterface>(op) && op->getNumResults() == 1 &&
               isVolume(op->getResult(0))) {
      return mapElements(op, core, Form::Images);
    }
    return {};
  }

  // [N, C, D, H, W] as [N * D, C, H, W], and back.
  Value imagesOf(CoreBuilder &core, Value volume) {
    Value &found = images[volume];
    if (found)
      return found;
    Value transposed = core.transpose(volume, {0, 2, 1, 3, 4});
    Shape shape = shapeOf(transposed.getType());
    Dim count = shape.product(0, 2, core.b.getContext());
    return images[volume] = core.reshape(transposed, Shape({count, shape[2], shape[3], shape[4]}));
  }
  // [N, C, D, H, W] as [N, C, D, H * W].
  static Shape imageShape(const Shape &volume) {
    return Shape({volume[0], volume[1], volume[2], volume[3] * volume[4]});
  }
  Value imageOf(CoreBuilder &core, Value volume) {
    Value &found = image[volume];
    if (!found)
      found = core.reshape(volume, imageShape(shapeOf(volume.getType())));
    return found;
  }
  static Value volumeOf(CoreBuilder &core, Value images, const Shape &volume) {
    Shape transposed({volume[0], volume[2], volume[1], volume[3], volume[4]});
    return core.transpose(core.reshape(images, transposed), {0, 2, 1, 3, 4});
  }

  // Whether images can be put around those of the volume, and be read where they lie.
  static bool isAlone(const Shape &volume, const Window &window) {
    return volume[0].isStatic(1) && window.before + window.after <= mostTaps;
  }

  // The images of one volume with those around it, which hold `fill`.
  static Value surrounded(CoreBuilder &core, Value images, const Window &window, double fill) {
    if (!window.before && !window.after)
      return images;
    Value border = core.fillLike(core.slice(images, 0, 0, 1), fill);
    SmallVector<Value> parts(window.before, border);
    parts.push_back(images);
    parts.append(window.after, border);
    return core.concat(parts, 0);
  }

  // For each tap of the depth its images, [N * D', C, H, W]; `fill` lies around the volume.
  static SmallVector<Value> tapsOf(CoreBuilder &core, Value images, const Shape &volume,
                                   const Window &window, Dim depth, double fill) {
    auto part = [&](Value from, int64_t axis, int64_t tap) {
      int64_t begin = tap * window.dilate;
      if (!depth.isStatic())
        return core.sliceToEnd(from, axis, begin, (window.taps - 1) * window.dilate - begin,
                               window.stride, axis == 0 ? volume[0] * depth : depth);
      int64_t steps = (depth.get() - 1) * window.stride;
      return core.slice(from, axis, begin, begin + steps + 1, window.stride);
    };
    SmallVector<Value> taps;
    if (isAlone(volume, window)) {
      Value all = surrounded(core, images, window, fill);
      for (int64_t tap = 0; tap < window.taps; ++tap)
        taps.push_back(part(all, 0, tap));
      return taps;
    }
    Dim one = core.dim(1), count = volume[0] * depth;
    Dim inner = volume[1] * volume[3] * volume[4], have = volume[2];
    Value lines = core.reshape(images, Shape({volume[0], one, have, inner}));
    Dim whole = have + (window.before + window.after);
    if (whole != have)
      lines =
          core.make("pad", lines, core.withShape(lines, Shape({volume[0], one, whole, inner})),
                    {core.text("mode", "constant"), core.real("constant_value", fill),
                     core.numbers("pad_width", {0, 0, 0, 0, window.before, window.after, 0, 0})});
    for (int64_t tap = 0; tap < window.taps; ++tap)
      taps.push_back(
          core.reshape(part(lines, 2, tap), Shape({count, volume[1], volume[3], volume[4]})));
    return taps;
  }

  static Value missed(Operation *op, StringRef reason) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("volumes")
                                     .category("sg-volumes-to-images")
                                     .function(op->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(op) + "' is not computed as images: " + reason).str();
    return {};
  }

  // A window of the depth alone, as one of rows.
  Value convolveDepth(ConvolutionOp op, CoreBuilder &core) {
    Window window = Window::of(op);
    Shape filter = shapeOf(op.getWeight().getType());
    Value x = imageOf(core, op.getData());
    Value weight =
        core.reshape(op.getWeight(), Shape({filter[0], filter[1], filter[2], core.dim(1)}));
    window.kernel = {window.taps, 1};
    window.strides = {window.stride, 1};
    window.dilates = {window.dilate, 1};
    window.pads = {window.before, 0};
    window.padEnds = {window.after, 0};
    return overImages(op, core, x, weight, op.getBias(), window,
                      imageShape(shapeOf(op.getOutput().getType())));
  }

  Value convolve(ConvolutionOp op, CoreBuilder &core) {
    if (!isVolume(op.getData()) || !isVolume(op.getOutput()))
      return {};
    if (!isChannelsFirst(op.getLayout()))
      return missed(op, "channels lie behind the pixels");
    Shape data = shapeOf(op.getData().getType()), result = shapeOf(op.getOutput().getType());
    Shape filter = shapeOf(op.getWeight().getType());
    Window window = Window::of(op);
    if (window.taps > mostTaps)
      return missed(op, "its windows are too deep");
    Dim depth = result[2];
    int64_t groups = op.getNumGroup(), inGroup = filter[1].get();
    Value x = imagesOf(core, op.getData()), weight = op.getWeight();
    Dim count = Shape({result[0], result[2]}).product(0, 2, op.getContext());
    Shape out({count, result[1], result[3], result[4]});
    if (window.taps > 1 && groups == data[1].get() && result[1] == data[1])
      return convolveAlone(op, core, tapsOf(core, x, data, window, depth, 0), window, out);
    x = windowsOf(core, x, data, window, depth, groups);
    weight =
        core.reshape(core.transpose(weight, {0, 2, 1, 3, 4}),
                     Shape({filter[0], core.dim(window.taps * inGroup), filter[3], filter[4]}));
    return overImages(op, core, x, weight, op.getBias(), window, out);
  }

  // Of images x for each place along the depth those of its window, as channels.
  static Value windowsOf(CoreBuilder &core, Value x, const Shape &data, const Window &window,
                         Dim depth, int64_t groups) {
    if (!window.movesAlongDepth())
      return x;
    int64_t inGroup = data[1].get() / groups;
    Dim count = Shape({data[0], depth}).product(0, 2, core.b.getContext());
    if (isAlone(data, window) && groups == 1 && window.dilate == 1) {
      Shape windows({count, core.dim(window.taps * inGroup), data[3], data[4]});
      return core.make("unfold_images", surrounded(core, x, window, 0), core.withShape(x, windows),
                       {core.number("size", window.taps), core.number("step", window.stride)});
    }
    // Channels of a group lie behind each other for each tap.
    SmallVector<Value> taps = tapsOf(core, x, data, window, depth, 0);
    for (Value &tap : taps)
      tap =
          core.reshape(tap, Shape({data[0], depth * groups, core.dim(inGroup), data[3], data[4]}));
    return core.reshape(core.concat(taps, 2),
                        Shape({count, core.dim(window.taps * data[1].get()), data[3], data[4]}));
  }

  // The gradient of weights, of the images that the layer reads.
  Value sumWeights(ConvolutionWeightsOp op, CoreBuilder &core) {
    if (op.getKernel().size() != 3 || !isVolume(op.getData()) || !isVolume(op.getGradient()))
      return {};
    Window window(op.getKernel(), op.getStride(), op.getDilate(), op.getPad());
    if (window.taps > mostTaps)
      return missed(op, "its windows are too deep");
    Shape data = shapeOf(op.getData().getType()), filter = shapeOf(op.getOutput().getType());
    Dim depth = shapeOf(op.getGradient().getType())[2];
    Value x = windowsOf(core, imagesOf(core, op.getData()), data, window, depth, op.getNumGroup());
    int64_t inGroup = filter[1].get();
    Value sums = core.make(
        "convolution_weights", {x, imagesOf(core, op.getGradient())},
        core.withShape(op.getOutput(),
                       Shape({filter[0], core.dim(window.taps * inGroup), filter[3], filter[4]})),
        {core.numbers("kernel", window.kernel), core.numbers("stride", window.strides),
         core.numbers("dilate", window.dilates), core.numbers("pad", window.pads),
         core.number("num_group", op.getNumGroup())});
    sums = core.reshape(sums, Shape({filter[0], filter[2], filter[1], filter[3], filter[4]}));
    return core.transpose(sums, {0, 2, 1, 3, 4});
  }

  // Each channel alone: the sum of one such layer for each tap.
  static Value convolveAlone(ConvolutionOp op, CoreBuilder &core, ArrayRef<Value> taps,
                             const Window &window, const Shape &out) {
    Shape data = shapeOf(op.getData().getType());
    Value weight = core.reshape(op.getWeight(),
                                Shape({data[1], core.dim(window.taps), core.dim(window.kernel[0]),
                                       core.dim(window.kernel[1])}));
    Value sum;
    for (auto [i, tap] : llvm::enumerate(taps)) {
      Value part = overImages(op, core, tap, core.slice(weight, 1, i, i + 1),
                              sum ? Value() : op.getBias(), window, out);
      sum = sum ? core.binary("add", part, sum) : part;
    }
    return sum;
  }

  // The layer's window over images x.
  static Value overImages(ConvolutionOp op, CoreBuilder &core, Value x, Value weight, Value bias,
                          const Window &window, const Shape &out) {
    SmallVector<Value> operands{x, weight};
    if (bias)
      operands.push_back(bias);
    return core.make("convolution", operands, core.withShape(op.getOutput(), out),
                     {core.numbers("kernel", window.kernel), core.numbers("stride", window.strides),
                      core.numbers("dilate", window.dilates), core.numbers("pad", window.pads),
                      core.numbers("pad_end", window.padEnds == window.pads ? SmallVector<int64_t>()
                                                                            : window.padEnds),
                      core.number("num_filter", op.getNumFilter()),
                      core.number("num_group", op.getNumGroup()), core.flag("no_bias", !bias)});
  }

  // Elements of the window from place `i` on that lie in [low, high).
  static int64_t countIn(const Window &window, int64_t i, int64_t low, int64_t high) {
    int64_t begin = i * window.stride - window.before;
    return std::min(begin + window.taps, high) - std::max(begin, low);
  }

  // Sets how many images lie behind those of the volume. How many images each window holds, with
  // those around the volume or not; nothing where the numbers differ and matter.
  static std::optional<int64_t> limitWindows(Window &window, int64_t have, int64_t depth,
                                             bool isAverage, bool padding) {
    window.after =
        std::max<int64_t>(0, (depth - 1) * window.stride + window.taps - have - window.before);
    int64_t low = padding ? -window.before : 0, high = padding ? have + window.before : have;
    int64_t count = countIn(window, 0, low, high);
    int64_t ends = 2 * window.taps; // padding is smaller than a window: those between are whole
    for (int64_t i = 0; i < depth; i = i == ends ? std::max(i + 1, depth - ends) : i + 1)
      if (countIn(window, i, 0, have) < 1 || (isAverage && countIn(window, i, low, high) != count))
        return std::nullopt;
    return count;
  }

  Value pool(PoolingOp op, CoreBuilder &core) {
    StringRef type = op.getPoolType();
    if (!isChannelsFirst(op.getLayout()) || type == "lp")
      return missed(op, type == "lp" ? "its type is lp" : "channels lie behind the pixels");
    Shape data = shapeOf(op.getData().getType()), result = shapeOf(op.getOutput().getType());
    if (op.getGlobalPool()) {
      Value x = imagesOf(core, op.getData());
      x = core.reshape(x, Shape({data[0], data[2], data[1], data[3], data[4]}));
      x = core.reduce(type == "avg" ? "mean" : type, x, {1, 3, 4}, false);
      return core.reshape(x, Shape({result[0], result[1], core.dim(1), core.dim(1)}));
    }
    Window window(op.getKernel(), op.getStride(), {}, op.getPad());
    if (window.taps > mostTaps)
      return missed(op, "its windows are too deep");
    bool padding = op.getCountIncludePad().value_or(true);
    std::optional<int64_t> count =
        result[2].isStatic() && data[2].isStatic()
            ? limitWindows(window, data[2].get(), result[2].get(), type == "avg", padding)
            : window.taps;
    if (!count)
      return missed(op, "its windows hold different numbers of images");
    if (!data[2].isStatic() && window.movesAlongDepth() &&
        (op.getPoolingConvention() != "valid" || (type == "avg" && window.before && !padding)))
      return missed(op, "a depth that is known only at run time decides its windows");
    if (type == "avg" && !everyWindowHoldsAPixel(op)) // NaN, over images 0
      return missed(op, "a window may hold no pixel");
    Value x = imagesOf(core, op.getData());
    Shape pooled({shapeOf(x.getType())[0], data[1], result[3], result[4]});
    SmallVector<NamedAttribute> attributes{
        core.text("pool_type", type), core.numbers("kernel", window.kernel),
        core.numbers("stride", window.strides), core.numbers("pad", window.pads),
        core.text("pooling_convention", op.getPoolingConvention())};
    if (op.getCountIncludePad())
      attributes.push_back(core.flag("count_include_pad", *op.getCountIncludePad()));
    if (llvm::any_of(window.kernel, [](int64_t extent) { return extent > 1; }) ||
        llvm::any_of(window.strides, [](int64_t step) { return step > 1; }))
      x = core.make("pooling", x, core.withShape(x, pooled), attributes);
    if (!window.movesAlongDepth()) {
      pooledImages[x] = x;
      return x;
    }
    Value pooledEach = x;
    Shape volume({data[0], data[1], data[2], result[3], result[4]});
    double fill = type == "max" ? -std::numeric_limits<double>::infinity() : 0;
    SmallVector<Value> taps = tapsOf(core, x, volume, window, result[2], fill);
    Value all = taps[0];
    for (Value tap : ArrayRef<Value>(taps).drop_front())
      all = core.binary(type == "max" ? "maximum" : "add", all, tap);
    all = type == "avg" && *count > 1 ? core.scalar("div", all, *count) : all;
    pooledImages[all] = pooledEach;
    return all;
  }

  // The first maximum of a window is the first in the first of its images that has it; the numbers
  // that means divide by are products.
  Value poolGradient(PoolingGradientOp op, CoreBuilder &core) {
    Shape data = shapeOf(op.getData().getType()), result = shapeOf(op.getResult().getType());
    Value pooled = images.lookup(op.getResult()), each = pooledImages.lookup(pooled);
    if (!each || op.getTies())
      return missed(op, "its pooling is not one of images");
    if (data[1].get() < fewestChannels || !data.isStatic() || !result.isStatic())
      return missed(op, "it has few channels, or extents that are known only at run time");
    auto gradientOf = [&](Value x, Value y, Value slope, ArrayRef<int64_t> kernel,
                          ArrayRef<int64_t> strides, ArrayRef<int64_t> pads) {
      SmallVector<NamedAttribute> attributes{
          core.text("pool_type", op.getPoolType()), core.numbers("kernel", kernel),
          core.numbers("stride", strides), core.numbers("pad", pads)};
      if (op.getCountIncludePad())
        attributes.push_back(core.flag("count_include_pad", *op.getCountIncludePad()));
      return core.make("pooling_gradient", {x, y, slope}, x.getType(), attributes);
    };
    Window window(op.getKernel(), op.getStride(), {}, op.getPad());
    Value slope = imagesOf(core, op.getGradient()), x = imagesOf(core, op.getData());
    if (window.movesAlongDepth()) {
      Shape volume({data[0], data[1], data[2], result[3], result[4]});
      Value source = core.reshape(volumeOf(core, each, volume), imageShape(volume));
      slope = gradientOf(source, imageOf(core, op.getResult()), imageOf(core, op.getGradient()),
                         {window.taps, 1}, {window.stride, 1}, {window.before, 0});
      slope = imagesOf(core, core.reshape(slope, volume));
    }
    return gradientOf(x, each, slope, window.kernel, window.strides, window.pads);
  }

  Value concatenate(ConcatOp op, CoreBuilder &core) {
    for (Value operand : op->getOperands())
      if (!images.lookup(operand))
        return {};
    SmallVector<Value> parts;
    for (Value operand : op->getOperands())
      parts.push_back(imagesOf(core, operand));
    return core.concat(parts, 1);
  }

  // An operand of such an operator on images, or null: one that has the result's shape, or
  // differs between channels alone.
  Value operandOf(CoreBuilder &core, Value value, const Shape &result, Form form) {
    Shape shape = shapeOf(value.getType());
    if (shape.list() == result.list())
      return form == Form::Image ? imageOf(core, value) : imagesOf(core, value);
    Dim one = core.dim(1);
    Shape aligned({one, one, one, one});
    for (size_t i = 0; i < shape.rank(); ++i) {
      size_t axis = result.rank() - shape.rank() + i;
      if (axis == 1)
        aligned[1] = shape[i];
      else if (!shape[i].isStatic(1))
        return {};
    }
    return core.reshape(value, aligned);
  }

  Value mapElements(Operation *op, CoreBuilder &core, Form form) {
    Shape result = shapeOf(op->getResult(0).getType());
    DenseMap<Value, Value> &known = form == Form::Image ? image : images;
    if (llvm::none_of(op->getOperands(), [&](Value operand) { return known.lookup(operand); }))
      return {};
    if (!isa<BinaryOp>(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
          Shape shape = shapeOf(operand.getType());
          return shape.list() != result.list();
        }))
      return {};
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(operandOf(core, operand, result, form));
      if (!operands.back())
        return {}; // what was made on the way has no reader
    }
    Dim count = Shape({result[0], result[2]}).product(0, 2, op->getContext());
    Operation *copy = core.b.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(core.withShape(
        op->getResult(0), form == Form::Image ? imageShape(result)
                                              : Shape({count, result[1], result[3], result[4]})));
    return copy->getResult(0);
  }
};

} // namespace
