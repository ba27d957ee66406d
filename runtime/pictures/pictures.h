// pictures.h: what becomes of pixels before a model reads them, for programs and, where a library
// was compiled with --preprocess, for symc_run_image; and the decoder of PNG and JPEG.
#ifndef SYMC_RUNTIME_PICTURES_PICTURES_H
#define SYMC_RUNTIME_PICTURES_PICTURES_H

#include "../core/text.h"

namespace symc {

using Pixels = symc_pixels;

// Channels of a picture of that size that suit the input: 1, 3 or 4; 0 where its shape is no
// picture's.
int64_t wanted_channels(const symc_tensor_info &input, const symc_preprocess &spec, int64_t height,
                        int64_t width);

// A tensor of bytes as pixels: [H, W], [H, W, C] or [C, H, W], [N, H, W, C] or [N, C, H, W].
bool pixels_of(const symc_tensor &array, const symc_tensor_info &input, const symc_preprocess &spec,
               Pixels &pixels, Text &error);
// The extents of the input for these pixels.
bool picture_shape(const Pixels &pixels, const symc_tensor_info &input, const symc_preprocess &spec,
                   int64_t *shape, Text &error);
// Makes the input of pixels for which picture_shape has given the extents.
void fill_input(const Pixels &pixels, const symc_tensor_info &input, const symc_preprocess &spec,
                void *data);

} // namespace symc

extern "C" {
// What symc_pictures names.
int32_t symc_open_picture(const symc_pictures *pictures, int32_t index,
                          const symc_tensor_info *input, const symc_tensor *given,
                          symc_picture *picture, char *error, size_t error_bytes);
int32_t symc_fill_picture(const symc_pictures *pictures, int32_t index,
                          const symc_tensor_info *input, const symc_picture *picture, void *data,
                          char *error, size_t error_bytes);

// The decoder. It is a file of its own that need not be linked into a program: where it is not,
// this symbol is NULL and pictures are refused with a sentence. On success, which is not 0, *pixels
// holds height * width * channels bytes for symc_release_pixels; on failure *reason states why.
// channels is wanted: 1, 3 or 4; 0 requests the size alone.
#ifndef SYMC_DEFINES_IMAGES
#define SYMC_WEAK_IMAGES __attribute__((weak))
#else
#define SYMC_WEAK_IMAGES
#endif
SYMC_WEAK_IMAGES int32_t symc_decode_image(const uint8_t *data, size_t bytes, int32_t channels,
                                           int32_t *width, int32_t *height, uint8_t **pixels,
                                           const char **reason);
SYMC_WEAK_IMAGES void symc_release_pixels(uint8_t *pixels);
}
#endif
