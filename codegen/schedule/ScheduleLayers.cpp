// ScheduleLayers.cpp: convolutions, fully connected layers and pooling as tile
// kernels over blocked images, with the group's elementwise chain as epilogue.
// A layer that no kernel fits returns false and goes to its reference kernel.
#include "codegen/kernel/ZeroRows.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

// A one- or two-dimensional window as two-dimensional.
struct Window {
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilate[2] = {1, 1}, pad[2] = {0, 0};

  Window(ArrayRef<int64_t> k, ArrayRef<int64_t> s, ArrayRef<int64_t> d, ArrayRef<int64_t> p) {
    size_t shift = 2 - k.size();
    for (size_t i = 0; i < k.size(); ++i) {
      kernel[shift + i] = k[i];
      stride[shift + i] = s.empty() ? 1 : s[i];
      dilate[shift + i] = d.empty() ? 1 : d[i];
      pad[shift + i] = p.empty() ? 0 : p[i];
    }
  }
};

std::optional<int64_t> constantOf(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  return std::nullopt;
}

} // namespace

static bool isPlanarFirst(std::optional<StringRef> layout) {
  return !layout || layout->starts_with("NC");
}

static Window windowOf(ConvolutionOp op) {
  return Window(op.getKernel(), op.getStride(), op.getDilate(), op.getPad());
}

// Convolutions that the tile kernels take: one or two spatial dimensions, elements that the
// target has a row for, channels first.
static bool isTileConvolution(const Tensors &t, ConvolutionOp op) {
  size_t spatial = op.getKernel().size();
  return (spatial == 1 || spatial == 2) && isPlanarFirst(op.getLayout()) &&
         t.layerElements(op.getData()) && shapeOf(op.getData().getType())[1].isStatic();
}

// The channels of a group, in and out, where groups lie within blocks: 1 of a depthwise
// convolution; 0: other groups, or none.
static int64_t channelsWithinBlock(const Tensors &t, ConvolutionOp op) {
  int64_t channels = shapeOf(op.getData().getType())[1].get(), groups = op.getNumGroup();
  int64_t each = channels / groups;
  bool within = each < t.blockWidth && t.blockWidth % std::max<int64_t>(each, 1) == 0;
  return groups > 1 && within && int64_t(op.getNumFilter()) == channels ? each : 0;
}

// Small-channel images are read planar unless they are blocked already.
static bool readsPlanar(const Tensors &t, int64_t channels, bool alreadyBlocked) {
  return channels < t.blockWidth && !alreadyBlocked;
}

Halo Scheduler::paddingOf(Operation *layer) {
  auto of = [](auto conv) {
    Window window(conv.getKernel(), conv.getStride(), conv.getDilate(), conv.getPad());
    return Halo{window.pad[0], window.pad[1]};
  };
  if (auto conv = dyn_cast<IntegerConvOp>(layer))
    return of(conv);
  if (auto conv = dyn_cast<QuantizedConvOp>(layer))
    return of(conv);
  return of(cast<ConvolutionOp>(layer));
}

bool Scheduler::fitsConvolution(const Group &group) {
  auto op = dyn_cast_or_null<ConvolutionOp>(group.root);
  if (!op)
    return false;
  Value bias = op.getBias() ? group.resolve(op.getBias()) : Value();
  if (!isTileConvolution(t, op) || (bias && !Tensors::isWeight(bias)) || !chainIsEmittable(group))
    return false;
  for (const Operand &operand : externalOperands(group))
    if (!canBlock(operand, group.result))
      return false;
  int64_t channels = *constantOf(extentsOf(group.resolve(op.getData()))[1]);
  int64_t groups = op.getNumGroup(), filters = op.getNumFilter();
  Value weight = group.resolve(op.getWeight());
  if (!Tensors::isWeight(weight) && !elementTypeOf(weight.getType()).isF32())
    return false;
  return groups == 1 || channelsWithinBlock(t, op) ||
         ((channels / groups) % t.blockWidth == 0 && (filters / groups) % t.blockWidth == 0);
}

// The form of a layer's weight: @prepare's, or, of one that the graph computes, made in each run.
static Value formOf(Tensors &t, const WeightRequest &request, Location location) {
  if (Tensors::isWeight(request.source))
    return t.requestWeight(request);
  SmallVector<AffineExpr> extents;
  for (int64_t extent : request.type.getShape())
    extents.push_back(t.constant(extent));
  Value target = t.buffer(extents, request.type.getElementType(), location);
  t.pack(request, t.stridedView(request.source, location), target, location);
  return target;
}

