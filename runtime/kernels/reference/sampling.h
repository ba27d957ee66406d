// sampling.h: places of images that a grid names in -1 .. 1, and the pixels around them, for
// kernels that sample images and for those of their gradients. A place decides between pixels, so
// that it is computed as MXNet computes it: each step is rounded to the element type.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_SAMPLING_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_SAMPLING_H

#include "rounded.h"

namespace symc::ref {

// -1 .. 1 over `extent` pixels, as GridGenerator has it.
template <class E> struct GridPlaces {
  static typename E::Number at(int64_t i, int64_t extent) {
    using N = typename E::Number;
    if (extent <= 1)
      return N(-1);
    return rounded<E>(N(-1) + rounded<E>(rounded<E>(i) * rounded<E>(2.0 / double(extent - 1))));
  }
};
// The same as SpatialTransformer has it.
template <class E> struct TransformerPlaces {
  static typename E::Number at(int64_t i, int64_t extent) {
    return extent > 1 ? rounded<E>(-1.0 + double(i) * 2.0 / double(extent - 1))
                      : typename E::Number(-1);
  }
};

// Pixel `i` of `extent`, moved by so many pixels, in -1 .. 1.
template <class E>
typename E::Number moved_place(typename E::Number flow, int64_t i, int64_t extent) {
  using N = typename E::Number;
  N half = rounded<E>(double(extent - 1) / 2);
  return rounded<E>(rounded<E>(rounded<E>(flow + rounded<E>(i)) / half) - N(1));
}

// One coordinate, x or y, of the affine transformation of the places in a row of the target.
template <class E, class Places> struct Affine {
  double by_column, by_row, shift, y;
  int64_t columns;

  Affine(const typename E::Storage *matrix, bool axis, int64_t row, int64_t rows, int64_t columns_)
      : by_column(double(E::load(matrix[3 * axis]))), by_row(double(E::load(matrix[3 * axis + 1]))),
        shift(double(E::load(matrix[3 * axis + 2]))), y(double(Places::at(row, rows))),
        columns(columns_) {}
  double operator()(int64_t column) const {
    return by_column * double(Places::at(column, columns)) + by_row * y + shift;
  }
};

// The four pixels around a place in -1 .. 1; those outside of the image are none.
template <class E> struct Around {
  using N = typename E::Number;
  double top, left; // the pixel above and left of the place
  N part[2][2];     // of the pixels above and below, and of those left and right
  int64_t rows, columns;

  Around(int64_t rows_, int64_t columns_, N x, N y) : rows(rows_), columns(columns_) {
    top = split(y, rows, part[0]);
    left = split(x, columns, part[1]);
  }
  // Pixel 0 above left, 1 above right, 2 below left, 3 below right.
  bool is_inside(int64_t pixel) const {
    double row = top + pixel / 2, column = left + pixel % 2;
    return row >= 0 && row <= double(rows - 1) && column >= 0 && column <= double(columns - 1);
  }
  int64_t at(int64_t pixel) const {
    return (int64_t(top) + pixel / 2) * columns + int64_t(left) + pixel % 2;
  }
  N row_part(int64_t pixel) const { return part[0][pixel / 2]; }
  N column_part(int64_t pixel) const { return part[1][pixel % 2]; }

private:
  static double split(N place, int64_t extent, N *parts) {
    N pixel = rounded<E>(rounded<E>(rounded<E>(place + 1) * rounded<E>(extent - 1)) / 2);
    double first = __builtin_floor(double(pixel));
    parts[0] = rounded<E>(1 - rounded<E>(pixel - rounded<E>(first)));
    parts[1] = rounded<E>(1 - parts[0]);
    return first;
  }
};

// The pixels of a place that lie in the image, and their parts of its value.
struct Neighbours {
  int64_t count = 0;
  int64_t at[4];
  double part[4];

  template <class E> void find(const Around<E> &around) {
    count = 0;
    for (int64_t pixel = 0; pixel < 4; ++pixel)
      if (around.is_inside(pixel)) {
        at[count] = around.at(pixel);
        part[count++] = double(around.row_part(pixel)) * double(around.column_part(pixel));
      }
  }
};

// The place of pixel `pixel` of item `n` of a bilinear_sampler's result, whose grid it is; x before
// y.
template <class E> struct PlacesOfGrid {
  const typename E::Storage *grid;
  int64_t pixels; // of the result

  void operator()(int64_t n, int64_t pixel, typename E::Number *to) const {
    for (int axis = 0; axis < 2; ++axis)
      to[axis] = E::load(grid[(n * 2 + axis) * pixels + pixel]);
  }
};
// The same of a spatial_transformer's.
template <class E> struct PlacesOfMatrix {
  const typename E::Storage *loc;
  int64_t rows, columns; // of the result

  void operator()(int64_t n, int64_t pixel, typename E::Number *to) const {
    for (int axis = 0; axis < 2; ++axis)
      to[axis] = rounded<E>(Affine<E, TransformerPlaces<E>>(loc + n * 6, axis, pixel / columns,
                                                            rows, columns)(pixel % columns));
  }
};

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_SAMPLING_H
