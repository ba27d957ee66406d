// random.h: the random numbers of operators (core/draw.h): a key is made of seed, run and node.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_RANDOM_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_RANDOM_H

#include "../../core/draw.h"
#include "../../core/shared_rows.h"
#include "walk.h"

namespace symc::ref {

using symc::Draw;
using symc::mix;

// The upper half of a product: an even number of 64 bits as one below `bound`.
inline uint64_t below(uint64_t bits, uint64_t bound) {
#ifdef __CUDACC_RTC__
  return __umul64hi(bits, bound);
#else
  return uint64_t((unsigned __int128)bits * bound >> 64);
#endif
}

inline uint64_t key_of(const symc_kernel_args *args) {
  uint64_t seed = args->frame ? args->frame->seed : 0,
           iteration = args->frame ? args->frame->iteration : 0;
  return mix(seed + 0x9e3779b97f4a7c15u) ^ mix(iteration * 0x9e3779b97f4a7c15u + 1) ^
         mix(args->random_stream + 0x632be59bd9b4e019u);
}

// What numbers of elements begin with where each of `rows` has `each` of them. Processes that share
// a batch draw what one with all of it would draw; what does not begin with the rows of a batch is
// drawn alike in all of them.
inline int64_t first_element(const symc_kernel_args *args, int64_t rows, int64_t each) {
#ifndef SYMC_ON_DEVICE
  int64_t first = 0;
  if (rows && args->frame && symc_shared_rows && symc_shared_rows(args->frame, &first) == rows)
    return first * each;
#endif
  return 0;
}
inline int64_t first_element(const symc_kernel_args *args, const symc_tensor &drawn) {
  int64_t rows = drawn.rank ? drawn.shape[0] : 0;
  return rows ? first_element(args, rows, product(drawn.shape, 1, drawn.rank)) : 0;
}

} // namespace symc::ref
#endif
