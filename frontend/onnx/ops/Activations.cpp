//===- Activations.cpp - ONNX's activations with parameters -----------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Elementwise.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

bool elu(NodeScope &node) {
  return node.give(
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "elu"), node.realNumber("slope", node.real("alpha"))}));
}
bool leakyRelu(NodeScope &node) {
  return node.give(
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "leaky"), node.realNumber("slope", node.real("alpha"))}));
}
bool hardSigmoid(NodeScope &node) {
  return node.give(node.make(
      "hard_sigmoid", node.in(0),
      {node.realNumber("alpha", node.real("alpha")), node.realNumber("beta", node.real("beta"))}));
}
static Value signOf(NodeScope &node, StringRef fn, Value x, double number) {
  return node.make(
      "numpy_scalar", x,
      {node.word("fn", fn), node.realNumber("scalar", number), node.flag("is_int", false)});
}
// x where it is above 0, else alpha * (exp(x) - 1), times gamma.
bool selu(NodeScope &node) {
  Value curve =
      node.make("leaky_relu", node.in(0),
                {node.word("act_type", "elu"), node.realNumber("slope", node.real("alpha"))});
  return node.give(node.scalar("mul", curve, node.real("gamma")));
}
// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).
bool celu(NodeScope &node) {
  double alpha = node.real("alpha");
  Value scaled = node.scalar("div", node.in(0), alpha);
  Value curve = node.scalar("mul", node.unary("expm1", scaled), alpha);
  return node.give(
      node.binary("add", node.unary("relu", node.in(0)), node.scalar("minimum", curve, 0)));
}
bool prelu(NodeScope &node) {
  if (!requireSameTypes(node, 0, 1))
    return false;
  Value x = node.in(0), zero = node.scalarLike(0, node.type(0)), slope = node.in(1);
  if (node.opset < 7 && node.rank(1) == 1 && node.rank(0) > 2) { // one for each channel
    SmallVector<sg::Dim> dims(size_t(node.rank(0)) - 1, node.dim(1));
    dims[0] = node.shape(1)[0];
    slope = node.reshape(slope, sg::Shape(dims));
  }
  Value isNegative = node.compare("lesser", x, zero);
  return node.give(node.where(isNegative, node.binary("mul", slope, x), x));
}
static Value hardSigmoidOf(NodeScope &node, Value x) {
  return node.make("hard_sigmoid", x,
                   {node.realNumber("alpha", 1.0 / 6), node.realNumber("beta", 0.5)});
}
bool hardSwish(NodeScope &node) {
  return node.give(node.binary("mul", node.in(0), hardSigmoidOf(node, node.in(0))));
}
bool mish(NodeScope &node) {
  Value soft = node.unary("softrelu", node.in(0));
  return node.give(node.binary("mul", node.in(0), node.unary("tanh", soft)));
}
bool gelu(NodeScope &node) {
  Value x = node.in(0);
  if (node.text("approximate") == "none")
    return node.give(node.make("leaky_relu", x, {node.word("act_type", "gelu")}));
  if (node.text("approximate") != "tanh")
    return node.refuse("it has no approximation " + inQuotes(node.text("approximate")));
  Value cube = node.binary("mul", node.unary("square", x), x);
  Value inner = node.scalar("mul", node.binary("add", x, node.scalar("mul", cube, 0.044715)),
                            0.7978845608028654);
  Value half = node.scalar("mul", node.scalar("add", node.unary("tanh", inner), 1), 0.5);
  return node.give(node.binary("mul", x, half));
}
bool swish(NodeScope &node) {
  Value x = node.in(0);
  double alpha = node.real("alpha");
  Value scaled = alpha == 1 ? x : node.scalar("mul", x, alpha);
  return node.give(node.binary("mul", x, node.unary("sigmoid", scaled)));
}
bool shrink(NodeScope &node) {
  Value x = node.in(0);
  Type type = node.type(0);
  double limit = node.real("lambd"), bias = node.real("bias");
  Value wide = isa<FloatType>(type) ? x : node.cast(x, Float32Type::get(node.context()));
  Value zero = node.scalarLike(0, sg::elementTypeOf(wide.getType()));
  Value above =
      node.where(signOf(node, "greater", wide, limit), node.scalar("sub", wide, bias), zero);
  Value both =
      node.where(signOf(node, "lesser", wide, -limit), node.scalar("add", wide, bias), above);
  return node.give(node.cast(both, type));
}
bool thresholdedRelu(NodeScope &node) {
  Value x = node.in(0), zero = node.scalarLike(0, node.type(0));
  return node.give(node.where(signOf(node, "greater", x, node.real("alpha")), x, zero));
}
// The first operand times a sigmoid of it, times the second.
bool swiglu(NodeScope &node) {
  Value x = node.in(0);
  double alpha = node.real("alpha");
  Value scaled = alpha == 1 ? x : node.scalar("mul", x, alpha);
  Value gate = node.binary("mul", x, node.unary("sigmoid", scaled));
  return node.give(node.binary("mul", gate, node.in(1)));
}

} // namespace symc::onnx::ops
