//===- Constants.cpp - values that are known when a graph is read ----------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Elementwise.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

static Type int64Type(NodeScope &node) { return IntegerType::get(node.context(), 64); }
static Type floatType(NodeScope &node) { return Float32Type::get(node.context()); }

static bool giveKnown(NodeScope &node, const Known &known) {
  return node.give(node.constant(known), known);
}

bool constantOp(NodeScope &node) {
  if (const Attribute *value = node.find("value")) {
    Operand operand = node.tensor(*value->tensor);
    std::optional<Known> known;
    if (operand.known)
      known = *operand.known;
    return node.give(operand.value, std::move(known));
  }
  if (const Attribute *value = node.find("value_float"))
    return giveKnown(node, Known::real64({value->real}, {}, floatType(node)));
  if (const Attribute *value = node.find("value_int"))
    return giveKnown(node, Known::scalar(value->integer, int64Type(node)));
  if (const Attribute *value = node.find("value_ints"))
    return giveKnown(
        node, Known::of(value->integers, {int64_t(value->integers.size())}, int64Type(node)));
  if (const Attribute *value = node.find("value_floats")) {
    std::vector<double> reals(value->reals.begin(), value->reals.end());
    return giveKnown(node, Known::real64(reals, {int64_t(reals.size())}, floatType(node)));
  }
  return node.refuse(node.given("sparse_value") ? "a sparse tensor is not read"
                                                : "strings have no element type");
}

// A value everywhere; of few elements they are known.
static bool giveFilled(NodeScope &node, ArrayRef<sg::Dim> extents, Type type, double value) {
  sg::Shape shape(extents);
  if (!shape.isStatic())
    return node.give(node.filled(shape, value, type));
  SmallVector<int64_t> dims;
  for (sg::Dim dim : extents) {
    if (dim.get() < 0)
      return node.refuse("its shape has the extent " + dim.str());
    dims.push_back(dim.get());
  }
  std::optional<uint64_t> count = countElements(dims);
  if (!count || *count > (uint64_t(1) << 48))
    return node.refuse("its shape " + shape.str() + " has more than 2^48 elements");
  std::optional<Known> known;
  if (*count <= kMostKnown) {
    known = Known{type, dims, {}, {}};
    if (known->isWhole())
      known->whole.assign(
          *count, sg::Dim::constant(wrapTo(static_cast<int64_t>(value), type), node.context()));
    else
      known->real.assign(*count, roundTo(value, type));
    return node.give(node.constant(*known), known);
  }
  return node.give(node.make(
      "full", {}, {node.list("shape", dims), node.realNumber("value", value), node.dtype(type)}));
}

bool constantOfShape(NodeScope &node) {
  std::optional<SmallVector<sg::Dim>> extents = node.extents(0);
  if (!extents)
    return false;
  Type type = floatType(node);
  double value = 0;
  if (const Attribute *attribute = node.find("value")) {
    Operand operand = node.tensor(*attribute->tensor);
    if (!operand.value)
      return false;
    if (!operand.known || operand.known->count() != 1)
      return node.refuse("its value needs one element");
    type = operand.known->type;
    value = operand.known->at(0);
    if (operand.known->isWhole() && std::abs(value) > 9007199254740992.0)
      return node.refuse("its value is beyond 2^53");
  }
  return giveFilled(node, *extents, type, value);
}

bool shapeOp(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  auto rank = int64_t(shape.rank());
  auto place = [&](int64_t at) { return std::clamp(at < 0 ? at + rank : at, int64_t(0), rank); };
  int64_t begin = place(node.integer("start")),
          end = node.given("end") ? place(node.integer("end")) : rank;
  end = std::max(begin, end);
  Known known{int64Type(node), {end - begin}, {}, {}};
  for (int64_t i = begin; i < end; ++i)
    known.whole.push_back(shape[i]);
  if (known.isFixed())
    return giveKnown(node, known);
  Value all = node.make("shape_array", node.in(0));
  if (begin != 0 || end != rank)
    all = node.slice(all, 0, begin, end);
  return node.give(all, known);
}

