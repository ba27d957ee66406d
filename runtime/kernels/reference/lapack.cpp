// lapack.cpp: where the addresses of LAPACK's functions stand once symc_open_library has
// found them; the model's table points here (symc_library.functions).
#include "lapack.h"

namespace symc::ref {
struct LapackFunctions {
  Lapack<float> singles;
  Lapack<double> doubles;
};
} // namespace symc::ref

extern "C" {
symc::ref::LapackFunctions symc_lapack_functions;
}

namespace symc::ref {

// The opener writes the first address last.
static bool is_open() {
  return __atomic_load_n(&symc_lapack_functions.singles.potrf, __ATOMIC_ACQUIRE) != nullptr;
}

template <> const Lapack<float> *lapack<float>() {
  return is_open() ? &symc_lapack_functions.singles : nullptr;
}
template <> const Lapack<double> *lapack<double>() {
  return is_open() ? &symc_lapack_functions.doubles : nullptr;
}

} // namespace symc::ref
