// draw.h: random numbers by counting. Philox 4x32 with ten rounds mixes a counter and a key
// into 128 bits; the key is made of a seed and of what else separates numbers (run, node,
// parameter), the counter is the element's place and how many blocks the element has used. What an
// element draws does not depend on any other, on the number of threads, or on the machine.
#ifndef SYMC_RUNTIME_CORE_DRAW_H
#define SYMC_RUNTIME_CORE_DRAW_H

#include <stdint.h>

namespace symc {

inline uint64_t mix(uint64_t x) { // SplitMix64's finaliser
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The numbers of one element.
class Draw {
public:
  Draw(uint64_t key, uint64_t element) : key(key), element(element) {}

  uint32_t word() {
    if (used == 4) {
      refill();
      used = 0;
    }
    return block[used++];
  }
  uint64_t bits() { return uint64_t(word()) << 32 | word(); }
  // In [0, 1), 53 bits.
  double unit() { return double(bits() >> 11) * 0x1p-53; }
  // In (0, 1].
  double positive() { return 1 - unit(); }

  double normal() {
    double radius = __builtin_sqrt(-2 * __builtin_log(positive()));
    return radius * __builtin_cos(6.283185307179586 * unit());
  }
  double exponential() { return -__builtin_log(positive()); }

  // Marsaglia and Tsang's method, with scale 1.
  double gamma(double shape) {
    if (shape < 1)
      return gamma(shape + 1) * __builtin_pow(positive(), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / __builtin_sqrt(9 * d);
    for (;;) {
      double x = normal(), v = 1 + c * x;
      if (v <= 0)
        continue;
      v = v * v * v;
      if (__builtin_log(positive()) < 0.5 * x * x + d - d * v + d * __builtin_log(v))
        return d * v;
    }
  }

  // By multiplying below 10, by Hörmann's transformed rejection above.
  double poisson(double mean) {
    if (!(mean > 0))
      return 0;
    if (mean < 10) {
      double limit = __builtin_exp(-mean), product = positive();
      double count = 0;
      for (; product > limit; ++count)
        product *= positive();
      return count;
    }
    double b = 0.931 + 2.53 * __builtin_sqrt(mean), a = -0.059 + 0.02483 * b;
    double inverse = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
      double u = unit() - 0.5, v = positive(), us = 0.5 - (u < 0 ? -u : u);
      double k = __builtin_floor((2 * a / us + b) * u + mean + 0.43);
      if (us >= 0.07 && v <= v_r)
        return k;
      if (k < 0 || (us < 0.013 && v > us))
        continue;
      if (__builtin_log(v * inverse / (a / (us * us) + b)) <=
          k * __builtin_log(mean) - mean - __builtin_lgamma(k + 1))
        return k;
    }
  }

private:
  using Word = uint32_t; // 32 bits: of the generator
  void refill() {
    Word x[4] = {Word(element), Word(element >> 32), Word(count), Word(count >> 32)};
    Word k0 = Word(key), k1 = Word(key >> 32);
    for (int round = 0; round < 10; ++round) {
      uint64_t p0 = uint64_t(0xd2511f53u) * x[0], p1 = uint64_t(0xcd9e8d57u) * x[2];
      Word next[4] = {Word(p1 >> 32) ^ x[1] ^ k0, Word(p1), Word(p0 >> 32) ^ x[3] ^ k1, Word(p0)};
      for (int i = 0; i < 4; ++i)
        x[i] = next[i];
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    for (int i = 0; i < 4; ++i)
      block[i] = x[i];
    ++count;
  }

  uint64_t key, element, count = 0;
  Word block[4];
  int64_t used = 4;
};

} // namespace symc
#endif
