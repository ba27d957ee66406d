// StepVerifiers.cpp: see StepVerifiers.h.
#include "codegen/kernel/StepVerifiers.h"

#include "codegen/kernel/DepthwiseBytes.h"

using namespace mlir;
using namespace symc::kernel;

bool symc::kernel::liesAs(Operation *op, TypeRange values, TypeRange elements) {
  bool narrow = op->hasAttr(narrowName);
  return llvm::equal(values, elements, [&](Type value, Type element) {
    return value == element || (narrow && value.isF32() && isHalf(element));
  });
}

LogicalResult symc::kernel::verifyBody(Operation *op, Region &body, TypeRange expected,
                                       TypeRange results) {
  Block &block = body.front();
  if (!liesAs(op, block.getArgumentTypes(), expected))
    return op->emitOpError("body takes ")
           << block.getArgumentTypes() << " but its operands need " << expected;
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || !liesAs(op, yield.getValues().getTypes(), results))
    return op->emitOpError("body must yield ") << results;
  return success();
}

SmallVector<Type> symc::kernel::elementTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(cast<MemRefType>(value.getType()).getElementType());
  return types;
}

LogicalResult symc::kernel::verifySameShape(Operation *op, ValueRange values) {
  ArrayRef<int64_t> shape;
  bool first = true;
  for (Value value : values) {
    ArrayRef<int64_t> other = cast<MemRefType>(value.getType()).getShape();
    if (!first && other != shape)
      return op->emitOpError("views differ in shape: [") << shape << "] and [" << other << "]";
    shape = other;
    first = false;
  }
  return success();
}

LogicalResult symc::kernel::verifyAccumulate(Operation *op, Value data, ValueRange extras,
                                             Value out, Region &body) {
  SmallVector<Value> same(extras.begin(), extras.end());
  same.push_back(out);
  auto outType = cast<MemRefType>(out.getType());
  if (outType.getRank() != 5)
    return op->emitOpError("out has rank ") << outType.getRank() << ", needs 5";
  if (failed(verifySameShape(op, same)))
    return failure();
  // Sums of bytes are wider than what is made of them.
  auto conv = dyn_cast<ConvOp>(op);
  auto depthwise = dyn_cast<DepthwiseOp>(op);
  bool isOfBytes = (conv && conv.sumsBytes()) || (depthwise && sumsBytes(depthwise));
  SmallVector<Type> expected{isOfBytes ? IntegerType::get(op->getContext(), 32)
                                       : outType.getElementType()};
  llvm::append_range(expected, elementTypes(extras));
  return verifyBody(op, body, expected, outType.getElementType());
}

LogicalResult symc::kernel::verifyTile(Operation *op, std::optional<ArrayRef<int64_t>> tile) {
  if (tile && (tile->size() != 3 || llvm::any_of(*tile, [](int64_t extent) { return extent < 1; })))
    return op->emitOpError("tile needs [vectors, rows, columns] of at least 1, found [")
           << *tile << "]";
  return success();
}

LogicalResult symc::kernel::verifyCut(Operation *op, CutAttr cut, int64_t axes) {
  axes = std::max<int64_t>(axes, 1); // one element is an axis of one index
  if (cut && cut.getAxis() >= axes)
    return op->emitOpError("cut needs an axis below ") << axes << ", found " << cut.getAxis();
  return success();
}

int64_t symc::kernel::staticElements(Value view, unsigned dropLast) {
  ArrayRef<int64_t> shape = cast<MemRefType>(view.getType()).getShape().drop_back(dropLast);
  int64_t count = 1;
  for (int64_t extent : shape)
    count = ShapedType::isDynamic(extent) || count == 0 ? 0 : count * extent;
  return count;
}
