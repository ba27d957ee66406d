//===- Fourier.cpp - ONNX's Fourier transforms ------------------------------===//
//
// A fast transform where the length is a product of factors 2, 3 and 5; else products with matrices
// of cosines and sines, which are known when a graph is read.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {
struct Transform {
  int64_t length;         // of the transform
  bool inverse, onesided; // onesided and inverse: spectra of real signals
};
} // namespace

constexpr int64_t kLongestTransform = 4096, kLongestFast = 1 << 22;

static bool isFast(int64_t length) {
  for (int64_t factor : {2, 3, 5})
    while (length > 1 && length % factor == 0)
      length /= factor;
  return length == 1;
}

// x, [..., n, 1 or 2], by a fast transform, in float32 or float64.
static Value fastTransformed(NodeScope &node, Value x, const Transform &t) {
  Type own = sg::elementTypeOf(x.getType());
  Type type = own.isF64() ? own : Float32Type::get(node.context());
  std::vector<double> waves;
  for (int64_t k = 0; k < t.length; ++k) {
    double angle = 2 * M_PI * double(k) / double(t.length);
    waves.push_back(std::cos(angle));
    waves.push_back(std::sin(angle));
  }
  Value y = node.make(
      "dft", {node.cast(x, type), node.constant(Known::real64(waves, {t.length, 2}, type))},
      {node.flag("inverse", t.inverse), node.flag("onesided", t.onesided)});
  return node.cast(y, own);
}

// x, [..., n, 1 or 2], transformed along the axis before the last.
static Value transformed(NodeScope &node, Value x, const Transform &t) {
  if (!x)
    return x;
  if (isFast(t.length))
    return fastTransformed(node, x, t);
  sg::Shape shape = sg::shapeOf(x.getType());
  size_t rank = shape.rank();
  // Sums of so many terms lose more than fast transforms do, so that they are made in float64.
  Type own = sg::elementTypeOf(x.getType()), type = Float64Type::get(node.context());
  x = node.cast(x, type);
  bool isReal = shape[rank - 1].isStatic(1);
  int64_t length = t.length, read = shape[rank - 2].get();
  bool toReal = t.inverse && t.onesided;
  int64_t most = toReal ? length / 2 + 1 : length;
  if (read > most)
    x = node.slice(x, int64_t(rank) - 2, 0, read = most);
  int64_t made = t.onesided && !t.inverse ? length / 2 + 1 : length;
  auto part = [&](int64_t i) { // [..., n]
    sg::Shape have = sg::shapeOf(x.getType());
    return node.reshape(node.slice(x, int64_t(rank) - 1, i, i + 1),
                        sg::Shape(have.list().drop_back()));
  };
  // Elements k * made + j of the matrix: the wave k at place j.
  auto waves = [&](bool sine, double sign) {
    std::vector<double> matrix;
    for (int64_t k = 0; k < read; ++k)
      for (int64_t j = 0; j < made; ++j) {
        double angle = 2 * M_PI * double(k * j % length) / double(length);
        double value = sign * (sine ? std::sin(angle) : std::cos(angle));
        if (t.inverse)
          value /= double(length);
        if (toReal && k != 0 && 2 * k != length)
          value *= 2; // and its mirror image
        matrix.push_back(value);
      }
    return node.constant(Known::real64(matrix, {read, made}, type));
  };
  double direction = t.inverse ? 1 : -1;
  Value real = part(0), imaginary = isReal ? Value() : part(1);
  Value y = node.matmul(real, waves(false, 1));
  if (imaginary)
    y = node.binary("add", y, node.matmul(imaginary, waves(true, -direction)));
  Value first = node.expandDims(node.cast(y, own), int64_t(rank) - 1);
  if (toReal)
    return first;
  Value z = node.matmul(real, waves(true, direction));
  if (imaginary)
    z = node.binary("add", z, node.matmul(imaginary, waves(false, 1)));
  return node.concat({first, node.expandDims(node.cast(z, own), int64_t(rank) - 1)},
                     int64_t(rank) - 1);
}

