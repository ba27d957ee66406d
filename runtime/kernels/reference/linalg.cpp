// linalg.cpp: reference kernels of linear algebra on batches of row-major matrices.
// Products are loops with sums in double. Factorisations call LAPACK, which sees each matrix
// transposed: lower there is upper here.
#include "symc/generated/op_params/Linalg.h"
#include "blocked_product.h"
#include "lapack.h"
#include "matrices.h"

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

// Copies the batch of square matrices to the first result and calls body(f, n, matrix, m) on each
// of them there: matrix m with n rows. It gives LAPACK's info; anything but 0 ends the run.
template <class E, class Body> int32_t each_square(const symc_kernel_args *args, Body body) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  const symc_tensor &a = args->inputs[0];
  int n = int(a.shape[a.rank - 1]);
  T *matrix = static_cast<T *>(args->outputs[0].data);
  copy_elements(a, args->outputs[0]);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m)
    if (body(*f, n, matrix + m * n * n, m) != 0)
      return SYMC_STATUS_RUN_FAILED;
  return SYMC_STATUS_OK;
}

// LAPACK counts columns first: what is the lower triangle here is the upper one there.
template <class E> int32_t potrf(const symc_kernel_args *args) {
  bool lower = params_of<symc_linalg_potrf_params>(args).lower;
  return each_square<E>(args, [=](const auto &f, int n, auto *a, int64_t) {
    int info = 0;
    f.potrf(lower ? "U" : "L", &n, a, &n, &info, 1);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        a[lower ? int64_t(i) * n + j : int64_t(j) * n + i] = 0;
    return info;
  });
}

template <class E> int32_t potri(const symc_kernel_args *args) {
  bool lower = params_of<symc_linalg_potri_params>(args).lower;
  return each_square<E>(args, [=](const auto &f, int n, auto *a, int64_t) {
    int info = 0;
    f.potri(lower ? "U" : "L", &n, a, &n, &info, 1);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        int64_t above = int64_t(i) * n + j, below = int64_t(j) * n + i;
        a[lower ? above : below] = a[lower ? below : above];
      }
    return info;
  });
}

// A = L * Q seen transposed is A^T = Q^T * L^T, a QR factorisation.
template <class E> int32_t gelqf(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  const symc_tensor &a = args->inputs[0];
  int rows = int(a.shape[a.rank - 2]), columns = int(a.shape[a.rank - 1]), lwork = 64 * rows;
  T *tau = static_cast<T *>(args->scratch), *work = tau + rows;
  copy_elements(a, args->outputs[0]);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m) {
    T *q = target_of<E>(args->outputs[0]) + m * rows * columns;
    T *l = target_of<E>(args->outputs[1]) + m * rows * rows;
    int info = 0;
    f->geqrf(&columns, &rows, q, &columns, tau, work, &lwork, &info);
    if (info != 0)
      return SYMC_STATUS_RUN_FAILED;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        l[int64_t(i) * rows + j] = j <= i ? q[int64_t(i) * columns + j] : T(0);
    f->orgqr(&columns, &rows, &rows, q, &columns, tau, work, &lwork, &info);
    if (info != 0)
      return SYMC_STATUS_RUN_FAILED;
  }
  return SYMC_STATUS_OK;
}

// Each eigenvector's sign is the one that makes its largest element positive.
template <class E> int32_t syevd(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_square<E>(args, [&](const auto &f, int rows, T *u, int64_t m) {
    int64_t n = rows;
    int lwork = int(1 + 6 * n + 2 * n * n), liwork = int(3 + 5 * n), info = 0;
    T *work = static_cast<T *>(args->scratch);
    f.syevd("V", "U", &rows, u, &rows, target_of<E>(args->outputs[1]) + m * n, work, &lwork,
            reinterpret_cast<int *>(work + lwork), &liwork, &info, 1, 1);
    for (int64_t i = 0; i < n; ++i) {
      T *row = u + i * n, largest = 0;
      for (int64_t j = 0; j < n; ++j)
        if (__builtin_fabs(double(row[j])) > __builtin_fabs(double(largest)))
          largest = row[j];
      for (int64_t j = 0; largest < 0 && j < n; ++j)
        row[j] = -row[j];
    }
    return info;
  });
}

template <class E> int32_t inverse(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_square<E>(args, [&](const auto &f, int n, T *a, int64_t) {
    int lwork = 64 * n, info = 0;
    T *work = static_cast<T *>(args->scratch);
    int *pivots = reinterpret_cast<int *>(work + lwork);
    f.getrf(&n, &n, a, &n, pivots, &info);
    if (info == 0)
      f.getri(&n, a, &n, pivots, work, &lwork, &info);
    return info;
  });
}

