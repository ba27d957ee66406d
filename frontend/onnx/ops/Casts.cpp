//===- Casts.cpp - ONNX's changes of element types --------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/Small.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// To or from a type of one byte or less.
static bool giveSmallCast(NodeScope &node, const SmallType *small, Type to) {
  Value x = node.in(0);
  if (const SmallType *from = node.small(0)) {
    if (from == small)
      return node.giveSmall(0, x, from);
    x = decoded(node, x, *from);
  }
  if (!small)
    return node.give(node.cast(x, to));
  StringRef rounding = node.text("round_mode");
  if (rounding.empty())
    rounding = "up";
  if (rounding != "up" && rounding != "down" && rounding != "nearest")
    return node.refuse("it has no round_mode " + inQuotes(rounding));
  bool saturates = node.opset < 19 || node.integer("saturate") != 0;
  return node.giveSmall(0, encoded(node, x, *small, saturates, rounding), small);
}

static bool giveCast(NodeScope &node, Type to) {
  std::optional<Known> known;
  if (const Known *value = node.known(0))
    known = value->castTo(to);
  return node.give(node.cast(node.in(0), to), std::move(known));
}

bool castOp(NodeScope &node) {
  Type to = typeOf(node.integer("to"), node.context());
  const SmallType *small = smallTypeOf(node.integer("to"));
  if (!to && !small)
    return node.refuse("there are no values of element type " + nameOf(node.integer("to")));
  return small || node.small(0) ? giveSmallCast(node, small, to) : giveCast(node, to);
}
bool castLike(NodeScope &node) {
  return node.small(0) || node.small(1) ? giveSmallCast(node, node.small(1), node.type(1))
                                        : giveCast(node, node.type(1));
}

// The same bits; integers of the same width differ in their type alone.
bool bitCast(NodeScope &node) {
  Type to = typeOf(node.integer("to"), node.context());
  if (!to)
    return node.refuse("there are no values of element type " + nameOf(node.integer("to")));
  return node.give(node.make("bit_cast", node.in(0), {node.dtype(to)}));
}

} // namespace symc::onnx::ops
