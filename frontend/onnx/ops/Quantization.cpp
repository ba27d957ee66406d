//===- Quantization.cpp - ONNX's quantisation, in floats -------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/Small.h"
#include "frontend/onnx/ops/Layers.h"
#include "frontend/onnx/ops/Places.h"

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

// The number that an operand is known to be, in every element.
static std::optional<double> numberOf(NodeScope &node, size_t operand) {
  const Known *known = node.known(operand);
  if (!known || !known->isFixed() || known->count() == 0)
    return std::nullopt;
  for (size_t i = 1; i < known->count(); ++i)
    if (known->at(i) != known->at(0))
      return std::nullopt;
  return known->at(0);
}

// A scale or zero point that is a number, or in a shape that meets data's.
struct Level {
  std::optional<double> number;
  Value value;
};

static Level levelOf(NodeScope &node, size_t operand, Type type) {
  if (std::optional<double> number = numberOf(node, operand))
    return {number, {}};
  return {std::nullopt, aligned(node, node.cast(node.in(operand), type))};
}

static Value withLevel(NodeScope &node, StringRef fn, Value x, const Level &level) {
  return level.number ? node.scalar(fn, x, *level.number) : node.binary(fn, x, level.value);
}

// x / scale rounded, plus the zero point, within the range of the type.
static Value quantized(NodeScope &node, Value x, const Level &scale,
                       const std::optional<Level> &zero, Type to) {
  unsigned bits = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  double least = isUnsigned ? 0 : -double(uint64_t(1) << (bits - 1));
  double most =
      isUnsigned ? double((uint64_t(1) << bits) - 1) : double((uint64_t(1) << (bits - 1)) - 1);
  Value y = node.unary("round_even", withLevel(node, "div", x, scale));
  if (zero && zero->number != 0.0)
    y = withLevel(node, "add", y, *zero);
  return node.cast(
      node.make("clip", y, {node.realNumber("a_min", least), node.realNumber("a_max", most)}), to);
}

// To a type of one byte or less.
static bool quantizeSmall(NodeScope &node, const SmallType &small) {
  Type wide = Float32Type::get(node.context());
  if (!isa<FloatType>(node.type(0)))
    return node.refuse("it quantises floats alone");
  Value scale = aligned(node, node.cast(node.in(1), wide));
  Value y = node.binary("div", node.cast(node.in(0), wide), scale);
  if (!small.isFloat)
    y = node.unary("round_even", y);
  if (node.has(2))
    y = node.binary("add", y, aligned(node, decoded(node, node.in(2), small)));
  if (!small.isFloat)
    y = node.make("clip", y,
                  {node.realNumber("a_min", small.isSigned ? -double(small.codes() / 2) : 0),
                   node.realNumber("a_max", double(small.most))});
  bool saturates = !node.given("saturate") || node.integer("saturate") != 0;
  return node.giveSmall(0, encoded(node, y, small, saturates), &small);
}

bool quantize(NodeScope &node) {
  const SmallType *small = node.small(2);
  if (!node.has(2))
    small = smallTypeOf(node.integer("output_dtype"));
  if (small)
    return quantizeSmall(node, *small);
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
  std::optional<Level> zero;
  if (node.has(2))
    zero = levelOf(node, 2, wide);
  return node.give(quantized(node, node.cast(node.in(0), wide), levelOf(node, 1, wide), zero, to));
}