bool sizeOp(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  Known known{int64Type(node), {}, {}, {}};
  known.whole.push_back(shape.product(0, shape.rank(), node.context()));
  if (known.isFixed())
    return giveKnown(node, known);
  return node.give(node.reshape(node.make("size_array", node.in(0)), sg::Shape(size_t(0))), known);
}

// As many as a run's sizes decide, by steps of whole numbers.
static bool openRange(NodeScope &node, const Known &start, const Known &limit, double delta) {
  std::optional<Known> first = start.asWhole(), last = limit.asWhole();
  if (!first || !last || delta != std::trunc(delta) || delta == 0 || std::abs(delta) > 1048576)
    return node.refuse("it depends on a size that is chosen at run time, and its start, limit or "
                       "delta is no whole number");
  auto step = static_cast<int64_t>(delta);
  sg::Dim way = step > 0 ? last->whole[0] - first->whole[0] : first->whole[0] - last->whole[0];
  sg::Dim count = node.simplified(sg::floorDiv(way + (std::abs(step) - 1), std::abs(step)));
  Value places = node.filled(sg::Shape({count}), 0, start.type);
  bool isFixed = first->isFixed();
  Value values = node.make(
      "arange_like", places,
      {node.realNumber("start", isFixed ? first->at(0) : 0), node.realNumber("step", delta)});
  return node.give(isFixed ? values : node.binary("add", values, node.in(0)));
}

bool range(NodeScope &node) {
  if (!requireSameTypes(node, 0, 1) || !requireSameTypes(node, 0, 2))
    return false;
  const Known *numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    numbers[i] = node.wanted(i);
    if (!numbers[i])
      return false;
    if ((i == 2 && !numbers[i]->isFixed()) || numbers[i]->count() != 1)
      return node.refuse("its " +
                         Twine(i == 0   ? "start"
                               : i == 1 ? "limit"
                                        : "delta") +
                         " is no number, or depends on a size that is chosen at run time");
  }
  if (!numbers[0]->isFixed() || !numbers[1]->isFixed())
    return openRange(node, *numbers[0], *numbers[1], numbers[2]->at(0));
  Type type = numbers[0]->type;
  double start = numbers[0]->at(0), limit = numbers[1]->at(0), delta = numbers[2]->at(0);
  if (delta == 0 || std::isnan(delta))
    return node.refuse("its delta is 0");
  double exact = std::ceil((limit - start) / delta);
  if (!(exact < 2147483648.0))
    return node.refuse("it has more than 2^31 - 1 elements");
  auto count = std::max<int64_t>(0, int64_t(exact));
  if (uint64_t(count) > kMostKnown)
    return node.give(node.make("arange", {},
                               {node.realNumber("start", start),
                                node.realNumber("stop", start + delta * double(count)),
                                node.realNumber("step", delta), node.dtype(type)}));
  Known known{type, {count}, {}, {}};
  for (int64_t i = 0; i < count; ++i)
    if (known.isWhole())
      known.whole.push_back(
          node.dim(wrapTo(numbers[0]->whole[0].get() + i * numbers[2]->whole[0].get(), type)));
    else
      known.real.push_back(roundTo(start + double(i) * delta, type));
  return giveKnown(node, known);
}

bool eyeLike(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  Type type = node.given("dtype") ? typeOf(node.integer("dtype"), node.context()) : node.type(0);
  if (!type)
    return node.refuse("there are no values of element type " + nameOf(node.integer("dtype")));
  if (shape.rank() != 2 || !shape.isStatic() || shape[0].get() < 1 || shape[1].get() < 1)
    return node.refuse("its data has the shape " + shape.str() + ", needs two fixed extents");
  return node.give(node.make("eye", {},
                             {node.number("N", shape[0].get()), node.number("M", shape[1].get()),
                              node.number("k", node.integer("k")), node.dtype(type)}));
}

