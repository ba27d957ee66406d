// CoreBuilder.cpp: see CoreBuilder.h.
#include "ir/CoreBuilder.h"

#include "ir/Gradient.h"
#include "ir/OpTable.h"
#include "ir/Parts.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

bool symc::sg::hasOpenExtent(Type type) {
  Shape shape = shapeOf(type);
  return llvm::any_of(shape.list(), [](Dim extent) { return !extent.isStatic(); });
}

CoreBuilder::CoreBuilder(Operation *op)
    : b(op), loc(op->getLoc()), mirrored(isMirrored(op) && isTraining(op)) {}

Value CoreBuilder::make(StringRef mnemonic, ValueRange operands, Type type,
                        ArrayRef<NamedAttribute> attributes) {
  return makeAll(mnemonic, operands, type, attributes)[0];
}

ResultRange CoreBuilder::makeAll(StringRef mnemonic, ValueRange operands, TypeRange types,
                                 ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, ("sg." + mnemonic).str());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(attributes);
  if (mirrored)
    state.addAttribute(kRecompute, b.getUnitAttr());
  return b.create(state)->getResults();
}

bool CoreBuilder::predicts() {
  Operation *around = b.getInsertionBlock()->getParentOp();
  auto graph = dyn_cast<GraphOp>(around);
  if (!graph)
    graph = around->getParentOfType<GraphOp>();
  return graph && graph->hasAttr(predictsName);
}

NamedAttribute CoreBuilder::number(StringRef name, int64_t value) {
  return b.getNamedAttr(name, b.getI64IntegerAttr(value));
}
NamedAttribute CoreBuilder::real(StringRef name, double value) {
  return b.getNamedAttr(name, b.getF64FloatAttr(value));
}
NamedAttribute CoreBuilder::flag(StringRef name, bool value) {
  return b.getNamedAttr(name, b.getBoolAttr(value));
}
NamedAttribute CoreBuilder::text(StringRef name, StringRef value) {
  return b.getNamedAttr(name, b.getStringAttr(value));
}
NamedAttribute CoreBuilder::numbers(StringRef name, ArrayRef<int64_t> values) {
  return b.getNamedAttr(name, b.getDenseI64ArrayAttr(values));
}

Type CoreBuilder::typeOf(const Shape &shape, Type elementType) {
  return makeTensorType(shape, elementType, b.getContext());
}
Type CoreBuilder::withShape(Value like, const Shape &shape) {
  return typeOf(shape, elementTypeOf(like.getType()));
}
Type CoreBuilder::withElement(Value like, Type elementType) {
  return typeOf(shapeOf(like.getType()), elementType);
}

Value CoreBuilder::reshapeTo(Value value, Type type) {
  if (value.getType() == type)
    return value;
  SmallVector<int64_t> extents;
  Shape shape = shapeOf(type);
  for (Dim dim : shape.list())
    extents.push_back(dim.isStatic() ? dim.get() : -1);
  return make("reshape", value, type, numbers("shape", extents));
}
Value CoreBuilder::reshape(Value value, const Shape &shape) {
  return reshapeTo(value, withShape(value, shape));
}

Value CoreBuilder::cast(Value value, Type elementType) {
  if (elementTypeOf(value.getType()) == elementType)
    return value;
  return make("cast", value, withElement(value, elementType), text("dtype", typeName(elementType)));
}
Value CoreBuilder::unary(StringRef fn, Value x) {
  return make("unary", x, x.getType(), text("fn", fn));
}
Value CoreBuilder::binary(StringRef fn, Value x, Value y) {
  return make("binary", {x, y}, x.getType(), text("fn", fn));
}
Value CoreBuilder::broadcast(StringRef fn, Value x, Value y, const Shape &shape) {
  return make("binary", {x, y}, withShape(x, shape), {text("fn", fn), flag("broadcast", true)});
}
Value CoreBuilder::scalar(StringRef fn, Value x, double value, bool reverse) {
  return make("scalar", x, x.getType(),
              {text("fn", fn), real("scalar", value), flag("reverse", reverse)});
}
Value CoreBuilder::fillLike(Value x, double value) {
  return make("fill_like", x, x.getType(), real("value", value));
}
Value CoreBuilder::zeros(Type type) {
  SmallVector<int64_t> extents;
  Shape shape = shapeOf(type);
  for (Dim extent : shape.list())
    extents.push_back(extent.get());
  return make(
      "full", {}, type,
      {numbers("shape", extents), real("value", 0), text("dtype", typeName(elementTypeOf(type)))});
}
Value CoreBuilder::zerosLike(Value like) {
  return hasOpenExtent(like.getType()) ? fillLike(like, 0) : zeros(like.getType());
}
Value CoreBuilder::where(Value condition, Value x, Value y) {
  return make("where", {condition, x, y}, x.getType());
}

Value CoreBuilder::broadcastTo(Value x, const Shape &shape) {
  Shape have = shapeOf(x.getType()), aligned(shape.rank());
  bool same = have.rank() == shape.rank();
  for (size_t i = 0; i < shape.rank(); ++i) {
    size_t missing = shape.rank() - have.rank();
    aligned[i] = i < missing ? dim(1) : have[i - missing];
    same = same && aligned[i] == shape[i];
  }
  if (same)
    return x;
  SmallVector<int64_t> extents;
  for (Dim extent : shape.list()) // 0 keeps an extent that is known only at run time
    extents.push_back(extent.isStatic() ? extent.get() : 0);
  return make("broadcast_to", reshape(x, aligned), withShape(x, shape), numbers("shape", extents));
}

