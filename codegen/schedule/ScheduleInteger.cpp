// ScheduleInteger.cpp: convolutions and maxima over quantised integers in blocks of 16
// channels. A convolution is kernel.conv over bytes: sums are exact in 32 bits, its body
// scales them, adds another tensor, applies relu and rounds, in the arithmetic of the
// reference kernel, so that both give the same bits. Weights are packed in quads of input
// channels: in @prepare, or here where the data's range is known only at run time.
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static constexpr int64_t quad = 4; // channels that one 32-bit lane holds

static bool isStatic(Value value) { return shapeOf(value.getType()).isStatic(); }

static bool isUnsigned(Value value) { return elementTypeOf(value.getType()).isUnsignedInteger(); }

bool Scheduler::fitsIntegers(Operation *op) {
  if (auto conv = dyn_cast<IntegerConvOp>(op))
    return conv.getKernel().size() == 2 && conv.getNumGroup() == 1 && isStatic(conv.getData());
  if (auto conv = dyn_cast<QuantizedConvOp>(op))
    return conv.getKernel().size() == 2 && conv.getNumGroup() == 1 && isStatic(conv.getData()) &&
           isStatic(conv.getWeight());
  auto pool = dyn_cast<QuantizedPoolingOp>(op);
  return pool && pool.getPoolType() == "max" && !pool.getGlobalPool() &&
         pool.getKernel().size() == 2 && pool.getPoolingConvention() != "same" &&
         isStatic(pool.getData()) && pool.getResult(1).use_empty() && pool.getResult(2).use_empty();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

// weights [O, I, kH, kW] to panels [OB, IB, kH, kW, L, 16] in which the 16 x 4 elements of a
// quad of inputs lie outputs first; what a block lacks is zero.
void symc::codegen::packQuads(Tensors &t, ViewSpec from, Value target, Location location) {
  from.sizes.resize(4, t.constant(1)); // a matrix has one tap
  from.strides.resize(4, t.constant(0));
  auto shape = cast<MemRefType>(target.getType()).getShape();
  auto extent = [&](unsigned axis) {
    return cast<AffineConstantExpr>(from.sizes[axis]).getValue();
  };
  int64_t outputs = extent(0), inputs = extent(1), lanes = shape[4];
  int64_t quadElements = quad * t.blockWidth, tap = lanes * t.blockWidth;
  int64_t perInBlock = shape[2] * shape[3] * tap, perOutBlock = shape[1] * perInBlock;
  SmallVector<AffineExpr, 6> extents;
  for (int64_t size : shape)
    extents.push_back(t.constant(size));
  if (outputs % t.blockWidth || inputs % lanes)
    t.fill(t.rowMajor(target, extents), t.builder.getI8IntegerAttr(0), location);
  // Ranges that are whole in their way: blocks of the kind, then a rest.
  struct Range {
    int64_t first, blocks, inner;
  };
  auto cut = [](int64_t begin, int64_t end, int64_t size) {
    SmallVector<Range, 2> ranges;
    if ((end - begin) / size)
      ranges.push_back({begin, (end - begin) / size, size});
    if ((end - begin) % size)
      ranges.push_back({begin + (end - begin) / size * size, 1, (end - begin) % size});
    return ranges;
  };
  auto piece = [&](const Range &out, int64_t inBlock, int64_t inBlocks, const Range &in) {
    int64_t input = inBlock * lanes + in.first;
    auto view = [&](const ViewSpec &base, AffineExpr offset, ArrayRef<AffineExpr> strides) {
      ViewSpec part{base.base, offset, {}, {}};
      for (int64_t size :
           {out.blocks, inBlocks, shape[2], shape[3], in.blocks, out.inner, in.inner})
        part.sizes.push_back(t.constant(size));
      part.strides.assign(strides.begin(), strides.end());
      return part;
    };
    AffineExpr o = from.strides[0], i = from.strides[1];
    ViewSpec source =
        view(from, from.offset + o * out.first + i * input,
             {o * t.blockWidth, i * lanes, from.strides[2], from.strides[3], i * quad, o, i});
    ViewSpec panels = t.rowMajor(target, extents);
    int64_t offset = out.first / t.blockWidth * perOutBlock + inBlock * perInBlock +
                     in.first / quad * quadElements;
    SmallVector<AffineExpr> strides;
    for (int64_t stride :
         {perOutBlock, perInBlock, shape[3] * tap, tap, quadElements, quad, int64_t(1)})
      strides.push_back(t.constant(stride));
    t.copy(source, view(panels, t.constant(offset), strides), location);
  };
  int64_t whole = inputs / lanes;
  for (const Range &out : cut(0, outputs, t.blockWidth)) {
    if (whole)
      piece(out, 0, whole, {0, lanes / quad, quad});
    for (const Range &in : cut(0, inputs - whole * lanes, quad))
      piece(out, whole, 1, in);
  }
}

// The weights [O, I, kH, kW] or [O, I] of a layer in panels for that data, from @prepare where
// they are known there.
Value Scheduler::integerPanels(Value weight, const ViewSpec &data, Location location) {
  int64_t lanes = cast<AffineConstantExpr>(data.sizes[4]).getValue();
  SmallVector<int64_t, 4> extents;
  Shape known = shapeOf(weight.getType());
  for (Dim extent : known.list())
    extents.push_back(extent.get());
  extents.resize(4, 1);
  SmallVector<int64_t> shape{int64_t(llvm::divideCeil(extents[0], t.blockWidth)),
                             int64_t(llvm::divideCeil(extents[1], lanes)),
                             extents[2],
                             extents[3],
                             lanes,
                             t.blockWidth};
  const ElementRow &elements = *t.target.elementsOf(elementTypeOf(weight.getType()));
  if (Tensors::isWeight(weight))
    return t.requestWeight({weight, t.form(elements.panels), lanes, 0, 1, "",
                            MemRefType::get(shape, elements.operand(t.context()))});
  SmallVector<AffineExpr> sizes;
  for (int64_t size : shape)
    sizes.push_back(t.constant(size));
  Value panels = t.buffer(sizes, t.builder.getI8Type(), location);
  packQuads(t, t.plainView(weight, location), panels, location);
  return panels;
}

// A vector over channels in the shape of the blocked result.
ViewSpec Scheduler::integerVector(Value vector, Value result, Location location) {
  if (Tensors::isWeight(vector))
    return channelVector(vector, result, location);
  SmallVector<AffineExpr, 4> image = t.imageShape(result);
  int64_t channels = cast<AffineConstantExpr>(image[1]).getValue();
  int64_t blocks = llvm::divideCeil(channels, t.blockWidth);
  Type type = Tensors::storageType(elementTypeOf(vector.getType()));
  SmallVector<AffineExpr> extents{t.constant(blocks * t.blockWidth)};
  ViewSpec padded = t.rowMajor(t.buffer(extents, type, location), extents);
  if (channels % t.blockWidth)
    t.fill(padded, t.builder.getZeroAttr(type), location);
  ViewSpec real = padded;
  real.sizes[0] = t.constant(channels);
  t.copy(t.plainView(vector, location), real, location);
  AffineExpr zero = t.constant(0);
  return ViewSpec{padded.base,
                  zero,
                  {image[0], t.constant(blocks), image[2], image[3], t.constant(t.blockWidth)},
                  {zero, t.constant(t.blockWidth), zero, zero, t.constant(1)}};
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

// Few channels as one quad for each pixel, zeros around the image.
static ViewSpec quadImage(Tensors &t, Value data, Halo pad, Location location) {
  SmallVector<AffineExpr, 4> image = t.imageShape(data);
  Type type = t.builder.getI8Type();
  SmallVector<AffineExpr> extents{image[0], t.constant(1), image[2] + 2 * pad.h,
                                  image[3] + 2 * pad.w, t.constant(quad)};
  ViewSpec whole = t.rowMajor(t.buffer(extents, type, location), extents);
  t.fill(whole, t.builder.getZeroAttr(type), location);
  ViewSpec inside = whole;
  inside.offset = whole.strides[2] * pad.h + whole.strides[3] * pad.w;
  inside.sizes.assign({image[0], image[2], image[3], image[1]});
  inside.strides.assign({whole.strides[0], whole.strides[2], whole.strides[3], t.constant(1)});
  ViewSpec planar = t.rowMajor(t.plainView(data, location).base, image);
  planar.sizes.assign({image[0], image[2], image[3], image[1]});
  planar.strides.assign(
      {planar.strides[0], planar.strides[2], planar.strides[3], planar.strides[1]});
  t.copy(planar, inside, location);
  return whole;
}

// The image as kernel.conv over bytes reads it: whole blocks, or one quad.
ViewSpec Scheduler::integerImage(Value data, Halo pad, Location location) {
  if (shapeOf(data.getType())[1].get() <= quad && !t.hasBlocked(data))
    return quadImage(t, data, pad, location);
  return t.blockedView(data, pad, location);
}

kernel::ConvOp Scheduler::createIntegerConv(const ViewSpec &data, Value panels, ValueRange extras,
                                            Value out, const IntegerLayer &layer,
                                            Location location) {
  OpBuilder &b = t.builder;
  auto conv =
      kernel::ConvOp::create(b, location, t.materialise(data, location), panels, extras, out,
                             layer.kernel, layer.stride, layer.dilate, layer.inputs, layer.outputs);
  conv.setShifted(layer.isSigned);
  return conv;
}

// x + scale * other, rounded once.
static Value addScaled(IntegerBody &body, Value x, Value other, bool otherUnsigned, Value scale) {
  auto [b, loc] = body;
  Type f64 = b.getF64Type();
  Value wide = arith::ExtFOp::create(b, loc, f64, x);
  Value term =
      arith::MulFOp::create(b, loc, arith::ExtFOp::create(b, loc, f64, scale),
                            arith::SIToFPOp::create(b, loc, f64, body.wide(other, otherUnsigned)));
  return arith::TruncFOp::create(b, loc, b.getF32Type(), arith::AddFOp::create(b, loc, wide, term));
}

// Arguments: the sum, its correction for signed data, bias, scale, then the tensor that is
// added and its scale.
static void fillBody(Region &region, IntegerConvOp op, OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  Block *block = builder.createBlock(&region);
  IntegerBody body{builder, loc};
  auto argument = [&](Type type) -> Value { return block->addArgument(type, loc); };
  Value sum = argument(builder.getI32Type());
  if (!isUnsigned(op.getData()))
    sum = arith::AddIOp::create(builder, loc, sum, argument(builder.getI32Type()));
  Value x = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), sum);
  x = arith::AddFOp::create(builder, loc, x, argument(builder.getF32Type()));
  x = arith::MulFOp::create(builder, loc, x, argument(builder.getF32Type()));
  if (op.getRelu())
    x = body.relu(x);
  bool makesUnsigned = isUnsigned(op.getOutput());
  bool cut = false;
  if (op.getSum()) {
    bool otherUnsigned = isUnsigned(op.getSum());
    cut = makesUnsigned && !otherUnsigned;
    Value other = argument(builder.getI8Type());
    x = addScaled(body, x, other, otherUnsigned, argument(builder.getF32Type()));
  }
  if (op.getPostsumRelu())
    x = body.relu(x);
  if (cut)
    x = body.atMost(x, 127);
  kernel::YieldOp::create(builder, loc, ValueRange{body.saturate(x, makesUnsigned)});
}