// Symmetric with periodic = 0, where the last element is the first one again.
bool window(NodeScope &node) {
  std::optional<SmallVector<int64_t>> size = node.numbers(0);
  if (!size)
    return false;
  Type type = typeOf(node.integer("output_datatype"), node.context());
  int64_t count = (*size)[0];
  if (!type || count < 0 || uint64_t(count) > kMostKnown * 256)
    return node.refuse("its size is " + Twine(count) +
                       ", needs 0 to 1048576, and a type that has values");
  double length = node.integer("periodic") ? double(count) : double(count - 1);
  double a0 = 0.5, a1 = 0.5, a2 = 0;
  if (node.node.op == "HammingWindow")
    a0 = 25.0 / 46.0, a1 = 1 - a0;
  if (node.node.op == "BlackmanWindow")
    a0 = 0.42, a1 = 0.5, a2 = 0.08;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    double t = length == 0 ? 0 : 2 * M_PI * double(i) / length;
    values.push_back(a0 - a1 * std::cos(t) + a2 * std::cos(2 * t));
  }
  Known known = Known::real64(values, {count}, isa<FloatType>(type) ? type : floatType(node));
  std::optional<Known> cast = known.castTo(type);
  return cast ? giveKnown(node, *cast)
              : node.refuse("internal error: its type holds no such values");
}

// Triangles over frequencies, as wide as they are even on the mel scale.
bool melWeightMatrix(NodeScope &node) {
  double numbers[5];
  for (size_t i = 0; i < 5; ++i) {
    const Known *known = node.wanted(i);
    if (!known)
      return false;
    if (!known->isFixed() || known->count() != 1)
      return node.refuse("operand " + Twine(i) + " is no number");
    numbers[i] = known->at(0);
  }
  auto bins = int64_t(numbers[0]), length = int64_t(numbers[1]);
  double rate = numbers[2], low = numbers[3], high = numbers[4];
  Type type = typeOf(node.integer("output_datatype"), node.context());
  if (bins < 1 || length < 2 || bins > 65536 || length > 65536 || !type || !(rate > 0))
    return node.refuse(
        "it needs 1 to 65536 bins, a length of 2 to 65536 and a type that has values");
  int64_t rows = length / 2 + 1;
  auto toMel = [](double hz) { return 2595 * std::log10(1 + hz / 700); };
  std::vector<int64_t> edges;
  double first = toMel(low), step = (toMel(high) - first) / double(bins + 2);
  for (int64_t i = 0; i < bins + 2; ++i) {
    double hz = 700 * (std::pow(10, (first + double(i) * step) / 2595) - 1);
    edges.push_back(int64_t(std::floor(double(length + 1) * hz / rate)));
  }
  std::vector<double> values(size_t(rows * bins), 0);
  for (int64_t i = 0; i < bins; ++i) {
    int64_t left = edges[i], middle = edges[i + 1], right = edges[i + 2];
    auto set = [&](int64_t row, double value) {
      if (row >= 0 && row < rows)
        values[size_t(row * bins + i)] = value;
    };
    if (middle == left)
      set(middle, 1);
    else
      for (int64_t j = left; j <= middle; ++j)
        set(j, double(j - left) / double(middle - left));
    if (right > middle)
      for (int64_t j = middle; j < right; ++j)
        set(j, double(right - j) / double(right - middle));
  }
  Known known = Known::real64(values, {rows, bins}, isa<FloatType>(type) ? type : floatType(node));
  std::optional<Known> cast = known.castTo(type);
  return cast ? node.give(node.constant(*cast), cast)
              : node.refuse("internal error: its type holds no such values");
}

bool optionalHasElement(NodeScope &node) {
  Type boolean = IntegerType::get(node.context(), 1);
  return giveKnown(node, Known::scalar(node.has(0), boolean));
}

} // namespace symc::onnx::ops
