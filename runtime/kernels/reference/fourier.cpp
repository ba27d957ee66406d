// fourier.cpp: the reference kernel of dft, a fast transform by factors of 4, 2, 3 and 5.
//
// A pass of factor p takes the row as [groups, p, rest], in groups of the passes before, and gives
// [p, groups, rest] (Stockham's order, so that the last pass leaves the row in its order): of the p
// elements with the same group and rest it makes their transform of length p, and multiplies
// element j by the wave j * groups * (place in rest). Products and sums are rounded one by one, so
// that any machine gives the same bits.
#include "symc/generated/op_params/Fourier.h"
#include "rows.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class N> struct Complex {
  N re, im;
  Complex operator+(const Complex &other) const { return {re + other.re, im + other.im}; }
  Complex operator-(const Complex &other) const { return {re - other.re, im - other.im}; }
  Complex operator*(N factor) const { return {re * factor, im * factor}; }
};

template <class N> struct Transform {
  using C = Complex<N>;
  const C *waves;
  int64_t length;
  bool inverse;

  // i * x where the transform is an inverse, else -i * x.
  C rotated(const C &x) const { return inverse ? C{-x.im, x.re} : C{x.im, -x.re}; }
  C times(const C &x, const C &wave) const {
    return inverse ? C{x.re * wave.re - x.im * wave.im, x.re * wave.im + x.im * wave.re}
                   : C{x.re * wave.re + x.im * wave.im, x.im * wave.re - x.re * wave.im};
  }

  void pass2(C *x) const {
    C sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
  void pass3(C *x) const {
    const C wave = waves[length / 3];
    C sum = x[1] + x[2], difference = rotated((x[1] - x[2]) * wave.im);
    C half = x[0] + sum * wave.re;
    x[0] = x[0] + sum;
    x[1] = half + difference;
    x[2] = half - difference;
  }
  void pass4(C *x) const {
    C even = x[0] + x[2], odd = x[1] + x[3];
    C difference = x[0] - x[2], side = rotated(x[1] - x[3]);
    x[0] = even + odd;
    x[2] = even - odd;
    x[1] = difference + side;
    x[3] = difference - side;
  }
  void pass5(C *x) const {
    const C one = waves[length / 5], two = waves[length / 5 * 2];
    C outer = x[1] + x[4], inner = x[2] + x[3], far = x[1] - x[4], near = x[2] - x[3];
    C a = x[0] + outer * one.re + inner * two.re, b = x[0] + outer * two.re + inner * one.re;
    C c = rotated(far * one.im + near * two.im), d = rotated(far * two.im - near * one.im);
    x[0] = x[0] + outer + inner;
    x[1] = a + c;
    x[4] = a - c;
    x[2] = b + d;
    x[3] = b - d;
  }

  template <int64_t factor> void pass(const C *from, C *to, int64_t groups) const {
    int64_t rest = length / factor / groups;
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t i = 0; i < rest; ++i) {
        C x[factor];
        for (int64_t j = 0; j < factor; ++j)
          x[j] = from[i + rest * (j + factor * g)];
        if (factor == 2)
          pass2(x);
        if (factor == 3)
          pass3(x);
        if (factor == 4)
          pass4(x);
        if (factor == 5)
          pass5(x);
        for (int64_t j = 0; j < factor; ++j)
          to[i + rest * (g + groups * j)] =
              i == 0 || j == 0 ? x[j] : times(x[j], waves[j * groups * i]);
      }
  }

  // Transforms the row in `x`, with `other` beside it; returns the one that holds the result. A
  // factor of 2 comes first, then those of 4, of 3 and of 5.
  C *run(C *x, C *other) const {
    int64_t left = length, groups = 1;
    bool two = false;
    while (left % 4 == 0)
      left /= 4;
    two = left % 2 == 0;
    auto take = [&](int64_t factor) {
      factor == 2   ? pass<2>(x, other, groups)
      : factor == 3 ? pass<3>(x, other, groups)
      : factor == 4 ? pass<4>(x, other, groups)
                    : pass<5>(x, other, groups);
      groups *= factor;
      C *next = other;
      other = x;
      x = next;
    };
    if (two)
      take(2);
    const int64_t factors[] = {4, 3, 5};
    for (int64_t factor : factors)
      while (length / groups % factor == 0)
        take(factor);
    return x;
  }
};

template <class E> int32_t dft(const symc_kernel_args *args) {
  using N = typename E::Number;
  using C = Complex<N>;
  const auto &params = params_of<symc_dft_params>(args);
  const symc_tensor &data = args->inputs[0], &waves = args->inputs[1], &output = args->outputs[0];
  Transform<N> transform{static_cast<const C *>(waves.data), waves.shape[0], params.inverse != 0};
  int64_t length = transform.length, given = data.shape[data.rank - 2];
  int64_t parts = data.shape[data.rank - 1], made = output.shape[output.rank - 2];
  int64_t made_parts = output.shape[output.rank - 1];
  bool half = params.inverse && params.onesided;
  int64_t read = half ? length / 2 + 1 : length;
  read = given < read ? given : read;
  Rows rows = {product(data.shape, 0, data.rank - 2), 16 * length, 4 * length * int64_t(sizeof(N))};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    if (range.scratch_bytes < rows.scratch_bytes)
      return refuse(Refusal::SCRATCH);
    C *first = static_cast<C *>(range.scratch);
    for (int64_t row = range.first; row < range.end; ++row) {
      const N *in = data_of<E>(data) + row * given * parts;
      N *out = target_of<E>(output) + row * made * made_parts;
      for (int64_t i = 0; i < length; ++i)
        first[i] = i < read ? C{in[i * parts], parts == 2 ? in[i * 2 + 1] : N(0)} : C{};
      if (half) { // the other half, mirrored; what is its own mirror image is real
        first[0].im = 0;
        if (length % 2 == 0)
          first[length / 2].im = 0;
        for (int64_t i = 1; 2 * i < length; ++i)
          first[length - i] = {first[i].re, -first[i].im};
      }
      C *y = transform.run(first, first + length);
      if (parts == 1 && !params.inverse) { // so are the spectra of real numbers
        y[0].im = 0;
        if (length % 2 == 0)
          y[length / 2].im = 0;
      }
      for (int64_t i = 0; i < made; ++i) {
        C value = params.inverse ? y[i] * (N(1) / N(length)) : y[i];
        out[i * made_parts] = value.re;
        if (made_parts == 2)
          out[i * 2 + 1] = value.im;
      }
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE(dft, f32, dft<F32>)
SYMC_REFERENCE(dft, f64, dft<F64>)
