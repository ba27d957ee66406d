// WinogradTransform.cpp: see WinogradTransform.h. With p the product over all
// finite points (x - point), row i of B' holds the coefficients of p / (x - point i)
// (of p for infinity), row i of G the powers of the point over p'(point), column i
// of A' its powers. Points that differ in sign share their even and odd parts.
#include "codegen/conv/winograd/lower/WinogradTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc::codegen;

static constexpr double sqrt2 = 1.4142135623730950488, half2 = 0.70710678118654752440;

static Value constant(Emission &e, double value, Value like) {
  auto type = dyn_cast<VectorType>(like.getType());
  return e.splat(e.builder().getF32FloatAttr(value), type ? type.getNumElements() : 1);
}
static Value add(Emission &e, Value x, Value y) {
  return arith::AddFOp::create(e.builder(), e.location(), x, y);
}
static Value sub(Emission &e, Value x, Value y) {
  return arith::SubFOp::create(e.builder(), e.location(), x, y);
}
// x + factor * y
static Value addScaled(Emission &e, Value x, double factor, Value y) {
  return e.multiplyAdd(constant(e, factor, y), y, x);
}
static Value scaled(Emission &e, double factor, Value x) {
  return arith::MulFOp::create(e.builder(), e.location(), constant(e, factor, x), x);
}

SmallVector<Value> symc::codegen::transformInputs(Emission &e, ArrayRef<Value> d) {
  if (d.size() == 4) // p = x^3 - x
    return {sub(e, d[2], d[0]), add(e, d[1], d[2]), sub(e, d[2], d[1]), sub(e, d[3], d[1])};
  // p = x (x^2 - 1/2) (x^2 - 2) = x^5 - 5/2 x^3 + x
  Value evenA = addScaled(e, d[4], -2, d[2]), oddA = addScaled(e, d[3], -2, d[1]);
  Value evenB = addScaled(e, d[4], -0.5, d[2]), oddB = addScaled(e, d[3], -0.5, d[1]);
  return {add(e, addScaled(e, d[4], -2.5, d[2]), d[0]),
          addScaled(e, evenA, half2, oddA),
          addScaled(e, evenA, -half2, oddA),
          addScaled(e, evenB, sqrt2, oddB),
          addScaled(e, evenB, -sqrt2, oddB),
          add(e, addScaled(e, d[5], -2.5, d[3]), d[1])};
}

SmallVector<Value> symc::codegen::transformSums(Emission &e, ArrayRef<Value> s, int64_t m) {
  if (m == 2)
    return {add(e, s[0], add(e, s[1], s[2])), add(e, sub(e, s[1], s[2]), s[3])};
  Value evenA = add(e, s[1], s[2]), oddA = sub(e, s[1], s[2]);
  Value evenB = add(e, s[3], s[4]), oddB = sub(e, s[3], s[4]);
  Value first = add(e, s[0], add(e, evenA, evenB));
  Value second = addScaled(e, scaled(e, half2, oddA), sqrt2, oddB);
  if (m == 3)
    return {first, second, addScaled(e, addScaled(e, s[5], 0.5, evenA), 2, evenB)};
  Value third = addScaled(e, scaled(e, 0.5, evenA), 2, evenB);
  if (m == 4)
    return {first, second, third,
            addScaled(e, addScaled(e, s[5], half2 / 2, oddA), 2 * sqrt2, oddB)};
  return {first, second, third, addScaled(e, scaled(e, half2 / 2, oddA), 2 * sqrt2, oddB),
          addScaled(e, addScaled(e, s[5], 0.25, evenA), 4, evenB)};
}

SmallVector<Value> symc::codegen::transformSlopes(Emission &e, ArrayRef<Value> s) {
  Value evenA = addScaled(e, s[0], 0.5, s[2]), oddA = s[1];
  Value evenB = addScaled(e, s[0], 2, s[2]), oddB = s[1];
  if (s.size() > 3) {
    oddA = addScaled(e, oddA, 0.5, s[3]);
    oddB = addScaled(e, oddB, 2, s[3]);
  }
  if (s.size() > 4) {
    evenA = addScaled(e, evenA, 0.25, s[4]);
    evenB = addScaled(e, evenB, 4, s[4]);
  }
  return {s[0],
          addScaled(e, evenA, half2, oddA),
          addScaled(e, evenA, -half2, oddA),
          addScaled(e, evenB, sqrt2, oddB),
          addScaled(e, evenB, -sqrt2, oddB),
          s.back()};
}

