// Tensors.cpp: forms of values, views over them and the copies between forms
// (see Tensors.h).
#include "codegen/schedule/Tensors.h"

#include "codegen/kernel/ValueBuffers.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/PreparedForms.h"
#include "ir/GraphDialect.h"
#include "ir/Parts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace symc::codegen;
using namespace symc::sg;

SmallVector<AffineExpr, 4> symc::codegen::extentsOf(Value value) {
  SmallVector<AffineExpr, 4> extents;
  Shape shape = shapeOf(value.getType());
  for (Dim dim : shape.list())
    extents.push_back(dim.getExpr());
  return extents;
}

AffineExpr symc::codegen::countOf(ArrayRef<AffineExpr> extents, MLIRContext *context) {
  AffineExpr count = getAffineConstantExpr(1, context);
  for (AffineExpr extent : extents)
    count = count * extent;
  return count;
}

const ElementRow *Tensors::layerElements(Value value) const {
  return target.layerElements(elementTypeOf(value.getType()));
}

bool Tensors::isWeight(Value value) {
  return isa_and_nonnull<ParameterOp, PreparedOp>(value.getDefiningOp());
}

AffineExpr Tensors::constant(int64_t value) const {
  return getAffineConstantExpr(value, builder.getContext());
}

Interval Tensors::rangeOf(AffineExpr extent) const { return intervalOf(extent, ranges); }

OpFoldResult Tensors::fold(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return builder.getIndexAttr(constant.getValue());
  Value &value = applied[expr];
  if (value)
    return value;
  SmallVector<unsigned> numbers;
  AffineExpr own = kernel::overOwnSymbols(expr, numbers);
  auto map = AffineMap::get(0, numbers.size(), own);
  SmallVector<Value> operands;
  for (unsigned number : numbers)
    operands.push_back(program.getSizes()[number]);
  return value = affine::AffineApplyOp::create(builder, program.getLoc(), map, operands);
}

static int64_t staticOr(AffineExpr expr) { return constantOf(expr).value_or(ShapedType::kDynamic); }

Value Tensors::materialise(const ViewSpec &view, Location location) {
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<int64_t> staticSizes, staticStrides;
  for (AffineExpr expr : view.sizes) {
    sizes.push_back(fold(expr));
    staticSizes.push_back(staticOr(expr));
  }
  for (AffineExpr expr : view.strides) {
    strides.push_back(fold(expr));
    staticStrides.push_back(staticOr(expr));
  }
  Type elementType = cast<MemRefType>(view.base.getType()).getElementType();
  auto layout = StridedLayoutAttr::get(context(), staticOr(view.offset), staticStrides);
  auto type = MemRefType::get(staticSizes, elementType, layout);
  return memref::ReinterpretCastOp::create(builder, location, type, view.base, fold(view.offset),
                                           sizes, strides);
}

Type Tensors::storageType(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(elementType.getContext(), integer.getWidth());
  return elementType;
}

Value Tensors::buffer(ArrayRef<AffineExpr> extents, Type elementType, Location location) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (AffineExpr expr : extents) {
    shape.push_back(staticOr(expr));
    if (ShapedType::isDynamic(shape.back()))
      sizes.push_back(cast<Value>(fold(expr)));
  }
  auto type = MemRefType::get(shape, storageType(elementType));
  return kernel::BufferOp::create(builder, location, type, sizes, ValueRange{}, IntegerAttr());
}

Halo Tensors::haloOf(Value value) const { return halos.lookup(value); }

ViewSpec Tensors::rowMajor(Value base, ArrayRef<AffineExpr> extents) {
  ViewSpec view{base, constant(0), {extents.begin(), extents.end()}, {}};
  view.strides.resize(extents.size());
  AffineExpr stride = constant(1);
  for (size_t i = extents.size(); i-- > 0;) {
    view.strides[i] = stride;
    stride = stride * extents[i];
  }
  return view;
}

SmallVector<AffineExpr, 4> Tensors::imageShape(Value value) const {
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  if (extents.size() == 3)
    extents.insert(extents.begin() + 2, constant(1));
  return extents;
}

