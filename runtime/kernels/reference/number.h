// number.h: single elements of tensors whose type is not that of the kernel.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_NUMBER_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_NUMBER_H

#include "element.h"

namespace symc::ref {

/// Element `i` of a tensor of any type.
inline double number_at(const symc_tensor &tensor, int64_t i) {
  double value = 0;
  with_element(tensor.dtype, [&](auto element) {
    using E = decltype(element);
    value = double(E::load(data_of<E>(tensor)[i]));
  });
  return value;
}

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_NUMBER_H
