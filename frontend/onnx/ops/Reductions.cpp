//===- Reductions.cpp - ONNX's reductions, orders and softmax --------------===//
#include "frontend/onnx/Operators.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// Products of a few known integers, as shapes have them, and the ends of known floats.
static std::optional<Known> foldReduction(NodeScope &node, bool keep) {
  const Known *value = node.known(0);
  StringRef op = node.node.op;
  if (!value || value->dims.size() != 1 || value->count() == 0)
    return std::nullopt;
  if (!value->isWhole()) {
    if ((op != "ReduceMax" && op != "ReduceMin") ||
        llvm::any_of(value->real, [](double real) { return std::isnan(real); }))
      return std::nullopt;
    auto [least, most] = std::minmax_element(value->real.begin(), value->real.end());
    Known known{value->type, {}, {}, {op == "ReduceMax" ? *most : *least}};
    if (keep)
      known.dims.push_back(1);
    return known;
  }
  sg::Dim result = value->whole[0];
  for (size_t i = 1; i < value->count(); ++i) {
    sg::Dim next = value->whole[i];
    if (op == "ReduceProd")
      result = result * next;
    else if (op == "ReduceSum")
      result = result + next;
    else if ((op == "ReduceMax" || op == "ReduceMin") && result.isStatic() && next.isStatic())
      result = node.dim(op == "ReduceMax" ? std::max(result.get(), next.get())
                                          : std::min(result.get(), next.get()));
    else
      return std::nullopt;
  }
  if (op != "ReduceProd" && op != "ReduceSum" && op != "ReduceMax" && op != "ReduceMin")
    return std::nullopt;
  Known known{value->type, {}, {}, {}};
  if (keep)
    known.dims.push_back(1);
  known.whole.push_back(result);
  return known;
}

// Of no elements the maximum is the least value of the type, the minimum the greatest; null where
// there are elements or their number is chosen at run time.
static Value limitOfNone(NodeScope &node, StringRef kind, Value x, ArrayRef<int64_t> axes,
                         bool keep) {
  bool isMax = kind == "max";
  sg::Shape shape = sg::shapeOf(x.getType());
  if ((!isMax && kind != "min") ||
      llvm::none_of(axes, [&](int64_t axis) { return shape[axis].isStatic(0); }))
    return {};
  double limit = std::numeric_limits<double>::infinity();
  if (auto type = dyn_cast<IntegerType>(sg::elementTypeOf(x.getType()))) {
    APInt value = type.isUnsigned() || type.getWidth() == 1
                      ? APInt::getMaxValue(type.getWidth())
                      : APInt::getSignedMaxValue(type.getWidth());
    if (isMax && (type.isUnsigned() || type.getWidth() == 1))
      limit = 0;
    else if (isMax)
      limit = -value.signedRoundToDouble() - 1;
    else
      limit = type.isUnsigned() ? value.roundToDouble() : value.signedRoundToDouble();
  } else if (isMax) {
    limit = -limit;
  }
  return node.make("fill_like", node.reduce("sum", x, axes, keep),
                   {node.realNumber("value", limit)});
}