Value CoreBuilder::broadcastLike(Value x, Value like) {
  Shape have = shapeOf(x.getType()), shape = shapeOf(like.getType()), aligned(shape.rank());
  bool opens = false; // along an extent that is not there
  for (size_t i = 0, missing = shape.rank() - have.rank(); i < shape.rank(); ++i) {
    aligned[i] = i < missing ? dim(1) : have[i - missing];
    opens |= aligned[i] != shape[i] && !shape[i].isStatic();
  }
  if (!opens)
    return broadcastTo(x, shape);
  return make("broadcast_like", {reshape(x, aligned), like}, withShape(x, shape));
}

Value CoreBuilder::transpose(Value x, ArrayRef<int64_t> axes) {
  Shape have = shapeOf(x.getType()), transposed(axes.size());
  bool same = true;
  for (size_t i = 0; i < axes.size(); ++i) {
    transposed[i] = have[axes[i]];
    same = same && axes[i] == static_cast<int64_t>(i);
  }
  return same ? x : make("transpose", x, withShape(x, transposed), numbers("axes", axes));
}
Value CoreBuilder::reverse(Value x, ArrayRef<int64_t> axes) {
  return make("reverse", x, x.getType(), numbers("axis", axes));
}
Value CoreBuilder::slice(Value x, int64_t axis, int64_t begin, int64_t end, int64_t step) {
  Shape shape = shapeOf(x.getType());
  if (step != 1) {
    SmallVector<int64_t> first(axis, kNoneElement), last(axis, kNoneElement), steps(axis, 1);
    first.push_back(begin);
    last.push_back(end);
    steps.push_back(step);
    shape[axis] = dim((end - begin + step - 1) / step);
    return make("slice", x, withShape(x, shape),
                {numbers("begin", first), numbers("end", last), numbers("step", steps)});
  }
  if (begin == 0 && shape[axis].isStatic(end))
    return x;
  shape[axis] = dim(end - begin);
  return make("slice_axis", x, withShape(x, shape),
              {number("axis", axis), number("begin", begin), number("end", end)});
}
Value CoreBuilder::sliceToEnd(Value x, int64_t axis, int64_t begin, int64_t behind, int64_t step,
                              Dim count) {
  Shape shape = shapeOf(x.getType());
  if (begin == 0 && behind == 0 && step == 1)
    return x;
  SmallVector<int64_t> first(axis, kNoneElement), last(axis, kNoneElement), steps(axis, 1);
  first.push_back(begin);
  last.push_back(behind ? -behind : kNoneElement);
  steps.push_back(step);
  shape[axis] = count;
  return make("slice", x, withShape(x, shape),
              {numbers("begin", first), numbers("end", last), numbers("step", steps)});
}
Value CoreBuilder::concat(ValueRange parts, int64_t axis) {
  if (parts.size() == 1)
    return parts[0];
  Shape shape = shapeOf(parts[0].getType());
  shape[axis] = dim(0);
  for (Value part : parts)
    shape[axis] = shape[axis] + shapeOf(part.getType())[axis];
  return make("concat", parts, withShape(parts[0], shape),
              {number("num_args", parts.size()), number("dim", axis)});
}

Value CoreBuilder::reduce(StringRef kind, Value x, ArrayRef<int64_t> axes, bool keep) {
  if (axes.empty())
    return x;
  Shape have = shapeOf(x.getType()), kept{size_t(0)};
  for (size_t i = 0; i < have.rank(); ++i)
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      kept.push_back(have[i]);
    else if (keep)
      kept.push_back(dim(1));
  return make("reduce", x, withShape(x, kept),
              {text("kind", kind), numbers("axis", axes), flag("keepdims", keep)});
}

Value CoreBuilder::countReduced(Value x, ArrayRef<int64_t> axes, bool keep) {
  return reduce("sum", fillLike(x, 1), axes, keep);
}

Value CoreBuilder::overCount(Value value, Value x, ArrayRef<int64_t> axes) {
  Shape shape = shapeOf(x.getType());
  double count = 1;
  bool isOpen = false;
  for (int64_t axis : axes) {
    isOpen |= !shape[axis].isStatic();
    count *= isOpen ? 1 : double(shape[axis].get());
  }
  if (!isOpen)
    return scalar("div", value, count);
  Value counts = countReduced(cast(x, elementTypeOf(value.getType())), axes, /*keep=*/true);
  return broadcast("div", value, counts, shapeOf(value.getType()));
}

Value CoreBuilder::arange(double start, double step, int64_t count, Type elementType) {
  return make("arange", {}, typeOf(Shape({dim(count)}), elementType),
              {real("start", start), real("stop", start + step * count), real("step", step),
               text("dtype", typeName(elementType))});
}

Value CoreBuilder::oneHot(Value index, int64_t depth, Type elementType, double on, double off) {
  Shape shape = shapeOf(index.getType());
  shape.push_back(dim(depth));
  return make("one_hot", index, typeOf(shape, elementType),
              {number("depth", depth), real("on_value", on), real("off_value", off),
               text("dtype", typeName(elementType))});
}

Value CoreBuilder::batchDot(Value x, Value y) {
  Shape left = shapeOf(x.getType()), right = shapeOf(y.getType());
  return make("batch_dot", {x, y}, withShape(x, Shape({left[0], left[1], right[2]})));
}
