// AttentionOps.cpp: what kernel.attention verifies, and what its interfaces return.
#include "codegen/kernel/AttentionOps.h"

#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

#define GET_OP_CLASSES
#include "codegen/kernel/AttentionOps.cpp.inc"

int64_t AttentionOp::getRowsAtOnce(int64_t lanes) {
  int64_t rows = cast<MemRefType>(getQueries().getType()).getDimSize(2);
  return !ShapedType::isDynamic(rows) && rows <= lanes ? lanes : 2 * lanes;
}

LogicalResult AttentionOp::verify() {
  auto typeOf = [](Value value) { return cast<MemRefType>(value.getType()); };
  MemRefType queries = typeOf(getQueries()), keys = typeOf(getKeys()), values = typeOf(getValues()),
             out = typeOf(getOut());
  Type f32 = Float32Type::get(getContext());
  bool narrow = getOperation()->hasAttr(narrowName);
  for (MemRefType type : {queries, keys, values, out}) {
    if (type.getRank() != 4)
      return emitOpError("needs queries, keys, values and out of rank 4");
    if (type.getElementType() != f32 && !(narrow && isHalf(type.getElementType())))
      return emitOpError("needs queries, keys, values and out of f32");
  }
  int64_t width = queries.getDimSize(3), valueWidth = values.getDimSize(3);
  for (int64_t extent : {width, valueWidth})
    if (extent < 1 || extent > mostWidth)
      return emitOpError("needs heads of 1 to ") << mostWidth << " elements, constants";
  if (keys.getDimSize(3) != width || out.getDimSize(3) != valueWidth ||
      keys.getDimSize(2) != values.getDimSize(2) || queries.getDimSize(2) != out.getDimSize(2))
    return emitOpError("extents of queries, keys, values and out do not fit");
  for (MemRefType type : {values, out}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return emitOpError("needs elements of values and of out side by side");
  }
  if (getLengths()) {
    MemRefType lengths = typeOf(getLengths());
    if (lengths.getRank() != 3 ||
        !(lengths.getElementType().isInteger(32) || lengths.getElementType().isInteger(64)))
      return emitOpError("needs lengths of rank 3, i32 or i64");
  }
  for (Value extra : getExtras())
    if (typeOf(extra).getRank() != 4)
      return emitOpError("needs extras of rank 4");
  SmallVector<Type> arguments{f32};
  llvm::append_range(arguments, elementTypes(getExtras()));
  if (failed(verifyBody(*this, getScores(), arguments, {f32})))
    return failure();
  if (failed(verifyBody(*this, getWeights(), arguments, {f32})))
    return failure();
  return verifyCut(*this, 3);
}

int64_t AttentionOp::getFlops() {
  int64_t rows = staticElements(getQueries(), 1);
  ArrayRef<int64_t> values = cast<MemRefType>(getValues().getType()).getShape();
  int64_t width = cast<MemRefType>(getQueries().getType()).getDimSize(3);
  return ShapedType::isDynamic(values[2]) ? 0 : 2 * rows * values[2] * (width + values[3]);
}
