// matrices.h: batches of row-major matrices, and views of one of them as it is or transposed.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_MATRICES_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_MATRICES_H

#include "walk.h"

namespace symc::ref {

// A batch of matrices whose rows lie along `axis`, columns along the last one.
struct Matrices {
  int64_t outer, inner, rows, columns, row_step;

  Matrices(const symc_tensor &tensor, int64_t axis) {
    axis = normal_axis(axis, tensor.rank);
    outer = product(tensor.shape, 0, axis);
    inner = product(tensor.shape, axis + 1, tensor.rank - 1);
    rows = tensor.shape[axis];
    columns = tensor.shape[tensor.rank - 1];
    row_step = inner * columns;
  }
  int64_t count() const { return outer * inner; }
  // The first element of matrix `n`.
  int64_t first(int64_t n) const { return n / inner * rows * row_step + n % inner * columns; }
};

template <class T> struct View {
  T *data;
  int64_t row_step, column_step;
  T &operator()(int64_t i, int64_t j) const { return data[i * row_step + j * column_step]; }
};

template <class T>
View<const T> view_of(const symc_tensor &tensor, const Matrices &m, int64_t n, bool transpose) {
  const T *data = static_cast<const T *>(tensor.data) + m.first(n);
  return transpose ? View<const T>{data, 1, m.row_step} : View<const T>{data, m.row_step, 1};
}

} // namespace symc::ref
#endif
