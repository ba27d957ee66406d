// OperandViews.cpp: see OperandViews.h.
#include "codegen/schedule/OperandViews.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// The operand's extents laid along the result's axes; 1 where it has none.
static SmallVector<AffineExpr, 4> alignedExtents(const Operand &operand, size_t rank,
                                                 AffineExpr one) {
  SmallVector<AffineExpr, 4> aligned(rank, one);
  SmallVector<AffineExpr, 4> have = extentsOf(operand.value);
  for (auto [axis, extent] : llvm::zip(operand.axes, have))
    aligned[axis] = extent;
  return aligned;
}

bool symc::codegen::canBroadcast(const Operand &operand, Value result, const Tensors &t) {
  SmallVector<AffineExpr, 4> wanted = extentsOf(result), have = extentsOf(operand.value);
  return llvm::all_of(llvm::enumerate(operand.axes), [&](auto axis) {
    AffineExpr extent = have[axis.index()];
    return extent == wanted[axis.value()] || extent == t.constant(1);
  });
}

ViewSpec symc::codegen::broadcastInRows(const Operand &operand, Value result, Location location,
                                        Tensors &t) {
  SmallVector<AffineExpr, 4> wanted = extentsOf(result);
  // A view of another value is read as it lies where its rows do.
  ViewSpec source = t.stridedView(operand.value, location);
  if (!source.strides.empty() && source.strides.back() != t.constant(1) &&
      source.sizes.back() != t.constant(1))
    source = t.plainView(operand.value, location);
  ViewSpec view{source.base, source.offset, {wanted.begin(), wanted.end()}, {}};
  view.strides.assign(wanted.size(), t.constant(0));
  for (size_t i = 0; i < operand.axes.size(); ++i)
    if (source.sizes[i] == wanted[operand.axes[i]])
      view.strides[operand.axes[i]] = source.strides[i];
  return view;
}

static bool isSame(ArrayRef<int64_t> axes, size_t rank) {
  if (axes.size() != rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (axes[i] != static_cast<int64_t>(i))
      return false;
  return true;
}

bool symc::codegen::canReadInBlocks(const Operand &operand, Value result, const Tensors &t) {
  AffineExpr one = t.constant(1);
  SmallVector<AffineExpr, 4> wanted = extentsOf(result);
  SmallVector<AffineExpr, 4> have = alignedExtents(operand, wanted.size(), one);
  bool vector = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (have[i] != wanted[i] && have[i] != one)
      return false;
    vector &= i == 1 || have[i] == one;
  }
  if (vector && (have[1] == one || Tensors::isWeight(operand.value)))
    return true;
  return isSame(operand.axes, wanted.size()) && !Tensors::isWeight(operand.value) &&
         constantOf(have[1]);
}

WeightRequest symc::codegen::vectorRequest(Value weight, int64_t channels, const Tensors &t) {
  auto type = MemRefType::get({int64_t(llvm::alignTo(channels, t.blockWidth))},
                              Tensors::storageType(elementTypeOf(weight.getType())));
  return {weight, t.form(weight_form::vector), t.blockWidth, 0, 1, "", type};
}

ViewSpec symc::codegen::alongChannels(Value memory, Value result, const Tensors &t) {
  SmallVector<AffineExpr, 4> image = t.imageShape(result);
  AffineExpr zero = t.constant(0), lanes = t.constant(t.blockWidth);
  AffineExpr blocks = t.constant(llvm::divideCeil(*constantOf(image[1]), t.blockWidth));
  return ViewSpec{memory,
                  zero,
                  {image[0], blocks, image[2], image[3], lanes},
                  {zero, lanes, zero, zero, t.constant(1)}};
}

ViewSpec symc::codegen::channelVector(Value vector, Value result, Location location, Tensors &t) {
  int64_t channels = *constantOf(t.imageShape(result)[1]);
  if (Tensors::isWeight(vector))
    return alongChannels(t.requestWeight(vectorRequest(vector, channels, t)), result, t);
  ViewSpec source = t.plainView(vector, location);
  if (channels % t.blockWidth == 0)
    return alongChannels(source.base, result, t);
  // What lanes beyond the channels read is there, and means nothing.
  AffineExpr whole = t.constant(llvm::alignTo(channels, t.blockWidth));
  Value memory = t.buffer({whole}, elementTypeOf(vector.getType()), location);
  t.copy(source, {memory, t.constant(0), source.sizes, {t.constant(1)}}, location);
  return alongChannels(memory, result, t);
}

ViewSpec symc::codegen::broadcastInBlocks(const Operand &operand, Value result, Location location,
                                          Tensors &t) {
  AffineExpr one = t.constant(1), zero = t.constant(0);
  SmallVector<AffineExpr, 4> wanted = t.imageShape(result);
  SmallVector<AffineExpr, 4> have = alignedExtents(operand, extentsOf(result).size(), one);
  if (have.size() == 3)
    have.insert(have.begin() + 2, one);
  AffineExpr blocks = t.constant(llvm::divideCeil(*constantOf(wanted[1]), t.blockWidth));
  SmallVector<AffineExpr, 5> sizes{wanted[0], blocks, wanted[2], wanted[3],
                                   t.constant(t.blockWidth)};
  bool single = llvm::all_of(have, [&](AffineExpr extent) { return extent == one; });
  if (single) {
    Value base = t.plainView(operand.value, location).base;
    return ViewSpec{base, zero, sizes, {zero, zero, zero, zero, zero}};
  }
  if (Tensors::isWeight(operand.value))
    return channelVector(operand.value, result, location, t);
  ViewSpec view;
  if (have[1] == one && wanted[1] != one) {
    ViewSpec planar = t.rowMajor(t.plainView(operand.value, location).base, have);
    view = ViewSpec{planar.base,
                    zero,
                    sizes,
                    {planar.strides[0], zero, planar.strides[2], planar.strides[3], zero}};
  } else {
    view = t.blockedView(operand.value, {}, location);
    view.sizes = sizes;
  }
  for (unsigned axis : {0u, 2u, 3u})
    if (have[axis] != wanted[axis])
      view.strides[axis] = zero;
  return view;
}

ViewSpec symc::codegen::broadcastTo(const Operand &operand, Value result, bool blocks,
                                    Location location, Tensors &t) {
  return blocks ? broadcastInBlocks(operand, result, location, t)
                : broadcastInRows(operand, result, location, t);
}