void Tensors::copy(const ViewSpec &from, const ViewSpec &to, Location location) {
  Value source = materialise(from, location), target = materialise(to, location);
  kernel::CopyOp::create(builder, location, source, target);
}

void Tensors::fill(const ViewSpec &view, Attribute value, Location location) {
  kernel::FillOp::create(builder, location, materialise(view, location), cast<TypedAttr>(value));
}

ViewSpec Tensors::withinBorder(ViewSpec whole, const kernel::Padding &border) {
  whole.offset = whole.offset + whole.strides[2] * border.top + whole.strides[3] * border.left;
  whole.sizes[2] = whole.sizes[2] - (border.top + border.bottom);
  whole.sizes[3] = whole.sizes[3] - (border.left + border.right);
  return whole;
}

void Tensors::fillBorder(const ViewSpec &whole, const kernel::Padding &border, Location location,
                         int64_t zero) {
  Type element = cast<MemRefType>(whole.base.getType()).getElementType();
  Attribute filling = zero ? builder.getI8IntegerAttr(int8_t(zero)) : builder.getZeroAttr(element);
  ViewSpec inside = withinBorder(whole, border);
  auto strip = [&](unsigned axis, AffineExpr first, int64_t extent) {
    ViewSpec view = whole;
    view.offset = view.offset + view.strides[axis] * first;
    view.sizes[axis] = constant(extent);
    if (axis == 3) { // left and right strips leave the rows of top and bottom out
      view.offset = view.offset + view.strides[2] * border.top;
      view.sizes[2] = inside.sizes[2];
    }
    fill(view, filling, location);
  };
  for (unsigned axis : {0u, 1u}) {
    if (border.begin(axis))
      strip(2 + axis, constant(0), border.begin(axis));
    if (border.end(axis))
      strip(2 + axis, inside.sizes[2 + axis] + border.begin(axis), border.end(axis));
  }
}

ViewSpec Tensors::pixelwise(const ViewSpec &image) const {
  ArrayRef<AffineExpr> n = image.sizes, s = image.strides;
  return {image.base,
          image.offset,
          {n[0], constant(1), n[2], n[3], n[1]},
          {s[0], s[0], s[2], s[3], s[1]}};
}

ViewSpec Tensors::padded(const ViewSpec &image, const kernel::Padding &padding, Location location,
                         int64_t zero) {
  SmallVector<AffineExpr, 5> extents{image.sizes[0], image.sizes[1],
                                     image.sizes[2] + (padding.top + padding.bottom),
                                     image.sizes[3] + (padding.left + padding.right)};
  llvm::append_range(extents, ArrayRef(image.sizes).drop_front(4));
  Type element = cast<MemRefType>(image.base.getType()).getElementType();
  ViewSpec whole = rowMajor(buffer(extents, element, location), extents);
  fillBorder(whole, padding, location, zero);
  copy(image, withinBorder(whole, padding), location);
  return whole;
}

void Tensors::pairPlanarBlocked(
    const ViewSpec &planar, const ViewSpec &interior, int64_t channels,
    llvm::function_ref<void(const ViewSpec &, const ViewSpec &)> visit) {
  // planar: [N, C, H, W]; interior: [N, CB, H, W, 16].
  auto pair = [&](int64_t firstBlock, int64_t blocks, int64_t lanes) {
    if (!blocks)
      return;
    ViewSpec from{
        planar.base,
        planar.offset + planar.strides[1] * (firstBlock * blockWidth),
        {planar.sizes[0], constant(blocks), planar.sizes[2], planar.sizes[3], constant(lanes)},
        {planar.strides[0], planar.strides[1] * blockWidth, planar.strides[2], planar.strides[3],
         planar.strides[1]}};
    ViewSpec to = interior;
    to.offset = to.offset + interior.strides[1] * firstBlock;
    to.sizes[1] = constant(blocks);
    to.sizes[4] = constant(lanes);
    visit(from, to);
  };
  pair(0, channels / blockWidth, blockWidth);
  pair(channels / blockWidth, channels % blockWidth ? 1 : 0, channels % blockWidth);
}

