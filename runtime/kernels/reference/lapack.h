// lapack.h: the functions of LAPACK that kernels call. symc_open_lapack() finds them when
// a context is created; a model that needs them names it in its table.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_LAPACK_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_LAPACK_H

#include <stddef.h>
#include <stdint.h>

// name and arguments, T is the element type; the sizes at the end are lengths of texts.
#define SYMC_LAPACK_FUNCTIONS(X)                                                                   \
  X(potrf, (const char *uplo, const int *n, T *a, const int *lda, int *info, size_t))              \
  X(potri, (const char *uplo, const int *n, T *a, const int *lda, int *info, size_t))              \
  X(getrf, (const int *m, const int *n, T *a, const int *lda, int *pivots, int *info))             \
  X(getri,                                                                                         \
    (const int *n, T *a, const int *lda, const int *pivots, T *work, const int *lwork, int *info)) \
  X(geqrf, (const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork,   \
            int *info))                                                                            \
  X(orgqr, (const int *m, const int *n, const int *k, T *a, const int *lda, const T *tau, T *work, \
            const int *lwork, int *info))                                                          \
  X(syevd, (const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *values,     \
            T *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t))  \
  X(geev, (const char *jobvl, const char *jobvr, const int *n, T *a, const int *lda, T *reals,     \
           T *imaginaries, T *left, const int *ldleft, T *right, const int *ldright, T *work,      \
           const int *lwork, int *info, size_t, size_t))                                           \
  X(gesvd, (const char *jobu, const char *jobvt, const int *m, const int *n, T *a, const int *lda, \
            T *values, T *u, const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork,    \
            int *info, size_t, size_t))                                                            \
  X(gesv, (const int *n, const int *count, T *a, const int *lda, int *pivots, T *b,                \
           const int *ldb, int *info))

namespace symc::ref {

template <class T> struct Lapack {
#define SYMC_LAPACK_FUNCTION(name, arguments) void(*name) arguments;
  SYMC_LAPACK_FUNCTIONS(SYMC_LAPACK_FUNCTION)
#undef SYMC_LAPACK_FUNCTION
};

// The functions for float or double; null where symc_open_lapack() has not succeeded.
template <class T> const Lapack<T> *lapack();

} // namespace symc::ref

#endif
