// linalg.cpp: reference kernels of factorisations of batches of row-major matrices. They call
// LAPACK, which sees each matrix transposed: lower there is upper here.
#include "symc/generated/op_params/Linalg.h"
#include "lapack.h"
#include "matrices.h"

using namespace symc::ref;

namespace {

// Copies the batch of square matrices to the first result and calls body(f, n, matrix, m) on each
// of them there: matrix m with n rows. It gives LAPACK's info; anything but 0 ends the run for that
// reason.
template <class E, class Body>
int32_t each_square(const symc_kernel_args *args, Refusal why, Body body) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  const symc_tensor &a = args->inputs[0];
  LapackInt n = LapackInt(a.shape[a.rank - 1]);
  T *matrix = static_cast<T *>(args->outputs[0].data);
  copy_elements(a, args->outputs[0]);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m)
    if (body(*f, n, matrix + m * n * n, m) != 0)
      return refuse(why);
  return SYMC_STATUS_OK;
}

// LAPACK counts columns first: what is the lower triangle here is the upper one there.
template <class E> int32_t potrf(const symc_kernel_args *args) {
  bool lower = params_of<symc_linalg_potrf_params>(args).lower;
  return each_square<E>(args, Refusal::NOT_DEFINITE,
                        [=](const auto &f, LapackInt n, auto *a, int64_t) {
                          LapackInt info = 0;
                          f.potrf(lower ? "U" : "L", &n, a, &n, &info, 1);
                          for (int i = 0; i < n; ++i)
                            for (int j = i + 1; j < n; ++j)
                              a[lower ? int64_t(i) * n + j : int64_t(j) * n + i] = 0;
                          return info;
                        });
}

template <class E> int32_t potri(const symc_kernel_args *args) {
  bool lower = params_of<symc_linalg_potri_params>(args).lower;
  return each_square<E>(args, Refusal::SINGULAR, [=](const auto &f, LapackInt n, auto *a, int64_t) {
    LapackInt info = 0;
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
  LapackInt rows = LapackInt(a.shape[a.rank - 2]), columns = LapackInt(a.shape[a.rank - 1]),
            lwork = 64 * rows;
  T *tau = static_cast<T *>(args->scratch), *work = tau + rows;
  copy_elements(a, args->outputs[0]);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m) {
    T *q = target_of<E>(args->outputs[0]) + m * rows * columns;
    T *l = target_of<E>(args->outputs[1]) + m * rows * rows;
    LapackInt info = 0;
    f->geqrf(&columns, &rows, q, &columns, tau, work, &lwork, &info);
    if (info != 0)
      return refuse(Refusal::LAPACK_ARGUMENT);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        l[int64_t(i) * rows + j] = j <= i ? q[int64_t(i) * columns + j] : T(0);
    f->orgqr(&columns, &rows, &rows, q, &columns, tau, work, &lwork, &info);
    if (info != 0)
      return refuse(Refusal::LAPACK_ARGUMENT);
  }
  return SYMC_STATUS_OK;
}

// Each eigenvector's sign is the one that makes its largest element positive.
template <class E> int32_t syevd(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const symc_tensor &a = args->inputs[0];
  const int64_t columns = a.shape[a.rank - 1];
  for (int64_t row = 0, rows = product(a.shape, 0, a.rank - 1); row < rows; ++row)
    if (!is_finite(data_of<E>(a) + row * columns, row % columns + 1)) // what syevd reads of it
      return refuse(Refusal::INFINITE);
  return each_square<E>(
      args, Refusal::EIGENVALUES, [&](const auto &f, LapackInt rows, T *u, int64_t m) {
        int64_t n = rows;
        LapackInt lwork = LapackInt(1 + 6 * n + 2 * n * n), liwork = LapackInt(3 + 5 * n), info = 0;
        T *work = static_cast<T *>(args->scratch);
        f.syevd("V", "U", &rows, u, &rows, target_of<E>(args->outputs[1]) + m * n, work, &lwork,
                reinterpret_cast<LapackInt *>(work + lwork), &liwork, &info, 1, 1);
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
  return each_square<E>(args, Refusal::SINGULAR, [&](const auto &f, LapackInt n, T *a, int64_t) {
    LapackInt lwork = 64 * n, info = 0;
    T *work = static_cast<T *>(args->scratch);
    LapackInt *pivots = reinterpret_cast<LapackInt *>(work + lwork);
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
  LapackInt n = LapackInt(a.shape[a.rank - 1]);
  int64_t square = int64_t(n) * n;
  T *factors = static_cast<T *>(args->scratch);
  LapackInt *pivots = reinterpret_cast<LapackInt *>(factors + square);
  for (int64_t m = 0, count = product(a.shape, 0, a.rank - 2); m < count; ++m) {
    __builtin_memcpy(factors, static_cast<const T *>(a.data) + m * square,
                     size_t(square) * sizeof(T));
    LapackInt info = 0, sign = 1;
    f->getrf(&n, &n, factors, &n, pivots, &info);
    if (info < 0)
      return refuse(Refusal::LAPACK_ARGUMENT);
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

} // namespace

SYMC_REFERENCE(linalg_potrf, f32, potrf<F32>)
SYMC_REFERENCE(linalg_potrf, f64, potrf<F64>)
SYMC_REFERENCE(linalg_potri, f32, potri<F32>)
SYMC_REFERENCE(linalg_potri, f64, potri<F64>)
SYMC_REFERENCE(linalg_gelqf, f32, gelqf<F32>)
SYMC_REFERENCE(linalg_gelqf, f64, gelqf<F64>)
SYMC_REFERENCE(linalg_syevd, f32, syevd<F32>)
SYMC_REFERENCE(linalg_syevd, f64, syevd<F64>)
SYMC_REFERENCE(linalg_inverse, f32, inverse<F32>)
SYMC_REFERENCE(linalg_inverse, f64, inverse<F64>)
SYMC_REFERENCE(linalg_det, f32, det<F32>)
SYMC_REFERENCE(linalg_det, f64, det<F64>)
SYMC_REFERENCE(linalg_slogdet, f32, slogdet<F32>)
SYMC_REFERENCE(linalg_slogdet, f64, slogdet<F64>)
