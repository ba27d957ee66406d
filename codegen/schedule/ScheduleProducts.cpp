// ScheduleProducts.cpp: asks ConvChoice about each convolution and product, says in a
// remark what came out, and builds the steps of algorithms with their scratch. All such
// steps of a program share the words that mark rows of scratch as taken: zero between
// steps.
// An algorithm may read another image than the layer's: the pixels that are a stride
// apart, each a channel of its own (SpaceToDepth).
#include "codegen/schedule/Schedule.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t slotRows = 16, wordsPerLine = 16;

ConvChoice Scheduler::chooseAlgorithm(const ConvLayer &layer, Location location) {
  ConvChoice choice = chooseConvAlgorithm(layer, options.kernels);
  auto named = remark::RemarkOpts::name("convolution").category("kernel-schedule");
  if (choice.isDirect()) {
    remark::missed(location, named)
        << (layer.matrix ? "direct product: " : "direct convolution: ") + choice.reason;
    return choice;
  }
  remark::passed(location, named)
      << llvm::formatv("{0} in {1}: {2}; error at most {3:E1} of the largest output",
                       choice.algorithm->name, choice.cut->describe(), choice.reason, choice.error)
             .str();
  return choice;
}

Value Scheduler::scratchWords(Location location) {
  OpBuilder &b = t.builder;
  if (!rowWords) {
    SmallVector<AffineExpr> extents{t.constant(slotRows), t.constant(wordsPerLine)};
    rowWords = t.buffer(extents, b.getI32Type(), location);
    t.fill(t.rowMajor(rowWords, extents), b.getI32IntegerAttr(0), location);
  }
  return rowWords;
}

Region &Scheduler::createChosen(const ConvChoice &choice, WeightRequest request, Value in,
                                ValueRange extras, Value out, Location location) {
  auto weights = [&](kernel::FormAttr form, MemRefType type) {
    request.form = form;
    request.type = type;
    return t.requestWeight(request);
  };
  auto scratch = [&](int64_t rows, int64_t elements) {
    return t.buffer({t.constant(rows), t.constant(elements)}, t.builder.getF32Type(), location);
  };
  auto slots = [&] { return scratchWords(location); };
  return choice.cut->create({t.builder, location, in, extras, out, weights, scratch, slots});
}

Region &Scheduler::createProduct(int64_t inputs, int64_t outputs, WeightRequest request, Value in,
                                 ValueRange extras, Value out, Location location) {
  int64_t rows = cast<MemRefType>(in.getType()).getDimSize(3);
  ConvLayer layer{1,
                  1,
                  rows,
                  inputs,
                  outputs,
                  {1, 1},
                  {1, 1},
                  {1, 1},
                  true,
                  int64_t(extras.size()),
                  /*flat=*/true,
                  /*matrix=*/true};
  ConvChoice choice = chooseAlgorithm(layer, location);
  if (!choice.isDirect())
    return createChosen(choice, request, in, extras, out, location);
  OpBuilder &b = t.builder;
  request.form = t.form(weight_form::panels);
  request.type = MemRefType::get({int64_t(llvm::divideCeil(outputs, t.blockWidth)),
                                  int64_t(llvm::divideCeil(inputs, t.blockWidth)), 1, 1,
                                  t.blockWidth, t.blockWidth},
                                 b.getF32Type());
  DenseI64ArrayAttr ones = b.getDenseI64ArrayAttr({1, 1});
  auto step = kernel::ConvOp::create(b, location, in, t.requestWeight(request), extras, out, ones,
                                     ones, ones, b.getI64IntegerAttr(inputs),
                                     b.getI64IntegerAttr(outputs), DenseI64ArrayAttr());
  return step.getBody();
}

namespace {
// Where the pixels of one phase lie along an axis: every stride-th of the image's from
// `first`, at `place` of the phase and the next ones.
struct PhaseAxis {
  int64_t first, place, count;

  PhaseAxis(int64_t phase, int64_t stride, int64_t pad, int64_t extent, int64_t places) {
    first = ((phase - pad) % stride + stride) % stride;
    place = (first + pad) / stride;
    count = std::clamp<int64_t>(llvm::divideCeil(std::max<int64_t>(extent - first, 0), stride), 0,
                                std::max<int64_t>(places - place, 0));
  }
};
} // namespace

ViewSpec Scheduler::spaceToDepth(Value data, Halo pad, const SpaceToDepth &form,
                                 Location location) {
  int64_t stride = form.stride, phases = stride * stride;
  int64_t extents[] = {form.rows, form.columns}, pads[] = {pad.h, pad.w};
  SmallVector<AffineExpr, 5> sizes{
      t.constant(form.images), t.constant(llvm::divideCeil(form.channels, t.blockWidth)),
      t.constant(extents[0]), t.constant(extents[1]), t.constant(t.blockWidth)};
  ViewSpec whole = t.rowMajor(t.buffer(sizes, t.builder.getF32Type(), location), sizes);
  ViewSpec planar = t.imageView(data, location);
  SmallVector<PhaseAxis> axes[2];
  Attribute zero = t.builder.getF32FloatAttr(0);
  auto clear = [&](unsigned axis, int64_t first, int64_t end) {
    if (first >= end)
      return;
    ViewSpec strip = whole;
    strip.offset = strip.offset + strip.strides[2 + axis] * first;
    strip.sizes[2 + axis] = t.constant(end - first);
    t.fill(strip, zero, location);
  };
  // Zeros wherever some phase has no pixel; the others are written afterwards.
  for (unsigned axis : {0u, 1u}) {
    auto extent = cast<AffineConstantExpr>(planar.sizes[2 + axis]).getValue();
    int64_t begin = 0, end = extents[axis];
    for (int64_t phase = 0; phase < stride; ++phase) {
      PhaseAxis &at = axes[axis].emplace_back(phase, stride, pads[axis], extent, extents[axis]);
      begin = std::max(begin, std::min(at.place, extents[axis]));
      end = std::min(end, at.place + at.count);
    }
    clear(axis, 0, begin);
    clear(axis, std::max(begin, end), extents[axis]);
  }
  // Blocks hold all phases of so many channels.
  int64_t channels = form.channels / phases, perBlock = t.blockWidth / phases;
  auto copy = [&](int64_t phase, int64_t block, int64_t blocks, int64_t lanes) {
    const PhaseAxis &row = axes[0][phase / stride], &column = axes[1][phase % stride];
    if (blocks == 0 || lanes == 0 || row.count == 0 || column.count == 0)
      return;
    SmallVector<AffineExpr, 5> some{t.constant(form.images), t.constant(blocks),
                                    t.constant(row.count), t.constant(column.count),
                                    t.constant(lanes)};
    ViewSpec from{planar.base,
                  planar.offset + planar.strides[1] * (block * perBlock) +
                      planar.strides[2] * row.first + planar.strides[3] * column.first,
                  some,
                  {planar.strides[0], planar.strides[1] * perBlock, planar.strides[2] * stride,
                   planar.strides[3] * stride, planar.strides[1]}};
    ViewSpec to{whole.base,
                whole.offset + whole.strides[1] * block + whole.strides[2] * row.place +
                    whole.strides[3] * column.place + phase,
                some,
                {whole.strides[0], whole.strides[1], whole.strides[2], whole.strides[3],
                 t.constant(phases)}};
    t.copy(from, to, location);
  };
  for (int64_t phase = 0; phase < phases; ++phase) {
    copy(phase, 0, channels / perBlock, perBlock);
    copy(phase, channels / perBlock, 1, channels % perBlock);
  }
  return whole;
}
