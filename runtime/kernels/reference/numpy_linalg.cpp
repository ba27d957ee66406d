// numpy_linalg.cpp: factorings of NumPy's linear algebra, by LAPACK. It counts columns first: a
// matrix [rows, columns] of ours is its transpose there.
#include "lapack.h"
#include "squares.h"
#include "symc/generated/op_params/Linalg.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// The matrices of a batch, one after the other.
template <class T> struct Batch {
  LapackInt rows, columns;
  int64_t count;
  const T *data;

  explicit Batch(const symc_tensor &a)
      : rows(LapackInt(a.shape[a.rank - 2])), columns(LapackInt(a.shape[a.rank - 1])),
        count(product(a.shape, 0, a.rank - 2)), data(static_cast<const T *>(a.data)) {}
  int64_t elements() const { return int64_t(rows) * columns; }
};

template <class T> void transpose(const T *from, T *to, int64_t rows, int64_t columns) {
  symc::ref::transpose(from, columns, to, rows, columns, rows);
}

template <class E> int32_t matrix_eig(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  bool vectors = params_of<symc_matrix_eig_params>(args).vectors;
  Batch<T> a(args->inputs[0]);
  LapackInt n = a.rows, work_count = 33 * n, info = 0;
  T *matrix = static_cast<T *>(args->scratch), *right = matrix + a.elements(),
    *imaginary = right + a.elements();
  T *work = imaginary + n, *found = target_of<E>(args->outputs[1]);
  if (!vectors)
    __builtin_memset(found, 0, size_t(count_of(args->outputs[1])) * sizeof(T));
  for (int64_t m = 0; m < a.count; ++m) {
    if (!is_finite(a.data + m * a.elements(), a.elements()))
      return refuse(Refusal::INFINITE);
    transpose(a.data + m * a.elements(), matrix, n, n);
    f->geev("N", vectors ? "V" : "N", &n, matrix, &n, target_of<E>(args->outputs[0]) + m * n,
            imaginary, right, &n, right, &n, work, &work_count, &info, 1, 1);
    if (info != 0)
      return refuse(Refusal::EIGENVALUES);
    for (int i = 0; i < n; ++i)
      if (!(__builtin_fabs(double(imaginary[i])) <= 1e-15))
        return refuse(Refusal::NOT_REAL);
    if (vectors)
      transpose(right, found + m * a.elements(), n, n);
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t matrix_solve(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  Batch<T> a(args->inputs[0]), b(args->inputs[1]);
  T *matrix = static_cast<T *>(args->scratch), *sides = matrix + a.elements();
  LapackInt *pivots = reinterpret_cast<LapackInt *>(sides + b.elements()), info = 0;
  for (int64_t m = 0; m < a.count; ++m) {
    transpose(a.data + m * a.elements(), matrix, a.rows, a.rows);
    transpose(b.data + m * b.elements(), sides, b.rows, b.columns);
    f->gesv(&a.rows, &b.columns, matrix, &a.rows, pivots, sides, &b.rows, &info);
    if (info != 0)
      return refuse(Refusal::EQUATIONS);
    transpose(sides, target_of<E>(args->outputs[0]) + m * b.elements(), b.columns, b.rows);
  }
  return SYMC_STATUS_OK;
}

// Of the transpose: `right` gets the singular vectors of the matrix's rows, each a row of
// `columns`, `left` is [rows, least].
template <class T>
int32_t decompose(const Lapack<T> &f, const Batch<T> &a, int64_t m, T *matrix, T *values, T *left,
                  T *right, T *work) {
  if (!is_finite(a.data + m * a.elements(), a.elements()))
    return refuse(Refusal::INFINITE);
  LapackInt least = a.rows < a.columns ? a.rows : a.columns, work_count = 8 * (a.rows + a.columns),
            info = 0;
  __builtin_memcpy(matrix, a.data + m * a.elements(), size_t(a.elements()) * sizeof(T));
  f.gesvd("S", "S", &a.columns, &a.rows, matrix, &a.columns, values, right, &a.columns, left,
          &least, work, &work_count, &info, 1, 1);
  return info == 0 ? SYMC_STATUS_OK : refuse(Refusal::SINGULAR_VALUES);
}

template <class E> int32_t numpy_svd(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  Batch<T> a(args->inputs[0]);
  T *matrix = static_cast<T *>(args->scratch);
  int64_t rows = a.rows, columns = a.columns;
  for (int64_t m = 0; m < a.count; ++m) {
    T *left = target_of<E>(args->outputs[0]) + m * rows * rows,
      *right = target_of<E>(args->outputs[2]) + m * a.elements();
    if (int32_t bad = decompose(*f, a, m, matrix, target_of<E>(args->outputs[1]) + m * rows, left,
                                right, matrix + a.elements()))
      return bad;
    for (int64_t i = 0; i < rows; ++i) {
      T *row = right + i * columns, largest = 0;
      for (int64_t j = 0; j < columns; ++j)
        if (__builtin_fabs(double(row[j])) > __builtin_fabs(double(largest)))
          largest = row[j];
      for (int64_t j = 0; largest < 0 && j < columns; ++j)
        row[j] = -row[j];
      for (int64_t j = 0; largest < 0 && j < rows; ++j)
        left[j * rows + i] = -left[j * rows + i];
    }
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t matrix_pinv(const symc_kernel_args *args) {
  using T = typename E::Storage;
  const Lapack<T> *f = lapack<T>();
  if (!f)
    return SYMC_STATUS_NO_LIBRARY;
  Batch<T> a(args->inputs[0]);
  int64_t rows = a.rows, columns = a.columns, least = rows < columns ? rows : columns;
  T *matrix = static_cast<T *>(args->scratch), *left = matrix + a.elements(),
    *right = left + least * rows;
  T *values = right + least * columns;
  for (int64_t m = 0; m < a.count; ++m) {
    if (int32_t bad = decompose(*f, a, m, matrix, values, left, right, values + least))
      return bad;
    T cutoff = data_of<E>(args->inputs[1])[count_of(args->inputs[1]) == 1 ? 0 : m] * values[0];
    T *out = target_of<E>(args->outputs[0]) + m * a.elements();
    for (int64_t i = 0; i < columns; ++i)
      for (int64_t j = 0; j < rows; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < least && values[k] > cutoff; ++k)
          sum += double(right[k * columns + i]) / double(values[k]) * double(left[j * least + k]);
        out[i * rows + j] = T(sum);
      }
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE(matrix_eig, f32, matrix_eig<F32>)
SYMC_REFERENCE(matrix_eig, f64, matrix_eig<F64>)
SYMC_REFERENCE(matrix_solve, f32, matrix_solve<F32>)
SYMC_REFERENCE(matrix_solve, f64, matrix_solve<F64>)
SYMC_REFERENCE(matrix_pinv, f32, matrix_pinv<F32>)
SYMC_REFERENCE(matrix_pinv, f64, matrix_pinv<F64>)
SYMC_REFERENCE(numpy_svd, f32, numpy_svd<F32>)
SYMC_REFERENCE(numpy_svd, f64, numpy_svd<F64>)
