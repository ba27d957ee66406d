// images.h: decoded pictures, and what becomes of pixels before a model reads them.
#ifndef SYMC_RUNTIME_MAIN_IMAGES_H
#define SYMC_RUNTIME_MAIN_IMAGES_H

#include "files.h"
#include "npy.h"

namespace symc {

bool is_png(const uint8_t *data, size_t bytes);
bool is_jpeg(const uint8_t *data, size_t bytes);

// Pixels of N pictures, [N, H, W, C] or [N, C, H, W], values 0..255, C = 1 (gray), 3 (RGB) or
// 4 (RGBA).
struct Pixels {
  const uint8_t *data;
  int64_t n, height, width, channels;
  bool planes; // [N, C, H, W]
};

// What is done to pixels where nothing was compiled in: values are scaled to 0..1 for inputs of
// floats and kept for inputs of integers, sizes must fit.
symc_preprocess default_preprocess(const symc_tensor_info &input);

// Channels of a picture of that size that suit the input: 1, 3 or 4; 0 where its shape is no
// picture's.
int64_t wanted_channels(const symc_tensor_info &input, const symc_preprocess &spec, int64_t height,
                        int64_t width);

// Makes the input's array from pixels.
bool preprocess(const char *name, const Pixels &pixels, const symc_tensor_info &input,
                const symc_preprocess &spec, Array &array, Problem &problem);

} // namespace symc

// The decoder of PNG and JPEG. It is a file of its own that need not be linked: where it is
// not, this symbol is NULL and pictures are refused with a sentence. On success *pixels holds
// height * width * channels bytes for symc_release_pixels; on failure *reason says why.
// channels is wanted: 1, 3 or 4; 0 asks for the size alone.
#ifndef SYMC_DEFINES_IMAGES
#define SYMC_WEAK_IMAGES __attribute__((weak))
#else
#define SYMC_WEAK_IMAGES
#endif
extern "C" SYMC_WEAK_IMAGES bool symc_decode_image(const uint8_t *data, size_t bytes,
                                                   int32_t channels, int32_t *width,
                                                   int32_t *height, uint8_t **pixels,
                                                   const char **reason);
extern "C" SYMC_WEAK_IMAGES void symc_release_pixels(uint8_t *pixels);
#endif
