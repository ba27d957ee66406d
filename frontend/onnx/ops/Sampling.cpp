//===- Sampling.cpp - ONNX's operators that read images between pixels -----===//
//
// grid_sample: places are computed of the grid; pixels are rows of the images with their
// channels last, of which each tap takes one for each place.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {

class GridSample {
public:
  explicit GridSample(NodeScope &node) : node(node) {}

  bool run() {
    if (!readAttributes())
      return false;
    Value x = node.in(0);
    inside = node.type(0).isF64() ? node.type(0) : Type(Float32Type::get(node.context()));
    // [images * pixels, channels]
    SmallVector<int64_t> order{0};
    for (int64_t i = 0; i < axes; ++i)
      order.push_back(i + 2);
    order.push_back(1);
    pixels = node.reshape(node.cast(node.transpose(x, order), inside),
                          sg::Shape({node.dim(data[0] * productOf(image)), node.dim(data[1])}));
    for (int64_t i = 0; i < axes; ++i)
      coordinates.push_back(coordinate(i));
    Value images = node.reshape(countAlong(node, 0, 2, data[0], productOf(image)),
                                sg::Shape({node.dim(data[0]), node.dim(1)}));
    first = images;
    Value y = mode == "nearest" ? taken(coordinates) : tap(0, {}, Value());
    if (!y)
      return false;
    SmallVector<sg::Dim> shape{node.dim(data[0])};
    for (int64_t i = 0; i < axes; ++i)
      shape.push_back(node.dim(grid[i + 1]));
    shape.push_back(node.dim(data[1]));
    y = node.reshape(node.cast(y, node.type(0)), sg::Shape(shape));
    return node.give(node.transpose(y, inverseOf(order)));
  }

private:
  bool readAttributes() {
    auto from = fixedExtents(node, node.shape(0), "data");
    auto at = from ? fixedExtents(node, node.shape(1), "grid") : std::nullopt;
    if (!at)
      return false;
    data = *from;
    grid = *at;
    axes = int64_t(data.size()) - 2;
    if (axes < 1 || axes > 3 || grid.size() != data.size() || grid.back() != axes ||
        grid[0] != data[0])
      return node.refuse("its grid has the shape " + node.shape(1).str() + " for data of " +
                         node.shape(0).str());
    if (!isa<FloatType>(node.type(0)))
      return node.refuse("its data has the element type " + sg::typeName(node.type(0)) +
                         ", needs floats");
    image.assign(data.begin() + 2, data.end());
    if (productOf(data) == 0 || productOf(grid) == 0)
      return node.refuse("its data or grid is empty");
    mode = node.text("mode");
    if (mode == "bilinear")
      mode = "linear";
    if (mode == "bicubic")
      mode = "cubic";
    padding = node.text("padding_mode");
    corners = node.integer("align_corners") != 0;
    if (mode != "nearest" && mode != "linear" && mode != "cubic")
      return node.refuse("it has no mode " + inQuotes(mode));
    if (padding != "zeros" && padding != "border" && padding != "reflection")
      return node.refuse("it has no padding_mode " + inQuotes(padding));
    return true;
  }

  double least() const { return corners ? 0 : -0.5; }
  double most(int64_t axis) const { return double(image[axis]) - (corners ? 1 : 0.5); }

  // A triangle wave between the borders of the image.
  Value reflected(Value x, int64_t axis) {
    double range = most(axis) - least();
    if (range <= 0)
      return node.scalar("mul", x, 0);
    Value from = node.unary("abs", node.scalar("sub", x, least()));
    Value rest = node.scalar("mod", from, 2 * range);
    Value back = node.scalar("sub", rest, 2 * range, /*reverse=*/true);
    return node.scalar("add", node.binary("minimum", rest, back), least());
  }
  Value clamped(Value x, int64_t axis) {
    return node.make(
        "clip", x,
        {node.realNumber("a_min", 0), node.realNumber("a_max", double(image[axis] - 1))});
  }

