// image_decode.cpp: PNG and JPEG by stb_image, compiled in and bounded: no picture
// larger than 16,384 in a direction or 64 million pixels is decoded, and the size is
// read before memory is taken.
#include <stddef.h>
#include <stdint.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_THREAD_LOCALS
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 16384
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "stb_image.h"
#pragma clang diagnostic pop

#define SYMC_DEFINES_IMAGES
#include "images.h"

static constexpr int64_t mostPixels = int64_t(64) << 20;

bool symc_decode_image(const uint8_t *data, size_t bytes, int32_t channels, int32_t *width,
                       int32_t *height, uint8_t **pixels, const char **reason) {
  int inFile, w, h;
  *pixels = nullptr;
  *reason = "too many bytes";
  if (bytes > INT32_MAX)
    return false;
  *reason = "no picture that can be read";
  if (!stbi_info_from_memory(data, int(bytes), &w, &h, &inFile))
    return false;
  *reason = "more than 64 million pixels";
  if (w <= 0 || h <= 0 || int64_t(w) * h > mostPixels)
    return false;
  *width = w;
  *height = h;
  if (channels == 0)
    return true;
  *pixels = stbi_load_from_memory(data, int(bytes), &w, &h, &inFile, channels);
  *reason = "damaged picture";
  if (*pixels && (w != *width || h != *height)) {
    stbi_image_free(*pixels);
    *pixels = nullptr;
  }
  return *pixels != nullptr;
}

void symc_release_pixels(uint8_t *pixels) { stbi_image_free(pixels); }