bool Scheduler::scheduleConvolution(Group &group) {
  auto op = cast<ConvolutionOp>(group.root);
  Value data = group.resolve(op.getData()), weight = group.resolve(op.getWeight());
  Value bias = op.getBias() ? group.resolve(op.getBias()) : Value();
  SmallVector<Operand> operands = externalOperands(group);
  int64_t channels = *constantOf(extentsOf(data)[1]);
  int64_t groups = op.getNumGroup(), filters = op.getNumFilter();
  if (channelsWithinBlock(t, op))
    return scheduleDepthwise(group);

  Window window = windowOf(op);
  Location location = group.location;
  int64_t groupIn = channels / groups, groupOut = filters / groups;
  bool isWeight = Tensors::isWeight(weight);
  bool planarData = groups == 1 && isWeight && readsPlanar(t, channels, t.hasBlocked(data));
  bool padded = window.pad[0] || window.pad[1];
  const ElementRow &elements = *t.layerElements(op.getData());
  Type element = elements.operand(t.context()), sum = elements.accumulator(t.context());
  ViewSpec source;
  int64_t lanes = t.blockWidth;
  Value planar; // as it lies, without padding: its algorithm may want another form of it
  if (planarData) {
    lanes = channels;
    SmallVector<AffineExpr, 4> image = t.imageShape(data);
    ViewSpec view =
        padded ? t.imageView(data, location) : t.rowMajor(t.plainView(data, location).base, image);
    planar = t.materialise(
        {view.base,
         view.offset,
         {view.sizes[0], t.constant(1), view.sizes[2], view.sizes[3], view.sizes[1]},
         {view.strides[0], view.strides[0], view.strides[2], view.strides[3], view.strides[1]}},
        location);
  } else {
    source = t.blockedView(data, {window.pad[0], window.pad[1]}, location);
  }
  SmallVector<ViewSpec> extras;
  if (bias)
    extras.push_back(channelVector(bias, group.result, location));
  for (const Operand &operand : operands)
    extras.push_back(broadcastBlocked(operand, group.result, location));
  ViewSpec out = t.createBlocked(group.result, location);

  for (int64_t g = 0; g < groups; ++g) {
    int64_t inBlocks = llvm::divideCeil(groupIn, lanes),
            outBlocks = llvm::divideCeil(groupOut, t.blockWidth);
    auto type = MemRefType::get(
        {outBlocks, inBlocks, window.kernel[0], window.kernel[1], lanes, t.blockWidth}, element);
    WeightRequest request{weight, t.form(elements.panels), lanes, g, groups, "", type};
    auto slice = [&](ViewSpec view, int64_t blocks) {
      if (groups > 1) {
        view.offset = view.offset + view.strides[1] * (g * blocks);
        view.sizes[1] = t.constant(blocks);
      }
      return t.materialise(view, location);
    };
    Value in = planar ? planar : slice(source, inBlocks);
    SmallVector<Value> more;
    for (ViewSpec &extra : extras)
      more.push_back(slice(extra, outBlocks));
    Value target = slice(out, outBlocks);
    auto conv =
        kernel::ConvOp::create(t.builder, location, in, formOf(t, request, location), more, target,
                               window.kernel, window.stride, window.dilate, groupIn, groupOut);
    if (isWeight) // all others are direct sums, whose panels are made in each run
      conv.setChoose("images");
    if (!planar)
      kernel::setZeroRowsOf(conv, {window.pad[0], window.pad[0], window.pad[1], window.pad[1]});
    else if (padded)
      conv.setPad(window.pad);
    buildBody(conv.getBody(), group, op.getOutput(), static_cast<bool>(bias), operands, sum);
  }
  return true;
}