  // Where each place of the result lies along an axis of the image: [images, places].
  Value coordinate(int64_t axis) {
    auto last = int64_t(grid.size()) - 1;
    Value n = node.slice(node.in(1), last, axes - 1 - axis, axes - axis);
    int64_t places = productOf(ArrayRef(grid).drop_front().drop_back());
    n = node.reshape(node.cast(n, inside), sg::Shape({node.dim(grid[0]), node.dim(places)}));
    auto extent = double(image[axis]);
    Value x = node.scalar("add", n, 1);
    x = corners ? node.scalar("mul", node.scalar("div", x, 2), extent - 1)
                : node.scalar("div", node.scalar("sub", node.scalar("mul", x, extent), 1), 2);
    if (mode == "nearest")
      x = node.unary("round_even", x);
    if (padding == "border")
      return clamped(x, axis);
    return padding == "reflection" ? reflected(x, axis) : x;
  }

  // A row of pixels for each place; 0 where one lies outside of images that zeros surround.
  Value taken(ArrayRef<Value> at) {
    Value row = first, outside;
    SmallVector<int64_t> strides = stridesOf(image);
    for (int64_t i = 0; i < axes; ++i) {
      Value x = at[i];
      if (padding == "reflection")
        x = reflected(x, i);
      Value kept = clamped(x, i);
      if (padding == "zeros") {
        Value out = node.compare("not_equal", x, kept); // both are whole
        outside = outside ? node.binary("logical_or", outside, out) : out;
      }
      Value place = node.cast(kept, int64Type(node));
      if (strides[i] != 1)
        place = node.scalar("mul", place, double(strides[i]));
      row = node.binary("add", row, place);
    }
    int64_t places = productOf(ArrayRef(grid).drop_back());
    auto column = [&](Value x) {
      return node.reshape(x, sg::Shape({node.dim(places), node.dim(1)}));
    };
    row = node.reshape(row, sg::Shape({node.dim(places)}));
    Value y = node.make("take", {pixels, row}, {node.number("axis", 0)});
    if (!outside)
      return y;
    return node.where(column(outside), node.scalarLike(0, inside), y);
  }

  // What tap `t` of an axis weighs at distance `x` from the element below.
  Value weight(Value x, int64_t t) {
    if (mode == "linear")
      return t == 0 ? node.scalar("sub", x, 1, /*reverse=*/true) : x;
    constexpr double a = -0.75;
    auto outer = [&](Value d) { // of 1 to 2
      Value y = node.scalar("sub", node.scalar("mul", d, a), 5 * a);
      y = node.scalar("add", node.binary("mul", y, d), 8 * a);
      return node.scalar("sub", node.binary("mul", y, d), 4 * a);
    };
    auto inner = [&](Value d) { // of 0 to 1
      Value y = node.scalar("sub", node.scalar("mul", d, a + 2), a + 3);
      return node.scalar("add", node.binary("mul", node.binary("mul", y, d), d), 1);
    };
    Value back = node.scalar("sub", x, 1, /*reverse=*/true);
    switch (t) {
    case 0:
      return outer(node.scalar("add", x, 1));
    case 1:
      return inner(x);
    case 2:
      return inner(back);
    default:
      return outer(node.scalar("add", back, 1));
    }
  }

  // The sum over the taps of this axis and those behind it.
  Value tap(int64_t axis, SmallVector<Value> at, Value weights) {
    if (axis == axes) {
      Value y = taken(at);
      if (!y || !weights)
        return y;
      int64_t places = productOf(ArrayRef(grid).drop_back());
      return node.binary("mul", y,
                         node.reshape(weights, sg::Shape({node.dim(places), node.dim(1)})));
    }
    Value low = node.unary("floor", coordinates[axis]);
    Value distance = node.binary("sub", coordinates[axis], low);
    Value sum;
    int64_t taps = mode == "linear" ? 2 : 4;
    for (int64_t t = 0; t < taps && node.reason.empty(); ++t) {
      double offset = double(t) - (taps == 4 ? 1 : 0);
      SmallVector<Value> next = at;
      next.push_back(offset == 0 ? low : node.scalar("add", low, offset));
      Value own = weight(distance, t);
      Value part = tap(axis + 1, next, weights ? node.binary("mul", weights, own) : own);
      sum = t == 0 ? part : node.binary("add", sum, part);
    }
    return sum;
  }

