// triangular.cpp: reference kernels of products with triangular matrices and of systems of them.
// Columns of the right side do not depend on each other: a strip of them, as wide as a row of
// registers, is a row of work (rows.h), and two rows of sums are computed side by side, so that
// one does not wait for the other. Sums are of the tensors' type.
#include "matrices.h"
#include "rows.h"
#include "symc/generated/op_params/Linalg.h"

using namespace symc::ref;

namespace {

#ifdef SYMC_ON_DEVICE // whose compiler has no vectors of elements
template <class T> struct alignas(32) Elements {
  static constexpr int64_t kCount = 32 / int64_t(sizeof(T));
  T all[kCount] = {};
  Elements &operator+=(const Elements &other) {
    for (int64_t i = 0; i < kCount; ++i)
      all[i] += other.all[i];
    return *this;
  }
  Elements &operator*=(T factor) {
    for (int64_t i = 0; i < kCount; ++i)
      all[i] *= factor;
    return *this;
  }
  friend Elements operator*(T factor, Elements x) { return x *= factor; }
  friend Elements operator-(Elements x, const Elements &y) {
    for (int64_t i = 0; i < kCount; ++i)
      x.all[i] -= y.all[i];
    return x;
  }
  friend Elements operator/(Elements x, T divisor) {
    for (int64_t i = 0; i < kCount; ++i)
      x.all[i] /= divisor;
    return x;
  }
};
template <class T> using VectorOf = Elements<T>;
#else
template <class T> struct OfTarget {
  typedef T Vector __attribute__((vector_size(32)));
};
template <class T> using VectorOf = typename OfTarget<T>::Vector;
#endif

// A row of a strip, in vectors of the target.
template <class T> struct Strip {
  typedef VectorOf<T> Vector;
  static_assert(sizeof(Vector) == 32);
  static constexpr int64_t kVectors = 4;
  static constexpr int64_t kColumns = kVectors * 32 / int64_t(sizeof(T));
  Vector parts[kVectors];
};

// What a kernel does with a strip: op(A) on the left. With A behind, all three matrices are seen
// transposed.
template <class T> struct Work {
  View<const T> a, b;
  View<T> x;
  int64_t size, first, many; // rows; columns from `first` on
  bool lower;
  T alpha;
  Strip<T> *strips; // of each row

  Strip<T> right_side(int64_t i) const {
    Strip<T> strip;
    if (b.column_step == 1 && many == Strip<T>::kColumns) {
      __builtin_memcpy(&strip, &b(i, first), sizeof strip);
      return strip;
    }
    T row[Strip<T>::kColumns] = {};
    for (int64_t j = 0; j < many; ++j)
      row[j] = b(i, first + j);
    __builtin_memcpy(&strip, row, sizeof row);
    return strip;
  }
  void store(int64_t i, const Strip<T> &strip) const {
    if (x.column_step == 1 && many == Strip<T>::kColumns) {
      __builtin_memcpy(&x(i, first), &strip, sizeof strip);
      return;
    }
    T row[Strip<T>::kColumns];
    __builtin_memcpy(row, &strip, sizeof row);
    for (int64_t j = 0; j < many; ++j)
      x(i, first + j) = row[j];
  }
  // Rows `i` and `other`: the sums over k in [from, to) of a(row, k) * strips[k].
  void sum(int64_t i, int64_t other, int64_t from, int64_t to, Strip<T> &one, Strip<T> &two) const {
    typename Strip<T>::Vector p[Strip<T>::kVectors] = {}, q[Strip<T>::kVectors] = {};
    for (int64_t k = from; k < to; ++k) {
      T factor = a(i, k), second = a(other, k);
      for (int64_t v = 0; v < Strip<T>::kVectors; ++v) {
        p[v] += factor * strips[k].parts[v];
        q[v] += second * strips[k].parts[v];
      }
    }
    __builtin_memcpy(&one, p, sizeof p);
    __builtin_memcpy(&two, q, sizeof q);
  }
};

// Calls body(work) for each strip of each matrix of the batch.
template <class E, class Params, class Body>
int32_t each_strip(const symc_kernel_args *args, const Params &params, Body body) {
  using T = typename E::Storage;
  Matrices triangle(args->inputs[0], -2), right(args->inputs[1], -2);
  bool behind = params.rightside, transpose = bool(params.transpose) != behind;
  int64_t columns = behind ? right.rows : right.columns, wide = Strip<T>::kColumns;
  int64_t strips = (columns + wide - 1) / wide, size = triangle.rows;
  int64_t bytes = size * int64_t(sizeof(Strip<T>));
  Rows rows = {right.count() * strips, size * size / 2, bytes};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      int64_t n = row / strips, first = row % strips * wide;
      auto a = view_of<T>(args->inputs[0], triangle, n, transpose);
      auto b = view_of<T>(args->inputs[1], right, n, behind);
      View<T> x = {static_cast<T *>(args->outputs[0].data) + right.first(n), b.row_step,
                   b.column_step};
      body(Work<T>{a, b, x, size, first, columns - first < wide ? columns - first : wide,
                   bool(params.lower) != transpose, T(params.alpha),
                   static_cast<Strip<T> *>(range.scratch)});
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t linalg_trmm(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_strip<E>(args, params_of<symc_linalg_trmm_params>(args), [](const Work<T> &work) {
    for (int64_t i = 0; i < work.size; ++i)
      work.strips[i] = work.right_side(i);
    for (int64_t i = 0; i < work.size; i += 2) {
      bool pair = i + 1 < work.size;
      int64_t other = pair ? i + 1 : i, end = work.size;
      Strip<T> one, two;
      // What both rows have; the diagonal's last element is one row's alone.
      work.sum(i, other, work.lower ? 0 : other, work.lower ? i + 1 : end, one, two);
      for (int64_t v = 0; v < Strip<T>::kVectors; ++v) {
        if (pair && work.lower)
          two.parts[v] += work.a(other, other) * work.strips[other].parts[v];
        if (pair && !work.lower)
          one.parts[v] += work.a(i, i) * work.strips[i].parts[v];
        one.parts[v] *= work.alpha;
        two.parts[v] *= work.alpha;
      }
      work.store(i, one);
      if (pair)
        work.store(other, two);
    }
  });
}

template <class E> int32_t linalg_trsm(const symc_kernel_args *args) {
  using T = typename E::Storage;
  return each_strip<E>(args, params_of<symc_linalg_trsm_params>(args), [](const Work<T> &work) {
    auto solve = [&](int64_t i, const Strip<T> &sum) {
      Strip<T> rest = work.right_side(i);
      for (int64_t v = 0; v < Strip<T>::kVectors; ++v)
        rest.parts[v] = (work.alpha * rest.parts[v] - sum.parts[v]) / work.a(i, i);
      work.store(i, work.strips[i] = rest);
    };
    for (int64_t step = 0; step < work.size; step += 2) {
      bool pair = step + 1 < work.size;
      int64_t i = work.lower ? step : work.size - 1 - step;
      int64_t other = !pair ? i : work.lower ? i + 1 : i - 1;
      Strip<T> one, two;
      work.sum(i, other, work.lower ? 0 : i + 1, work.lower ? i : work.size, one, two);
      solve(i, one);
      if (!pair)
        continue;
      for (int64_t v = 0; v < Strip<T>::kVectors; ++v)
        two.parts[v] += work.a(other, i) * work.strips[i].parts[v];
      solve(other, two);
    }
  });
}

} // namespace

SYMC_REFERENCE(linalg_trmm, f32, linalg_trmm<F32>)
SYMC_REFERENCE(linalg_trmm, f64, linalg_trmm<F64>)
SYMC_REFERENCE(linalg_trsm, f32, linalg_trsm<F32>)
SYMC_REFERENCE(linalg_trsm, f64, linalg_trsm<F64>)

SYMC_ON_GRID(linalg_trmm, linalg_trsm)
