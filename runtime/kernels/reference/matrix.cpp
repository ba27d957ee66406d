// matrix.cpp: reference kernels of products: for each element of the result, one sum
// in a fixed order, floats in double.
#include "symc/generated/op_params/Matrix.h"
#include "blocked_product.h"
#include "walk.h"

#include "scalar_primitives.h"

using namespace symc::ref;

namespace {

// Element (row, column) of a matrix that may lie transposed.
struct Matrix {
  int64_t row_stride, column_stride;
};

// out [rows, columns] = left [rows, depth] * right [depth, columns].
template <class E>
void multiply(const typename E::Storage *left, Matrix l, const typename E::Storage *right, Matrix r,
              typename E::Storage *out, int64_t rows, int64_t columns, int64_t depth) {
  multiply_blocks<typename E::Wide>(
      rows, columns, depth,
      [=](int64_t i, int64_t k) { return E::load(left[i * l.row_stride + k * l.column_stride]); },
      [=](int64_t k, int64_t j) { return E::load(right[k * r.row_stride + j * r.column_stride]); },
      [=](int64_t i, int64_t j, auto sum) { out[i * columns + j] = E::store(sum); });
}

template <class E> int32_t dot(const symc_kernel_args *args) {
  const auto &params = params_of<symc_dot_params>(args);
  const symc_tensor &lhs = args->inputs[0], &rhs = args->inputs[1];
  int64_t depth = params.transpose_a ? lhs.shape[0] : lhs.shape[lhs.rank - 1];
  int64_t rows = product(lhs.shape, params.transpose_a, lhs.rank - !params.transpose_a);
  int64_t columns = product(rhs.shape, !params.transpose_b, rhs.rank - params.transpose_b);
  Matrix left = params.transpose_a ? Matrix{1, rows} : Matrix{depth, 1};
  Matrix right = params.transpose_b ? Matrix{1, depth} : Matrix{columns, 1};
  multiply<E>(data_of<E>(lhs), left, data_of<E>(rhs), right, target_of<E>(args->outputs[0]), rows,
              columns, depth);
  return SYMC_STATUS_OK;
}

template <class E> int32_t batch_dot(const symc_kernel_args *args) {
  const auto &params = params_of<symc_batch_dot_params>(args);
  const symc_tensor &lhs = args->inputs[0], &result = args->outputs[0];
  int32_t rank = result.rank;
  int64_t rows = result.shape[rank - 2], columns = result.shape[rank - 1];
  int64_t depth = lhs.shape[params.transpose_a ? rank - 2 : rank - 1];
  Matrix left = params.transpose_a ? Matrix{1, rows} : Matrix{depth, 1};
  Matrix right = params.transpose_b ? Matrix{1, depth} : Matrix{columns, 1};
  for (int64_t n = 0, batch = product(result.shape, 0, rank - 2); n < batch; ++n)
    multiply<E>(data_of<E>(lhs) + n * rows * depth, left,
                data_of<E>(args->inputs[1]) + n * depth * columns, right,
                target_of<E>(result) + n * rows * columns, rows, columns, depth);
  return SYMC_STATUS_OK;
}

// Row r of the result is the product of one row of each operand, the last one's fastest.
template <class E> int32_t khatri_rao(const symc_kernel_args *args) {
  const symc_tensor &result = args->outputs[0];
  typename E::Storage *out = target_of<E>(result);
  each_row_in(1, result.shape, result.shape[1], [&](const Walk &, int64_t row, int64_t column) {
    typename E::Wide value = 1;
    int64_t rest = row;
    for (int32_t n = args->n_inputs - 1; n >= 0; --n) {
      const symc_tensor &part = args->inputs[n];
      int64_t own = rest % part.shape[0];
      rest /= part.shape[0];
      value = symc::scalar::mul(
          value, typename E::Wide(E::load(data_of<E>(part)[own * part.shape[1] + column])));
    }
    out[row * result.shape[1] + column] = E::store(value);
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(dot, dot)
SYMC_REFERENCE_NUMBERS(batch_dot, batch_dot)
SYMC_REFERENCE_NUMBERS(khatri_rao, khatri_rao)

SYMC_ON_GRID(dot, batch_dot, khatri_rao)