bool reduceOp(NodeScope &node) {
  StringRef op = node.node.op;
  int64_t rank = node.rank(0);
  bool keep = node.integer("keepdims") != 0;
  SmallVector<int64_t> given(node.integers("axes"));
  if (node.has(1)) {
    auto axes = node.numbers(1);
    if (!axes)
      return false;
    given = *axes;
  }
  bool nothing = given.empty() && node.integer("noop_with_empty_axes") != 0;
  if (given.empty() && !nothing)
    given = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  auto axes = node.axes(given, rank);
  if (!axes)
    return false;
  Value x = node.in(0);
  Type type = node.type(0);
  StringRef kind = llvm::StringSwitch<StringRef>(op)
                       .Case("ReduceMax", "max")
                       .Case("ReduceMin", "min")
                       .Case("ReduceMean", "mean")
                       .Case("ReduceProd", "prod")
                       .Default("sum");
  if (op == "ReduceL1")
    x = node.unary("abs", x);
  if (op == "ReduceL2" || op == "ReduceSumSquare")
    x = node.unary("square", x);
  if (op == "ReduceLogSumExp") {
    if (!isa<FloatType>(type))
      x = node.cast(x, Float64Type::get(node.context()));
    // From the largest element on, so that nothing overflows.
    Value largest = node.reduce("max", x, *axes, true);
    Value shifted = node.binary("sub", x, largest);
    Value sum = node.unary("log", node.reduce("sum", node.unary("exp", shifted), *axes, keep));
    if (!keep && sum)
      largest = node.reshape(largest, sg::shapeOf(sum.getType()));
    return node.give(node.cast(node.binary("add", sum, largest), type));
  }
  bool isBool = type.isInteger(1);
  Value reduced;
  if (axes->empty()) {
    reduced = x;
  } else {
    if (isBool)
      x = node.cast(x, IntegerType::get(node.context(), 8, IntegerType::Unsigned));
    Type wide = x ? sg::elementTypeOf(x.getType()) : Type();
    Value limit = x ? limitOfNone(node, kind, x, *axes, keep) : Value();
    reduced = limit ? limit : node.reduce(kind, x, *axes, keep);
    // Means of integers are floats in sg.
    reduced = node.cast(reduced, isBool ? type : wide);
  }
  if (op == "ReduceL2")
    reduced = node.unary("sqrt", reduced);
  if (op == "ReduceLogSum")
    reduced = node.unary("log", reduced);
  std::optional<Known> known;
  if (axes->size() == 1 && rank == 1)
    known = foldReduction(node, keep);
  return node.give(reduced, std::move(known));
}

static Value reversed(NodeScope &node, Value x, int64_t axis) {
  return node.make("reverse", x, {node.list("axis", {axis})});
}

bool argReduce(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  bool last = node.integer("select_last_index") != 0;
  StringRef kind = node.node.op == "ArgMax" ? "argmax" : "argmin";
  Value x = last ? reversed(node, node.in(0), *axis) : node.in(0);
  Value place = node.make("numpy_arg_reduce", x,
                          {node.word("kind", kind), node.number("axis", *axis),
                           node.flag("keepdims", node.integer("keepdims") != 0)});
  if (last) {
    sg::Dim extent = node.shape(0)[*axis];
    if (!extent.isStatic())
      return node.refuse("select_last_index along an extent that is chosen at run time");
    place = node.scalar("sub", place, double(extent.get() - 1), /*reverse=*/true);
  }
  return node.give(place);
}

bool topK(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  int64_t k = node.integer("k");
  if (node.opset >= 10) {
    auto given = node.numbers(1);
    if (!given)
      return false;
    k = (*given)[0];
  }
  if (k < 1)
    return node.refuse("k is " + Twine(k) + ", needs at least 1");
  bool largest = node.opset < 11 || node.integer("largest") != 0;
  SmallVector<Value> both =
      node.makeAll("topk", node.in(0), 2,
                   {node.number("axis", *axis), node.number("k", k), node.word("ret_typ", "both"),
                    node.flag("is_ascend", !largest), node.word("dtype", "int64")});
  return node.give(0, both[0]) && (!node.needs(1) || node.give(1, both[1]));
}

// Elements `by` places further along an axis, behind ones.
static Value shifted(NodeScope &node, Value x, int64_t axis, int64_t extent, int64_t by) {
  std::string width;
  for (int64_t i = 0, rank = node.rank(0); i < rank; ++i)
    width += i == axis ? "(" + std::to_string(by) + ",0)," : "(0,0),";
  Value kept = node.slice(x, axis, 0, extent - by);
  return node.make(
      "numpy_pad", kept,
      {node.word("pad_width", "(" + width + ")"), node.realNumber("constant_value", 1)});
}

