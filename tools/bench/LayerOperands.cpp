// LayerOperands.cpp: see LayerLayouts.h; and a layer's operands with the layer by plain
// loops (KernelJit.h).
#include "tools/bench/LayerLayouts.h"
#include "tools/bench/PackedWeights.h"

#include <cmath>
#include <random>

using namespace symc::bench;

static const float canary = -7777.0f;

Layout symc::bench::dataLayout(const Layer &l) {
  Layout v;
  if (l.matrix) {
    v.sizes = {1, blocksOf(l.in), 1, l.batch, 16};
    v.strides = {l.in * l.batch, 16, l.in * l.batch, l.in, 1};
    v.elements = l.in * l.batch;
    return v;
  }
  int64_t h = l.rows + 2 * l.padRows, w = l.columns + 2 * l.padColumns;
  if (l.planar) {
    v.sizes = {l.batch, 1, h, w, l.in};
    v.strides = {l.in * h * w, l.in * h * w, w, 1, h * w};
    v.elements = l.batch * l.in * h * w;
  } else {
    v.sizes = {l.batch, blocksOf(l.in), h, w, 16};
    v.strides = {blocksOf(l.in) * h * w * 16, h * w * 16, w * 16, 16, 1};
    v.elements = l.batch * blocksOf(l.in) * h * w * 16;
  }
  return v;
}

Layout symc::bench::outLayout(const Layer &l) {
  Layout v;
  if (l.matrix) {
    v.sizes = {1, blocksOf(l.out), 1, l.batch, 16};
    v.strides = {l.out * l.batch, 16, l.out * l.batch, l.out, 1};
    v.elements = l.out * l.batch;
    return v;
  }
  int64_t h = l.outRows() + 2 * l.outHalo, w = l.outColumns() + 2 * l.outHalo;
  v.sizes = {l.batch, blocksOf(l.out), l.outRows(), l.outColumns(), 16};
  v.strides = {blocksOf(l.out) * h * w * 16, h * w * 16, w * 16, 16, 1};
  v.offset = l.outHalo * (w + 1) * 16;
  v.elements = l.batch * blocksOf(l.out) * h * w * 16;
  return v;
}

Layout symc::bench::weightLayout(const Layer &l) {
  Layout v;
  if (l.depthwise && l.group > 1)
    v.sizes = {blocksOf(l.out), l.kernelRows, l.kernelColumns, l.group, 16};
  else if (l.depthwise)
    v.sizes = {blocksOf(l.out), l.kernelRows, l.kernelColumns, 16};
  else
    v.sizes = {blocksOf(l.out), l.planar ? 1 : blocksOf(l.in), l.kernelRows,
               l.kernelColumns, l.planar ? l.in : 16,          16};
  v.elements = 1;
  v.strides.resize(v.sizes.size());
  for (size_t d = v.sizes.size(); d-- > 0;) {
    v.strides[d] = v.elements;
    v.elements *= v.sizes[d];
  }
  return v;
}

Layout symc::bench::packedLayout(const Layer &l) {
  Layout v = weightLayout(l);
  if (l.strassen) {
    int64_t in = l.in / 32 * 256;
    v.sizes = {l.out / 32 + scaleBlocks(l), 7, l.in / 32, 1, 1, 16, 16};
    v.strides = {7 * in, in, 256, 256, 256, 16, 1};
  } else if (l.onTheFly) {
    v.sizes = {blocksOf(l.out), blocksOf(l.in), 16, 9, 16};
    v.strides = {v.sizes[1] * 2304, 2304, 144, 16, 1};
  } else if (l.winograd) {
    int64_t span = l.winograd + l.kernelRows - 1;
    v.sizes = {span * span, blocksOf(l.out), blocksOf(l.in), 16, 16};
    v.strides = {v.sizes[1] * v.sizes[2] * 256, v.sizes[2] * 256, 256, 16, 1};
  }
  return v;
}

float *symc::bench::align(std::vector<float> &storage, int64_t elements) {
  storage.assign(elements + 16, 0.0f);
  auto address = reinterpret_cast<uintptr_t>(storage.data());
  return storage.data() + ((64 - address % 64) % 64) / 4;
}

const float *symc::bench::aligned(const std::vector<float> &storage) {
  auto address = reinterpret_cast<uintptr_t>(storage.data());
  return storage.data() + ((64 - address % 64) % 64) / 4;
}

Operands::Operands(const Layer &l, uint64_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Layout in = dataLayout(l), o = outLayout(l), w = weightLayout(l);
  dataAt = align(data, in.elements);
  std::fill(data.begin(), data.end(), std::nanf("")); // dead lanes must not be read
  int64_t images = l.matrix ? 1 : l.batch, h = in.sizes[2], wd = in.sizes[3];
  for (int64_t n = 0; n < images; ++n)
    for (int64_t c = 0; c < l.in; ++c)
      for (int64_t y = 0; y < h; ++y)
        for (int64_t x = 0; x < wd; ++x) {
          bool halo =
              y < l.padRows || y >= h - l.padRows || x < l.padColumns || x >= wd - l.padColumns;
          int64_t at = l.planar ? n * in.strides[0] + y * in.strides[2] + x + c * in.strides[4]
                                : n * in.strides[0] + c / 16 * in.strides[1] + y * in.strides[2] +
                                      x * in.strides[3] + c % 16;
          float value = uniform(engine);
          dataAt[at] = halo ? 0.0f : l.positive ? std::fabs(value) : value;
        }
  float *weightsAt = align(weights, w.elements);
  for (int64_t i = 0; i < w.elements; ++i)
    weightsAt[i] = uniform(engine);
  float *biasAt = align(bias, blocksOf(l.out) * 16);
  for (int64_t i = 0; i < blocksOf(l.out) * 16; ++i)
    biasAt[i] = uniform(engine);
  residualAt = align(residual, o.elements) + o.offset;
  for (float &value : residual)
    value = uniform(engine);
  outAt = align(out, o.elements) + o.offset;
  clearOut();
  if (int64_t elements = packedElements(l))
    packWeights(l, weightsAt, align(transformed, elements));
}

