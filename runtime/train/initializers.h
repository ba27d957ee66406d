// initializers.h: first values of parameters, by MXNet's rules: a variable's attribute __init__
// decides, else the ending of its name. Numbers are drawn by counting (core/draw.h): they depend on
// seed, name, shape and initialiser alone, in any order of parameters, and have the same bits on
// every machine. MXNet's own numbers, of its generator's state, are others.
#ifndef SYMC_RUNTIME_TRAIN_INITIALIZERS_H
#define SYMC_RUNTIME_TRAIN_INITIALIZERS_H

#include "symc/types.h"

namespace symc {

struct InitialArray {
  const char *name;
  const int64_t *shape;
  int32_t rank;
  const char *attribute; // __init__, "[\"xavier\", {\"magnitude\": 2}]", or NULL
  float *data;           // row-major
};

// Fills the array. `initializer`: "xavier,magnitude=2", or as MXNet writes it, what weights are
// where there is no attribute; NULL or empty: uniform,scale=0.01, that of MXNet's Module.
// BAD_ARGUMENT with a sentence: the text is none, no rule has the name, the shape does not fit;
// OUT_OF_MEMORY.
symc_status initialize_array(const InitialArray &array, const char *initializer, uint64_t seed,
                             char *error, size_t error_bytes);

// The same without an array: whether it would be filled. For the compiler and for calls that change
// nothing where they fail.
symc_status check_initial(const InitialArray &array, const char *initializer, char *error,
                          size_t error_bytes);

} // namespace symc
#endif
