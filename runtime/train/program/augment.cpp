// augment.cpp: from decoded pixels to a network's input. The shorter side is scaled by two linear
// steps between neighbours, as OpenCV's INTER_LINEAR, to bytes; only what the crop shows is made.
#include "draws.h"
#include "records.h"

#include <stdio.h>

namespace symc::train {

int64_t channels_of(const Input &input) {
  if (input.rank != 3)
    return 0;
  if (input.shape[0] == 1 || input.shape[0] == 3)
    return input.shape[0];
  return input.shape[2] == 1 || input.shape[2] == 3 ? input.shape[2] : 0;
}

namespace {
// Where a target's coordinate lies in the source: between `low` and `high`, `part` of the way.
struct Place {
  int64_t low, high;
  float part;
};
} // namespace

static Place place_of(int64_t at, int64_t extent, int64_t source) {
  float to = (float(at) + 0.5f) * (float(source) / float(extent)) - 0.5f;
  to = to < 0 ? 0 : to > float(source - 1) ? float(source - 1) : to;
  int64_t low = int64_t(to);
  return {low, low + 1 < source ? low + 1 : low, to - float(low)};
}

bool make_input(const uint8_t *pixels, int64_t height, int64_t width, const Input &input,
                const Pictures &steps, uint64_t pass, uint64_t record, float *target, char *reason,
                size_t reasonBytes) {
  int64_t channels = channels_of(input);
  bool last = input.shape[0] != 1 && input.shape[0] != 3; // [H, W, C]
  int64_t toHeight = input.shape[last ? 0 : 1], toWidth = input.shape[last ? 1 : 2];
  int64_t tall = height, wide = width; // after the resize
  if (steps.resize > 0) {
    bool upright = height > width;
    tall = upright ? steps.resize * height / width : steps.resize;
    wide = upright ? steps.resize : steps.resize * width / height;
  }
  int64_t down = tall + 2 * steps.pad - toHeight, across = wide + 2 * steps.pad - toWidth;
  if (down < 0 || across < 0) {
    snprintf(
        reason, reasonBytes, "the picture has %lld x %lld pixels, input '%s' needs %lld x %lld%s",
        (long long)(wide + 2 * steps.pad), (long long)(tall + 2 * steps.pad), input.name,
        (long long)toWidth, (long long)toHeight, steps.resize ? "" : "; --resize scales pictures");
    return false;
  }
  Draws draws(Purpose::Picture, steps.seed, pass, record);
  int64_t top = down / 2, left = across / 2;
  if (steps.randomCrop) {
    top = int64_t(draws.below(uint64_t(down) + 1));
    left = int64_t(draws.below(uint64_t(across) + 1));
  }
  bool mirrored = steps.randomMirror && draws.below(2) == 1;
  bool scaled = tall != height || wide != width;
  for (int64_t y = 0; y < toHeight; ++y) {
    int64_t sourceY = top + y - steps.pad;
    Place row = scaled ? place_of(sourceY, tall, height) : Place{sourceY, sourceY, 0};
    for (int64_t x = 0; x < toWidth; ++x) {
      int64_t sourceX = left + (mirrored ? toWidth - 1 - x : x) - steps.pad;
      bool outside = sourceY < 0 || sourceY >= tall || sourceX < 0 || sourceX >= wide;
      Place column = scaled ? place_of(sourceX, wide, width) : Place{sourceX, sourceX, 0};
      for (int64_t c = 0; c < channels; ++c) {
        auto at = [&](int64_t i, int64_t k) {
          return float(pixels[(i * width + k) * channels + c]);
        };
        float value = float(steps.fill);
        if (!outside && !scaled) {
          value = at(row.low, column.low);
        } else if (!outside) {
          float upper =
              at(row.low, column.low) * (1 - column.part) + at(row.low, column.high) * column.part;
          float lower = at(row.high, column.low) * (1 - column.part) +
                        at(row.high, column.high) * column.part;
          value = float(int(upper * (1 - row.part) + lower * row.part + 0.5f));
        }
        int64_t index = last ? (y * toWidth + x) * channels + c : (c * toHeight + y) * toWidth + x;
        target[index] = (value - steps.mean[c]) / steps.std[c] * steps.scale;
      }
    }
  }
  return true;
}

} // namespace symc::train
