// augment.cpp: see augment.h. Each step makes bytes, as in MXNet; the last one looks the values of
// a channel's 256 bytes up.
#include "augment.h"

#include "../../core/draws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

static constexpr int64_t mostPixels = int64_t(64) << 20; // of a picture in between

namespace {
// A picture on its way: the one that was given, or one that a step made.
class Picture {
public:
  Picture(const uint8_t *pixels, int64_t height, int64_t width, int64_t channels)
      : view{pixels, height, width, channels, width * channels} {}
  ~Picture() { free(memory); }
  Picture(const Picture &) = delete;
  Picture &operator=(const Picture &) = delete;

  uint8_t *make(int64_t height, int64_t width) {
    return height > 0 && width > 0 && height <= mostPixels / width
               ? static_cast<uint8_t *>(malloc(size_t(height * width * view.channels)))
               : nullptr;
  }
  void take(uint8_t *made, int64_t height, int64_t width) {
    free(memory);
    memory = made;
    view = {made, height, width, view.channels, width * view.channels};
  }
  PixelView part(int64_t top, int64_t left, int64_t height, int64_t width) const {
    return {view.pixels + top * view.stride + left * view.channels, height, width, view.channels,
            view.stride};
  }
  // Another size of a view, which may be a part of this picture.
  bool resize(const PixelView &of, int64_t height, int64_t width, Interpolation way) {
    uint8_t *made = make(height, width);
    if (!made || !resize_pixels(of, height, width, way, made)) {
      free(made);
      return false;
    }
    take(made, height, width);
    return true;
  }

  PixelView view;

private:
  uint8_t *memory = nullptr;
};

struct Work {
  Picture &picture;
  const PictureInput &input;
  const Augmentation &steps;
  Interpolation way;
  char *reason;
  size_t reasonBytes;
  bool tooLarge() {
    snprintf(reason, reasonBytes,
             "a step makes more than 64 million pixels of the picture of "
             "%lld x %lld, or there is no memory",
             (long long)picture.view.width, (long long)picture.view.height);
    return false;
  }
};
} // namespace

static bool resize_shorter(Work &work, int64_t side) {
  int64_t height = work.picture.view.height, width = work.picture.view.width;
  bool upright = height > width;
  int64_t tall = upright ? side * height / width : side;
  int64_t wide = upright ? side : side * width / height;
  return work.picture.resize(work.picture.view, tall, wide, work.way) || work.tooLarge();
}

// A part of drawn area and ratio becomes the input. Where ten draws do not fit: the middle of the
// picture, as large as the input's ratio allows.
static bool crop_and_resize(Work &work, Draws &draws) {
  const Augmentation &steps = work.steps;
  int64_t height = work.picture.view.height, width = work.picture.view.width;
  for (int i = 0; i < 10; ++i) {
    double area = draws.between(steps.minArea, steps.maxArea) * double(height) * double(width);
    double ratio = draws.between(steps.minAspect, steps.maxAspect);
    int64_t tall = int64_t(sqrt(area / ratio) + 0.5), wide = int64_t(sqrt(area * ratio) + 0.5);
    if (draws.unit() > 0.5) {
      int64_t kept = tall;
      tall = wide;
      wide = kept;
    }
    if (tall > height || wide > width || tall < 1 || wide < 1)
      continue;
    int64_t top = draws.from(0, height - tall), left = draws.from(0, width - wide);
    return work.picture.resize(work.picture.part(top, left, tall, wide), work.input.height,
                               work.input.width, work.way) ||
           work.tooLarge();
  }
  int64_t tall = height, wide = height * work.input.width / work.input.height;
  if (wide > width) {
    wide = width;
    tall = width * work.input.height / work.input.width;
  }
  tall = tall < 1 ? 1 : tall;
  wide = wide < 1 ? 1 : wide;
  PixelView middle = work.picture.part((height - tall) / 2, (width - wide) / 2, tall, wide);
  return work.picture.resize(middle, work.input.height, work.input.width, work.way) ||
         work.tooLarge();
}

