// PartViews.cpp: see PartViews.h.
#include "codegen/schedule/PartViews.h"

#include "ir/OpTable.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

void symc::codegen::setPart(Value result, const ViewSpec &part, Tensors &t, Location location) {
  bool fillsVectors = !part.sizes.empty() && part.strides.back() == t.constant(1) &&
                      t.rangeOf(part.sizes.back()).min >= t.blockWidth;
  if (fillsVectors && !t.headMemory.count(result))
    t.setStrided(result, part);
  else
    t.copy(part, t.createPlain(result, location), location);
}

void symc::codegen::movePart(Value data, Value result, ArrayRef<AffineExpr> first,
                             ArrayRef<int64_t> step, Tensors &t, Location location) {
  size_t rank = first.size();
  std::optional<int64_t> channel = rank > 1 ? constantOf(first[1]) : std::nullopt;
  if (t.hasBlocked(data) && channel && *channel % t.blockWidth == 0 && step[1] == 1 &&
      constantOf(extentsOf(result)[1])) {
    ViewSpec part = t.blockedView(data, {}, location);
    SmallVector<AffineExpr, 4> image = t.imageShape(result);
    int64_t blocks = llvm::divideCeil(*constantOf(image[1]), t.blockWidth);
    part.sizes = {image[0], t.constant(blocks), image[2], image[3], t.constant(t.blockWidth)};
    for (size_t i = 0; i < rank; ++i) {
      size_t axis = rank == 3 && i == 2 ? 3 : i; // a rank of 3 has one row
      part.offset =
          part.offset + part.strides[axis] * (i == 1 ? first[i].floorDiv(t.blockWidth) : first[i]);
      part.strides[axis] = part.strides[axis] * step[i];
    }
    bool whole = true; // all of each image, in some channels
    for (unsigned axis : {2u, 3u})
      whole &= part.sizes[axis] == t.imageShape(data)[axis];
    return t.setBlocked(result, part, whole ? t.blockedHalo(data) : Halo());
  }
  ViewSpec from = t.stridedView(data, location);
  SmallVector<AffineExpr, 4> extents = extentsOf(result);
  from.sizes.assign(extents.begin(), extents.end());
  for (size_t i = 0; i < rank; ++i) {
    from.offset = from.offset + from.strides[i] * first[i];
    from.strides[i] = from.strides[i] * step[i];
  }
  setPart(result, from, t, location);
}

AffineExpr symc::codegen::firstOf(int64_t begin, AffineExpr extent) {
  MLIRContext *context = extent.getContext();
  if (begin == kNoneElement)
    return getAffineConstantExpr(0, context);
  std::optional<int64_t> count = constantOf(extent);
  if (!count)
    return begin < 0 ? extent + begin : getAffineConstantExpr(begin, context);
  return getAffineConstantExpr(std::clamp<int64_t>(begin < 0 ? begin + *count : begin, 0, *count),
                               context);
}
