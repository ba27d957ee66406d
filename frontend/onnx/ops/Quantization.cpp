//===- Quantization.cpp - ONNX's quantisation, in floats -------------------===//
#include "frontend/onnx/Operators.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

// A scale or zero point, of rank 0, along an axis, or of blocks of it, in a shape that meets
// data's.
static Value aligned(NodeScope &node, Value x) {
  if (!x)
    return x;
  sg::Shape have = sg::shapeOf(x.getType()), data = node.shape(0);
  if (have.rank() == 0 || (have.rank() == 1 && have[0].isStatic(1) && data.rank() <= 1))
    return node.reshape(x, sg::Shape(size_t(0)));
  auto axis = node.axis(node.opset < 13 ? 1 : node.integer("axis"), node.rank(0));
  if (!axis)
    return {};
  if (have.rank() == 1) {
    if (have[0].isStatic(1))
      return node.reshape(x, sg::Shape(size_t(0)));
    SmallVector<sg::Dim> dims(data.rank(), node.dim(1));
    dims[*axis] = have[0];
    return node.reshape(x, sg::Shape(dims));
  }
  int64_t block = node.integer("block_size");
  if (block < 1 || have.rank() != data.rank() || !data[*axis].isStatic()) {
    node.refuse("its scale has the shape " + have.str() + " for data of " + data.str() +
                " and block_size " + Twine(block));
    return {};
  }
  Value repeated =
      block == 1
          ? x
          : node.make("repeat", x, {node.number("repeats", block), node.number("axis", *axis)});
  if (!repeated)
    return repeated;
  sg::Dim extent = sg::shapeOf(repeated.getType())[*axis];
  if (extent.isStatic() && extent.get() > data[*axis].get())
    repeated = node.slice(repeated, *axis, 0, data[*axis].get());
  return repeated;
}

static bool isByte(Type type) { return isa<IntegerType>(type) && !type.isInteger(1); }

// x / scale rounded, plus the zero point, within the range of the type.
static Value quantized(NodeScope &node, Value x, Value scale, Value zero, Type to) {
  unsigned bits = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  double least = isUnsigned ? 0 : -double(uint64_t(1) << (bits - 1));
  double most =
      isUnsigned ? double((uint64_t(1) << bits) - 1) : double((uint64_t(1) << (bits - 1)) - 1);
  Value y = node.unary("round_even", node.binary("div", x, scale));
  if (zero)
    y = node.binary("add", y, zero);
  return node.cast(
      node.make("clip", y, {node.realNumber("a_min", least), node.realNumber("a_max", most)}), to);
}

bool quantize(NodeScope &node) {
  Type to = IntegerType::get(node.context(), 8, IntegerType::Unsigned);
  if (node.has(2))
    to = node.type(2);
  else if (node.integer("output_dtype") != 0)
    to = typeOf(node.integer("output_dtype"), node.context());
  if (!to || !isByte(to) || to.getIntOrFloatBitWidth() > 16)
    return node.refuse("it quantises to integers of 8 and 16 bits alone");
  if (!isa<FloatType>(node.type(0)))
    return node.refuse("it quantises floats alone");
  // 2^16 and rounding need more bits than half floats have.
  Type wide = Float32Type::get(node.context());
  if (node.integer("precision") != 0 && node.integer("precision") != int64_t(DataType::Float))
    return node.refuse("it divides in float32 alone");
  Value scale = aligned(node, node.cast(node.in(1), wide));
  Value zero = node.has(2) ? aligned(node, node.cast(node.in(2), wide)) : Value();
  return node.give(quantized(node, node.cast(node.in(0), wide), scale, zero, to));
}

bool dequantize(NodeScope &node) {
  if (!isByte(node.type(0)))
    return node.refuse("its data has the element type " + sg::typeName(node.type(0)) +
                       ", needs integers");
  Type wide = Float32Type::get(node.context()), to = node.type(1);
  if (node.integer("output_dtype") != 0)
    to = typeOf(node.integer("output_dtype"), node.context());
  if (!to)
    return node.refuse("output_dtype names no type that has values");
  Value x = node.in(0);
  if (node.has(2)) { // differences of integers are exact
    Type whole = IntegerType::get(node.context(), 32);
    x = node.binary("sub", node.cast(x, whole), aligned(node, node.cast(node.in(2), whole)));
  }
  Value y = node.binary("mul", node.cast(x, wide), aligned(node, node.cast(node.in(1), wide)));
  return node.give(node.cast(y, to));
}

// The range of data, 0 in it, over 255 steps.
bool dynamicQuantize(NodeScope &node) {
  Type byte = IntegerType::get(node.context(), 8, IntegerType::Unsigned);
  Value x = node.in(0);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, node.rank(0)));
  Value least = node.scalar("minimum", node.reduce("min", x, axes, false), 0);
  Value most = node.scalar("maximum", node.reduce("max", x, axes, false), 0);
  Value scale = node.scalar("div", node.binary("sub", most, least), 255);
  Value zero =
      node.unary("round_even", node.scalar("sub", node.binary("div", least, scale), 0, true));
  zero = node.make("clip", zero, {node.realNumber("a_min", 0), node.realNumber("a_max", 255)});
  return node.give(0, quantized(node, x, scale, zero, byte)) && node.give(1, scale) &&
         node.give(2, node.cast(zero, byte));
}

} // namespace symc::onnx::ops
