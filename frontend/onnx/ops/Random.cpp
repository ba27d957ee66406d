//===- Random.cpp - ONNX's operators that draw random numbers --------------===//
//
// Numbers are Philox's: shapes and distributions agree with other implementations, numbers do
// not, and a seed of the model's is not that of a run, which the program takes (--seed).
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

static Value drawn(NodeScope &node, ArrayRef<int64_t> shape, StringRef kind, double first,
                   double second) {
  bool normal = kind == "normal";
  return node.make("random", {},
                   {node.list("shape", shape), node.word("kind", kind),
                    node.realNumber(normal ? "loc" : "low", first),
                    node.realNumber(normal ? "scale" : "high", second),
                    node.word("dtype", "float32")});
}

bool randomOp(NodeScope &node) {
  StringRef op = node.node.op;
  bool like = op.ends_with("Like"), normal = op.starts_with("RandomNormal");
  Type type = Float32Type::get(node.context());
  int64_t wanted = node.integer("dtype");
  if (node.given("dtype") || !like)
    type = typeOf(wanted == 0 ? 1 : wanted, node.context());
  else
    type = node.type(0);
  if (!type || !isa<FloatType>(type))
    return node.refuse("it draws floats alone, not " + nameOf(wanted));
  SmallVector<int64_t> shape(node.integers("shape"));
  if (like) {
    auto extents = fixedExtents(node, node.shape(0), "data");
    if (!extents)
      return false;
    shape = *extents;
  }
  if (shape.empty())
    shape.push_back(1);
  Value y = drawn(node, shape, normal ? "normal" : "uniform", node.real(normal ? "mean" : "low"),
                  node.real(normal ? "scale" : "high"));
  if (like && node.rank(0) == 0)
    y = node.reshape(y, sg::Shape(size_t(0)));
  return node.give(node.cast(y, type));
}

// 1 with the probability that data holds.
bool bernoulli(NodeScope &node) {
  Type type = node.given("dtype") ? typeOf(node.integer("dtype"), node.context()) : node.type(0);
  auto shape = fixedExtents(node, node.shape(0), "data");
  if (!shape)
    return false;
  if (!type)
    return node.refuse("there are no values of element type " + nameOf(node.integer("dtype")));
  if (shape->empty())
    shape->push_back(1);
  Value u = node.reshape(drawn(node, *shape, "uniform", 0, 1), node.shape(0));
  Value p = node.cast(node.in(0), Float32Type::get(node.context()));
  return node.give(node.cast(node.compare("lesser", u, p), type));
}

} // namespace symc::onnx::ops
