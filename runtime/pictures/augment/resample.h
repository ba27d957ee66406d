// resample.h: pixels of another size, and of a rotated or sheared picture, as OpenCV makes them:
// whole numbers, so that every machine gets the same bytes.
#ifndef SYMC_RUNTIME_PICTURES_AUGMENT_RESAMPLE_H
#define SYMC_RUNTIME_PICTURES_AUGMENT_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

namespace symc {

// Rows of `channels` bytes a pixel; the next row begins `stride` bytes behind.
struct PixelView {
  const uint8_t *pixels;
  int64_t height, width, channels, stride;
};

// The numbers are OpenCV's and MXNet's (inter_method).
enum class Interpolation : int32_t {
  Nearest,
  Linear,
  Cubic,
  Area,
  Lanczos,
  Fitting = 9,
  Drawn = 10
};

// Writes height * width * channels bytes. Fitting: cubic where both sides grow, area where both
// shrink, else linear. Drawn is the caller's to choose. False: there is no memory.
bool resize_pixels(const PixelView &from, int64_t height, int64_t width, Interpolation way,
                   uint8_t *to);

// Writes the picture that `map` makes of `from`: (x, y) goes to (map[0] x + map[1] y + map[2],
// map[3] x + map[4] y + map[5]). What lies outside of it is `fill`. Between pixels it is linear, or
// the nearest pixel. False where the map has no inverse.
bool warp_pixels(const PixelView &from, const double map[6], int64_t height, int64_t width,
                 bool nearest, uint8_t fill, uint8_t *to);

} // namespace symc
#endif