bool Scheduler::scheduleIntegerConvolution(Operation *node) {
  auto op = cast<IntegerConvOp>(node);
  Location location = op.getLoc();
  Value data = op.getData(), result = op.getOutput();
  ViewSpec source = integerImage(data, paddingOf(op), location);
  Value panels = integerPanels(op.getWeight(), source, location);
  SmallVector<Value> extras;
  auto vector = [&](Value value) {
    extras.push_back(t.materialise(integerVector(value, result, location), location));
  };
  if (!isUnsigned(data))
    vector(op.getCorrection());
  vector(op.getBias());
  vector(op.getScale());
  if (op.getSum()) {
    extras.push_back(t.materialise(t.blockedView(op.getSum(), {}, location), location));
    AffineExpr zero = t.constant(0);
    ViewSpec scale = integerVector(op.getScale(), result, location);
    scale.base = t.plainView(op.getSumScale(), location).base;
    scale.strides.assign(5, zero);
    extras.push_back(t.materialise(scale, location));
  }
  Value out = t.materialise(t.createBlocked(result, location), location);
  auto conv = createIntegerConv(
      source, panels, extras, out,
      IntegerLayer(op, shapeOf(data.getType())[1].get(), !isUnsigned(data)), location);
  fillBody(conv.getBody(), op, t.builder);
  return true;
}