static bool has_map(const Augmentation &steps) {
  return steps.maxRotate > 0 || steps.rotate > 0 || steps.maxShear > 0 || steps.minScale != 1 ||
         steps.maxScale != 1 || steps.minAspect != 1 || steps.maxAspect != 1 ||
         steps.minSide != 0 || steps.maxSide != 1e10;
}

// Rotates, shears, scales and stretches about the middle; the picture's size is scaled, too.
static bool warp(Work &work, Draws &draws) {
  const Augmentation &steps = work.steps;
  double height = double(work.picture.view.height), width = double(work.picture.view.width);
  double shear = draws.between(-steps.maxShear, steps.maxShear);
  int64_t angle = draws.from(-steps.maxRotate, steps.maxRotate);
  angle = steps.rotate > 0 ? steps.rotate : angle;
  double radians = double(angle) / 180 * 3.14159265358979323846;
  double along = cos(radians), across = sin(radians);
  double scale = draws.between(steps.minScale, steps.maxScale);
  double ratio = draws.between(steps.minAspect, steps.maxAspect);
  double tall = 2 * scale / (1 + ratio), wide = ratio * tall;
  auto side = [&](double pixels) {
    return fmax(steps.minSide, fmin(steps.maxSide, scale * pixels));
  };
  double newWidth = side(width), newHeight = side(height);
  double map[6];
  map[0] = tall * along - shear * across * wide;
  map[1] = tall * across + shear * along * wide;
  map[3] = -across * wide;
  map[4] = along * wide;
  map[2] = (newWidth - (map[0] * width + map[1] * height)) / 2;
  map[5] = (newHeight - (map[3] * width + map[4] * height)) / 2;
  if (!(newWidth >= 1 && newHeight >= 1 && newWidth * newHeight <= double(mostPixels)))
    return work.tooLarge();
  uint8_t *made = work.picture.make(int64_t(newHeight), int64_t(newWidth));
  if (!made || !warp_pixels(work.picture.view, map, int64_t(newHeight), int64_t(newWidth),
                            work.way == Interpolation::Nearest, uint8_t(steps.fill), made)) {
    free(made);
    return work.tooLarge();
  }
  work.picture.take(made, int64_t(newHeight), int64_t(newWidth));
  return true;
}

static bool pad(Work &work) {
  const PixelView &view = work.picture.view;
  int64_t pixels = work.steps.pad, height = view.height + 2 * pixels;
  int64_t width = view.width + 2 * pixels, row = view.width * view.channels;
  uint8_t *made = work.picture.make(height, width);
  if (!made)
    return work.tooLarge();
  memset(made, int(work.steps.fill), size_t(height * width * view.channels));
  for (int64_t y = 0; y < view.height; ++y)
    memcpy(made + ((y + pixels) * width + pixels) * view.channels, view.pixels + y * view.stride,
           size_t(row));
  work.picture.take(made, height, width);
  return true;
}

// A square of a drawn side becomes the input.
static bool crop_square(Work &work, Draws &shapes, Draws &places) {
  const Augmentation &steps = work.steps;
  const PixelView &view = work.picture.view;
  if (view.height < steps.maxCrop || view.width < steps.maxCrop) {
    snprintf(work.reason, work.reasonBytes,
             "the picture has %lld x %lld pixels, a crop of up to %lld x %lld does not fit",
             (long long)view.width, (long long)view.height, (long long)steps.maxCrop,
             (long long)steps.maxCrop);
    return false;
  }
  int64_t side = shapes.from(steps.minCrop, steps.maxCrop);
  int64_t down = view.height - side, across = view.width - side, top = down / 2, left = across / 2;
  if (steps.randomCrop) {
    top = places.from(0, down);
    left = places.from(0, across);
  }
  return work.picture.resize(work.picture.part(top, left, side, side), work.input.height,
                             work.input.width, work.way) ||
         work.tooLarge();
}

