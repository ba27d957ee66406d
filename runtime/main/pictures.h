// pictures.h: pictures as a program reads them from files.
#ifndef SYMC_RUNTIME_MAIN_PICTURES_H
#define SYMC_RUNTIME_MAIN_PICTURES_H

#include "../pictures/pictures.h"
#include "files.h"
#include "npy.h"

namespace symc {

bool is_png(const uint8_t *data, size_t bytes);
bool is_jpeg(const uint8_t *data, size_t bytes);

// What is done to pixels where nothing was compiled in: values are scaled to 0..1 for inputs of
// floats and kept for inputs of integers, sizes must fit.
symc_preprocess default_preprocess(const symc_tensor_info &input);

// Makes the input's array from pixels.
bool preprocess(const char *name, const Pixels &pixels, const symc_tensor_info &input,
                const symc_preprocess &spec, Array &array, Problem &problem);

} // namespace symc
#endif