static bool checkLength(NodeScope &node, int64_t length) {
  if (length >= 1 && length <= (isFast(length) ? kLongestFast : kLongestTransform))
    return true;
  return node.refuse("its length is " + Twine(length) + ", transforms are computed of 1 to " +
                     Twine(kLongestTransform) + ", or of " + Twine(kLongestFast) +
                     " where factors of 2, 3 and 5 make it");
}

bool dft(NodeScope &node) {
  int64_t given = node.integer("axis"), rank = node.rank(0);
  if (node.opset >= 20) {
    given = -2;
    if (node.has(2)) {
      auto number = node.numbers(2);
      if (!number)
        return false;
      given = (*number)[0];
    }
  }
  auto axis = node.axis(given, rank);
  if (!axis)
    return false;
  sg::Shape shape = node.shape(0);
  if (rank < 2 || *axis == rank - 1 || !shape[*axis].isStatic() ||
      !(shape[rank - 1].isStatic(1) || shape[rank - 1].isStatic(2)))
    return node.refuse("its data has the shape " + shape.str() +
                       ", needs a fixed extent along its axis and 1 or 2 numbers for each element");
  Transform t{shape[*axis].get(), node.integer("inverse") != 0, node.integer("onesided") != 0};
  if (t.inverse && t.onesided)
    t.length = 2 * (t.length - 1);
  if (node.has(1)) {
    auto number = node.numbers(1);
    if (!number)
      return false;
    t.length = (*number)[0];
  }
  if (!checkLength(node, t.length))
    return false;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + *axis);
  order.insert(order.end() - 1, *axis);
  Value y = transformed(node, node.transpose(node.in(0), order), t);
  return node.give(y ? node.transpose(y, inverseOf(order)) : y);
}

bool stft(NodeScope &node) {
  auto step = node.numbers(1);
  if (!step)
    return false;
  sg::Shape shape = node.shape(0);
  Value signal = node.in(0);
  if (shape.rank() == 2)
    signal = node.expandDims(signal, 2);
  if ((shape.rank() != 2 && shape.rank() != 3) || !shape[1].isStatic())
    return node.refuse("its signal has the shape " + shape.str() + ", needs a fixed length");
  int64_t length = 0;
  if (node.has(3)) {
    auto given = node.numbers(3);
    if (!given)
      return false;
    length = (*given)[0];
  } else if (node.has(2) && node.shape(2).rank() == 1 && node.shape(2)[0].isStatic()) {
    length = node.shape(2)[0].get();
  }
  if (!checkLength(node, length))
    return false;
  int64_t samples = shape[1].get(), hop = (*step)[0];
  if (hop < 1 || samples < length)
    return node.refuse("its frames begin every " + Twine(hop) + " samples and have " +
                       Twine(length) + " of " + Twine(samples));
  int64_t frames = (samples - length) / hop + 1;
  if (frames > (1 << 24) / length)
    return node.refuse("its frames have more than 2^24 samples together");
  SmallVector<int64_t> places;
  for (int64_t f = 0; f < frames; ++f)
    for (int64_t i = 0; i < length; ++i)
      places.push_back(f * hop + i);
  Value index = node.constant(Known::of(places, {frames, length}, int64Type(node)));
  Value x = node.make("take", {signal, index}, {node.number("axis", 1)});
  if (node.has(2)) {
    if (!node.shape(2)[0].isStatic(length))
      return node.refuse("its window has the shape " + node.shape(2).str() + " for frames of " +
                         Twine(length));
    x = node.binary("mul", x, node.reshape(node.in(2), sg::Shape({node.dim(length), node.dim(1)})));
  }
  return node.give(transformed(node, x, {length, false, node.integer("onesided") != 0}));
}

} // namespace symc::onnx::ops
