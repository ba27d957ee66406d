// lapack.h: the functions of LAPACK that kernels call. The runtime finds them when a context
// of a model that names LAPACK in its table is created.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_LAPACK_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_LAPACK_H

#include <stddef.h>
#include <stdint.h>

namespace symc::ref {

// 32 bits: LAPACK's integers. Shape rules (ir/ops/Linalg.cpp) refuse what these do not hold.
using LapackInt = int;

template <class T> struct Lapack {
#define SYMC_FORTRAN_FUNCTION(id, name, arguments) void(*name) arguments;
#include "symc/libraries.def"
};

// The functions for float or double; null where no library was opened.
template <class T> const Lapack<T> *lapack();

// What routines that iterate (gesvd, geev, syevd) need of their matrices: some libraries never
// return from others.
template <class T> bool is_finite(const T *values, int64_t count) {
  bool finite = true;
  for (int64_t i = 0; i < count; ++i)
    finite &= values[i] - values[i] == 0;
  return finite;
}

} // namespace symc::ref

#endif
