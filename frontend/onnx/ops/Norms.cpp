//===- Norms.cpp - ONNX's normalisations and losses ------------------------===//
#include "frontend/onnx/Operators.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// [C] as [C, 1, ...], beside channels of an image of that rank.
static Value asChannels(NodeScope &node, Value x, int64_t rank) {
  if (!x)
    return x;
  SmallVector<sg::Dim> dims(size_t(std::max<int64_t>(1, rank - 1)), node.dim(1));
  dims[0] = sg::shapeOf(x.getType())[0];
  return node.reshape(x, sg::Shape(dims));
}

static Value filled(NodeScope &node, double value, int64_t count, Type type) {
  std::vector<double> values(size_t(count), value);
  return node.constant(Known::real64(values, {count}, type));
}

bool batchNorm(NodeScope &node) {
  double eps = node.real("epsilon"), momentum = node.real("momentum");
  int64_t rank = node.rank(0);
  Type type = node.type(0);
  if (node.integer("spatial") == 0 && node.opset < 9)
    return node.refuse("spatial = 0 is not computed");
  if (node.integer("training_mode") == 0) {
    for (size_t i = 1; i < 4; ++i)
      if (node.needs(i))
        return node.refuse("it computes statistics in training_mode alone");
    if (rank < 2)
      return node.refuse("its data has the shape " + node.shape(0).str() + ", needs two extents");
    SmallVector<Value> operands{node.in(0)};
    for (size_t i = 1; i < 5; ++i)
      operands.push_back(node.cast(node.in(i), type));
    return node.give(node.make("batch_norm", operands,
                               {node.realNumber("eps", eps), node.flag("fix_gamma", false),
                                node.flag("use_global_stats", true)}));
  }
  SmallVector<int64_t> axes{0};
  for (int64_t i = 2; i < rank; ++i)
    axes.push_back(i);
  Value x = node.in(0), mean = node.reduce("mean", x, axes, true);
  Value centred = node.binary("sub", x, mean);
  Value variance = node.reduce("mean", node.unary("square", centred), axes, true);
  Value scaled = node.binary("div", centred, node.unary("sqrt", node.scalar("add", variance, eps)));
  Value y = node.binary(
      "add", node.binary("mul", scaled, asChannels(node, node.cast(node.in(1), type), rank)),
      asChannels(node, node.cast(node.in(2), type), rank));
  if (!node.give(0, y))
    return false;
  auto running = [&](size_t i, Value old, Value fresh) {
    if (!node.needs(i) || !fresh)
      return true;
    fresh = node.cast(node.reshape(fresh, node.shape(3)), node.type(3));
    return node.give(i, node.binary("add", node.scalar("mul", old, momentum),
                                    node.scalar("mul", fresh, 1 - momentum)));
  };
  return running(1, node.in(3), mean) && running(2, node.in(4), variance);
}

bool instanceNorm(NodeScope &node) {
  return node.give(node.make("instance_norm", {node.in(0), node.in(1), node.in(2)},
                             {node.realNumber("eps", node.real("epsilon"))}));
}

static Type stashOf(NodeScope &node) {
  Type stash = typeOf(node.integer("stash_type"), node.context());
  return stash && isa<FloatType>(stash) && !node.type(0).isF64() ? stash : node.type(0);
}

bool layerNorm(NodeScope &node) {
  int64_t rank = node.rank(0);
  auto axis = node.axis(node.integer("axis"), rank);
  if (!axis)
    return false;
  Type type = node.type(0), stash = stashOf(node);
  sg::Shape shape = node.shape(0);
  sg::Dim length = shape.product(*axis, rank, node.context());
  if (!length.isStatic())
    return node.refuse("what it normalises has an extent that is chosen at run time");
  // Rows of `length` elements.
  SmallVector<sg::Dim> rows(shape.list().take_front(*axis)), kept = rows;
  rows.push_back(length);
  for (int64_t i = *axis; i < rank; ++i)
    kept.push_back(node.dim(1));
  // A factor and a sum for each of a row's elements are the norm's own.
  auto isOfRow = [&](size_t i) {
    sg::Shape own = node.shape(i);
    return own.isStatic() && own.product(0, own.rank(), node.context()) == length;
  };
  bool own = stash == type && isOfRow(1) && (!node.has(2) || isOfRow(2));
  sg::Shape row({length});
  Value x = node.reshape(node.cast(node.in(0), stash), sg::Shape(rows));
  Value factor =
      own ? node.reshape(node.cast(node.in(1), type), row) : filled(node, 1, length.get(), stash);
  Value sum = own && node.has(2) ? node.reshape(node.cast(node.in(2), type), row)
                                 : filled(node, 0, length.get(), stash);
  SmallVector<Value> made =
      node.makeAll("layer_norm", {x, factor, sum}, 3,
                   {node.number("axis", *axis), node.realNumber("eps", node.real("epsilon")),
                    node.flag("output_mean_var", true)});
  if (!made[0])
    return false;
  Value y = node.cast(node.reshape(made[0], shape), type);
  if (!own)
    y = node.binary("mul", y, node.cast(node.in(1), type));
  if (!own && node.has(2))
    y = node.binary("add", y, node.cast(node.in(2), type));
  if (!node.give(0, y))
    return false;
  return (!node.needs(1) || node.give(1, node.reshape(made[1], sg::Shape(kept)))) &&
         (!node.needs(2) ||
          node.give(2, node.reshape(node.unary("reciprocal", made[2]), sg::Shape(kept))));
}

