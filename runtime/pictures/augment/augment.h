// augment.h: from decoded pixels to a network's input, by the steps of MXNet's ImageRecordIter.
// What is drawn follows from seed, pass and record alone.
#ifndef SYMC_RUNTIME_PICTURES_AUGMENT_AUGMENT_H
#define SYMC_RUNTIME_PICTURES_AUGMENT_AUGMENT_H

#include "resample.h"

namespace symc {

// The steps, in their order. As it is made, the middle of a picture is taken and nothing else.
struct Augmentation {
  int64_t resize = 0; // of the shorter side, to so many pixels; 0: none
  Interpolation interpolation = Interpolation::Linear;
  // A part of the picture with a drawn area and aspect ratio, which becomes the whole input.
  bool randomResizedCrop = false;
  double minArea = 1, maxArea = 1, minAspect = 1, maxAspect = 1; // also of the map below
  // A map that rotates by degrees, shears and scales.
  int64_t maxRotate = 0, rotate = 0; // drawn from -max to max, or always this where above 0
  double maxShear = 0, minScale = 1, maxScale = 1, minSide = 0, maxSide = 1e10;
  int64_t pad = 0, fill = 127;      // pixels around the picture, a value
  int64_t minCrop = 0, maxCrop = 0; // a square of a drawn side, which becomes the input; 0: none
  bool randomCrop = false;          // at a drawn place, else in the middle
  bool randomMirror = false, mirror = false;
  // Factors are drawn from 1 - x to 1 + x, in a drawn order.
  double brightness = 0, contrast = 0, saturation = 0;
  int64_t hue = 0, lightness = 0, colourfulness = 0; // added, from -x to x, of 180 and 255
  double pcaNoise = 0; // along the directions in which colours of photographs vary
  double maxContrast = 0, maxIllumination = 0; // of values without their mean: times, plus
  float mean[3] = {0, 0, 0}, std[3] = {1, 1, 1}, scale = 1;
  uint64_t seed = 0;
};

// An input that takes pictures.
struct PictureInput {
  const char *name;
  int64_t channels, height, width; // channels: 1 or 3
  bool channelsLast;               // [H, W, C], else [C, H, W]
};

// Makes an input of pixels [height, width, channels]. False, with a reason, where the picture does
// not suit or there is no memory.
bool augment(const uint8_t *pixels, int64_t height, int64_t width, const PictureInput &input,
             const Augmentation &steps, uint64_t pass, uint64_t record, float *target, char *reason,
             size_t reasonBytes);

// The steps that change colours of height * width * channels bytes, in place (colours.cpp).
void change_colours(uint8_t *pixels, int64_t count, int64_t channels, const Augmentation &steps,
                    uint64_t pass, uint64_t record);

} // namespace symc
#endif