bool dequantize(NodeScope &node) {
  if (const SmallType *small = node.small(0)) {
    Type wide = Float32Type::get(node.context()), to = node.type(1);
    if (node.integer("output_dtype") != 0)
      to = typeOf(node.integer("output_dtype"), node.context());
    if (!to)
      return node.refuse("output_dtype names no type that has values");
    Value x = decoded(node, node.in(0), *small);
    if (node.has(2))
      x = node.binary("sub", x, aligned(node, decoded(node, node.in(2), *small)));
    Value y = node.binary("mul", x, aligned(node, node.cast(node.in(1), wide)));
    return node.give(node.cast(y, to));
  }
  if (!isByte(node.type(0)))
    return node.refuse("its data has the element type " + sg::typeName(node.type(0)) +
                       ", needs integers");
  Type wide = Float32Type::get(node.context()), to = node.type(1);
  if (node.integer("output_dtype") != 0)
    to = typeOf(node.integer("output_dtype"), node.context());
  if (!to)
    return node.refuse("output_dtype names no type that has values");
  Value x = node.in(0);
  std::optional<double> zero = node.has(2) ? numberOf(node, 2) : 0.0;
  bool isByte = node.type(0).getIntOrFloatBitWidth() == 8;
  if (zero != 0.0 && zero && isByte) {
    x = node.scalar("sub", node.cast(x, wide), *zero);
  } else if (zero != 0.0) { // differences of integers are exact
    Type whole = IntegerType::get(node.context(), 32);
    x = node.binary("sub", node.cast(x, whole), aligned(node, node.cast(node.in(2), whole)));
  }
  Value y = withLevel(node, "mul", node.cast(x, wide), levelOf(node, 1, wide));
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
  return node.give(0, quantized(node, x, {std::nullopt, scale}, Level{std::nullopt, zero}, byte)) &&
         node.give(1, scale) && node.give(2, node.cast(zero, byte));
}

//===----------------------------------------------------------------------===//
// Products of integers
//
// Differences of bytes and zero points are whole numbers of at most 255, and so are products of
// two below 2^16: a float32 holds sums of 256 of them exactly. Longer sums are parts of that
// length, which are added as integers.
//===----------------------------------------------------------------------===//

constexpr int64_t kExactTerms = 256;

static Type wideType(NodeScope &node) { return Float32Type::get(node.context()); }
static Type wholeType(NodeScope &node) { return IntegerType::get(node.context(), 32); }

// Whether products of bytes can have the operand; a refusal where not.
static bool hasBytes(NodeScope &node, size_t operand) {
  Type type = node.type(operand);
  return (isByte(type) && type.getIntOrFloatBitWidth() == 8) ||
         node.refuse("operand " + Twine(operand) + " has the element type " + sg::typeName(type) +
                     ", needs int8 or uint8");
}

// Bytes less their zero points, as float32. A list of them is one for each index of `axis`.
static Value centred(NodeScope &node, size_t operand, size_t zero, int64_t axis) {
  if (!hasBytes(node, operand))
    return {};
  Value x = node.cast(node.in(operand), wideType(node));
  if (!node.has(zero))
    return x;
  sg::Shape have = node.shape(zero);
  Value by = node.cast(node.in(zero), wideType(node));
  if (have.rank() == 1 && have[0].isStatic(1)) {
    by = node.reshape(by, sg::Shape(size_t(0)));
  } else if (have.rank() == 1) {
    SmallVector<sg::Dim> dims(size_t(node.rank(operand)), node.dim(1));
    dims[size_t(axis)] = have[0];
    by = node.reshape(by, sg::Shape(dims));
  }
  return node.binary("sub", x, by);
}

static Value sumOf(NodeScope &node, Value sum, Value part) {
  part = node.cast(part, wholeType(node));
  return sum ? node.binary("add", sum, part) : part;
}

static Value integerMatmul(NodeScope &node, Value a, Value b) {
  if (!a || !b)
    return {};
  sg::Shape left = sg::shapeOf(a.getType()), right = sg::shapeOf(b.getType());
  sg::Dim depth = left[left.rank() - 1];
  if (!depth.isStatic()) {
    node.refuse("its products sum over an extent that is chosen at run time");
    return {};
  }
  int64_t rows = std::max<int64_t>(0, int64_t(right.rank()) - 2);
  Value sum;
  for (int64_t at = 0; at == 0 || at < depth.get(); at += kExactTerms) {
    int64_t end = std::min(depth.get(), at + kExactTerms);
    bool whole = at == 0 && end == depth.get();
    sum = sumOf(node, sum,
                node.matmul(whole ? a : node.slice(a, int64_t(left.rank()) - 1, at, end),
                            whole ? b : node.slice(b, rows, at, end)));
  }
  return sum;
}

// The axis of A's rows, of B's columns; vectors have one.
static int64_t rowAxis(NodeScope &node, size_t operand) {
  return std::max<int64_t>(0, node.rank(operand) - 2);
}