ViewSpec Tensors::viewOf(const Blocked &form, const kernel::Padding &padding) {
  return withinBorder(form.interior,
                      {-padding.top, -padding.bottom, -padding.left, -padding.right});
}

// Of a trainer, that the buffer holds a value of the graph.
static void markValue(Value buffer, Value value, int64_t channels) {
  auto graph = value.getParentRegion()->getParentOfType<GraphOp>();
  if (auto op = buffer.getDefiningOp<symc::kernel::BufferOp>();
      op && graph && graph->hasAttr(onePartName))
    op->setAttr(symc::kernel::channelsName, Builder(op.getContext()).getI64IntegerAttr(channels));
}

Tensors::Blocked Tensors::allocateBlocked(Value value, Halo halo, Location location) {
  SmallVector<AffineExpr, 4> image = imageShape(value);
  int64_t blocks = llvm::divideCeil(cast<AffineConstantExpr>(image[1]).getValue(), blockWidth);
  AffineExpr height = image[2] + 2 * halo.h, width = image[3] + 2 * halo.w;
  Type elementType = elementTypeOf(value.getType());
  SmallVector<AffineExpr, 5> extents{image[0], constant(blocks), height, width,
                                     constant(blockWidth)};
  ViewSpec whole = rowMajor(buffer(extents, elementType, location), extents);
  markValue(whole.base, value, cast<AffineConstantExpr>(image[1]).getValue());
  fillBorder(whole, halo.padding(), location, borderOf(value));
  return {withinBorder(whole, halo.padding()), halo};
}

std::pair<ViewSpec, ViewSpec> Tensors::viewsOf(Value data, Value result, bool blocks,
                                               Location location) {
  ViewSpec from = blocks ? blockedView(data, {}, location) : plainView(data, location);
  return {from, blocks ? createBlocked(result, location) : createPlain(result, location)};
}

ViewSpec Tensors::createBlocked(Value value, Location location) {
  auto place = placements.find(value);
  if (place == placements.end() || isInPlace(value)) {
    blocked[value] = allocateBlocked(value, haloOf(value), location);
    return viewOf(blocked[value], {});
  }
  auto [whole, image, channel, row, column, step] = place->second;
  if (!hasBlocked(whole))
    createBlocked(whole, location);
  Blocked form = blocked[whole];
  form.interior.offset = form.interior.offset + form.interior.strides[0] * image +
                         form.interior.strides[1] * (channel / blockWidth) +
                         form.interior.strides[2] * row + form.interior.strides[3] * column;
  SmallVector<AffineExpr, 4> own = imageShape(value);
  if (step > 1) { // other pixels lie around its own
    form.halo = {};
    for (unsigned axis : {2u, 3u}) {
      form.interior.strides[axis] = form.interior.strides[axis] * step;
      form.interior.sizes[axis] = own[axis];
    }
  }
  int64_t channels = cast<AffineConstantExpr>(own[1]).getValue();
  form.interior.sizes[0] = own[0];
  form.interior.sizes[1] = constant(llvm::divideCeil(channels, blockWidth));
  blocked[value] = form;
  inPlace.insert(value);
  return viewOf(form, {});
}

ViewSpec Tensors::blockedView(Value value, const kernel::Padding &padding, Location location) {
  Halo &wanted = halos[value], needed = Halo::around(padding);
  wanted = wanted.joined(needed);
  auto found = blocked.find(value);
  if (found == blocked.end()) {
    ViewSpec interior = createBlocked(value, location);
    pairPlanarBlocked(imageView(value, location), interior,
                      cast<AffineConstantExpr>(extentsOf(value)[1]).getValue(),
                      [&](const ViewSpec &from, const ViewSpec &to) { copy(from, to, location); });
  } else if (!found->second.halo.holds(needed)) {
    // A part of another value, or laid out without a border: its surroundings are not zero.
    ViewSpec part = viewOf(found->second, {});
    copy(part, createBlocked(value, location), location);
  }
  return viewOf(blocked[value], padding);
}

