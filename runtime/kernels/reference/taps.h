// taps.h: where the moved taps of a deformable convolution lie, for its kernels and for those of
// its gradients. Places are computed in the arithmetic of data's type.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_TAPS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_TAPS_H

#include "four_pixels.h"
#include "walk.h"

namespace symc::ref {

inline int64_t window_number(const symc_i64s &values, int64_t i, int64_t otherwise) {
  return values.n ? values.v[i] : otherwise;
}

// A point of which pixels that are 0 lie at -1, and a factor of its value.
template <class N> struct Sample : FourPixels<N> {
  N factor = 1;
  N down = 0, along = 0; // of the point, below and right of the first pixel

  Sample() : FourPixels<N>{{-1, -1, -1, -1}, {}} {}
  bool is_inside() const {
    return this->at[0] >= 0 && this->at[1] >= 0 && this->at[2] >= 0 && this->at[3] >= 0;
  }
  // The point (y, x) with the last row and column repeated beyond the image.
  static Sample clipped(int64_t rows, int64_t columns, N y, N x) {
    Sample sample;
    if (!(y >= 0 && x >= 0 && y < N(rows) && x < N(columns)))
      return sample;
    int64_t top = int64_t(y), left = int64_t(x);
    top = top < rows ? top : rows - 1; // a large extent is rounded up in a float
    left = left < columns ? left : columns - 1;
    int64_t bottom = top + 1 < rows ? top + 1 : top, right = left + 1 < columns ? left + 1 : left;
    sample.place(bottom > top ? y - N(top) : N(0), right > left ? x - N(left) : N(0));
    for (int i = 0; i < 4; ++i)
      sample.at[i] = (i < 2 ? top : bottom) * columns + (i % 2 ? right : left);
    return sample;
  }
  // The point (y, x) with zeros around the image.
  static Sample padded(int64_t rows, int64_t columns, N y, N x) {
    Sample sample;
    if (!(y > -1 && x > -1 && y < N(rows) && x < N(columns)))
      return sample;
    int64_t top = int64_t(__builtin_floor(double(y))), left = int64_t(__builtin_floor(double(x)));
    sample.place(y - N(top), x - N(left));
    for (int i = 0; i < 4; ++i) {
      int64_t row = top + i / 2, column = left + i % 2;
      bool inside = row >= 0 && column >= 0 && row < rows && column < columns;
      sample.at[i] = inside ? row * columns + column : -1;
    }
    return sample;
  }
  template <class E> N sampled(const typename E::Storage *plane) const {
    if (is_inside())
      return this->template value<E>(plane) * factor;
    return unscaled<E>(plane) * factor;
  }
  // The value without the factor.
  template <class E> N unscaled(const typename E::Storage *plane) const {
    N sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += this->part[i] * pixel<E>(plane, i);
    return sum;
  }
  // How the value changes where the point moves down (axis 0) or to the right (axis 1).
  template <class E> N slope(const typename E::Storage *plane, int64_t axis) const {
    N sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += this->part_slope(axis, i, down, along) * pixel<E>(plane, i);
    return sum * factor;
  }

private:
  template <class E> N pixel(const typename E::Storage *plane, int64_t i) const {
    return this->at[i] < 0 ? N(0) : N(E::load(plane[this->at[i]]));
  }
  void place(N down_, N along_) {
    down = down_;
    along = along_;
    this->mix(down, along);
  }
};

// The moved taps of a deformable convolution.
template <class E> struct Taps {
  using N = typename E::Number;
  const symc_tensor &data, &offset;
  const symc_tensor *mask;
  int64_t kernel[2], stride[2], dilate[2], pad[2], groups;
  int64_t rows, columns, out_rows, out_columns;

  template <class Params>
  Taps(const symc_kernel_args *args, const Params &params, const symc_tensor *mask_)
      : data(args->inputs[0]), offset(args->inputs[1]), mask(mask_),
        groups(params.num_deformable_group), rows(data.shape[2]), columns(data.shape[3]),
        out_rows(offset.shape[2]), out_columns(offset.shape[3]) {
    for (int i = 0; i < 2; ++i) {
      kernel[i] = params.kernel.v[i];
      stride[i] = window_number(params.stride, i, 1);
      dilate[i] = window_number(params.dilate, i, 1);
      pad[i] = window_number(params.pad, i, 0);
    }
  }
  int64_t count() const { return kernel[0] * kernel[1]; }

  // Where tap `tap` of a group's channels lies for one place of output, and its factor.
  Sample<N> sample(int64_t item, int64_t group, int64_t tap, int64_t row, int64_t column) const {
    int64_t plane = out_rows * out_columns, place = row * out_columns + column;
    int64_t first = (item * groups + group) * count() + tap;
    const auto *move = data_of<E>(offset) + first * 2 * plane + place;
    N y = N(row * stride[0] - pad[0] + tap / kernel[1] * dilate[0]) + E::load(move[0]);
    N x = N(column * stride[1] - pad[1] + tap % kernel[1] * dilate[1]) + E::load(move[plane]);
    if (!mask)
      return Sample<N>::clipped(rows, columns, y, x);
    Sample<N> padded = Sample<N>::padded(rows, columns, y, x);
    padded.factor = E::load(data_of<E>(*mask)[first * plane + place]);
    return padded;
  }
  int64_t group_channels() const { return data.shape[1] / groups; }
  // Tap `tap` of channel `channel` for one place of output.
  N at(int64_t item, int64_t channel, int64_t tap, int64_t row, int64_t column) const {
    return sample(item, channel / group_channels(), tap, row, column)
        .template sampled<E>(data_of<E>(data) + (item * data.shape[1] + channel) * rows * columns);
  }
};

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_TAPS_H