SmallVector<Value> symc::codegen::transformWeightSums(Emission &e, ArrayRef<Value> g, int64_t m) {
  Value evenA = add(e, g[1], g[2]), oddA = sub(e, g[1], g[2]);
  Value evenB = add(e, g[3], g[4]), oddB = sub(e, g[3], g[4]);
  Value first = addScaled(e, addScaled(e, g[0], -2.0 / 3, evenA), 1.0 / 6, evenB);
  if (m == 5)
    return {first, addScaled(e, addScaled(e, g[5], -2.0 / 3 * half2, oddA), sqrt2 / 6, oddB)};
  Value second = addScaled(e, scaled(e, -2.0 / 3 * half2, oddA), sqrt2 / 6, oddB);
  if (m == 4)
    return {first, second, addScaled(e, addScaled(e, g[5], -1.0 / 3, evenA), 1.0 / 3, evenB)};
  return {first, second, addScaled(e, scaled(e, -1.0 / 3, evenA), 1.0 / 3, evenB),
          addScaled(e, addScaled(e, g[5], -half2 / 3, oddA), sqrt2 / 3, oddB)};
}

ArrayRef<WeightRow> symc::codegen::weightTransform(int64_t m) {
  static const WeightRow two[] = {{-1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  static const WeightRow four[] = {{1, 0, 0},
                                   {-2.0 / 3, -2.0 / 3 * half2, -1.0 / 3},
                                   {-2.0 / 3, 2.0 / 3 * half2, -1.0 / 3},
                                   {1.0 / 6, sqrt2 / 6, 1.0 / 3},
                                   {1.0 / 6, -sqrt2 / 6, 1.0 / 3},
                                   {0, 0, 1}};
  static const WeightRow three[] = {// by four taps
                                    {1, 0, 0, 0},
                                    {-2.0 / 3, -2.0 / 3 * half2, -1.0 / 3, -half2 / 3},
                                    {-2.0 / 3, 2.0 / 3 * half2, -1.0 / 3, half2 / 3},
                                    {1.0 / 6, sqrt2 / 6, 1.0 / 3, sqrt2 / 3},
                                    {1.0 / 6, -sqrt2 / 6, 1.0 / 3, -sqrt2 / 3},
                                    {0, 0, 0, 1}};
  static const WeightRow five[] = {// by two taps
                                   {1, 0},
                                   {-2.0 / 3, -2.0 / 3 * half2},
                                   {-2.0 / 3, 2.0 / 3 * half2},
                                   {1.0 / 6, sqrt2 / 6},
                                   {1.0 / 6, -sqrt2 / 6},
                                   {0, 1}};
  switch (m) {
  case 2:
    return two;
  case 3:
    return three;
  case 4:
    return four;
  default:
    return five;
  }
}

ArrayRef<WeightRow> symc::codegen::weightBasis() {
  static const WeightRow rows[] = {
      {-2.0 / 3, 0, -1.0 / 3}, {0, -2.0 / 3 * half2, 0}, {1.0 / 6, 0, 1.0 / 3}};
  return rows;
}

Value symc::codegen::expandBasis(Emission &e, int64_t row, function_ref<Value(int64_t)> basis) {
  switch (row) {
  case 0:
    return scaled(e, -2, add(e, basis(0), basis(2)));
  case 1:
    return add(e, basis(0), basis(1));
  case 2:
    return sub(e, basis(0), basis(1));
  case 3:
    return addScaled(e, basis(2), -0.5, basis(1));
  case 4:
    return addScaled(e, basis(2), 0.5, basis(1));
  default:
    return addScaled(e, basis(0), 4, basis(2));
  }
}