// The product with one matrix of bytes as an operation of its own; a null value where zero points
// are lists, or the matrix' one is a value of the run.
//
//   sum (a - za) (b - zb) = sum a b - za sum b - zb (sum a - depth za)
static Value bytesProduct(NodeScope &node) {
  auto isBytes = [&](size_t operand) {
    return isByte(node.type(operand)) && node.type(operand).getIntOrFloatBitWidth() == 8;
  };
  std::optional<double> left = node.has(2) ? numberOf(node, 2) : 0.0,
                        right = node.has(3) ? numberOf(node, 3) : 0.0;
  bool isOne =
      !node.has(2) || node.rank(2) == 0 || (node.rank(2) == 1 && node.shape(2)[0].isStatic(1));
  if (!isBytes(0) || !isBytes(1) || node.rank(1) != 2 || !node.shape(1).isStatic() ||
      node.shape(1)[0].get() == 0 || node.shape(1)[1].get() == 0 || !(left || isOne) || !right)
    return {};
  constexpr int64_t middle = 128; // of uint8
  Type whole = wholeType(node);
  Value data = node.in(0), matrix = node.in(1);
  if (node.type(1).isUnsignedInteger()) {
    matrix = node.cast(node.scalar("sub", node.cast(matrix, whole), middle),
                       IntegerType::get(node.context(), 8));
    *right -= middle;
  }
  matrix = node.transpose(matrix, {1, 0});
  Value sums = node.cast(node.reduce("sum", node.cast(matrix, whole), {1}, false), whole);
  int64_t shift = node.type(0).isUnsignedInteger() ? 0 : middle; // as the operation reads data
  Value zero, correction;
  if (left) {
    correction = node.scalar("mul", sums, -(*left + double(shift)));
  } else {
    zero = node.reshape(node.cast(node.in(2), whole), sg::Shape(size_t(0)));
    correction = node.binary("mul", sums, node.scalar("sub", zero, -double(shift), true));
  }
  NamedAttribute segments(StringAttr::get(node.context(), "operandSegmentSizes"),
                          DenseI32ArrayAttr::get(node.context(), {1, 1, 1, 0, 0}));
  Value product = node.make("integer_product", {data, matrix, correction},
                            {node.word("out_type", "int32"), segments});
  if (*right == 0)
    return product;
  Value row =
      node.cast(node.reduce("sum", node.cast(data, whole), {node.rank(0) - 1}, true), whole);
  double depth = double(node.shape(1)[0].get());
  row = left ? node.scalar("sub", row, *left * depth)
             : node.binary("sub", row, node.scalar("mul", zero, depth));
  return node.binary("sub", product, node.scalar("mul", row, *right));
}

bool matMulInteger(NodeScope &node) {
  if (node.rank(0) < 1 || node.rank(1) < 1)
    return node.refuse("its operands need an extent at least");
  if (Value product = bytesProduct(node))
    return node.give(product);
  return node.give(integerMatmul(node, centred(node, 0, 2, rowAxis(node, 0)),
                                 centred(node, 1, 3, node.rank(1) - 1)));
}

// A sum of integers times factor(s), rounded to bytes around a zero point. The factor is of rank 0
// or meets the sum.
static Value requantized(NodeScope &node, Value sum, Value factor, size_t zero) {
  Value y = node.unary("round_even", node.binary("mul", node.cast(sum, wideType(node)), factor));
  Value by = node.reshape(node.cast(node.in(zero), wideType(node)), sg::Shape(size_t(0)));
  y = node.binary("add", y, by);
  bool isUnsigned = node.type(zero).isUnsignedInteger();
  return node.cast(node.make("clip", y,
                             {node.realNumber("a_min", isUnsigned ? 0 : -128),
                              node.realNumber("a_max", isUnsigned ? 255 : 127)}),
                   node.type(zero));
}

// One scale, or a list of them along an axis of `rank`.
static Value scaleAlong(NodeScope &node, size_t operand, int64_t axis, int64_t rank) {
  sg::Shape have = node.shape(operand);
  Value scale = node.cast(node.in(operand), wideType(node));
  if (have.rank() == 0 || (have.rank() == 1 && have[0].isStatic(1)))
    return node.reshape(scale, sg::Shape(size_t(0)));
  if (have.rank() > 1)
    return scale;
  SmallVector<sg::Dim> dims(size_t(rank), node.dim(1));
  dims[size_t(axis)] = have[0];
  return node.reshape(scale, sg::Shape(dims));
}

