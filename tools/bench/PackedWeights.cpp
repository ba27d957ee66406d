// PackedWeights.cpp: see PackedWeights.h. Sums are taken in f64 and rounded once.
#include "tools/bench/PackedWeights.h"
#include "tools/bench/LayerLayouts.h"

#include <cmath>

using namespace symc::bench;

// G g G' of each pair of channels, in f64, written out apart from the compiler's.
static void transformWeights(const Layer &l, const float *panels, float *target) {
  const double h = std::sqrt(0.5), r = std::sqrt(2.0);
  const double four[6][4] = {{1, 0, 0},
                             {-1 / 1.5, -h / 1.5, -0.5 / 1.5},
                             {-1 / 1.5, h / 1.5, -0.5 / 1.5},
                             {1. / 6, r / 6, 2. / 6},
                             {1. / 6, -r / 6, 2. / 6},
                             {0, 0, 1}};
  const double three[6][4] = {{1, 0, 0, 0},
                              {-1 / 1.5, -h / 1.5, -0.5 / 1.5, -0.5 * h / 1.5},
                              {-1 / 1.5, h / 1.5, -0.5 / 1.5, 0.5 * h / 1.5},
                              {1. / 6, r / 6, 2. / 6, 2 * r / 6},
                              {1. / 6, -r / 6, 2. / 6, -2 * r / 6},
                              {0, 0, 0, 1}};
  const double two[4][4] = {{-1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
  const double five[6][4] = {{1, 0},          {-1 / 1.5, -h / 1.5}, {-1 / 1.5, h / 1.5},
                             {1. / 6, r / 6}, {1. / 6, -r / 6},     {0, 1}};
  const double (*const all[])[4] = {two, three, four, five};
  auto *rows = all[l.winograd - 2];
  int64_t taps = l.kernelRows, span = l.winograd + taps - 1,
          pairs = blocksOf(l.out) * blocksOf(l.in);
  for (int64_t p = 0; p < span * span; ++p) {
    const double *row = rows[p / span], *column = rows[p % span];
    for (int64_t pair = 0; pair < pairs; ++pair)
      for (int64_t lane = 0; lane < 256; ++lane) {
        double sum = 0;
        for (int64_t k = 0; k < taps * taps; ++k)
          sum += row[k / taps] * column[k % taps] * panels[(pair * taps * taps + k) * 256 + lane];
        target[(p * pairs + pair) * 256 + lane] = sum;
      }
  }
}

// H g H' of each pair of channels, a channel's nine vectors side by side; row 0 of H is
// the mean of G's rows 1 and 2, row 1 half their difference, row 2 the mean of rows 3 and 4.
static void reduceToBasis(const Layer &l, const float *panels, float *target) {
  const double rows[3][3] = {
      {-1 / 1.5, 0, -0.5 / 1.5}, {0, -std::sqrt(0.5) / 1.5, 0}, {1. / 6, 0, 2. / 6}};
  int64_t pairs = blocksOf(l.out) * blocksOf(l.in);
  for (int64_t pair = 0; pair < pairs; ++pair)
    for (int64_t p = 0; p < 9; ++p)
      for (int64_t lane = 0; lane < 256; ++lane) {
        double sum = 0;
        for (int64_t k = 0; k < 9; ++k)
          sum += rows[p / 3][k / 3] * rows[p % 3][k % 3] * panels[(pair * 9 + k) * 256 + lane];
        target[((pair * 16 + lane / 16) * 9 + p) * 16 + lane % 16] = sum;
      }
}

// The seven sums of the weights' quarters, written out apart from the compiler's, with
// scales of its own, which any powers of two may be.
static void sumWeights(const Layer &l, const float *panels, float *target) {
  int64_t out = l.out / 32, in = l.in / 32;
  float *scales = target + out * 7 * in * 256;
  for (int64_t c = 0; c < l.out + l.in; ++c) {
    bool output = c < l.out, first = output ? c < l.out / 2 : c < l.out + l.in / 2;
    scales[c] = first ? 1 : std::ldexp(1, output ? int(c % 5) - 2 : 1 - int(c % 3));
  }
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < in; ++i)
      for (int64_t lane = 0; lane < 256; ++lane) {
        auto at = [&](int64_t outHalf, int64_t inHalf) -> double {
          return panels[((o + outHalf * out) * 2 * in + i + inHalf * in) * 256 + lane];
        };
        double row = scales[(o + out) * 16 + lane % 16];
        double column = scales[l.out + (i + in) * 16 + lane / 16];
        double a11 = at(0, 0), a12 = at(0, 1) / column;
        double a21 = at(1, 0) / row, a22 = at(1, 1) / row / column;
        double sums[] = {a11,
                         a12 * column,
                         a21 + a22 - a11,
                         a11 - a21,
                         a22,
                         a21 + a22,
                         (a12 - a21 - a22 + a11) * column};
        for (int64_t p = 0; p < 7; ++p)
          target[((o * 7 + p) * in + i) * 256 + lane] = sums[p];
      }
}

int64_t symc::bench::scaleBlocks(const Layer &l) {
  int64_t perBlock = 7 * l.in / 2 * 16;
  return (l.out + l.in + perBlock - 1) / perBlock;
}

int64_t symc::bench::packedElements(const Layer &l) {
  int64_t pairs = blocksOf(l.out) * blocksOf(l.in) * 256, span = l.winograd + l.kernelRows - 1;
  if (l.strassen)
    return pairs / 4 * 7 + scaleBlocks(l) * 7 * l.in / 2 * 16;
  return l.onTheFly ? pairs * 9 : l.winograd ? pairs * span * span : 0;
}

void symc::bench::packWeights(const Layer &l, const float *panels, float *target) {
  if (l.strassen)
    sumWeights(l, panels, target);
  else if (l.onTheFly)
    reduceToBasis(l, panels, target);
  else
    transformWeights(l, panels, target);
}
