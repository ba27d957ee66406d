// VisionGradient.cpp: gradients of operators that cut, border and enlarge images.
#include "ir/Gradient.h"
#include "ir/ops/Vision.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// Pixels were repeated in blocks, channels put behind each other or images added.
static Value nearestGradient(GradientScope &scope, Value slope, Value image) {
  CoreBuilder &core = scope.core;
  Shape small = shapeOf(image.getType()), large = shapeOf(slope.getType());
  int64_t rows = scope.extent(large[2]) / scope.extent(small[2]),
          columns = scope.extent(large[3]) / scope.extent(small[3]);
  Shape split({small[0], small[1], small[2], core.dim(rows), small[3], core.dim(columns)});
  return core.reduce("sum", core.reshape(slope, split), {3, 5}, false);
}

LogicalResult UpSamplingOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value slope = scope.of();
  if (getSampleType() == "nearest") {
    int64_t first = 0;
    for (auto [i, image] : llvm::enumerate(getArgs())) {
      int64_t channels = scope.extent(shapeOf(image.getType())[1]);
      if (scope.needs(i)) {
        bool sums = getMultiInputMode() == "sum";
        Value own = sums ? slope : core.slice(slope, 1, first, first + channels);
        scope.give(i, nearestGradient(scope, own, image));
      }
      first += channels;
    }
    return success();
  }
  // A deconvolution with a group for each channel.
  Value image = getArgs()[0], weight = getArgs()[1];
  int64_t scale = getScale(), size = 2 * scale - scale % 2,
          channels = scope.extent(shapeOf(image.getType())[1]);
  SmallVector<NamedAttribute> window{
      core.numbers("kernel", {size, size}), core.numbers("stride", {scale, scale}),
      core.numbers("pad", {scale / 2, scale / 2}), core.number("num_group", channels)};
  if (scope.needs(0)) {
    SmallVector<NamedAttribute> attributes = window;
    attributes.append({core.number("num_filter", channels), core.flag("no_bias", true)});
    scope.give(0, core.make("convolution", {slope, weight}, image.getType(), attributes));
  }
  if (scope.needs(1))
    scope.give(1, core.make("convolution_weights", {slope, image}, weight.getType(), window));
  return success();
}

LogicalResult CropOp::buildGradient(GradientScope &scope) {
  Shape whole = shapeOf(getData().getType()), part = shapeOf(getOutput().getType());
  SmallVector<int64_t> begin{0, 0}, end{scope.extent(whole[0]), scope.extent(whole[1])};
  for (int axis : {2, 3}) {
    int64_t from = getCenterCrop() ? (scope.extent(whole[axis]) - scope.extent(part[axis])) / 2
                   : getOffset().empty() ? 0
                                         : getOffset()[axis - 2];
    begin.push_back(from);
    end.push_back(from + scope.extent(part[axis]));
  }
  if (scope.needs(0))
    scope.give(0, scope.putIn(0, scope.of(), begin, end));
  return success();
}

// A border that repeats elements adds to them, axis by axis.
LogicalResult PadOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value slope = scope.of();
  Shape data = shapeOf(getData().getType());
  for (size_t axis = 0; axis < data.rank(); ++axis) {
    int64_t before = getPadWidth()[2 * axis], behind = getPadWidth()[2 * axis + 1];
    int64_t extent = scope.extent(data[axis]);
    if (!before && !behind)
      continue;
    if (getMode() == "constant") {
      slope = core.slice(slope, axis, before, before + extent);
      continue;
    }
    // Which element each place holds.
    Type integer = core.b.getI32Type();
    bool isEdge = getMode() == "edge";
    SmallVector<Value> sources;
    auto border = [&](int64_t first, int64_t step, int64_t count) {
      if (!count)
        return;
      Value edge = core.make("full", {}, core.typeOf(Shape({core.dim(count)}), integer),
                             {core.numbers("shape", {count}), core.real("value", double(first)),
                              core.text("dtype", "int32")});
      sources.push_back(isEdge ? edge : core.arange(double(first), double(step), count, integer));
    };
    border(isEdge ? 0 : before, -1, before);
    sources.push_back(core.arange(0, 1, extent, integer));
    border(isEdge ? extent - 1 : extent - 2, -1, behind);
    Value places = core.concat(sources, 0);
    Shape shape = shapeOf(slope.getType());
    shape[axis] = data[axis];
    slope = core.make(
        "scatter_add", {slope, places}, core.withShape(slope, shape),
        {core.number("axis", axis), core.number("extent", extent), core.text("mode", "raise")});
  }
  scope.give(0, slope);
  return success();
}

//===----------------------------------------------------------------------===//
// Resampling along rows and columns is linear: with the matrices R and C of how the result's rows
// and columns are made of the data's, the gradient is R^T G C. What an operator makes of the
// columns of the identity are those matrices.
//===----------------------------------------------------------------------===//

// `resample` of an image [1, extent, extent, 1] to `result` rows; [extent, result].
template <class Resample>
static Value matrixAlong(CoreBuilder &core, int64_t extent, int64_t result, Type element,
                         Resample resample) {
  Dim one = core.dim(1), from = core.dim(extent), to = core.dim(result);
  Value identity = core.make("eye", {}, core.typeOf(Shape({from, from}), element),
                             {core.number("N", extent), core.text("dtype", typeName(element))});
  Value image = core.reshape(identity, Shape({one, from, from, one}));
  Value resampled = resample(image, core.withShape(image, Shape({one, from, to, one})));
  return core.reshape(resampled, Shape({from, to}));
}