static bool requireByteZero(NodeScope &node, size_t zero) {
  if (isByte(node.type(zero)) && node.type(zero).getIntOrFloatBitWidth() == 8)
    return true;
  return node.refuse("its zero point has the element type " + sg::typeName(node.type(zero)) +
                     ", needs int8 or uint8");
}

//===----------------------------------------------------------------------===//
// Layers as sg-integers-from-floats reads them
//===----------------------------------------------------------------------===//

// A scale or zero point of a whole tensor; a null value after a refusal.
static Level oneLevel(NodeScope &node, size_t operand) {
  if (std::optional<double> number = numberOf(node, operand))
    return {number, {}};
  sg::Shape have = node.shape(operand);
  if (have.rank() > 1 || (have.rank() == 1 && !have[0].isStatic(1))) {
    node.refuse("operand " + Twine(operand) + " has the shape " + have.str() +
                ", needs one element");
    return {};
  }
  return {std::nullopt,
          node.reshape(node.cast(node.in(operand), wideType(node)), sg::Shape(size_t(0)))};
}

static bool isMissing(const Level &level) { return !level.number && !level.value; }

// The numbers that bytes stand for.
static Value realOf(NodeScope &node, size_t operand, size_t scale, size_t zero) {
  if (!hasBytes(node, operand))
    return {};
  Level unit = oneLevel(node, scale);
  Value x = node.cast(node.in(operand), wideType(node));
  if (node.has(zero)) {
    Level level = oneLevel(node, zero);
    if (isMissing(level))
      return {};
    if (level.number != 0.0)
      x = withLevel(node, "sub", x, level);
  }
  return isMissing(unit) ? Value() : withLevel(node, "mul", x, unit);
}

// Rounds to bytes of the type of operand `zero`, or of operand 0 without it.
static bool giveBytes(NodeScope &node, Value y, size_t scale, size_t zero) {
  if (!y)
    return false;
  Level unit = oneLevel(node, scale);
  std::optional<Level> level;
  if (node.has(zero))
    level = oneLevel(node, zero);
  if (isMissing(unit) || (level && isMissing(*level)))
    return false;
  return node.give(quantized(node, y, unit, level, node.type(node.has(zero) ? zero : 0)));
}

// Whether operands 0 to 7 are data, weights and a result of bytes whose levels are numbers of the
// file: those of weights by outputs or of all.
static bool layerIsKnown(NodeScope &node) {
  auto isBytes = [&](size_t operand) {
    return isByte(node.type(operand)) && node.type(operand).getIntOrFloatBitWidth() == 8;
  };
  for (size_t i : {1, 2, 6, 7})
    if (!numberOf(node, i))
      return false;
  double middle = node.type(3).isUnsignedInteger() ? 128 : 0;
  return isBytes(0) && isBytes(3) && numberOf(node, 5) == middle && node.known(4) &&
         isa_and_nonnull<sg::ParameterOp>(node.in(3).getDefiningOp());
}

// Operand 3 with scales along the axis of outputs.
static Value realWeights(NodeScope &node, int64_t axis) {
  Value x = node.cast(node.in(3), wideType(node));
  double zero = *numberOf(node, 5);
  if (zero != 0)
    x = node.scalar("sub", x, zero);
  if (std::optional<double> scale = numberOf(node, 4))
    return node.scalar("mul", x, *scale);
  return node.binary("mul", x, scaleAlong(node, 4, axis, node.rank(3)));
}

// Whether a bias of sums, if there is one, has a whole number for each output.
static bool hasBias(NodeScope &node, size_t bias, sg::Dim outputs) {
  if (!node.has(bias))
    return true;
  if (!node.type(bias).isSignlessInteger(32))
    return node.refuse("operand " + Twine(bias) + " has the element type " +
                       sg::typeName(node.type(bias)) + ", needs int32");
  sg::Shape have = node.shape(bias), needs({outputs});
  return (have.rank() == 1 && have[0] == outputs) ||
         node.refuse("operand " + Twine(bias) + " has the shape " + have.str() + ", needs " +
                     needs.str());
}