ViewSpec Tensors::createPlain(Value value, Location location) {
  auto head = headMemory.find(value);
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  Value memory = head != headMemory.end()
                     ? head->second
                     : buffer(extents, elementTypeOf(value.getType()), location);
  markValue(memory, value, 0);
  plain[value] = memory;
  return rowMajor(memory, extents);
}

Value Tensors::plainMemref(Value value, Location location) {
  ViewSpec view = plainView(value, location);
  auto type = cast<MemRefType>(view.base.getType());
  SmallVector<int64_t> wanted;
  for (AffineExpr expr : view.sizes)
    wanted.push_back(staticOr(expr));
  if (type.getLayout().isIdentity() && type.getShape() == ArrayRef<int64_t>(wanted) &&
      type.hasStaticShape())
    return view.base;
  return materialise(view, location);
}

ViewSpec Tensors::stridedView(Value value, Location location) {
  return isStrided(value) ? strided.lookup(value) : plainView(value, location);
}

ViewSpec Tensors::imageView(Value value, Location location) {
  ViewSpec view = stridedView(value, location);
  if (view.sizes.size() == 3) {
    view.sizes.insert(view.sizes.begin() + 2, constant(1));
    view.strides.insert(view.strides.begin() + 2, constant(0));
  }
  return view;
}

ViewSpec Tensors::plainView(Value value, Location location) {
  auto found = plain.find(value);
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  if (found != plain.end())
    return rowMajor(found->second, extents);
  if (auto view = strided.find(value); view != strided.end()) {
    ViewSpec source = view->second, target = createPlain(value, location);
    copy(source, target, location);
    return target;
  }
  if (isWeight(value)) {
    SmallVector<int64_t> shape;
    for (AffineExpr expr : extents)
      shape.push_back(staticOr(expr));
    auto type = MemRefType::get(shape, storageType(elementTypeOf(value.getType())));
    Value memory = requestWeight({value, form(weight_form::plain), blockWidth, 0, 1, "", type});
    plain[value] = memory;
    return rowMajor(memory, extents);
  }
  auto form = blocked.find(value);
  assert(form != blocked.end() && "a value is scheduled before it is read");
  SmallVector<AffineExpr, 4> image = imageShape(value);
  int64_t channels = cast<AffineConstantExpr>(image[1]).getValue();
  bool pixel = image[2] == constant(1) && image[3] == constant(1);
  ViewSpec source = form->second.interior;
  if (pixel && channels % blockWidth == 0 && source.offset == constant(0) &&
      source.strides[0] == constant(channels) && source.strides[1] == constant(blockWidth) &&
      !headMemory.count(value)) {
    plain[value] = source.base; // the same bytes
    return rowMajor(source.base, extents);
  }
  ViewSpec target = createPlain(value, location);
  pairPlanarBlocked(rowMajor(target.base, image), source, channels,
                    [&](const ViewSpec &from, const ViewSpec &to) { copy(to, from, location); });
  return target;
}

void Tensors::pack(const WeightRequest &request, ViewSpec weight, Value target, Location location) {
  // [O, I, (kD,) ...] -> [O, I, kH, kW], the group's rows.
  while (weight.sizes.size() < 4) {
    weight.sizes.insert(weight.sizes.begin() + 2, constant(1));
    weight.strides.insert(weight.strides.begin() + 2, constant(0));
  }
  AffineExpr rows = weight.sizes[0].floorDiv(request.groups);
  weight.offset = weight.offset + weight.strides[0] * rows * request.group;
  weight.sizes[0] = rows;
  Value from = materialise(weight, location);
  if (request.form.getKind() == weight_form::depthwise) {
    kernel::PackDepthwiseOp::create(builder, location, from, target);
    return;
  }
  packForm(request.form, from, target, builder, location);
}

void Tensors::alias(Value result, Value source, Location location) {
  ViewSpec view = plainView(source, location);
  if (auto head = headMemory.find(result); head != headMemory.end() && head->second != view.base) {
    ViewSpec target = createPlain(result, location);
    SmallVector<AffineExpr, 4> extents = extentsOf(result);
    copy(rowMajor(view.base, extents), target, location);
    return;
  }
  plain[result] = view.base;
}