template <class Resample>
static Value separableGradient(GradientScope &scope, Value data, Value slope, Resample resample) {
  CoreBuilder &core = scope.core;
  Shape small = shapeOf(data.getType()), large = shapeOf(slope.getType());
  Type element = elementTypeOf(data.getType());
  Value rows = matrixAlong(core, scope.extent(small[2]), scope.extent(large[2]), element, resample);
  Value columns =
      matrixAlong(core, scope.extent(small[3]), scope.extent(large[3]), element, resample);
  // Along the columns: [N*C*oH, oW] x [oW, W]; then along the rows.
  Dim planes = core.dim(scope.extent(small[0]) * scope.extent(small[1]));
  Value along = core.make(
      "dot",
      {core.reshape(slope, Shape({core.dim(planes.get() * scope.extent(large[2])), large[3]})),
       columns},
      core.withShape(data, Shape({core.dim(planes.get() * scope.extent(large[2])), small[3]})),
      core.flag("transpose_b", true));
  Value rotated =
      core.transpose(core.reshape(along, Shape({planes, large[2], small[3]})), {0, 2, 1});
  Dim lines = core.dim(planes.get() * scope.extent(small[3]));
  Value down =
      core.make("dot", {core.reshape(rotated, Shape({lines, large[2]})), rows},
                core.withShape(data, Shape({lines, small[2]})), core.flag("transpose_b", true));
  Value back = core.transpose(core.reshape(down, Shape({planes, small[3], small[2]})), {0, 2, 1});
  return core.reshapeTo(back, data.getType());
}

LogicalResult BilinearResizeOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  if (scope.needs(0))
    scope.give(0, separableGradient(scope, getData(), scope.of(), [&](Value image, Type type) {
                 return core.make("bilinear_resize", image, type,
                                  {core.number("height", shapeOf(type)[2].get()),
                                   core.number("width", 1),
                                   core.flag("align_corners", getAlignCorners())});
               }));
  return success();
}

LogicalResult AdaptiveAvgPoolingOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  scope.give(0, separableGradient(scope, getData(), scope.of(), [&](Value image, Type type) {
               return core.make("adaptive_avg_pooling", image, type,
                                core.numbers("output_size", {shapeOf(type)[2].get(), 1}));
             }));
  return success();
}

// x and y are sums of the places (x, y, 1) of the target, times rows of the matrix.
LogicalResult GridGeneratorOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Shape grid = shapeOf(getOutput().getType());
  Type element = elementTypeOf(getData().getType());
  int64_t rows = scope.extent(grid[2]), columns = scope.extent(grid[3]);
  Dim places = core.dim(rows * columns);
  if (getTransformType() == "warp") { // pixels to -1 .. 1
    Value x = core.scalar("div", core.slice(scope.of(), 1, 0, 1), double(columns - 1) / 2);
    Value y = core.scalar("div", core.slice(scope.of(), 1, 1, 2), double(rows - 1) / 2);
    scope.give(0, core.concat({x, y}, 1));
    return success();
  }
  Value units =
      core.make("eye", {}, core.typeOf(Shape({core.dim(3), core.dim(6)}), element),
                {core.number("N", 3), core.number("M", 6), core.text("dtype", typeName(element))});
  Value of = core.make(
      "grid_generator", units,
      core.typeOf(Shape({core.dim(3), core.dim(2), grid[2], grid[3]}), element),
      {core.text("transform_type", "affine"), core.numbers("target_shape", {rows, columns})});
  Value target = core.reshape(core.slice(of, 1, 0, 1), Shape({core.dim(3), places}));
  Dim lines = core.dim(scope.extent(grid[0]) * 2);
  Value own =
      core.make("dot", {core.reshape(scope.of(), Shape({lines, places})), target},
                core.typeOf(Shape({lines, core.dim(3)}), element), core.flag("transpose_b", true));
  scope.give(0, core.reshapeTo(own, getData().getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Samples and regions
//===----------------------------------------------------------------------===//

LogicalResult ROIPoolingOp::buildGradient(GradientScope &scope) {
  if (scope.needs(0)) // regions get none
    scope.give(0, scope.makeLike("roi_pooling_gradient", {getData(), getRois(), scope.of()},
                                 getData().getType()));
  return success();
}

LogicalResult BilinearSamplerOp::buildGradient(GradientScope &scope) {
  for (unsigned i : {0, 1})
    if (scope.needs(i))
      scope.give(i, scope.makeLike("sampler_gradient", {getData(), getGrid(), scope.of()},
                                   getOperand(i).getType(),
                                   scope.core.text("of", i ? "grid" : "data")));
  return success();
}

LogicalResult SpatialTransformerOp::buildGradient(GradientScope &scope) {
  for (unsigned i : {0, 1})
    if (scope.needs(i))
      scope.give(i, scope.makeLike("transformer_gradient", {getData(), getLoc(), scope.of()},
                                   getOperand(i).getType(),
                                   scope.core.text("of", i ? "loc" : "data")));
  return success();
}