  NodeScope &node;
  StringRef mode, padding;
  bool corners = false;
  int64_t axes = 0;
  Type inside;
  SmallVector<int64_t> data, grid, image;
  SmallVector<Value> coordinates;
  Value pixels, first; // rows of pixels; the first one of each image
};

} // namespace

bool gridSample(NodeScope &node) { return GridSample(node).run(); }

// Places of a grid from -1 to 1, times a matrix for each image.
bool affineGrid(NodeScope &node) {
  auto size = node.numbers(1);
  if (!size)
    return false;
  int64_t axes = int64_t(size->size()) - 2;
  sg::Shape theta = node.shape(0);
  if ((axes != 2 && axes != 3) || theta.rank() != 3 || !theta[1].isStatic(axes) ||
      !theta[2].isStatic(axes + 1) || !theta[0].isStatic((*size)[0]))
    return node.refuse("its theta has the shape " + theta.str() + " for a size of " +
                       Twine(size->size()) + " extents");
  ArrayRef<int64_t> image = ArrayRef(*size).drop_front(2);
  std::optional<uint64_t> count = countElements(image);
  if (!count || *count > (1 << 26) || *count == 0)
    return node.refuse("its size has no places, or more than 2^26");
  bool corners = node.integer("align_corners") != 0;
  std::vector<double> grid;
  SmallVector<int64_t> strides = stridesOf(image);
  for (uint64_t i = 0; i < *count; ++i) {
    for (int64_t axis = axes; axis-- > 0;) {
      int64_t at = int64_t(i) / strides[axis] % image[axis];
      auto extent = double(image[axis]);
      grid.push_back(corners ? (extent == 1 ? -1 : -1 + 2 * double(at) / (extent - 1))
                             : (2 * double(at) + 1) / extent - 1);
    }
    grid.push_back(1);
  }
  Value places = node.constant(Known::real64(grid, {int64_t(*count), axes + 1}, node.type(0)));
  Value y = node.matmul(places, node.transpose(node.in(0), {0, 2, 1}));
  SmallVector<sg::Dim> shape{theta[0]};
  for (int64_t extent : image)
    shape.push_back(node.dim(extent));
  shape.push_back(node.dim(axes));
  return node.give(node.reshape(y, sg::Shape(shape)));
}

bool roiAlign(NodeScope &node) {
  StringRef kind = node.text("mode");
  if (kind != "avg" && kind != "max")
    return node.refuse("it has no mode " + inQuotes(kind));
  bool aligned = false;
  if (node.opset >= 16) {
    StringRef mode = node.text("coordinate_transformation_mode");
    if (mode != "half_pixel" && mode != "output_half_pixel")
      return node.refuse("it has no coordinate_transformation_mode " + inQuotes(mode));
    aligned = mode == "half_pixel";
  }
  sg::Shape places = node.shape(2);
  Type type = node.type(0);
  if (places.rank() != 1)
    return node.refuse("its batch_indices have the shape " + places.str() + ", needs one extent");
  Value column = node.expandDims(node.cast(node.in(2), type), 1);
  Value rois = node.concat({column, node.in(1)}, 1);
  int64_t samples = node.integer("sampling_ratio");
  return node.give(node.make(
      "roi_align", {node.in(0), rois},
      {node.list("pooled_size", {node.integer("output_height"), node.integer("output_width")}),
       node.realNumber("spatial_scale", node.real("spatial_scale")),
       node.number("sample_ratio", samples == 0 ? -1 : samples), node.flag("aligned", aligned),
       node.flag("greatest", kind == "max")}));
}

bool maxRoiPool(NodeScope &node) {
  ArrayRef<int64_t> pooled = node.integers("pooled_shape");
  return node.give(node.make("roi_pooling", {node.in(0), node.in(1)},
                             {node.list("pooled_size", pooled),
                              node.realNumber("spatial_scale", node.real("spatial_scale"))}));
}

} // namespace symc::onnx::ops