bool Scheduler::scheduleDepthwise(Group &group) {
  auto op = cast<ConvolutionOp>(group.root);
  Value data = group.resolve(op.getData()), weight = group.resolve(op.getWeight());
  Value bias = op.getBias() ? group.resolve(op.getBias()) : Value();
  SmallVector<Operand> operands = externalOperands(group);
  Window window = windowOf(op);
  Location location = group.location;
  int64_t blocks = llvm::divideCeil(op.getNumFilter(), t.blockWidth);
  int64_t channels = channelsWithinBlock(t, op);
  const ElementRow &elements = *t.layerElements(op.getData());
  Type element = elements.operand(t.context());
  SmallVector<int64_t> panels{blocks, window.kernel[0], window.kernel[1], t.blockWidth};
  if (channels > 1)
    panels.insert(panels.end() - 1, channels);
  Value in = t.materialise(t.blockedView(data, {window.pad[0], window.pad[1]}, location), location);
  Value taps = formOf(t,
                      {weight, t.form(weight_form::depthwise), t.blockWidth, 0, 1, "",
                       MemRefType::get(panels, element)},
                      location);
  SmallVector<Value> extras;
  if (bias)
    extras.push_back(t.materialise(channelVector(bias, group.result, location), location));
  for (const Operand &operand : operands)
    extras.push_back(t.materialise(broadcastBlocked(operand, group.result, location), location));
  Value out = t.materialise(t.createBlocked(group.result, location), location);
  auto step = kernel::DepthwiseOp::create(
      t.builder, location, in, taps, extras, out, t.builder.getDenseI64ArrayAttr(window.kernel),
      t.builder.getDenseI64ArrayAttr(window.stride), t.builder.getDenseI64ArrayAttr(window.dilate));
  buildBody(step.getBody(), group, op.getOutput(), static_cast<bool>(bias), operands,
            elements.accumulator(t.context()));
  return true;
}

bool Scheduler::scheduleFullyConnected(Group &group) {
  auto op = dyn_cast_or_null<FullyConnectedOp>(group.root);
  const ElementRow *elements = op ? t.layerElements(op.getData()) : nullptr;
  if (!elements || !chainIsEmittable(group))
    return false;
  Value data = group.resolve(op.getData()), weight = group.resolve(op.getWeight());
  Value bias = op.getBias() ? group.resolve(op.getBias()) : Value();
  if (!Tensors::isWeight(weight) || (bias && !Tensors::isWeight(bias)))
    return false;
  // rows of `inner` inputs each
  std::optional<int64_t> inner = constantOf(extentsOf(weight)[1]);
  AffineExpr rows = t.constant(1);
  SmallVector<AffineExpr, 4> shape = extentsOf(group.result);
  for (size_t i = 0; i + 1 < shape.size(); ++i)
    rows = rows * shape[i];
  if (!inner)
    return false;
  Location location = group.location;
  int64_t hidden = op.getNumHidden();
  int64_t inBlocks = llvm::divideCeil(*inner, t.blockWidth),
          outBlocks = llvm::divideCeil(hidden, t.blockWidth);
  AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
  auto rowsView = [&](Value base, int64_t width, int64_t blocks) {
    return ViewSpec{base,
                    zero,
                    {one, t.constant(blocks), one, rows, lanes},
                    {zero, lanes, zero, t.constant(width), one}};
  };
  // Other operands are read in rows of the result, or are one row.
  SmallVector<Operand> operands = externalOperands(group);
  SmallVector<ViewSpec> extras;
  Type element = elements->operand(t.context());
  if (bias) {
    Value memory = t.requestWeight({bias, t.form(weight_form::vector), t.blockWidth, 0, 1, "",
                                    MemRefType::get({outBlocks * t.blockWidth}, element)});
    ViewSpec view = rowsView(memory, hidden, outBlocks);
    view.strides[3] = zero;
    extras.push_back(view);
  }
  for (const Operand &operand : operands) {
    SmallVector<AffineExpr, 4> have = extentsOf(operand.value);
    bool full = have == shape;
    bool row = !have.empty() && have.back() == shape.back() &&
               operand.axes.back() == static_cast<int64_t>(shape.size()) - 1 &&
               llvm::all_of(ArrayRef<AffineExpr>(have).drop_back(),
                            [&](AffineExpr e) { return e == one; });
    bool single = llvm::all_of(have, [&](AffineExpr e) { return e == one; });
    if (!full && !row && !single)
      return false;
    ViewSpec view = rowsView(t.plainView(operand.value, location).base, hidden, outBlocks);
    if (!full)
      view.strides[3] = zero;
    if (single && !row)
      view.strides[1] = view.strides[4] = zero;
    extras.push_back(view);
  }
  Value in = t.materialise(rowsView(t.plainView(data, location).base, *inner, inBlocks), location);
  Value panels = t.requestWeight(
      {weight, t.form(elements->panels), t.blockWidth, 0, 1, "",
       MemRefType::get({outBlocks, inBlocks, 1, 1, t.blockWidth, t.blockWidth}, element)});
  SmallVector<Value> more;
  for (ViewSpec &extra : extras)
    more.push_back(t.materialise(extra, location));
  Value out = t.materialise(rowsView(t.createPlain(group.result, location).base, hidden, outBlocks),
                            location);
  int64_t ones[] = {1, 1};
  auto conv = kernel::ConvOp::create(t.builder, location, in, panels, more, out, ones, ones, ones,
                                     *inner, hidden);
  buildBody(conv.getBody(), group, op.getOutput(), static_cast<bool>(bias), operands,
            elements->accumulator(t.context()));
  return true;
}

