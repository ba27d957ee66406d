// random.h: the random numbers of operators (core/draw.h): a key is made of seed, run and node.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_RANDOM_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_RANDOM_H

#include "../../core/draw.h"
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

} // namespace symc::ref
#endif