// A bias of sums: times the scales of data and weights, the operands `data` + 1 and + 4.
static Value realBias(NodeScope &node, size_t bias, size_t data) {
  Value x = node.cast(node.in(bias), wideType(node));
  x = withLevel(node, "mul", x, oneLevel(node, data + 1));
  if (std::optional<double> scale = numberOf(node, data + 4))
    return node.scalar("mul", x, *scale);
  return node.binary("mul", x, scaleAlong(node, data + 4, 0, 1));
}

bool qLinearMatMul(NodeScope &node) {
  if (node.rank(0) < 1 || node.rank(3) < 1 || !requireByteZero(node, 7))
    return node.refuse("its operands need an extent at least");
  if (node.rank(3) == 2 && layerIsKnown(node))
    return giveBytes(node, node.matmul(realOf(node, 0, 1, 2), realWeights(node, 1)), 6, 7);
  Value sum = integerMatmul(node, centred(node, 0, 2, rowAxis(node, 0)),
                            centred(node, 3, 5, node.rank(3) - 1));
  if (!sum)
    return false;
  auto rank = int64_t(sg::shapeOf(sum.getType()).rank());
  Value factor = node.binary("mul", scaleAlong(node, 1, std::max<int64_t>(0, rank - 2), rank),
                             scaleAlong(node, 4, std::max<int64_t>(0, rank - 1), rank));
  factor = node.binary("div", factor, scaleAlong(node, 6, 0, 0));
  return node.give(requantized(node, sum, factor, 7));
}

// Channels in parts whose windows have few enough taps; groups one after the other then.
static Value integerConvolution(NodeScope &node, Value x, Value weight, const Windows &w) {
  int64_t groups = node.integer("group");
  if (!x || !weight)
    return {};
  sg::Shape image = sg::shapeOf(x.getType()), filters = sg::shapeOf(weight.getType());
  int64_t channels = filters[1].get(), window = productOf(w.kernel);
  if (groups < 1 || !image[1].isStatic(channels * groups)) {
    node.refuse("its weight has the shape " + filters.str() + " for data of " + image.str() +
                " in " + Twine(groups) + " groups");
    return {};
  }
  if (channels * window <= kExactTerms)
    return node.cast(makeConvolution(node, x, weight, Value(), groups, w), wholeType(node));
  if (window > kExactTerms) {
    node.refuse("its windows have more than " + Twine(kExactTerms) + " taps");
    return {};
  }
  SmallVector<Value> parts;
  int64_t step = kExactTerms / window, each = filters[0].get() / groups;
  for (int64_t group = 0; group < groups; ++group) {
    Value own = groups == 1 ? weight : node.slice(weight, 0, group * each, (group + 1) * each), sum;
    for (int64_t at = 0; at < channels; at += step) {
      int64_t end = std::min(channels, at + step), first = group * channels;
      sum = sumOf(node, sum,
                  makeConvolution(node, node.slice(x, 1, first + at, first + end),
                                  node.slice(own, 1, at, end), Value(), 1, w));
    }
    parts.push_back(sum);
  }
  return node.concat(parts, 1);
}

bool convInteger(NodeScope &node) {
  auto w = convolutionWindows(node, 1);
  return w &&
         node.give(integerConvolution(node, centred(node, 0, 2, 1), centred(node, 1, 3, 0), *w));
}

bool qLinearConv(NodeScope &node) {
  auto w = convolutionWindows(node, 3);
  if (!w || !requireByteZero(node, 7) || !hasBias(node, 8, node.shape(3)[0]))
    return false;
  int64_t groups = node.integer("group");
  bool isLayer = node.rank(0) == 4 && (groups == 1 || node.shape(3)[0].isStatic(groups));
  if (isLayer && layerIsKnown(node)) {
    Value bias = node.has(8) ? realBias(node, 8, 0) : Value();
    return giveBytes(
        node, makeConvolution(node, realOf(node, 0, 1, 2), realWeights(node, 0), bias, groups, *w),
        6, 7);
  }
  Value sum = integerConvolution(node, centred(node, 0, 2, 1), centred(node, 3, 5, 0), *w);
  if (!sum)
    return false;
  auto rank = int64_t(sg::shapeOf(sum.getType()).rank());
  if (node.has(8)) {
    SmallVector<sg::Dim> dims(size_t(rank), node.dim(1));
    dims[1] = node.shape(8)[0];
    sum = node.binary("add", sum, node.reshape(node.in(8), sg::Shape(dims)));
  }
  Value factor = node.binary("mul", scaleAlong(node, 1, 0, 0), scaleAlong(node, 4, 1, rank));
  factor = node.binary("div", factor, scaleAlong(node, 6, 0, 0));
  return node.give(requantized(node, sum, factor, 7));
}

