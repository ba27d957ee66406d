//===- Layers.cpp - ONNX's convolutions and pooling ------------------------===//
//
// Paddings that differ at both ends of an axis are put around data by a pad in front of
// the layer, or taken off by a slice behind it.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/ops/Layers.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"
#include "mlir/IR/Remarks.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// Names that llvm has too.
using mlir::Type;
using mlir::Value;

static std::optional<Windows> readWindows(NodeScope &node, ArrayRef<int64_t> kernel) {
  Windows w;
  w.kernel.assign(kernel.begin(), kernel.end());
  size_t rank = kernel.size();
  auto refuse = [&](const Twine &why) -> std::optional<Windows> {
    node.refuse(why);
    return std::nullopt;
  };
  sg::Shape shape = node.shape(0);
  if (shape.rank() != rank + 2)
    return refuse("its data has the shape " + shape.str() + " for a kernel of " + Twine(rank) +
                  " extents");
  w.extents.assign(shape.list().begin() + 2, shape.list().end());
  auto listOf = [&](StringRef name, int64_t otherwise) {
    SmallVector<int64_t> values(node.integers(name));
    if (values.empty())
      values.assign(rank, otherwise);
    return values;
  };
  w.stride = listOf("strides", 1);
  w.dilation = listOf("dilations", 1);
  if (w.stride.size() != rank || w.dilation.size() != rank)
    return refuse("its strides or dilations are not one for each axis of the image");
  for (size_t i = 0; i < rank; ++i)
    if (w.kernel[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1)
      return refuse("its kernel, strides or dilations hold a number below 1");
  w.begin.assign(rank, 0);
  w.end.assign(rank, 0);
  StringRef mode = node.text("auto_pad");
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    for (size_t i = 0; i < rank; ++i) {
      int64_t total;
      if (w.stride[i] == 1) {
        total = w.span(i) - 1;
      } else {
        if (!w.extents[i].isStatic())
          return refuse("auto_pad with a stride over an extent that is chosen at run time");
        int64_t x = w.extents[i].get(), out = (x + w.stride[i] - 1) / w.stride[i];
        total = std::max<int64_t>(0, (out - 1) * w.stride[i] + w.span(i) - x);
      }
      w.begin[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.end[i] = total - w.begin[i];
    }
    return w;
  }
  if (mode != "NOTSET" && mode != "VALID" && !mode.empty())
    return refuse("it has no auto_pad " + inQuotes(mode));
  SmallVector<int64_t> pads(node.integers("pads"));
  if (mode != "VALID" && !pads.empty()) {
    if (pads.size() != 2 * rank)
      return refuse("it has " + Twine(pads.size()) + " pads for " + Twine(rank) + " axes");
    for (size_t i = 0; i < rank; ++i) {
      w.begin[i] = pads[i];
      w.end[i] = pads[i + rank];
      if (w.begin[i] < 0 || w.end[i] < 0)
        return refuse("it has a negative pad");
    }
  }
  return w;
}

Value padImage(NodeScope &node, Value x, ArrayRef<int64_t> begin, ArrayRef<int64_t> end,
               double value) {
  std::string text = "((0,0),(0,0),";
  bool any = false;
  for (auto [b, e] : zip_equal(begin, end)) {
    text += "(" + std::to_string(b) + "," + std::to_string(e) + "),";
    any |= b != 0 || e != 0;
  }
  if (!any)
    return x;
  return node.make("numpy_pad", x,
                   {node.word("pad_width", text + ")"), node.realNumber("constant_value", value)});
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static std::optional<SmallVector<int64_t>> kernelOf(NodeScope &node, size_t operand = 1) {
  SmallVector<int64_t> kernel;
  sg::Shape weight = node.shape(operand);
  if (!weight.isStatic() || weight.rank() < 3) {
    node.refuse("its weight has the shape " + weight.str() + ", needs three fixed extents or more");
    return std::nullopt;
  }
  for (sg::Dim dim : weight.list().drop_front(2))
    kernel.push_back(dim.get());
  if (node.given("kernel_shape") && ArrayRef(kernel) != node.integers("kernel_shape")) {
    node.refuse("its kernel_shape is not that of its weight, " + weight.str());
    return std::nullopt;
  }
  return kernel;
}

std::optional<Windows> convolutionWindows(NodeScope &node, size_t weight) {
  auto kernel = kernelOf(node, weight);
  return kernel ? readWindows(node, *kernel) : std::nullopt;
}

Value makeConvolution(NodeScope &node, Value x, Value weight, Value bias, int64_t groups,
                      const Windows &w) {
  SmallVector<int64_t> pads = w.begin;
  if (!w.isEven()) {
    x = padImage(node, x, w.begin, w.end, 0);
    pads.assign(w.rank(), 0);
  }
  if (!x || !weight)
    return {};
  SmallVector<Value> operands{x, weight};
  if (bias)
    operands.push_back(bias);
  return node.make("convolution", operands,
                   {node.list("kernel", w.kernel), node.list("stride", w.stride),
                    node.list("dilate", w.dilation), node.list("pad", pads),
                    node.number("num_filter", sg::shapeOf(weight.getType())[0].get()),
                    node.number("num_group", groups), node.flag("no_bias", !bias)});
}

bool conv(NodeScope &node) {
  auto w = convolutionWindows(node, 1);
  return w &&
         node.give(makeConvolution(node, node.in(0), node.in(1), node.has(2) ? node.in(2) : Value(),
                                   node.integer("group"), *w));
}

// Taps that offsets move; zeros around the image are those that the operator reads outside of it.
bool deformConv(NodeScope &node) {
  auto w = convolutionWindows(node, 1);
  if (!w)
    return false;
  if (w->rank() != 2)
    return node.refuse("its images have " + Twine(w->rank()) + " axes, needs two");
  Value x = node.in(0);
  SmallVector<int64_t> pads = w->begin;
  if (!w->isEven()) {
    x = padImage(node, x, w->begin, w->end, 0);
    pads.assign(2, 0);
  }
  int64_t groups = node.integer("offset_group");
  Value mask = node.has(4) ? node.in(4) : Value();
  if (!mask) {
    sg::Shape shape = node.shape(2);
    if (shape.rank() != 4)
      return node.refuse("its offsets have the shape " + shape.str() + ", needs four extents");
    shape[1] = node.dim(groups * productOf(w->kernel));
    mask = node.broadcastTo(node.scalarLike(1, node.type(0)), shape);
  }
  if (!x || !mask)
    return false;
  // sg's operation has a multiple of the groups of offsets as filters: zeros fill them up, in each
  // group of the convolution, and their channels are cut off.
  int64_t parts = node.integer("group"), filters = node.shape(1)[0].get(), each = filters / parts;
  int64_t filled = each;
  while (groups > 0 && filled * parts % groups != 0 && filled < each + groups)
    ++filled;
  Value weight = node.in(1);
  bool isFilled = filled != each && filters == each * parts;
  if (isFilled) {
    sg::Shape shape = node.shape(1);
    auto grouped = [&](int64_t count) {
      SmallVector<sg::Dim> dims{node.dim(parts), node.dim(count)};
      dims.append(shape.list().begin() + 1, shape.list().end());
      return sg::Shape(dims);
    };
    Value zeros = node.broadcastTo(node.scalarLike(0, node.type(1)), grouped(filled - each));
    weight = node.concat({node.reshape(weight, grouped(each)), zeros}, 1);
    shape[0] = node.dim(filled * parts);
    weight = node.reshape(weight, shape);
  }
  SmallVector<Value> operands{x, node.in(2), mask, weight};
  bool hasBias = node.has(3) && !isFilled;
  if (hasBias)
    operands.push_back(node.in(3));
  Value y =
      node.make("modulated_deformable_convolution", operands,
                {node.list("kernel", w->kernel), node.list("stride", w->stride),
                 node.list("dilate", w->dilation), node.list("pad", pads),
                 node.number("num_filter", filled * parts), node.number("num_group", parts),
                 node.number("num_deformable_group", groups), node.flag("no_bias", !hasBias)});
  if (!y || !isFilled)
    return node.give(y);
  sg::Shape shape = sg::shapeOf(y.getType()), kept = shape;
  kept[1] = node.dim(filters);
  y = node.reshape(y, sg::Shape({shape[0], node.dim(parts), node.dim(filled), shape[2], shape[3]}));
  y = node.reshape(node.slice(y, 2, 0, each), kept);
  if (node.has(3))
    y = node.binary("add", y,
                    node.reshape(node.in(3), sg::Shape({node.dim(1), node.dim(filters), node.dim(1),
                                                        node.dim(1)})));
  return node.give(y);
}

// Columns added up where their windows lie; what lies in the padding is cut off.
bool col2Im(NodeScope &node) {
  auto image = node.numbers(1), block = image ? node.numbers(2) : std::nullopt;
  if (!block)
    return false;
  size_t rank = image->size();
  auto listOf = [&](StringRef name, size_t count, int64_t otherwise) {
    SmallVector<int64_t> values(node.integers(name));
    if (values.empty())
      values.assign(count, otherwise);
    return values;
  };
  SmallVector<int64_t> strides = listOf("strides", rank, 1),
                       dilations = listOf("dilations", rank, 1), pads = listOf("pads", 2 * rank, 0),
                       padded(*image);
  if (block->size() != rank || strides.size() != rank || dilations.size() != rank ||
      pads.size() != 2 * rank)
    return node.refuse("its attributes are not one number for each axis of the image");
  for (size_t i = 0; i < rank; ++i)
    padded[i] += pads[i] + pads[i + rank];
  Value y = node.make("col2im", node.in(0),
                      {node.list("output_size", padded), node.list("kernel", *block),
                       node.list("stride", strides), node.list("dilate", dilations)});
  for (size_t i = 0; i < rank; ++i)
    if (pads[i] != 0 || pads[i + rank] != 0)
      y = node.slice(y, int64_t(i) + 2, pads[i], pads[i] + (*image)[i]);
  return node.give(y);
}

bool convTranspose(NodeScope &node) {
  auto kernel = kernelOf(node);
  if (!kernel)
    return false;
  size_t rank = kernel->size();
  SmallVector<int64_t> more(node.integers("output_padding")), wanted(node.integers("output_shape"));
  if (more.empty())
    more.assign(rank, 0);
  if (wanted.size() == rank + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  // What SAME means here is decided by the extents that are wanted.
  StringRef mode = node.text("auto_pad");
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  Windows w;
  w.kernel = *kernel;
  sg::Shape shape = node.shape(0);
  if (shape.rank() != rank + 2)
    return node.refuse("its data has the shape " + shape.str() + " for a kernel of " + Twine(rank) +
                       " extents");
  w.extents.assign(shape.list().begin() + 2, shape.list().end());
  auto listOf = [&](StringRef name, size_t count, int64_t otherwise) {
    SmallVector<int64_t> values(node.integers(name));
    if (values.empty())
      values.assign(count, otherwise);
    return values;
  };
  w.stride = listOf("strides", rank, 1);
  w.dilation = listOf("dilations", rank, 1);
  SmallVector<int64_t> pads = listOf("pads", 2 * rank, 0);
  if (w.stride.size() != rank || w.dilation.size() != rank || pads.size() != 2 * rank ||
      more.size() != rank || (!wanted.empty() && wanted.size() != rank))
    return node.refuse("its attributes are not one number for each axis of the image");
  w.begin.assign(pads.begin(), pads.begin() + rank);
  w.end.assign(pads.begin() + rank, pads.end());
  for (size_t i = 0; i < rank; ++i) {
    if (w.stride[i] < 1 || w.dilation[i] < 1 || w.begin[i] < 0 || w.end[i] < 0 || more[i] < 0)
      return node.refuse("its strides, dilations or pads hold a number that is too small");
    if (wanted.empty() && !same)
      continue;
    if (!w.extents[i].isStatic())
      return node.refuse("the extents that are wanted need fixed extents of its data");
    int64_t x = w.extents[i].get();
    int64_t target = wanted.empty() ? x * w.stride[i] : wanted[i];
    int64_t total = std::max<int64_t>(0, w.stride[i] * (x - 1) + more[i] + w.span(i) - target);
    w.begin[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    w.end[i] = total - w.begin[i];
    if (!wanted.empty()) // what the kernel does not reach
      more[i] = std::max<int64_t>(more[i], target - (w.stride[i] * (x - 1) + w.span(i) - total));
  }
  int64_t groups = node.integer("group"), filters = node.shape(1)[1].get() * groups;
  bool direct = w.isEven();
  for (size_t i = 0; i < rank; ++i)
    direct &= more[i] < w.stride[i];
  SmallVector<Value> operands{node.in(0), node.in(1)};
  bool bias = node.has(2);
  if (direct && bias)
    operands.push_back(node.in(2));
  SmallVector<int64_t> none(rank, 0);
  Value y = node.make("deconvolution", operands,
                      {node.list("kernel", w.kernel), node.list("stride", w.stride),
                       node.list("dilate", w.dilation), node.list("pad", direct ? w.begin : none),
                       node.list("adj", direct ? more : none), node.number("num_filter", filters),
                       node.number("num_group", groups), node.flag("no_bias", !(direct && bias))});
  if (direct)
    return node.give(y);
  SmallVector<int64_t> behind(rank, 0);
  for (size_t i = 0; i < rank && y; ++i) {
    int64_t cut = w.end[i] - more[i];
    behind[i] = std::max<int64_t>(0, -cut);
    if (w.begin[i] > 0 || cut > 0)
      y = node.slice(y, int64_t(i) + 2, w.begin[i] > 0 ? w.begin[i] : sg::kNoneElement,
                     cut > 0 ? -cut : sg::kNoneElement);
  }
  if (y)
    y = padImage(node, y, none, behind, 0);
  if (bias && y) {
    SmallVector<sg::Dim> column(rank + 1, node.dim(1));
    column[0] = node.dim(filters);
    y = node.binary("add", y, node.reshape(node.in(2), sg::Shape(column)));
  }
  return node.give(y);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

// The extent of a result; with ceil_mode no window begins in the padding at the end.
static std::optional<int64_t> pooledExtent(NodeScope &node, const Windows &w, size_t i) {
  int64_t x = w.extents[i].get() + w.begin[i] + w.end[i] - w.span(i);
  if (x < 0) {
    node.refuse("its window does not fit into the padded image");
    return std::nullopt;
  }
  if (!node.integer("ceil_mode"))
    return x / w.stride[i] + 1;
  int64_t out = (x + w.stride[i] - 1) / w.stride[i] + 1;
  if ((out - 1) * w.stride[i] >= w.extents[i].get() + w.begin[i])
    --out;
  return out;
}

namespace {
/// Windows over an image that is padded so that each lies inside of it.
struct PaddedWindows {
  Value image;
  SmallVector<int64_t> extents; // of the result
};
} // namespace

static std::optional<PaddedWindows> padForWindows(NodeScope &node, const Windows &w, Value x,
                                                  double value) {
  PaddedWindows result;
  SmallVector<int64_t> end;
  for (size_t i = 0; i < w.rank(); ++i) {
    if (!w.extents[i].isStatic()) {
      node.refuse("this pooling needs fixed extents");
      return std::nullopt;
    }
    auto out = pooledExtent(node, w, i);
    if (!out)
      return std::nullopt;
    result.extents.push_back(*out);
    int64_t needed = (*out - 1) * w.stride[i] + w.span(i) - w.extents[i].get() - w.begin[i];
    end.push_back(std::max<int64_t>(0, needed));
  }
  result.image = padImage(node, x, w.begin, end, value);
  return result;
}

static double leastOf(Type type) {
  if (isa<FloatType>(type))
    return -std::numeric_limits<double>::infinity();
  return type.isUnsignedInteger() ? 0 : -std::ldexp(1.0, int(type.getIntOrFloatBitWidth()) - 1);
}

static void missedPooling(NodeScope &node, const Windows &w) {
  int64_t taps = 1;
  for (int64_t extent : w.kernel)
    taps *= extent;
  StringRef name = node.node.name.empty() ? node.node.op : node.node.name;
  remark::missed(node.location, remark::RemarkOpts::name("pooling").category("onnx"))
      << ("'" + name + "' pools by " + Twine(taps) + " slices of the image: no kernel pools " +
          (w.isDilated()  ? "dilated windows"
           : w.rank() > 3 ? "more than three axes"
                          : "integers"))
             .str();
}

// One combination of all taps of a window: that of dilated windows, which no kernel has.
static void eachTap(NodeScope &node, const Windows &w, ArrayRef<int64_t> extents,
                    ArrayRef<Value> images,
                    llvm::function_ref<void(SmallVectorImpl<Value> &)> combine) {
  SmallVector<int64_t> tap(w.rank(), 0);
  while (true) {
    SmallVector<Value> parts(images);
    for (Value &part : parts)
      for (size_t i = 0; i < w.rank(); ++i) {
        int64_t begin = tap[i] * w.dilation[i];
        part = node.slice(part, int64_t(i) + 2, begin, begin + (extents[i] - 1) * w.stride[i] + 1,
                          w.stride[i]);
      }
    combine(parts);
    size_t axis = w.rank();
    while (axis-- > 0) {
      if (++tap[axis] < w.kernel[axis])
        break;
      tap[axis] = 0;
    }
    if (axis == SIZE_MAX)
      return;
  }
}

static Value combineTaps(NodeScope &node, const Windows &w, const PaddedWindows &padded,
                         StringRef fn) {
  missedPooling(node, w);
  Value sum;
  eachTap(node, w, padded.extents, padded.image, [&](SmallVectorImpl<Value> &parts) {
    sum = !sum ? parts[0] : node.binary(fn, sum, parts[0]);
  });
  return sum;
}

// The largest element of each window and its place in the whole tensor, the first of equal ones.
static bool giveMaxAndPlaces(NodeScope &node, const Windows &w) {
  auto shape = fixedExtents(node, node.shape(0), "data");
  auto padded = shape ? padForWindows(node, w, node.in(0), leastOf(node.type(0))) : std::nullopt;
  if (!padded)
    return false;
  // storage_order 1 counts columns first.
  SmallVector<int64_t> strides = stridesOf(*shape);
  if (node.integer("storage_order") != 0) {
    int64_t step = 1;
    for (size_t i = 2; i < shape->size(); ++i) {
      strides[i] = step;
      step *= (*shape)[i];
    }
  }
  Value place;
  for (size_t i = 0; i < shape->size(); ++i) {
    SmallVector<int64_t> numbers, dims(shape->size(), 1);
    int64_t before = i < 2 ? 0 : w.begin[i - 2];
    int64_t extent = i < 2 ? (*shape)[i] : sg::shapeOf(padded->image.getType())[i].get();
    for (int64_t at = 0; at < extent; ++at)
      numbers.push_back((at - before) * strides[i]);
    dims[i] = extent;
    Value part = node.constant(Known::of(numbers, dims, int64Type(node)));
    place = place ? node.binary("add", place, part) : part;
  }
  Value best, at;
  eachTap(node, w, padded->extents, {padded->image, place}, [&](SmallVectorImpl<Value> &parts) {
    if (!best) {
      best = parts[0];
      at = parts[1];
      return;
    }
    Value larger = node.compare("greater", parts[0], best);
    best = node.where(larger, parts[0], best);
    at = node.where(larger, parts[1], at);
  });
  return node.give(0, best) && node.give(1, at);
}

// Windows that lie inside of the image, or of padding that is the same at both ends.
static Value pool(NodeScope &node, Value x, const Windows &w, StringRef kind,
                  ArrayRef<int64_t> pads, bool includePad) {
  return node.make("pooling", x,
                   {node.list("kernel", w.kernel), node.word("pool_type", kind),
                    node.list("stride", w.stride), node.list("pad", pads),
                    node.flag("count_include_pad", includePad)});
}

static bool isPlain(NodeScope &node, const Windows &w) {
  if (!w.isEven() || w.isDilated() || w.rank() > 3)
    return false;
  for (size_t i = 0; i < w.rank(); ++i)
    if (w.begin[i] >= w.kernel[i])
      return false;
  if (!node.integer("ceil_mode"))
    return true;
  // Where rounding up changes nothing.
  for (size_t i = 0; i < w.rank(); ++i)
    if (!w.extents[i].isStatic() ||
        (w.extents[i].get() + 2 * w.begin[i] - w.span(i)) % w.stride[i] != 0)
      return false;
  return true;
}

bool maxPool(NodeScope &node) {
  auto w = readWindows(node, node.integers("kernel_shape"));
  if (!w)
    return false;
  if (node.needs(1))
    return giveMaxAndPlaces(node, *w);
  if (isPlain(node, *w) && isa<FloatType>(node.type(0)))
    return node.give(pool(node, node.in(0), *w, "max", w->begin, true));
  auto padded = padForWindows(node, *w, node.in(0), leastOf(node.type(0)));
  if (!padded)
    return false;
  if (w->isDilated() || w->rank() > 3 || !isa<FloatType>(node.type(0)))
    return node.give(combineTaps(node, *w, *padded, "maximum"));
  return node.give(pool(node, padded->image, *w, "max", SmallVector<int64_t>(w->rank(), 0), true));
}

// Sums over windows; zeros around the image do not count in them.
static Value sums(NodeScope &node, const Windows &w, Value x, SmallVectorImpl<int64_t> &extents) {
  auto padded = padForWindows(node, w, x, 0);
  if (!padded)
    return {};
  extents.assign(padded->extents.begin(), padded->extents.end());
  if (w.isDilated() || w.rank() > 3)
    return combineTaps(node, w, *padded, "add");
  return pool(node, padded->image, w, "sum", SmallVector<int64_t>(w.rank(), 0), true);
}

bool averagePool(NodeScope &node) {
  auto w = readWindows(node, node.integers("kernel_shape"));
  if (!w)
    return false;
  bool includePad = node.integer("count_include_pad") != 0;
  if (isPlain(node, *w))
    return node.give(pool(node, node.in(0), *w, "avg", w->begin, includePad));
  SmallVector<int64_t> extents;
  Value sum = sums(node, *w, node.in(0), extents);
  if (!sum)
    return false;
  // How many elements each window has, by axis.
  Value average = sum;
  for (size_t i = 0; i < w->rank(); ++i) {
    SmallVector<int64_t> counts;
    int64_t x = w->extents[i].get();
    for (int64_t out = 0; out < extents[i]; ++out) {
      int64_t count = 0;
      for (int64_t tap = 0; tap < w->kernel[i]; ++tap) {
        int64_t at = out * w->stride[i] + tap * w->dilation[i] - w->begin[i];
        count += includePad ? at < x + w->end[i] : at >= 0 && at < x;
      }
      counts.push_back(count);
    }
    SmallVector<int64_t> dims(w->rank() - i, 1);
    dims[0] = extents[i];
    average = node.binary("div", average, node.constant(Known::of(counts, dims, node.type(0))));
  }
  return node.give(average);
}

// |x|^p summed, and the p-th root of that.
static Value rootOfSum(NodeScope &node, Value sum, double p) {
  return p == 1 ? sum : p == 2 ? node.unary("sqrt", sum) : node.scalar("power", sum, 1 / p);
}
static Value powers(NodeScope &node, double p) {
  Value x = node.unary("abs", node.in(0));
  return p == 1 ? x : p == 2 ? node.unary("square", node.in(0)) : node.scalar("power", x, p);
}
static double orderOf(NodeScope &node) { return double(node.integer("p")); }

bool lpPool(NodeScope &node) {
  auto w = readWindows(node, node.integers("kernel_shape"));
  if (!w)
    return false;
  SmallVector<int64_t> extents;
  Value sum = isPlain(node, *w) ? pool(node, powers(node, orderOf(node)), *w, "sum", w->begin, true)
                                : sums(node, *w, powers(node, orderOf(node)), extents);
  return node.give(rootOfSum(node, sum, orderOf(node)));
}

bool globalPool(NodeScope &node) {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, node.rank(0))));
  if (axes.empty())
    return node.refuse("its data has the shape " + node.shape(0).str() +
                       ", needs three extents or more");
  if (node.node.op == "GlobalLpPool")
    return node.give(rootOfSum(node, node.reduce("sum", powers(node, orderOf(node)), axes, true),
                               orderOf(node)));
  bool isMax = node.node.op == "GlobalMaxPool";
  if (axes.size() <= 3 && isa<FloatType>(node.type(0)))
    return node.give(
        node.make("pooling", node.in(0),
                  {node.word("pool_type", isMax ? "max" : "avg"), node.flag("global_pool", true)}));
  return node.give(node.reduce(isMax ? "max" : "mean", node.in(0), axes, true));
}

} // namespace symc::onnx::ops