bool Scheduler::fitsPooling(const Group &group, bool blockedData) {
  auto op = dyn_cast_or_null<PoolingOp>(group.root);
  if (!op || !t.layerElements(op.getData()) || !isPlanarFirst(op.getLayout()) ||
      op.getPoolType() == "lp" || op.getPoolingConvention() == "same" || !chainIsEmittable(group))
    return false;
  Value data = group.resolve(op.getData());
  SmallVector<AffineExpr, 4> extents = extentsOf(data);
  std::optional<int64_t> channels = constantOf(extents[1]);
  if (extents.size() > 4 || !channels || (*channels < t.blockWidth / 2 && !blockedData))
    return false;
  if (op.getGlobalPool())
    for (AffineExpr extent : ArrayRef<AffineExpr>(extents).drop_front(2))
      if (!constantOf(extent))
        return false;
  return llvm::all_of(externalOperands(group),
                      [&](const Operand &operand) { return canBlock(operand, group.result); });
}

bool Scheduler::sumsWholeImages(Operation *pooling) {
  auto op = cast<PoolingOp>(pooling);
  return op.getGlobalPool() && (op.getPoolType() == "avg" || op.getPoolType() == "sum") &&
         isPlanarFirst(op.getLayout());
}

bool Scheduler::schedulePooling(Group &group) {
  auto op = dyn_cast_or_null<PoolingOp>(group.root);
  if (op && sumsWholeImages(op) && !writesBlocks(group.op))
    return scheduleReduce(group);
  if (!op || !fitsPooling(group, t.hasBlocked(group.resolve(op.getData()))))
    return false;
  Value data = group.resolve(op.getData());
  SmallVector<AffineExpr, 4> image = t.imageShape(data);
  SmallVector<Operand> operands = externalOperands(group);
  Window window({}, {}, {}, {});
  if (op.getGlobalPool()) {
    for (int i : {0, 1})
      window.kernel[i] = *constantOf(image[2 + i]);
  } else {
    window = Window(op.getKernel(), op.getStride(), {}, op.getPad());
  }
  Location location = group.location;
  Value in = t.materialise(t.blockedView(data, {}, location), location);
  SmallVector<Value> extras;
  for (const Operand &operand : operands)
    extras.push_back(t.materialise(broadcastBlocked(operand, group.result, location), location));
  Value target = t.materialise(t.createBlocked(group.result, location), location);
  auto step = kernel::PoolOp::create(
      t.builder, location, in, extras, target, t.builder.getStringAttr(op.getPoolType()),
      t.builder.getDenseI64ArrayAttr(window.kernel), t.builder.getDenseI64ArrayAttr(window.stride),
      t.builder.getDenseI64ArrayAttr(window.pad), t.builder.getDenseI64ArrayAttr(window.pad),
      t.builder.getBoolAttr(op.getCountIncludePad().value_or(true)));
  buildBody(step.getBody(), group, op.getOutput(), false, operands,
            t.layerElements(op.getData())->operand(t.context()));
  return true;
}

const Scheduler::Rule Scheduler::convolutionRule = {
    "convolution", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!(s.fitsConvolution(group)))
        return std::nullopt;
      return RuleForms{RuleForms::Blocked};
    },
    [](Scheduler &s, Group &group) { return s.scheduleConvolution(group); }};

const Scheduler::Rule Scheduler::fullyConnectedRule = {
    "fully-connected", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!(isa_and_nonnull<FullyConnectedOp>(group.root)))
        return std::nullopt;
      return RuleForms();
    },
    [](Scheduler &s, Group &group) { return s.scheduleFullyConnected(group); }};

// Images of few channels that lie in rows stay with the reference kernel, but for sums of whole
// ones, which are reductions there.
const Scheduler::Rule Scheduler::poolingRule = {
    "pooling", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!(s.fitsPooling(group, /*blockedData=*/true)))
        return std::nullopt;
      bool either = sumsWholeImages(group.root);
      return RuleForms{either ? RuleForms::Either : RuleForms::Blocked};
    },
    [](Scheduler &s, Group &group) { return s.schedulePooling(group); }};