void Operands::clearOut() { std::fill(out.begin(), out.end(), canary); }

// The layer by plain loops, sums in `Sum`.
template <typename Sum>
static std::vector<float> sums(const Operands &operands, const Layer &l, bool fused) {
  Layout in = dataLayout(l), o = outLayout(l), w = weightLayout(l);
  std::vector<float> result(operands.out.size(), canary);
  int64_t outOrigin = operands.outAt - operands.out.data();
  const float *dataAt = operands.dataAt, *residualAt = operands.residualAt;
  const float *weightsAt = aligned(operands.weights), *biasAt = aligned(operands.bias);
  int64_t channels = l.depthwise ? blocksOf(l.out) * 16 : l.out;
  for (int64_t n = 0; n < o.sizes[0]; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < o.sizes[2]; ++y)
        for (int64_t x = 0; x < o.sizes[3]; ++x) {
          Sum sum = l.bias ? biasAt[c] : 0;
          auto step = [&](int64_t i, int64_t ky, int64_t kx) {
            int64_t at = n * in.strides[0] + (y * l.stride + ky * l.dilation) * in.strides[2] +
                         (x * l.stride + kx * l.dilation) * in.strides[3];
            at += l.planar ? i * in.strides[4] : i / 16 * in.strides[1] + i % 16;
            int64_t wt;
            if (l.depthwise)
              wt = c / 16 * w.strides[0] + ky * w.strides[1] + kx * w.strides[2] +
                   i % l.group * (l.group > 1 ? w.strides[3] : 0) + c % 16;
            else
              wt = c / 16 * w.strides[0] + (l.planar ? 0 : i / 16) * w.strides[1] +
                   ky * w.strides[2] + kx * w.strides[3] + (l.planar ? i : i % 16) * 16 + c % 16;
            Sum a = dataAt[at], b = weightsAt[wt];
            if (fused)
              sum = std::fma(a, b, sum);
            else {
              volatile Sum product = a * b;
              sum += product;
            }
          };
          int64_t perBlock = l.planar ? l.in : 16;
          if (l.depthwise) {
            for (int64_t ky = 0; ky < l.kernelRows; ++ky)
              for (int64_t i = c / l.group * l.group, end = i + l.group; i < end; ++i)
                for (int64_t kx = 0; kx < l.kernelColumns; ++kx)
                  step(i, ky, kx);
          } else {
            for (int64_t block = 0; block < l.in; block += perBlock)
              for (int64_t ky = 0; ky < l.kernelRows; ++ky)
                for (int64_t kx = 0; kx < l.kernelColumns; ++kx)
                  for (int64_t i = block; i < std::min(l.in, block + perBlock); ++i)
                    step(i, ky, kx);
          }
          int64_t at = n * o.strides[0] + c / 16 * o.strides[1] + y * o.strides[2] +
                       x * o.strides[3] + c % 16;
          if (l.residual)
            sum += residualAt[at];
          if (l.relu)
            sum = sum > 0 ? sum : 0;
          result[outOrigin + at] = sum;
        }
  return result;
}

std::vector<float> Operands::expected(const Layer &l, bool fused) const {
  return sums<float>(*this, l, fused);
}

std::vector<float> Operands::exact(const Layer &l) const { return sums<double>(*this, l, true); }

double Operands::error(const std::vector<float> &expected) const {
  double largest = 0, worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == canary && out[i] != canary)
      return INFINITY;
    if (expected[i] == canary)
      continue;
    if (std::isnan(out[i]))
      return INFINITY;
    largest = std::max(largest, std::fabs(double(expected[i])));
    worst = std::max(worst, std::fabs(double(out[i]) - expected[i]));
  }
  return worst / largest;
}

double Operands::channelError(const Layer &l, const std::vector<float> &expected) const {
  Layout o = outLayout(l);
  int64_t origin = outAt - out.data();
  double most = 0;
  for (int64_t c = 0; c < l.out; ++c) {
    double largest = 0, worst = 0;
    for (int64_t n = 0; n < o.sizes[0]; ++n)
      for (int64_t y = 0; y < o.sizes[2]; ++y)
        for (int64_t x = 0; x < o.sizes[3]; ++x) {
          int64_t at = origin + n * o.strides[0] + c / 16 * o.strides[1] + y * o.strides[2] +
                       x * o.strides[3] + c % 16;
          if (std::isnan(out[at]))
            return INFINITY;
          largest = std::max(largest, std::fabs(double(expected[at])));
          worst = std::max(worst, std::fabs(double(out[at]) - expected[at]));
        }
    most = std::max(most, worst / largest);
  }
  return most;
}

int64_t Operands::mismatches(const Layer &l, const std::vector<float> &expected,
                             double tolerance) const {
  double largest = 0;
  for (float value : expected)
    if (value != canary && !std::isnan(value))
      largest = std::max(largest, std::fabs(double(value)));
  int64_t count = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (l.depthwise && std::isnan(expected[i]))
      continue; // a lane beyond the channels
    if (!(std::fabs(double(out[i]) - expected[i]) <= tolerance * largest))
      ++count;
  }
  return count;
}
