// products.cpp: reference kernels of linear algebra on batches of row-major matrices that call no
// library: products, sums in double, and moves of diagonals and triangles.
#include "blocked_product.h"
#include "matrices.h"
#include "symc/generated/op_params/Linalg.h"

using namespace symc::ref;

namespace {

// `c` may be null: alpha * a * b + beta * c.
template <class T>
int32_t multiply(const symc_kernel_args *args, bool transpose_a, bool transpose_b, double alpha,
                 double beta, const symc_tensor *c, int64_t axis) {
  const symc_tensor &output = args->outputs[0];
  Matrices left(args->inputs[0], axis), right(args->inputs[1], axis), result(output, axis);
  int64_t depth = transpose_a ? left.rows : left.columns;
  for (int64_t n = 0; n < result.count(); ++n) {
    auto a = view_of<T>(args->inputs[0], left, n, transpose_a);
    auto b = view_of<T>(args->inputs[1], right, n, transpose_b);
    T *out = static_cast<T *>(output.data) + result.first(n);
    const T *more = c ? static_cast<const T *>(c->data) + result.first(n) : nullptr;
    multiply_blocks<double>(result.rows, result.columns, depth, a, b,
                            [=](int64_t i, int64_t j, double sum) {
                              int64_t place = i * result.row_step + j;
                              out[place] = T(alpha * sum + (more ? beta * double(more[place]) : 0));
                            });
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t gemm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_linalg_gemm_params>(args);
  return multiply<typename E::Storage>(args, params.transpose_a, params.transpose_b, params.alpha,
                                       params.beta, &args->inputs[2], params.axis);
}

template <class E> int32_t gemm2(const symc_kernel_args *args) {
  const auto &params = params_of<symc_linalg_gemm2_params>(args);
  return multiply<typename E::Storage>(args, params.transpose_a, params.transpose_b, params.alpha,
                                       0, nullptr, params.axis);
}

template <class E> int32_t syrk(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const auto &params = params_of<symc_linalg_syrk_params>(args);
  Matrices in(args->inputs[0], -2), result(args->outputs[0], -2);
  int64_t depth = params.transpose ? in.rows : in.columns;
  for (int64_t n = 0; n < result.count(); ++n) {
    auto a = view_of<T>(args->inputs[0], in, n, params.transpose);
    T *out = target_of<E>(args->outputs[0]) + result.first(n);
    multiply_blocks<double>(
        result.rows, result.columns, depth, a, [=](int64_t k, int64_t j) { return a(j, k); },
        [&](int64_t i, int64_t j, double sum) {
          out[i * result.columns + j] = T(params.alpha * sum);
        });
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t sumlogdiag(const symc_kernel_args *args) {
  const symc_tensor &a = args->inputs[0];
  int64_t n = a.shape[a.rank - 1];
  each_of(product(a.shape, 0, a.rank - 2), [&](int64_t m) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += __builtin_log(double(data_of<E>(a)[m * n * n + i * (n + 1)]));
    target_of<E>(args->outputs[0])[m] = E::store(sum);
  });
  return SYMC_STATUS_OK;
}

// Calls body(matrix's element, vector's element) for the places of a lower triangle row by row, or
// of an upper one column by column.
template <class Body>
void each_place(int64_t count, int64_t n, int64_t offset, bool lower, Body body) {
  int64_t across = lower ? offset : -offset; // not above 0
  auto length = [=](int64_t i) { return i + across < 0 ? 0 : i + across + 1; };
  auto first = [=](int64_t i) { return i + across < 0 ? 0 : (i + across) * (i + across + 1) / 2; };
  const int64_t lines[2] = {count, n};
  each_in(2, lines, [&](const Walk &walk, int64_t) {
    int64_t m = walk.at[0], i = walk.at[1], vector = m * first(n) + first(i);
    for (int64_t j = 0; j < length(i); ++j)
      body(m * n * n + (lower ? i * n + j : j * n + i), vector++);
  });
}

// The same for the places of a diagonal alone.
template <class Body> void each_diagonal(int64_t count, int64_t n, int64_t offset, Body body) {
  int64_t first = offset < 0 ? -offset * n : offset, length = n - (offset < 0 ? -offset : offset);
  const int64_t places[2] = {count, length};
  each_in(2, places, [&](const Walk &walk, int64_t vector) {
    body(walk.at[0] * n * n + first + walk.at[1] * (n + 1), vector);
  });
}

template <class E> int32_t extract(const symc_kernel_args *args, int64_t offset, bool lower) {
  const symc_tensor &a = args->inputs[0];
  each_place(product(a.shape, 0, a.rank - 2), a.shape[a.rank - 1], offset,
             offset < 0 || (offset == 0 && lower), [&](int64_t matrix, int64_t vector) {
               target_of<E>(args->outputs[0])[vector] = data_of<E>(a)[matrix];
             });
  return SYMC_STATUS_OK;
}

template <class E> int32_t make(const symc_kernel_args *args, int64_t offset, bool lower) {
  const symc_tensor &out = args->outputs[0];
  clear_bytes(out.data, count_of(out) * symc_dtype_bytes(out.dtype));
  wait_for_block();
  each_place(product(out.shape, 0, out.rank - 2), out.shape[out.rank - 1], offset,
             offset < 0 || (offset == 0 && lower), [&](int64_t matrix, int64_t vector) {
               target_of<E>(out)[matrix] = data_of<E>(args->inputs[0])[vector];
             });
  return SYMC_STATUS_OK;
}

template <class E> int32_t extractdiag(const symc_kernel_args *args) {
  const symc_tensor &a = args->inputs[0];
  each_diagonal(product(a.shape, 0, a.rank - 2), a.shape[a.rank - 1],
                params_of<symc_linalg_extractdiag_params>(args).offset,
                [&](int64_t matrix, int64_t vector) {
                  target_of<E>(args->outputs[0])[vector] = data_of<E>(a)[matrix];
                });
  return SYMC_STATUS_OK;
}
template <class E> int32_t makediag(const symc_kernel_args *args) {
  const symc_tensor &out = args->outputs[0];
  clear_bytes(out.data, count_of(out) * symc_dtype_bytes(out.dtype));
  wait_for_block();
  each_diagonal(product(out.shape, 0, out.rank - 2), out.shape[out.rank - 1],
                params_of<symc_linalg_makediag_params>(args).offset,
                [&](int64_t matrix, int64_t vector) {
                  target_of<E>(out)[matrix] = data_of<E>(args->inputs[0])[vector];
                });
  return SYMC_STATUS_OK;
}
template <class E> int32_t extracttrian(const symc_kernel_args *args) {
  const auto &params = params_of<symc_linalg_extracttrian_params>(args);
  return extract<E>(args, params.offset, params.lower);
}
template <class E> int32_t maketrian(const symc_kernel_args *args) {
  const auto &params = params_of<symc_linalg_maketrian_params>(args);
  return make<E>(args, params.offset, params.lower);
}

} // namespace

SYMC_REFERENCE(linalg_gemm, f32, gemm<F32>)
SYMC_REFERENCE(linalg_gemm, f64, gemm<F64>)
SYMC_REFERENCE(linalg_gemm2, f32, gemm2<F32>)
SYMC_REFERENCE(linalg_gemm2, f64, gemm2<F64>)
SYMC_REFERENCE(linalg_syrk, f32, syrk<F32>)
SYMC_REFERENCE(linalg_syrk, f64, syrk<F64>)
SYMC_REFERENCE(linalg_sumlogdiag, f32, sumlogdiag<F32>)
SYMC_REFERENCE(linalg_sumlogdiag, f64, sumlogdiag<F64>)
SYMC_REFERENCE(linalg_extractdiag, f32, extractdiag<F32>)
SYMC_REFERENCE(linalg_extractdiag, f64, extractdiag<F64>)
SYMC_REFERENCE(linalg_makediag, f32, makediag<F32>)
SYMC_REFERENCE(linalg_makediag, f64, makediag<F64>)
SYMC_REFERENCE(linalg_extracttrian, f32, extracttrian<F32>)
SYMC_REFERENCE(linalg_extracttrian, f64, extracttrian<F64>)
SYMC_REFERENCE(linalg_maketrian, f32, maketrian<F32>)
SYMC_REFERENCE(linalg_maketrian, f64, maketrian<F64>)

SYMC_ON_GRID(linalg_gemm, linalg_gemm2, linalg_syrk, linalg_sumlogdiag, linalg_extractdiag)
SYMC_ON_GRID(linalg_extracttrian)
SYMC_ON_BLOCK(linalg_makediag, linalg_maketrian)