static bool crop(Work &work, Draws &places) {
  const PixelView &view = work.picture.view;
  const PictureInput &input = work.input;
  int64_t down = view.height - input.height, across = view.width - input.width;
  if (down < 0 || across < 0) {
    snprintf(work.reason, work.reasonBytes,
             "the picture has %lld x %lld pixels, input '%s' needs %lld x %lld%s",
             (long long)view.width, (long long)view.height, input.name, (long long)input.width,
             (long long)input.height, work.steps.resize > 0 ? "" : "; --resize scales pictures");
    return false;
  }
  int64_t top = down / 2, left = across / 2;
  if (work.steps.randomCrop) {
    top = places.from(0, down);
    left = places.from(0, across);
  }
  uint8_t *made = work.picture.make(input.height, input.width);
  if (!made)
    return work.tooLarge();
  PixelView part = work.picture.part(top, left, input.height, input.width);
  for (int64_t y = 0; y < part.height; ++y)
    memcpy(made + y * part.width * part.channels, part.pixels + y * part.stride,
           size_t(part.width * part.channels));
  work.picture.take(made, input.height, input.width);
  return true;
}

static void write_input(const Picture &picture, const PictureInput &input,
                        const Augmentation &steps, bool mirrored, Draws &colours, float *target) {
  double contrast = 1, more = 0;
  if (steps.maxContrast > 0 || steps.maxIllumination > 0) {
    contrast = colours.between(1 - steps.maxContrast, 1 + steps.maxContrast);
    more = colours.between(-steps.maxIllumination, steps.maxIllumination);
  }
  int64_t channels = input.channels, area = input.height * input.width;
  for (int64_t c = 0; c < channels; ++c) {
    float values[256];
    for (int value = 0; value < 256; ++value) {
      float centred = float(value) - steps.mean[c];
      if (contrast != 1 || more != 0)
        centred = float(centred * contrast + more);
      values[value] = centred / steps.std[c] * steps.scale;
    }
    float *out = input.channelsLast ? target + c : target + c * area;
    int64_t step = input.channelsLast ? channels : 1;
    for (int64_t y = 0; y < input.height; ++y) {
      const uint8_t *row = picture.view.pixels + y * picture.view.stride + c;
      for (int64_t x = 0; x < input.width; ++x, out += step)
        *out = values[row[(mirrored ? input.width - 1 - x : x) * channels]];
    }
  }
}

bool augment(const uint8_t *pixels, int64_t height, int64_t width, const PictureInput &input,
             const Augmentation &steps, uint64_t pass, uint64_t record, float *target, char *reason,
             size_t reasonBytes) {
  Picture picture(pixels, height, width, input.channels);
  Draws places(Purpose::Crop, steps.seed, pass, record);
  Draws shapes(Purpose::Shape, steps.seed, pass, record);
  Interpolation way = steps.interpolation;
  if (way == Interpolation::Drawn)
    way = Interpolation(shapes.below(5));
  Work work = {picture, input, steps, way, reason, reasonBytes};
  if (steps.resize > 0 && !resize_shorter(work, steps.resize))
    return false;
  bool isPart = steps.minArea != 1 || steps.maxArea != 1 || steps.minAspect != 1 ||
                steps.maxAspect != 1; // without these MXNet crops as ever
  bool cropped = steps.randomResizedCrop && isPart;
  if (cropped ? !crop_and_resize(work, shapes) : has_map(steps) && !warp(work, shapes))
    return false;
  if (steps.pad > 0 && !pad(work))
    return false;
  if (steps.maxCrop > 0 ? !crop_square(work, shapes, places) : !crop(work, places))
    return false;
  bool mirrored = steps.mirror || (steps.randomMirror && places.below(2) == 1);
  // crop and crop_square have made a picture of their own, which colours may change.
  change_colours(const_cast<uint8_t *>(picture.view.pixels), input.height * input.width,
                 input.channels, steps, pass, record);
  Draws colours(Purpose::Colour, ~steps.seed, pass, record);
  write_input(picture, input, steps, mirrored, colours, target);
  return true;
}

} // namespace symc