bool Scheduler::scheduleIntegerPooling(Operation *node) {
  auto op = cast<QuantizedPoolingOp>(node);
  Location location = op.getLoc();
  Value result = op.getResult(0);
  Value in = t.materialise(t.blockedView(op.getData(), {}, location), location);
  Value out = t.materialise(t.createBlocked(result, location), location);
  auto pair = [&](ArrayRef<int64_t> values, int64_t missing) {
    int64_t both[] = {values.empty() ? missing : values[0], values.empty() ? missing : values[1]};
    return t.builder.getDenseI64ArrayAttr(both);
  };
  auto step =
      kernel::PoolOp::create(t.builder, location, in, ValueRange(), out,
                             t.builder.getStringAttr(isUnsigned(op.getData()) ? "umax" : "smax"),
                             pair(op.getKernel(), 1), pair(op.getStride(), 1), pair(op.getPad(), 0),
                             pair(op.getPad(), 0), t.builder.getBoolAttr(true));
  OpBuilder::InsertionGuard guard(t.builder);
  Block *block = t.builder.createBlock(&step.getBody());
  Value greatest = block->addArgument(t.builder.getI8Type(), location);
  kernel::YieldOp::create(t.builder, location, ValueRange{greatest});
  return true;
}

const Scheduler::Rule Scheduler::integerConvolutionRule = {
    "integer-convolution", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!(isa<IntegerConvOp>(group.op) && s.fitsIntegers(group.op)))
        return std::nullopt;
      return RuleForms{RuleForms::Blocked};
    },
    [](Scheduler &s, Group &group) { return s.scheduleIntegerConvolution(group.op); }};

const Scheduler::Rule Scheduler::integerPoolingRule = {
    "integer-pooling", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!(isa<QuantizedPoolingOp>(group.op) && s.fitsIntegers(group.op)))
        return std::nullopt;
      return RuleForms{RuleForms::Blocked};
    },
    [](Scheduler &s, Group &group) { return s.scheduleIntegerPooling(group.op); }};
