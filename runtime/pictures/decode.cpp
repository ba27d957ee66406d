// decode.cpp: PNG and JPEG by stb_image (hardened by harden_stb.py), compiled in
// and bounded: no picture larger than 16,384 in a direction or 64 million pixels is
// decoded, no chunk may claim more bytes than the file has, and no allocation exceeds
// what the largest picture needs.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static constexpr uint32_t mostSide = 16384;
static constexpr int64_t mostPixels = int64_t(64) << 20;
static constexpr size_t mostBytes = size_t(mostPixels) * 8 + (size_t(1) << 20); // RGBA, 16 bits
static void *bounded_malloc(size_t bytes) { return bytes > mostBytes ? nullptr : malloc(bytes); }
static void *bounded_realloc(void *old, size_t bytes) {
  return bytes > mostBytes ? nullptr : realloc(old, bytes);
}

#define STBI_MALLOC(bytes) bounded_malloc(bytes)
#define STBI_REALLOC(old, bytes) bounded_realloc(old, bytes)
#define STBI_FREE(memory) free(memory)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_THREAD_LOCALS
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 65535 // what a JPEG can state; smaller limits have their own sentence
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "stb_image.h"
#pragma clang diagnostic pop

#define SYMC_DEFINES_IMAGES
#include "pictures.h"

static uint32_t big_endian(const uint8_t *at) {
  return uint32_t(at[0]) << 24 | uint32_t(at[1]) << 16 | uint32_t(at[2]) << 8 | uint32_t(at[3]);
}

// Whether every chunk of a PNG file lies inside of it; other files have none.
static bool chunks_fit(const uint8_t *data, size_t bytes) {
  if (bytes < 8 || memcmp(data, "\x89PNG", 4) != 0)
    return true;
  for (size_t at = 8; at < bytes;) {
    if (bytes - at < 12)
      return false;
    const uint8_t *chunk = data + at;
    size_t length = big_endian(chunk);
    if (length > bytes - at - 12)
      return false;
    if (memcmp(chunk + 4, "IEND", 4) == 0)
      return true;
    at += 12 + length;
  }
  return true;
}

// Whether a PNG file states that a side is longer than stb_image takes.
static bool is_long_png(const uint8_t *data, size_t bytes) {
  return bytes >= 24 && memcmp(data, "\x89PNG", 4) == 0 && memcmp(data + 12, "IHDR", 4) == 0 &&
         (big_endian(data + 16) > mostSide || big_endian(data + 20) > mostSide);
}

int32_t symc_decode_image(const uint8_t *data, size_t bytes, int32_t channels, int32_t *width,
                          int32_t *height, uint8_t **pixels, const char **reason) {
  int inFile, w, h;
  *pixels = nullptr;
  *reason = "too many bytes";
  if (bytes > INT32_MAX)
    return false;
  *reason = "truncated picture";
  if (!chunks_fit(data, bytes))
    return false;
  constexpr const char *tooLong = "more than 16384 pixels in a direction";
  *reason = tooLong;
  if (is_long_png(data, bytes))
    return false;
  *reason = "no picture that can be read";
  if (!stbi_info_from_memory(data, int(bytes), &w, &h, &inFile))
    return false;
  *reason = tooLong;
  if (w > int(mostSide) || h > int(mostSide))
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
