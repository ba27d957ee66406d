// InterpolateOp.cpp: what kernel.interpolate verifies, and what its interfaces return.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

unsigned InterpolateOp::getCutExtents() {
  unsigned last = cast<MemRefType>(getOut().getType()).getRank() - 1;
  return std::min<unsigned>(getAxis() + 1, last);
}

LogicalResult InterpolateOp::verify() {
  auto data = cast<MemRefType>(getData().getType()), out = cast<MemRefType>(getOut().getType());
  int64_t rank = out.getRank(), axis = getAxis();
  if (data.getRank() != rank || rank < 2 || axis < 0 || axis >= rank)
    return emitOpError("needs two views of one rank of at least 2 and one of their axes");
  Type f32 = Float32Type::get(getContext());
  if (!liesAs(*this, f32, data.getElementType()) || !liesAs(*this, f32, out.getElementType()))
    return emitOpError("needs elements of f32");
  for (int64_t i = 0; i < rank; ++i) {
    int64_t from = data.getDimSize(i), to = out.getDimSize(i);
    if (i != axis && from != to)
      return emitOpError("views differ along axis ") << i << ": " << from << " and " << to;
    if (i == axis && (from < 1 || to < 1))
      return emitOpError("needs constant extents of at least 1 along axis ") << axis;
  }
  for (MemRefType type : {data, out}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return emitOpError("needs elements side by side along the last axis");
  }
  return verifyCut(*this, getCutExtents());
}
