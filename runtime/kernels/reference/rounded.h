// rounded.h: numbers as the element type has them. Where a place decides between pixels, each step
// of its computation is rounded as MXNet rounds it, which computes in the element type.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ROUNDED_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ROUNDED_H

#include "element.h"

namespace symc::ref {

template <class E, class T> typename E::Number rounded(T value) { return E::load(E::store(value)); }

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_ROUNDED_H