// Calls body(matrix, sign, diagonal) with the sign of the row exchanges and the diagonal of the
// triangular factor, n elements n + 1 apart.
template <class T, class Body> int32_t each_factored(const symc_kernel_args *args, Body body) {
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  const symc_tensor &a = args->inputs[0];
  int n = int(a.shape[a.rank - 1]);
  int64_t square = int64_t(n) * n;
  T *factors = static_cast<T *>(args->scratch);
  int *pivots = reinterpret_cast<int *>(factors + square);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m) {
    __builtin_memcpy(factors, static_cast<const T *>(a.data) + m * square,
                     size_t(square) * sizeof(T));
    int info = 0, sign = 1;
    f->getrf(&n, &n, factors, &n, pivots, &info);
    if (info < 0)
      return SYMC_STATUS_RUN_FAILED;
    for (int i = 0; i < n; ++i)
      sign = pivots[i] == i + 1 ? sign : -sign;
    body(m, sign, factors, n);
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t det(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_factored<T>(args, [&](int64_t m, int sign, const T *factors, int64_t n) {
    double value = sign;
    for (int64_t i = 0; i < n; ++i)
      value *= double(factors[i * (n + 1)]);
    target_of<E>(args->outputs[0])[m] = T(value);
  });
}

template <class E> int32_t slogdet(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_factored<T>(args, [&](int64_t m, int sign, const T *factors, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      double value = double(factors[i * (n + 1)]);
      sign = value < 0 ? -sign : value == 0 ? 0 : sign;
      sum += __builtin_log(__builtin_fabs(value));
    }
    target_of<E>(args->outputs[0])[m] = T(sign);
    target_of<E>(args->outputs[1])[m] = T(sum);
  });
}

template <class E> int32_t sumlogdiag(const symc_kernel_args *args) {
  const symc_tensor &a = args->inputs[0];
  int64_t n = a.shape[a.rank - 1];
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += __builtin_log(double(data_of<E>(a)[m * n * n + i * (n + 1)]));
    target_of<E>(args->outputs[0])[m] = E::store(sum);
  }
  return SYMC_STATUS_OK;
}

// Calls body(matrix's element, vector's element) for the places of a lower triangle row by row, or
// of an upper one column by column.
template <class Body>
void each_place(int64_t count, int64_t n, int64_t offset, bool lower, Body body) {
  int64_t vector = 0, across = lower ? offset : -offset;
  for (int64_t m = 0; m < count; ++m)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (j - i <= across)
          body(m * n * n + (lower ? i * n + j : j * n + i), vector++);
}

// The same for the places of a diagonal alone.
template <class Body> void each_diagonal(int64_t count, int64_t n, int64_t offset, Body body) {
  int64_t first = offset < 0 ? -offset * n : offset, length = n - (offset < 0 ? -offset : offset),
          vector = 0;
  for (int64_t m = 0; m < count; ++m)
    for (int64_t i = 0; i < length; ++i)
      body(m * n * n + first + i * (n + 1), vector++);
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
  __builtin_memset(out.data, 0, size_t(count_of(out) * symc_dtype_bytes(out.dtype)));
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
  __builtin_memset(out.data, 0, size_t(count_of(out) * symc_dtype_bytes(out.dtype)));
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

#define SYMC_REFERENCE_REALS(name)                                                                 \
  SYMC_REFERENCE(linalg_##name, f32, name<F32>)                                                    \
  SYMC_REFERENCE(linalg_##name, f64, name<F64>)
SYMC_REFERENCE_REALS(gemm)
SYMC_REFERENCE_REALS(gemm2)
SYMC_REFERENCE_REALS(syrk)
SYMC_REFERENCE_REALS(potrf)
SYMC_REFERENCE_REALS(potri)
SYMC_REFERENCE_REALS(gelqf)
SYMC_REFERENCE_REALS(syevd)
SYMC_REFERENCE_REALS(inverse)
SYMC_REFERENCE_REALS(det)
SYMC_REFERENCE_REALS(slogdet)
SYMC_REFERENCE_REALS(sumlogdiag)
SYMC_REFERENCE_REALS(extractdiag)
SYMC_REFERENCE_REALS(makediag)
SYMC_REFERENCE_REALS(extracttrian)
SYMC_REFERENCE_REALS(maketrian)