// Products of twice as many elements in each step.
static Value runningProduct(NodeScope &node, Value x, int64_t axis, bool exclusive) {
  sg::Dim dim = node.shape(0)[axis];
  if (!dim.isStatic()) {
    node.refuse("running products along an extent that is chosen at run time");
    return {};
  }
  int64_t extent = dim.get();
  if (exclusive)
    x = extent > 1 ? shifted(node, x, axis, extent, 1)
                   : node.make("fill_like", x, {node.realNumber("value", 1)});
  for (int64_t by = 1; by < extent && x; by *= 2)
    x = node.binary("mul", x, shifted(node, x, axis, extent, by));
  return x;
}

bool cumulative(NodeScope &node) {
  bool product = node.node.op == "CumProd";
  auto given = node.numbers(1);
  if (!given)
    return false;
  auto axis = node.axis((*given)[0], node.rank(0));
  if (!axis)
    return false;
  bool reverse = node.integer("reverse") != 0;
  Value x = reverse ? reversed(node, node.in(0), *axis) : node.in(0);
  if (product) {
    Value y = runningProduct(node, x, *axis, node.integer("exclusive") != 0);
    return node.give(reverse && y ? reversed(node, y, *axis) : y);
  }
  Value sum = node.make("cumsum", x, {node.number("axis", *axis)});
  if (node.integer("exclusive") != 0 && sum) {
    sg::Dim extent = node.shape(0)[*axis];
    if (!extent.isStatic())
      return node.refuse("exclusive sums along an extent that is chosen at run time");
    Value zero = node.make("fill_like", extent.isStatic(1) ? x : node.slice(x, *axis, 0, 1),
                           {node.realNumber("value", 0)});
    sum = extent.isStatic(1)
              ? zero
              : node.concat({zero, node.slice(sum, *axis, 0, extent.get() - 1)}, *axis);
  }
  return node.give(reverse ? reversed(node, sum, *axis) : sum);
}

// Before opset 13 over the flattened rest, from the axis on.
static bool overRest(NodeScope &node, int64_t &axis, Value &x) {
  int64_t rank = node.rank(0);
  auto given = node.axis(node.integer("axis"), rank);
  if (!given)
    return false;
  axis = *given;
  x = node.in(0);
  if (node.opset >= 13 || axis == rank - 1)
    return true;
  sg::Shape shape = node.shape(0);
  x = node.reshape(x, sg::Shape({shape.product(0, axis, node.context()),
                                 shape.product(axis, rank, node.context())}));
  axis = 1;
  return x != nullptr;
}

// Of halves the function that ONNX defines it as, whose exponentials and their sum are halves too.
static Value softmaxOfHalves(NodeScope &node, Value x, int64_t axis) {
  Value down = node.binary("sub", x, node.reduce("max", x, {axis}, true));
  Value exps = node.unary("exp", down), sum = node.reduce("sum", exps, {axis}, true);
  return node.node.op == "Softmax" ? node.binary("div", exps, sum)
                                   : node.binary("sub", down, node.unary("log", sum));
}

bool softmax(NodeScope &node) {
  int64_t axis;
  Value x;
  if (!overRest(node, axis, x))
    return false;
  if (x && (node.type(0).isF16() || node.type(0).isBF16()))
    return node.give(node.reshape(softmaxOfHalves(node, x, axis), node.shape(0)));
  Value y = node.make("softmax", x,
                      {node.word("kind", node.node.op == "Softmax" ? "softmax" : "log_softmax"),
                       node.number("axis", axis)});
  return node.give(node.reshape(y, node.shape(0)));
}

bool hardmax(NodeScope &node) {
  int64_t axis;
  Value x;
  if (!overRest(node, axis, x))
    return false;
  sg::Shape shape = sg::shapeOf(x.getType());
  if (!shape[axis].isStatic())
    return node.refuse("its axis has an extent that is chosen at run time");
  Value place =
      node.make("numpy_arg_reduce", x, {node.word("kind", "argmax"), node.number("axis", axis)});
  Value hot = node.make("one_hot", place,
                        {node.number("depth", shape[axis].get()), node.dtype(node.type(0))});
  // The new axis is the last one.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shape.rank()) - 1));
  order.insert(order.begin() + axis, int64_t(shape.rank()) - 1);
  return node.give(node.reshape(node.transpose(hot, order), node.shape(0)));
}

} // namespace symc::onnx::ops
