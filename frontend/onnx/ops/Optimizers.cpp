//===- Optimizers.cpp - ONNX's steps of training ---------------------------===//
//
// Operands: the rate, the number of steps, then values, gradients and states, as many of
// each; results are the new values and states.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// Of a rate and the number of steps, which begin with 0.
static bool forEach(NodeScope &node, size_t states,
                    llvm::function_ref<bool(size_t count, size_t i)> build) {
  size_t count = (node.count() - 2) / (2 + states);
  if (count == 0 || node.count() != 2 + count * (2 + states))
    return node.refuse("it has " + Twine(node.count()) + " operands, needs " + Twine(2 + states) +
                       " for each value behind the first two");
  for (size_t i = 0; i < count; ++i)
    if (!build(count, i))
      return false;
  return true;
}

static Value isLater(NodeScope &node) {
  return node.compare("greater", node.in(1), node.scalarLike(0, node.type(1)));
}

static Value regularised(NodeScope &node, size_t gradient, size_t value) {
  double norm = node.real("norm_coefficient");
  return norm == 0
             ? node.in(gradient)
             : node.binary("add", node.in(gradient), node.scalar("mul", node.in(value), norm));
}

bool adagrad(NodeScope &node) {
  return forEach(node, 1, [&](size_t n, size_t i) {
    size_t value = 2 + i, gradient = 2 + n + i, state = 2 + 2 * n + i;
    Type type = node.type(value);
    Value step = node.cast(node.in(1), type);
    Value rate =
        node.binary("div", node.cast(node.in(0), type),
                    node.scalar("add", node.scalar("mul", step, node.real("decay_factor")), 1));
    Value g = regularised(node, gradient, value);
    Value squares = node.binary("add", node.in(state), node.unary("square", g));
    Value root = node.scalar("add", node.unary("sqrt", squares), node.real("epsilon"));
    return node.give(i, node.binary("sub", node.in(value),
                                    node.binary("div", node.binary("mul", rate, g), root))) &&
           node.give(n + i, squares);
  });
}

bool momentum(NodeScope &node) {
  bool nesterov = node.text("mode") == "nesterov";
  if (!nesterov && node.text("mode") != "standard")
    return node.refuse("it has no mode " + inQuotes(node.text("mode")));
  double alpha = node.real("alpha"), beta = node.real("beta");
  return forEach(node, 1, [&](size_t n, size_t i) {
    size_t value = 2 + i, gradient = 2 + n + i, state = 2 + 2 * n + i;
    Type type = node.type(value);
    Value g = regularised(node, gradient, value);
    // The first step takes the whole gradient.
    Value share = node.where(isLater(node), node.scalarLike(beta, type), node.scalarLike(1, type));
    Value fresh =
        node.binary("add", node.scalar("mul", node.in(state), alpha), node.binary("mul", g, share));
    Value direction = nesterov ? node.binary("add", g, node.scalar("mul", fresh, alpha)) : fresh;
    Value rate = node.cast(node.in(0), type);
    return node.give(i, node.binary("sub", node.in(value), node.binary("mul", rate, direction))) &&
           node.give(n + i, fresh);
  });
}

bool adam(NodeScope &node) {
  double alpha = node.real("alpha"), beta = node.real("beta");
  return forEach(node, 2, [&](size_t n, size_t i) {
    size_t value = 2 + i, gradient = 2 + n + i, first = 2 + 2 * n + i, second = 2 + 3 * n + i;
    Type type = node.type(value);
    Value g = regularised(node, gradient, value);
    Value mean = node.binary("add", node.scalar("mul", node.in(first), alpha),
                             node.scalar("mul", g, 1 - alpha));
    Value squares = node.binary("add", node.scalar("mul", node.in(second), beta),
                                node.scalar("mul", node.unary("square", g), 1 - beta));
    Value rate = node.cast(node.in(0), type), steps = node.cast(node.in(1), type);
    auto rest = [&](double decay) { // 1 - decay^steps
      return node.scalar("sub", node.scalar("power", steps, decay, true), 1, true);
    };
    Value later =
        node.binary("mul", rate, node.binary("div", node.unary("sqrt", rest(beta)), rest(alpha)));
    rate = node.where(isLater(node), later, rate);
    Value root = node.scalar("add", node.unary("sqrt", squares), node.real("epsilon"));
    Value next = node.binary("sub", node.in(value),
                             node.binary("div", node.binary("mul", rate, mean), root));
    if (double post = node.real("norm_coefficient_post"); post != 0)
      next = node.scalar("mul", next, 1 - post);
    return node.give(i, next) && node.give(n + i, mean) && node.give(2 * n + i, squares);
  });
}

} // namespace symc::onnx::ops