//===----------------------------------------------------------------------===//
// com.microsoft: what ONNX Runtime's quantiser writes
//===----------------------------------------------------------------------===//

bool qLinearBinary(NodeScope &node) {
  Value x = realOf(node, 0, 1, 2), y = realOf(node, 3, 4, 5);
  return giveBytes(node, node.binary(node.node.op == "QLinearMul" ? "mul" : "add", x, y), 6, 7);
}

bool qLinearUnary(NodeScope &node) {
  Value x = realOf(node, 0, 1, 2);
  Value y = node.node.op == "QLinearSigmoid"
                ? node.unary("sigmoid", x)
                : node.make("leaky_relu", x,
                            {node.word("act_type", "leaky"),
                             node.realNumber("slope", node.real("alpha"))});
  return giveBytes(node, y, 3, 4);
}

bool qLinearGlobalAveragePool(NodeScope &node) {
  if (node.integer("channels_last") != 0)
    return node.refuse("its channels are last");
  Value x = realOf(node, 0, 1, 2);
  if (node.rank(0) < 3)
    return node.refuse("its data has the shape " + node.shape(0).str() +
                       ", needs three extents or more");
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(2, node.rank(0)));
  return giveBytes(node, node.reduce("mean", x, axes, true), 3, 4);
}

// Operands: scale and zero point of the result, then each tensor with its own.
bool qLinearConcat(NodeScope &node) {
  if (node.count() < 5)
    return node.refuse("it has no tensors");
  if (node.count() % 3 != 2)
    return node.refuse("it has " + Twine(node.count()) +
                       " operands, needs two of the result and three of each tensor");
  SmallVector<Value> parts;
  for (size_t i = 2; i < node.count(); i += 3)
    parts.push_back(realOf(node, i, i + 1, i + 2));
  if (llvm::is_contained(parts, Value()))
    return false;
  auto axis = node.axis(node.integer("axis"), node.rank(2));
  return axis && giveBytes(node, node.concat(parts, *axis), 0, 1);
}

// A, B and C, of which C is in the scale of sums.
bool qGemm(NodeScope &node) {
  if (node.rank(0) != 2 || node.rank(3) != 2)
    return node.refuse("its operands have the shapes " + node.shape(0).str() + " and " +
                       node.shape(3).str() + ", needs matrices");
  if (node.real("alpha") != 1)
    return node.refuse("its alpha is not 1");
  bool transposed = node.integer("transB") != 0;
  int64_t axis = transposed ? 0 : 1;
  Value a = realOf(node, 0, 1, 2), b;
  if (node.shape(4).rank() == 0 || node.shape(4)[0].isStatic(1)) {
    b = realOf(node, 3, 4, 5);
  } else {
    if (node.has(5) && !numberOf(node, 5))
      return node.refuse("its weights have several zero points");
    Value x = node.cast(node.in(3), wideType(node));
    if (double zero = node.has(5) ? *numberOf(node, 5) : 0)
      x = node.scalar("sub", x, zero);
    b = node.binary("mul", x, scaleAlong(node, 4, axis, 2));
  }
  if (!a || !b)
    return false;
  if (node.integer("transA"))
    a = node.transpose(a, {1, 0});
  sg::Dim columns = node.shape(3)[size_t(axis)];
  if (!hasBias(node, 6, columns))
    return false;
  SmallVector<Value> operands{a, transposed ? b : node.transpose(b, {1, 0})};
  if (node.has(6))
    operands.push_back(realBias(node, 6, 0));
  if (!columns.isStatic())
    return node.refuse("its columns are as many as the run decides");
  Value y = node.make("fully_connected", operands,
                      {node.number("num_hidden", columns.get()), node.flag("no_bias", !node.has(6)),
                       node.flag("flatten", false)});
  return node.has(7) ? giveBytes(node, y, 7, 8) : node.give(y);
}

} // namespace symc::onnx::ops
