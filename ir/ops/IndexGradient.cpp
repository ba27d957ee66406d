// IndexGradient.cpp: gradients of operators that choose elements: each element gets the sum of
// the gradients of all that were chosen from it. Indices get none.
#include "ir/Gradient.h"
#include "ir/ops/Index.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

LogicalResult TakeOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Shape data = shapeOf(getA().getType());
  int64_t axis = scope.axisOf(getAxis(), getA());
  if (!scope.needs(0))
    return success();
  // A result of [1] for all of one index has rank 0 without it.
  scope.give(0,
             core.make("scatter_add", {scope.of(), getIndices()}, getA().getType(),
                       {core.number("axis", axis), core.number("extent", scope.extent(data[axis])),
                        core.text("mode", getMode())}));
  return success();
}

LogicalResult PickOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Shape data = shapeOf(getData().getType());
  Type element = elementTypeOf(getData().getType());
  bool flat = int64_t(getAxis()) == kNoneElement;
  int64_t axis = flat ? 0 : scope.axisOf(getAxis(), getData());
  Shape shape = flat ? Shape({data.product(0, data.rank(), getContext())}) : data;
  // [outer, extent, inner]
  Dim outer = shape.product(0, axis, getContext()), extent = shape[axis];
  Dim inner = shape.product(axis + 1, shape.rank(), getContext());
  Value index = core.reshape(getIndex(), Shape({outer, inner}));
  int64_t classes = scope.extent(extent);
  double most = double(classes);
  if (getMode() == "wrap")
    index = core.scalar("mod", index, most);
  else
    index = core.scalar("minimum", core.scalar("maximum", index, 0), most - 1);
  Value chosen = core.oneHot(index, classes, element);
  Shape parts({outer, extent, inner});
  Value own = core.broadcast("mul", core.transpose(chosen, {0, 2, 1}),
                             core.reshape(scope.of(), Shape({outer, core.dim(1), inner})), parts);
  scope.give(0, core.reshapeTo(own, getData().getType()));
  return success();
}

LogicalResult GatherNDOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Shape data = shapeOf(getData().getType()), indices = shapeOf(getIndices().getType());
  Type integer = core.b.getI64Type();
  int64_t leading = scope.extent(indices[0]);
  Dim columns = indices.product(1, indices.rank(), getContext());
  Value rows = core.reshape(core.cast(getIndices(), integer), Shape({core.dim(leading), columns}));
  Value place;
  int64_t count = 1;
  for (int64_t axis = 0; axis < leading; ++axis) {
    int64_t extent = scope.extent(data[axis]);
    Value row = core.reshape(core.slice(rows, 0, axis, axis + 1), Shape({columns}));
    Value isBehind = core.scalar("lesser", row, 0); // counts from the end
    row = core.binary("add", row, core.scalar("mul", isBehind, double(extent)));
    place = place ? core.binary("add", core.scalar("mul", place, double(extent)), row) : row;
    count *= extent;
  }
  Dim inner = data.product(leading, data.rank(), getContext());
  Value slope = core.reshape(scope.of(), Shape({columns, inner}));
  Value sums = core.make(
      "scatter_add", {slope, place}, core.withShape(slope, Shape({core.dim(count), inner})),
      {core.number("axis", 0), core.number("extent", count), core.text("mode", "raise")});
  scope.give(0, core.reshapeTo(sums, getData().getType()));
  return success();
}

LogicalResult ScatterNDOp::buildGradient(GradientScope &scope) {
  if (scope.needs(0))
    scope.give(0, scope.core.make("gather_nd", {scope.of(), getIndices()}, getData().getType()));
  return success();
}

// Elements at places [.., k, ..] along an axis go back to [.., n, ..]; flattened data without one.
static Value putAtPlaces(GradientScope &scope, Value slope, Value places, Value data,
                         int64_t axis) {
  CoreBuilder &core = scope.core;
  Shape whole = shapeOf(data.getType()), part = shapeOf(slope.getType());
  MLIRContext *context = scope.context();
  Dim outer = core.dim(1), inner = core.dim(1), extent = whole.product(0, whole.rank(), context);
  Dim chosen = part.product(0, part.rank(), context);
  if (axis != kNoneElement) {
    axis = axis < 0 ? axis + whole.rank() : axis;
    outer = whole.product(0, axis, context);
    inner = whole.product(axis + 1, whole.rank(), context);
    extent = whole[axis];
    chosen = part[axis];
  }
  // The number of an element: (outer * n + place) * inner + inner's.
  Type integer = core.b.getI64Type();
  Shape split({outer, chosen, inner});
  Value number = core.reshape(core.cast(places, integer), split);
  Value first =
      core.reshape(core.arange(0, double(scope.extent(extent)), scope.extent(outer), integer),
                   Shape({outer, core.dim(1), core.dim(1)}));
  number = core.binary("add", number, scope.repeat(first, split));
  Value rest = core.reshape(core.arange(0, 1, scope.extent(inner), integer),
                            Shape({core.dim(1), core.dim(1), inner}));
  number = core.binary("add", core.scalar("mul", number, double(scope.extent(inner))),
                       scope.repeat(rest, split));
  Dim elements = split.product(0, 3, context);
  int64_t count = scope.extent(whole.product(0, whole.rank(), context));
  Value sums =
      core.make("scatter_add",
                {core.reshape(slope, Shape({elements})), core.reshape(number, Shape({elements}))},
                core.withShape(slope, Shape({core.dim(count)})),
                {core.number("axis", 0), core.number("extent", count), core.text("mode", "raise")});
  return core.reshapeTo(sums, data.getType());
}

LogicalResult TopKOp::buildGradient(GradientScope &scope) {
  if (getRetTyp() != "value" && getRetTyp() != "both") { // places and masks do not move
    scope.give(0, scope.zerosLike(0));
    return success();
  }
  CoreBuilder &core = scope.core;
  Type type = core.withElement(getResult(0), core.b.getI32Type());
  Value places = core.make("topk", getData(), type,
                           {core.number("axis", getAxis()), core.number("k", getK()),
                            core.text("ret_typ", "indices"), core.flag("is_ascend", getIsAscend()),
                            core.text("dtype", "int32")});
  scope.give(0, putAtPlaces(scope, scope.of(), places, getData(), getAxis()));
  return success();
}

LogicalResult SortOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Type type = core.withElement(getResult(0), core.b.getI32Type());
  Value places = core.make("argsort", getData(), type,
                           {core.number("axis", getAxis()), core.flag("is_ascend", getIsAscend()),
                            core.text("dtype", "int32")});
  scope.give(0, putAtPlaces(scope, scope.of(), places, getData(), getAxis()));
  return success();
}

LogicalResult BooleanMaskOp::buildGradient(GradientScope &scope) {
  if (scope.needs(0))
    scope.give(0, scope.makeLike("boolean_mask_gradient", {getData(), getIndex(), scope.of()},
                                 getData().getType()));
  return success();
}
