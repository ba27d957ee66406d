// LayerChain.cpp: see LayerChain.h.
#include "codegen/cpu/LayerChain.h"

#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

BandLimits BandLimits::of(const TargetDescription &target) {
  return {double(target.l3Bytes), target.l3Bytes / 2.0};
}

BandLimits BandLimits::ofCore(const TargetDescription &target) {
  return {2.0 * target.l2Bytes, double(target.l2Bytes)};
}

int64_t Place::rowBytes() const {
  int64_t bytes = kernel::elementBytes(elementType);
  for (auto [d, size] : llvm::enumerate(sizes))
    bytes *= d == imageDim || d == rowDim || strides[d] == 0 ? 1 : size;
  return bytes;
}

Value Place::view(OpBuilder &b, Location location) const {
  auto type =
      MemRefType::get(sizes, elementType, StridedLayoutAttr::get(b.getContext(), offset, strides));
  auto folded = [&](ArrayRef<int64_t> values) {
    SmallVector<OpFoldResult> list;
    for (int64_t value : values)
      list.push_back(b.getIndexAttr(value));
    return list;
  };
  return memref::ReinterpretCastOp::create(b, location, type, root, b.getIndexAttr(offset),
                                           folded(sizes), folded(strides));
}

static std::optional<Place> placeOf(Value value) {
  FailureOr<ViewOrigin> view = kernel::traceView(value);
  if (failed(view))
    return std::nullopt;
  bool constant = true;
  auto number = [&](AffineExpr expr) {
    auto known = dyn_cast<AffineConstantExpr>(expr);
    constant &= bool(known);
    return known ? known.getValue() : 0;
  };
  Place place{view->root, view->elementType, number(view->offset), {}, {}};
  for (AffineExpr size : view->sizes)
    place.sizes.push_back(number(size));
  for (AffineExpr stride : view->strides)
    place.strides.push_back(number(stride));
  return constant ? std::optional(place) : std::nullopt;
}

std::optional<Layer> symc::codegen::layerOf(Operation *step) {
  auto rowwise = dyn_cast<kernel::RowwiseInterface>(step);
  if (!rowwise || rowwise.getPieceAttr())
    return std::nullopt;
  Layer layer{rowwise, rowwise.getRowWindow(), {}, unsigned(step->getNumOperands() - 1), {}};
  for (Value operand : step->getOperands()) {
    std::optional<Place> place = placeOf(operand);
    if (!place)
      return std::nullopt;
    layer.places.push_back(*place);
  }
  for (unsigned i = 0; i <= layer.out; ++i)
    if (layer.hasRows(i) && layer.places[i].sizes.size() != 5)
      return std::nullopt;
  return layer;
}

// The row of `out` that the first row of `view` is, where both lie over one image. A view whose
// images overlap (unfold_images) is of other images, too.
static std::optional<int64_t> shiftOf(const Place &view, const Place &out) {
  int64_t channels = view.sizes[1] * view.strides[1];
  if (channels > view.strides[imageDim] && view.sizes[imageDim] > 1)
    return std::nullopt;
  for (unsigned d : {imageDim, 1u, rowDim, columnDim})
    if (view.strides[d] != out.strides[d] && view.sizes[d] != 1)
      return std::nullopt;
  int64_t distance = view.offset - out.offset, row = out.strides[rowDim];
  if (std::abs(distance) >= out.strides[1] / 2 && out.sizes[1] > 1)
    return std::nullopt;
  if (std::abs(distance) >= out.sizes[rowDim] * row && distance)
    return std::nullopt;
  return llvm::divideFloorSigned(distance + row / 2, row);
}

bool symc::codegen::link(Layer &layer, const Chain &chain) {
  for (auto [number, before] : llvm::enumerate(chain)) {
    Value written = before.places[before.out].root;
    for (unsigned i = 0; i < layer.places.size(); ++i) {
      const Place &place = layer.places[i];
      if (i == layer.out
              ? llvm::any_of(before.places,
                             [&](const Place &other) { return other.root == place.root; })
              : place.root == written && !layer.hasRows(i))
        return false;
      if (i == layer.out || place.root != written)
        continue;
      std::optional<int64_t> shift = shiftOf(place, before.places[before.out]);
      if (!shift)
        return false;
      layer.links.push_back({i, number, *shift});
    }
  }
  return chain.empty() || (layer.images() == chain.front().images() &&
                           llvm::any_of(layer.links, [&](const Link &one) {
                             return one.operand == 0 && one.producer + 1 == chain.size();
                           }));
}

bool symc::codegen::touches(Operation *step, const Chain &chain) {
  for (Value operand : step->getOperands()) {
    FailureOr<ViewOrigin> view = kernel::traceView(operand);
    if (failed(view))
      return true;
    for (const Layer &layer : chain)
      for (const Place &place : layer.places)
        if (place.root == view->root)
          return true;
  }
  return false;
}

double symc::codegen::bytesBetween(const Chain &chain) {
  double bytes = 0;
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    bytes += chain[i].imageBytes();
  return bytes;
}

void symc::codegen::cutChains(kernel::ProgramOp program,
                              function_ref<size_t(ArrayRef<Operation *>)> cut) {
  SmallVector<SmallVector<Operation *>, 2> parts(1);
  for (Operation &op : program.getBody().front())
    if (isa<kernel::StepInterface>(op))
      parts.back().push_back(&op);
    else if (isa<kernel::ForwardEndOp>(op))
      parts.emplace_back();
  for (ArrayRef<Operation *> steps : parts)
    for (size_t at = 0; at < steps.size();)
      at += cut(steps.drop_front(at));
}