bool rmsNorm(NodeScope &node) {
  int64_t rank = node.rank(0);
  auto axis = node.axis(node.integer("axis"), rank);
  if (!axis)
    return false;
  Type stash = stashOf(node);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(*axis, rank));
  Value x = node.cast(node.in(0), stash);
  Value mean = node.reduce("mean", node.unary("square", x), axes, true);
  Value root = node.unary("sqrt", node.scalar("add", mean, node.real("epsilon")));
  Value scaled = node.cast(node.binary("div", x, root), node.type(1));
  return node.give(node.binary("mul", scaled, node.in(1)));
}

bool groupNorm(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  int64_t groups = node.integer("num_groups"), rank = node.rank(0);
  if (groups < 1 || rank < 3)
    return node.refuse("its data has the shape " + shape.str() + " for " + Twine(groups) +
                       " groups");
  Type type = node.type(0), stash = stashOf(node);
  Value y =
      node.make("group_norm",
                {node.cast(node.in(0), stash), filled(node, 1, groups, stash),
                 filled(node, 0, groups, stash)},
                {node.number("num_groups", groups), node.realNumber("eps", node.real("epsilon"))});
  y = node.cast(y, type);
  y = node.binary("mul", y, asChannels(node, node.in(1), rank));
  return node.give(node.binary("add", y, asChannels(node, node.in(2), rank)));
}

bool lpNorm(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  int64_t p = node.integer("p");
  if (p != 1 && p != 2)
    return node.refuse("p is " + Twine(p) + ", needs 1 or 2");
  Value x = node.in(0);
  Value sum = node.reduce("sum", node.unary(p == 1 ? "abs" : "square", x), {*axis}, true);
  Value norm = p == 1 ? sum : node.unary("sqrt", sum);
  // Rows of zeros stay zeros.
  Value zero = node.scalarLike(0, node.type(0)), one = node.scalarLike(1, node.type(0));
  return node.give(node.binary("div", x, node.where(node.compare("equal", norm, zero), one, norm)));
}

bool meanVarianceNorm(NodeScope &node) {
  SmallVector<int64_t> given(node.integers("axes"));
  if (!node.given("axes"))
    given = {0, 2, 3};
  auto axes = node.axes(given, node.rank(0));
  if (!axes)
    return false;
  Value x = node.in(0), centred = node.binary("sub", x, node.reduce("mean", x, *axes, true));
  Value deviation =
      node.unary("sqrt", node.reduce("mean", node.unary("square", centred), *axes, true));
  return node.give(node.binary("div", centred, node.scalar("add", deviation, 1e-9)));
}

bool lrn(NodeScope &node) {
  return node.give(node.make(
      "lrn", node.in(0),
      {node.realNumber("alpha", node.real("alpha")), node.realNumber("beta", node.real("beta")),
       node.realNumber("knorm", node.real("bias")), node.number("nsize", node.integer("size"))}));
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

// The negative logarithm at each target, weighed, and what the reduction makes of all.
static bool giveLoss(NodeScope &node, Value logarithms, Value targets, bool hasWeights) {
  if (!logarithms)
    return false;
  Type type = sg::elementTypeOf(logarithms.getType());
  Type whole = sg::elementTypeOf(targets.getType());
  StringRef reduction = node.text("reduction");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return node.refuse("it has no reduction " + inQuotes(reduction));
  Value weight, ignored;
  Value zero = node.scalarLike(0, type);
  if (node.given("ignore_index")) {
    Value index = node.constant(Known::scalar(node.integer("ignore_index"), whole));
    ignored = node.compare("equal", targets, index);
    targets = node.where(ignored, node.constant(Known::scalar(0, whole)), targets);
  }
  if (hasWeights)
    weight = node.make("take", {node.in(2), targets}, {node.number("axis", 0)});
  else if (ignored)
    weight = node.scalarLike(1, type);
  if (ignored)
    weight = node.where(ignored, zero, weight);
  Value loss =
      node.unary("negative", node.make("pick", {logarithms, targets}, {node.number("axis", 1)}));
  if (weight)
    loss = node.binary("mul", loss, weight);
  if (reduction == "none" || !loss)
    return node.give(loss);
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(sg::shapeOf(loss.getType()).rank())));
  if (reduction == "sum")
    return node.give(node.reduce("sum", loss, axes, false));
  if (!weight)
    return node.give(node.reduce("mean", loss, axes, false));
  return node.give(node.binary("div", node.reduce("sum", loss, axes, false),
                               node.reduce("sum", weight, axes, false)));
}

bool logLikelihood(NodeScope &node) { return giveLoss(node, node.in(0), node.in(1), node.has(2)); }

bool crossEntropy(NodeScope &node) {
  Value logarithms =
      node.make("softmax", node.in(0), {node.word("kind", "log_softmax"), node.number("axis", 1)});
  return giveLoss(node, logarithms, node.in(1), node.has(2)) &&
         (!node.needs(1) || node.give(1, logarithms));
}

} // namespace symc::onnx::ops
