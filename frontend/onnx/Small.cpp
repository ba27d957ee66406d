//===- Small.cpp - element types of one byte and less ----------------------===//
#include "frontend/onnx/Small.h"

#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

static const SmallType kSmallTypes[] = {
    {17, 8, true, true, 3, 7, 0x7e, 0, 0x7f, true},     // float8e4m3fn
    {18, 8, true, true, 3, 8, 0x7f, 0, 0x80, false},    // float8e4m3fnuz
    {19, 8, true, true, 2, 15, 0x7b, 0x7c, 0x7f, true}, // float8e5m2
    {20, 8, true, true, 2, 16, 0x7f, 0, 0x80, false},   // float8e5m2fnuz
    {21, 4, false, false, 0, 0, 15, 0, 0, false},       // uint4
    {22, 4, false, true, 0, 0, 7, 0, 0, false},         // int4
    {23, 4, true, true, 1, 1, 7, 0, 0, true},           // float4e2m1
    {24, 8, true, false, 0, 127, 0xfe, 0, 0xff, false}, // float8e8m0
    {25, 2, false, false, 0, 0, 3, 0, 0, false},        // uint2
    {26, 2, false, true, 0, 0, 1, 0, 0, false},         // int2
};

const SmallType *smallTypeOf(int64_t dataType) {
  for (const SmallType &type : kSmallTypes)
    if (type.dataType == dataType)
      return &type;
  return nullptr;
}

double SmallType::valueOf(unsigned code) const {
  auto half = unsigned(codes() / 2);
  if (!isFloat)
    return isSigned && code >= half ? double(code) - double(codes()) : double(code);
  if (nan != 0 && (code == nan || (isSigned && hasNegativeZero && code == nan + half)))
    return std::nan("");
  if (!isSigned)
    return std::ldexp(1.0, int(code) - bias);
  double sign = code >= half ? -1 : 1;
  unsigned size = code % half;
  if (infinity != 0 && size >= infinity)
    return size == infinity ? sign * HUGE_VAL : std::nan("");
  unsigned exponent = size >> mantissa, rest = size & ((1u << mantissa) - 1);
  double value = exponent == 0 ? std::ldexp(double(rest), 1 - bias - int(mantissa))
                               : std::ldexp(double(rest + (1u << mantissa)),
                                            int(exponent) - bias - int(mantissa));
  return sign * value;
}

static Type byteType(NodeScope &node) {
  return IntegerType::get(node.context(), 8, IntegerType::Unsigned);
}
static Type wholeType(NodeScope &node) { return IntegerType::get(node.context(), 32); }
static Type realType(NodeScope &node) { return Float32Type::get(node.context()); }

SmallVector<int64_t> packedExtents(const SmallType &type, ArrayRef<int64_t> extents) {
  if (type.perByte() == 1)
    return SmallVector<int64_t>(extents);
  auto count = int64_t(countElements(extents).value_or(0));
  return {(count + type.perByte() - 1) / type.perByte()};
}

static sg::Shape shapeOf(NodeScope &node, ArrayRef<int64_t> extents) {
  return sg::Shape::of(extents, node.context());
}

Value unpacked(NodeScope &node, Value bytes, const SmallType &type, ArrayRef<int64_t> extents) {
  int64_t per = type.perByte();
  if (per == 1 || !bytes)
    return bytes;
  auto count = int64_t(countElements(extents).value_or(0));
  if (count == 0)
    return node.constant(Known{byteType(node), SmallVector<int64_t>(extents), {}, {}});
  Value whole = node.cast(bytes, wholeType(node));
  SmallVector<Value> parts;
  for (int64_t i = 0; i < per; ++i) {
    Value part = i == 0 ? whole : node.scalar("div", whole, double(int64_t(1) << (i * type.bits)));
    part = node.scalar("bit_and", part, double(type.codes() - 1));
    parts.push_back(node.expandDims(node.cast(part, byteType(node)), 1));
  }
  Value all = node.concat(parts, 1);
  int64_t held = packedExtents(type, extents)[0] * per;
  all = node.reshape(all, shapeOf(node, {held}));
  if (held != count)
    all = node.slice(all, 0, 0, count);
  return node.reshape(all, shapeOf(node, extents));
}

Value packed(NodeScope &node, Value codes, const SmallType &type) {
  int64_t per = type.perByte();
  if (per == 1 || !codes)
    return codes;
  sg::Shape shape = sg::shapeOf(codes.getType());
  if (!shape.isStatic()) {
    node.refuse("elements of less than a byte need fixed extents, found " + shape.str());
    return {};
  }
  int64_t count = shape.product(0, shape.rank(), node.context()).get();
  int64_t bytes = (count + per - 1) / per;
  if (count == 0)
    return node.constant(Known{byteType(node), {0}, {}, {}});
  Value all = node.reshape(node.cast(codes, wholeType(node)), shapeOf(node, {count}));
  if (bytes * per != count)
    all = node.make("numpy_pad", all,
                    {node.word("pad_width", "((0," + std::to_string(bytes * per - count) + "),)"),
                     node.realNumber("constant_value", 0)});
  all = node.reshape(all, shapeOf(node, {bytes, per}));
  Value sum;
  for (int64_t i = 0; i < per; ++i) {
    Value part = node.reshape(node.slice(all, 1, i, i + 1), shapeOf(node, {bytes}));
    if (i != 0)
      part = node.scalar("mul", part, double(int64_t(1) << (i * type.bits)));
    sum = sum ? node.binary("add", sum, part) : part;
  }
  return node.cast(sum, byteType(node));
}

