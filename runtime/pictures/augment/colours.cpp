// colours.cpp: see augment.h. Each step rounds to bytes, as in MXNet; gray pictures have brightness
// and contrast alone.
#include "../../core/draws.h"
#include "augment.h"

#include <math.h>

namespace symc {

static uint8_t byte_of(double value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : uint8_t(value + 0.5);
}

// Brightness of a pixel, red first. The weights of red and blue stand as in MXNet, which takes blue
// for red here.
static uint8_t gray_of(const uint8_t *pixel, int64_t channels) {
  return channels == 1 ? pixel[0] : byte_of(0.114 * pixel[0] + 0.587 * pixel[1] + 0.299 * pixel[2]);
}

// Every byte becomes factor * byte + more.
static void change_bytes(uint8_t *pixels, int64_t bytes, double factor, double more) {
  uint8_t table[256];
  for (int value = 0; value < 256; ++value)
    table[value] = byte_of(factor * value + more);
  for (int64_t i = 0; i < bytes; ++i)
    pixels[i] = table[pixels[i]];
}

static void change_contrast(uint8_t *pixels, int64_t count, int64_t channels, double factor) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += gray_of(pixels + i * channels, channels);
  change_bytes(pixels, count * channels, factor, (1 - factor) * double(sum) / double(count));
}

static void change_saturation(uint8_t *pixels, int64_t count, double factor) {
  for (int64_t i = 0; i < count; ++i, pixels += 3) {
    double gray = (1 - factor) * gray_of(pixels, 3);
    for (int c = 0; c < 3; ++c)
      pixels[c] = byte_of(factor * pixels[c] + gray);
  }
}

namespace {
// Hue of 0..180, the others of 0..255, whole numbers.
struct Hls {
  int64_t hue, lightness, saturation;
};
} // namespace

static Hls hls_of(const uint8_t *pixel) {
  double red = pixel[0], green = pixel[1], blue = pixel[2];
  double high = fmax(red, fmax(green, blue)), low = fmin(red, fmin(green, blue));
  double range = high - low, sum = high + low, hue = 0, saturation = 0;
  if (range > 0) {
    saturation = range / (sum < 255 ? sum : 510 - sum);
    hue = high == red     ? (green - blue) / range
          : high == green ? 2 + (blue - red) / range
                          : 4 + (red - green) / range;
    hue = hue < 0 ? hue + 6 : hue;
  }
  return {int64_t(hue * 30 + 0.5), int64_t(sum / 2 + 0.5), int64_t(saturation * 255 + 0.5)};
}

static void pixel_of(const Hls &of, uint8_t *pixel) {
  double lightness = double(of.lightness) / 255, saturation = double(of.saturation) / 255;
  double high =
      lightness <= 0.5 ? lightness * (1 + saturation) : lightness + saturation * (1 - lightness);
  double low = 2 * lightness - high;
  for (int c = 0; c < 3; ++c) {
    double hue = double(of.hue) / 30 + 2 - 2 * c; // in sixths of the circle, from this channel on
    hue = hue < 0 ? hue + 6 : hue >= 6 ? hue - 6 : hue;
    double part = hue < 1 ? hue : hue < 3 ? 1 : hue < 4 ? 4 - hue : 0;
    pixel[c] = byte_of((low + (high - low) * part) * 255);
  }
}

static int64_t within(int64_t value, int64_t high) {
  return value < 0 ? 0 : value > high ? high : value;
}

// The mean of two drawn numbers, one of which has four parts of five, as MXNet has it.
static int64_t drawn_change(Draws &draws, int64_t most) {
  double part = draws.unit();
  part = (part + 4 * draws.unit()) / 5;
  return int64_t(part * double(most) * 2 - double(most));
}

static void change_hls(uint8_t *pixels, int64_t count, const Augmentation &steps, Draws &draws) {
  int64_t hue = drawn_change(draws, steps.hue);
  int64_t colourfulness = drawn_change(draws, steps.colourfulness);
  int64_t lightness = drawn_change(draws, steps.lightness);
  for (int64_t i = 0; i < count; ++i, pixels += 3) {
    Hls value = hls_of(pixels);
    value.hue = within(value.hue + hue, 180);
    value.lightness = within(value.lightness + lightness, 255);
    value.saturation = within(value.saturation + colourfulness, 255);
    pixel_of(value, pixels);
  }
}

// Adds along the three directions in which the colours of ImageNet's photographs vary, by how much
// they do: a row for red, green and blue (Krizhevsky, Sutskever, Hinton 2012).
static void add_noise(uint8_t *pixels, int64_t count, double noise, Draws &draws) {
  static const double sizes[3] = {55.46, 4.794, 1.148};
  static const double directions[3][3] = {
      {-0.5675, 0.7192, 0.4009}, {-0.5808, -0.0045, -0.8140}, {-0.5836, -0.6948, 0.4203}};
  double along[3], added[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k)
    along[k] = draws.normal() * noise * sizes[k];
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k)
      added[c] += directions[c][k] * along[k];
  for (int64_t i = 0; i < count; ++i, pixels += 3)
    for (int c = 0; c < 3; ++c)
      pixels[c] = byte_of(pixels[c] + added[c]);
}

void change_colours(uint8_t *pixels, int64_t count, int64_t channels, const Augmentation &steps,
                    uint64_t pass, uint64_t record) {
  Draws draws(Purpose::Colour, steps.seed, pass, record);
  if (steps.brightness > 0 || steps.contrast > 0 || steps.saturation > 0) {
    double brightness = draws.between(1 - steps.brightness, 1 + steps.brightness);
    double contrast = draws.between(1 - steps.contrast, 1 + steps.contrast);
    double saturation = draws.between(1 - steps.saturation, 1 + steps.saturation);
    int order[3] = {0, 1, 2};
    for (int i = 2; i > 0; --i) {
      int other = int(draws.below(uint64_t(i) + 1)), kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    for (int step : order) {
      if (step == 0 && steps.brightness > 0)
        change_bytes(pixels, count * channels, brightness, 0);
      else if (step == 1 && steps.contrast > 0)
        change_contrast(pixels, count, channels, contrast);
      else if (step == 2 && steps.saturation > 0 && channels == 3)
        change_saturation(pixels, count, saturation);
    }
  }
  if (channels != 3)
    return;
  if (steps.hue > 0 || steps.lightness > 0 || steps.colourfulness > 0)
    change_hls(pixels, count, steps, draws);
  if (steps.pcaNoise > 0)
    add_noise(pixels, count, steps.pcaNoise, draws);
}

} // namespace symc
