// IntegerLayer.cpp: see IntegerLayer.h.
#include "codegen/schedule/IntegerLayer.h"

#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/TileLayer.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static constexpr int64_t quad = 4; // channels that one 32-bit lane holds

static bool isStatic(Value value) { return shapeOf(value.getType()).isStatic(); }

template <typename Conv> static std::optional<Refusal> convolutionRefusal(Conv op) {
  bool groups = op.getNumGroup() != 1;
  if constexpr (std::is_same_v<Conv, IntegerConvOp>)
    groups &= !op.isDepthwise();
  if (op.getKernel().size() != 2 || groups)
    return Refusal{"it has groups, or a window of another rank than 2"};
  return std::nullopt;
}

static Refusal openRefusal() { return {"its extents are known only at run time"}; }

std::optional<Refusal> symc::codegen::integerRefusal(Operation *op) {
  if (auto conv = dyn_cast<IntegerConvOp>(op)) // any images of known channels
    return convolutionRefusal(conv);
  if (!isStatic(op->getOperand(0)))
    return openRefusal();
  if (auto conv = dyn_cast<QuantizedConvOp>(op))
    return isStatic(conv.getWeight()) ? convolutionRefusal(conv) : openRefusal();
  auto pool = cast<QuantizedPoolingOp>(op);
  if (pool.getPoolType() != "max" || pool.getGlobalPool() || pool.getKernel().size() != 2 ||
      pool.getPoolingConvention() == "same")
    return Refusal{"it is no maximum over windows of two axes"};
  if (!pool.getResult(1).use_empty() || !pool.getResult(2).use_empty())
    return Refusal{"its limits are read"};
  return std::nullopt;
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

Value symc::codegen::integerPanels(Value weight, const ViewSpec &data, Location location,
                                   Tensors &t) {
  int64_t lanes = *constantOf(data.sizes[4]);
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

//===----------------------------------------------------------------------===//
// Data and vectors
//===----------------------------------------------------------------------===//

// Few channels as one quad for each pixel, `zero` around the image.
static ViewSpec quadImage(Tensors &t, Value data, const kernel::Padding &padding, int64_t zero,
                          Location location) {
  SmallVector<AffineExpr, 4> image = t.imageShape(data);
  Type type = t.builder.getI8Type();
  SmallVector<AffineExpr> extents{image[0], t.constant(1),
                                  image[2] + (padding.top + padding.bottom),
                                  image[3] + (padding.left + padding.right), t.constant(quad)};
  ViewSpec whole = t.rowMajor(t.buffer(extents, type, location), extents);
  t.fill(whole, t.builder.getI8IntegerAttr(int8_t(zero)), location);
  ViewSpec inside = whole;
  inside.offset = whole.strides[2] * padding.top + whole.strides[3] * padding.left;
  inside.sizes.assign({image[0], image[2], image[3], image[1]});
  inside.strides.assign({whole.strides[0], whole.strides[2], whole.strides[3], t.constant(1)});
  ViewSpec planar = t.rowMajor(t.plainView(data, location).base, image);
  planar.sizes.assign({image[0], image[2], image[3], image[1]});
  planar.strides.assign(
      {planar.strides[0], planar.strides[2], planar.strides[3], planar.strides[1]});
  t.copy(planar, inside, location);
  return whole;
}

ViewSpec symc::codegen::integerImage(Value data, const kernel::Padding &padding, Location location,
                                     Tensors &t, int64_t zero, bool blocks) {
  if (shapeOf(data.getType())[1].get() <= quad && !t.hasBlocked(data) && !blocks)
    return quadImage(t, data, padding, zero, location);
  bool pads = padding.top || padding.bottom || padding.left || padding.right;
  if (pads && t.borderOf(data) != zero) // another reader has another one
    return t.padded(t.blockedView(data, {}, location), padding, location, zero);
  return t.blockedView(data, padding, location);
}

Value symc::codegen::depthwiseTaps(Value weight, Location location, Tensors &t) {
  Shape known = shapeOf(weight.getType());
  int64_t blocks = llvm::divideCeil(known[0].get(), t.blockWidth);
  auto type = MemRefType::get({blocks, known[2].get(), known[3].get(), t.blockWidth},
                              t.builder.getI8Type());
  WeightRequest request{weight, t.form(weight_form::depthwise), t.blockWidth, 0, 1, "", type};
  return weightIn(request, location, t);
}

Value symc::codegen::integerVectorMemory(Value vector, int64_t channels, Location location,
                                         Tensors &t) {
  if (Tensors::isWeight(vector))
    return t.requestWeight(vectorRequest(vector, channels, t));
  Type type = Tensors::storageType(elementTypeOf(vector.getType()));
  SmallVector<AffineExpr> extents{t.constant(llvm::alignTo(channels, t.blockWidth))};
  ViewSpec padded = t.rowMajor(t.buffer(extents, type, location), extents);
  if (channels % t.blockWidth)
    t.fill(padded, t.builder.getZeroAttr(type), location);
  ViewSpec real = padded;
  real.sizes[0] = t.constant(channels);
  t.copy(t.plainView(vector, location), real, location);
  return padded.base;
}

ViewSpec symc::codegen::integerVector(Value vector, Value result, Location location, Tensors &t) {
  if (Tensors::isWeight(vector))
    return channelVector(vector, result, location, t);
  int64_t channels = *constantOf(t.imageShape(result)[1]);
  return alongChannels(integerVectorMemory(vector, channels, location, t), result, t);
}

ViewSpec symc::codegen::quadRows(Tensors &t, Value data, AffineExpr rows, int64_t inner,
                                 Location location) {
  ViewSpec plain = t.plainView(data, location);
  int64_t pitch = llvm::alignTo(inner, quad);
  Value memory = plain.base;
  if (pitch != inner) {
    SmallVector<AffineExpr> extents{rows, t.constant(pitch)};
    ViewSpec padded = t.rowMajor(t.buffer(extents, t.builder.getI8Type(), location), extents);
    memory = padded.base;
    padded.sizes[1] = t.constant(inner);
    t.copy(t.rowMajor(plain.base, padded.sizes), padded, location);
  }
  AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
  return {memory,
          zero,
          {one, t.constant(llvm::divideCeil(inner, t.blockWidth)), one, rows, lanes},
          {zero, lanes, zero, t.constant(pitch), one}};
}

kernel::ConvOp symc::codegen::createIntegerConv(const ViewSpec &data, Value panels,
                                                ValueRange extras, Value out,
                                                const IntegerLayer &layer, Location location,
                                                Tensors &t) {
  OpBuilder &b = t.builder;
  auto conv =
      kernel::ConvOp::create(b, location, t.materialise(data, location), panels, extras, out,
                             layer.kernel, layer.stride, layer.dilate, layer.inputs, layer.outputs);
  conv.setShifted(layer.isSigned);
  return conv;
}