Value decoded(NodeScope &node, Value codes, const SmallType &type) {
  std::vector<double> table;
  for (unsigned code = 0; code < unsigned(type.codes()); ++code)
    table.push_back(type.valueOf(code));
  Value values = node.constant(Known::real64(table, {type.codes()}, realType(node)));
  return codes ? node.make("take", {values, codes}, {node.number("axis", 0)}) : codes;
}

// Bits of float32 above `low`, of numbers that are not negative.
static Value shiftedRight(NodeScope &node, Value bits, unsigned low) {
  return node.scalar("div", bits, std::ldexp(1.0, int(low)));
}

static Value constantLike(NodeScope &node, double value, Type type) {
  return node.scalarLike(value, type);
}

Value encoded(NodeScope &node, Value x, const SmallType &type, bool saturates, StringRef rounding) {
  if (!x)
    return x;
  Type whole = wholeType(node);
  if (!type.isFloat) { // the low bits
    Value bits = node.scalar("bit_and", node.cast(x, whole), double(type.codes() - 1));
    return node.cast(bits, byteType(node));
  }
  x = node.cast(x, realType(node));
  auto number = [&](double value) { return constantLike(node, value, whole); };
  auto test = [&](StringRef fn, Value a, Value b) { return node.compare(fn, a, b); };
  Value bits = node.make("bit_cast", x, {node.dtype(whole)});
  Value size = node.unary("abs", x);
  Value sizeBits = node.make("bit_cast", size, {node.dtype(whole)});
  Value isNan = node.make("numpy_test", x, {node.word("fn", "isnan")});
  Value code;
  if (!type.isSigned) { // powers of two
    Value exponent = shiftedRight(node, sizeBits, 23);
    Value rest = node.scalar("bit_and", sizeBits, 0x7fffff);
    Value more = rounding == "down" ? Value()
                 : rounding == "up" ? test("greater", rest, number(0))
                                    : test("greater_equal", rest, number(0x400000));
    code = more ? node.binary("add", exponent, node.cast(more, whole)) : exponent;
    Value above = test("greater", code, number(type.most));
    code = node.where(above, number(saturates ? type.most : type.nan), code);
    return node.cast(node.where(isNan, number(type.nan), code), byteType(node));
  }
  // Rounded to the even one of the nearest, on the bits; exponents move by the difference of
  // biases.
  unsigned low = 23 - type.mantissa;
  Value odd = node.scalar("bit_and", shiftedRight(node, sizeBits, low), 1);
  Value rounded =
      node.binary("add", node.scalar("add", sizeBits, std::ldexp(1.0, int(low) - 1) - 1), odd);
  Value normal = node.scalar("sub", shiftedRight(node, rounded, low),
                             std::ldexp(double(127 - type.bias), int(type.mantissa)));
  // Below the least normal number all steps are the same.
  double steps = std::ldexp(1.0, type.bias - 1 + int(type.mantissa));
  Value isTiny = node.make("numpy_scalar", size,
                           {node.word("fn", "lesser"),
                            node.realNumber("scalar", std::ldexp(1.0, 1 - type.bias)),
                            node.flag("is_int", false)});
  Value kept = node.where(isTiny, size, constantLike(node, 0, realType(node)));
  Value tiny = node.cast(node.unary("round_even", node.scalar("mul", kept, steps)), whole);
  code = node.where(isTiny, tiny, normal);
  Value above = test("greater", code, number(type.most));
  // float4 has neither, and takes its largest number.
  double beyond = saturates || type.nan == 0 ? type.most
                  : type.infinity != 0       ? type.infinity
                                             : type.nan;
  Value isNegative = test("lesser", bits, number(0));
  double sign = double(type.codes() / 2);
  Value signedCode = node.where(isNegative, node.scalar("add", code, sign), code);
  if (!type.hasNegativeZero) // whose code is that of NaN
    signedCode = node.where(test("equal", code, number(0)), number(0), signedCode);
  bool onlyNan = !type.hasNegativeZero && beyond == type.nan;
  Value far =
      onlyNan ? number(beyond) : node.where(isNegative, number(beyond + sign), number(beyond));
  signedCode = node.where(above, far, signedCode);
  if (type.nan != 0)
    signedCode = node.where(isNan, number(type.nan), signedCode);
  else
    signedCode = node.where(isNan, number(sign), signedCode);
  return node.cast(signedCode, byteType(node));
}

} // namespace symc::onnx
