// ConvTile.cpp: see ConvTile.h.
#include "codegen/kernel/ConvTile.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace symc::codegen;

bool symc::codegen::isFlat(int64_t columns, ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                           ArrayRef<std::pair<int64_t, int64_t>> viewStrides) {
  for (int64_t extent : kernel)
    if (extent != 1)
      return false;
  for (int64_t stride : strides)
    if (stride != 1)
      return false;
  if (ShapedType::isDynamic(columns))
    return false;
  return llvm::all_of(viewStrides, [&](std::pair<int64_t, int64_t> pair) {
    return !ShapedType::isDynamic(pair.first) && !ShapedType::isDynamic(pair.second) &&
           pair.second * columns == pair.first;
  });
}

std::optional<SmallVector<std::pair<int64_t, int64_t>>>
symc::codegen::pixelStrides(ArrayRef<Value> views) {
  SmallVector<std::pair<int64_t, int64_t>> pixels;
  for (Value view : views) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(cast<MemRefType>(view.getType()).getStridesAndOffset(strides, offset)))
      return std::nullopt;
    pixels.push_back({strides[2], strides[3]});
  }
  return pixels;
}

bool symc::codegen::viewsAreFlat(ArrayRef<Value> views) {
  auto pixels = pixelStrides(views);
  int64_t ones[] = {1, 1};
  auto shape = cast<MemRefType>(views.front().getType()).getShape();
  return pixels && !ShapedType::isDynamic(shape[2]) && isFlat(shape[3], ones, ones, *pixels);
}
