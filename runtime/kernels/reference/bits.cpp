// bits.cpp: reference kernel of bit_cast.
#include "walk.h"

using namespace symc::ref;

// Bytes stay as they are; the types are of one width.
static int32_t bit_cast(const symc_kernel_args *args) {
  return copy_elements(args->inputs[0], args->outputs[0]);
}
SYMC_REFERENCE_ANY(bit_cast, bit_cast)
SYMC_REFERENCE(bit_cast, i16, bit_cast)
SYMC_REFERENCE(bit_cast, u16, bit_cast)
SYMC_REFERENCE(bit_cast, u32, bit_cast)
SYMC_REFERENCE(bit_cast, u64, bit_cast)
