// preprocess.cpp: from pixels to a model's input: channels, resize, crop, mean image, scale, mean
// and std, layout, element type. All arithmetic is in float, in one order, so that the
// same picture gives the same bits on every machine.
#include "images.h"

#include <math.h>
#include <string.h>

namespace symc {

bool is_png(const uint8_t *data, size_t bytes) {
  return bytes >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

bool is_jpeg(const uint8_t *data, size_t bytes) {
  return bytes >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0;
}

symc_preprocess default_preprocess(const symc_tensor_info &input) {
  symc_preprocess spec = {};
  bool isFloat = input.dtype == SYMC_F32 || input.dtype == SYMC_F64 || input.dtype == SYMC_F16 ||
                 input.dtype == SYMC_BF16;
  spec.scale = isFloat ? 1.0 / 255 : 1.0;
  spec.source_layout = SYMC_NHWC;
  return spec;
}

// Where a picture's extents stand in the input's shape; -1: nowhere.
namespace {
struct Axes {
  int n = -1, c = -1, h = -1, w = -1;
};
} // namespace

static Axes axes_of(const symc_tensor_info &input, const symc_preprocess &spec) {
  bool last = spec.model_layout == SYMC_NHWC;
  Axes axes;
  if (input.rank == 4 || input.rank == 3) {
    int first = input.rank - 3;
    axes.n = first - 1;
    axes.c = last ? first + 2 : first;
    axes.h = last ? first : first + 1;
    axes.w = axes.h + 1;
  }
  return axes;
}

int64_t wanted_channels(const symc_tensor_info &input, const symc_preprocess &spec, int64_t height,
                        int64_t width) {
  Axes axes = axes_of(input, spec);
  if (axes.c >= 0) {
    int64_t channels = input.shape[axes.c];
    return channels == 1 || channels == 3 || channels == 4 ? channels : 0;
  }
  // [H, W], or [N, C*H*W] as a flattened picture.
  if (input.rank != 2)
    return 0;
  int64_t flat = input.shape[1], area = height * width;
  return flat == 3 * area && spec.order != SYMC_GRAY ? 3 : 1;
}

// One channel of a pixel as the model wants it.
static float channel_of(const Pixels &pixels, int64_t n, int64_t y, int64_t x, int64_t c,
                        int64_t channels, bool swapped) {
  auto at = [&](int64_t channel) -> float {
    int64_t index = pixels.planes
                        ? ((n * pixels.channels + channel) * pixels.height + y) * pixels.width + x
                        : ((n * pixels.height + y) * pixels.width + x) * pixels.channels + channel;
    return float(pixels.data[index]);
  };
  if (pixels.channels == 1)
    return c == 3 ? 255.0f : at(0);
  if (channels == 1) // luma of ITU-R BT.601, in 8 bits
    return floorf((77 * at(0) + 150 * at(1) + 29 * at(2)) / 256);
  if (c == 3)
    return pixels.channels == 4 ? at(3) : 255.0f;
  return at(swapped ? 2 - c : c);
}

namespace {
// Maps a target pixel to the source: source = offset + (target + 0.5) * step - 0.5.
struct Sampling {
  int64_t height, width; // of the target
  float stepY, stepX, offsetY, offsetX;
  bool exact; // every target pixel is a source pixel
};
} // namespace

static bool plan_sampling(const char *name, const Pixels &pixels, const symc_tensor_info &input,
                          const symc_preprocess &spec, Sampling &sampling, Problem &problem) {
  Axes axes = axes_of(input, spec);
  sampling = {pixels.height, pixels.width, 1, 1, 0, 0, true};
  if (spec.resize == SYMC_RESIZE_NONE)
    return true;
  bool fixed = axes.h >= 0 && input.shape[axes.h] >= 0 && input.shape[axes.w] >= 0;
  if (!fixed)
    return problem.set("'%s': cannot resize: input '%s' has no fixed height and width", name,
                       input.name);
  int64_t height = input.shape[axes.h], width = input.shape[axes.w];
  sampling.height = height;
  sampling.width = width;
  float scaleY = float(pixels.height) / float(height), scaleX = float(pixels.width) / float(width);
  if (spec.resize == SYMC_RESIZE_CROP) {
    int64_t shorter = pixels.height < pixels.width ? pixels.height : pixels.width;
    float step = scaleY < scaleX ? scaleY : scaleX;
    if (spec.resize_short > 0)
      step = float(shorter) / float(spec.resize_short);
    if (step > scaleY || step > scaleX)
      return problem.set("'%s': cannot crop %lld x %lld from a picture of %lld x %lld resized to "
                         "%d on its shorter side",
                         name, (long long)height, (long long)width, (long long)pixels.height,
                         (long long)pixels.width, spec.resize_short);
    sampling.offsetY = (float(pixels.height) - step * float(height)) / 2;
    sampling.offsetX = (float(pixels.width) - step * float(width)) / 2;
    scaleY = scaleX = step;
  }
  sampling.stepY = scaleY;
  sampling.stepX = scaleX;
  sampling.exact = height == pixels.height && width == pixels.width;
  return true;
}

// Bilinear between the four nearest pixels; beyond the edge the edge repeats.
static float sample(const Pixels &pixels, const Sampling &sampling, int64_t n, int64_t y, int64_t x,
                    int64_t c, int64_t channels, bool swapped) {
  if (sampling.exact)
    return channel_of(pixels, n, y, x, c, channels, swapped);
  float sourceY = sampling.offsetY + (float(y) + 0.5f) * sampling.stepY - 0.5f;
  float sourceX = sampling.offsetX + (float(x) + 0.5f) * sampling.stepX - 0.5f;
  auto inside = [](float at, int64_t extent, int64_t &low, int64_t &high) {
    at = at < 0 ? 0 : at > float(extent - 1) ? float(extent - 1) : at;
    low = int64_t(at);
    high = low + 1 < extent ? low + 1 : low;
    return at - float(low);
  };
  int64_t y0, y1, x0, x1;
  float fy = inside(sourceY, pixels.height, y0, y1), fx = inside(sourceX, pixels.width, x0, x1);
  float top = channel_of(pixels, n, y0, x0, c, channels, swapped) * (1 - fx) +
              channel_of(pixels, n, y0, x1, c, channels, swapped) * fx;
  float bottom = channel_of(pixels, n, y1, x0, c, channels, swapped) * (1 - fx) +
                 channel_of(pixels, n, y1, x1, c, channels, swapped) * fx;
  return top * (1 - fy) + bottom * fy;
}

bool preprocess(const char *name, const Pixels &pixels, const symc_tensor_info &input,
                const symc_preprocess &spec, Array &array, Problem &problem) {
  int64_t channels = wanted_channels(input, spec, pixels.height, pixels.width);
  if (channels == 0) {
    problem.addNote("a picture fits inputs of [N, C, H, W], [C, H, W], [H, W] and [N, C*H*W] with "
                    "1, 3 or 4 channels; others are read from .npy");
    return problem.set("'%s': input '%s' does not take a picture", name, input.name);
  }
  Sampling sampling;
  if (!plan_sampling(name, pixels, input, spec, sampling, problem))
    return false;
  Axes axes = axes_of(input, spec);
  int64_t height = sampling.height, width = sampling.width;
  array.rank = input.rank;
  array.dtype = input.dtype;
  bool matrix = input.rank == 2 && pixels.n == 1 && channels == 1 && input.shape[0] == height &&
                input.shape[1] == width;
  if (input.rank == 2) {
    array.shape[0] = matrix ? height : pixels.n;
    array.shape[1] = matrix ? width : channels * height * width;
  } else {
    if (axes.n >= 0)
      array.shape[axes.n] = pixels.n;
    else if (pixels.n != 1)
      return problem.set("'%s': input '%s' takes one picture, got %lld", name, input.name,
                         (long long)pixels.n);
    array.shape[axes.c] = channels;
    array.shape[axes.h] = height;
    array.shape[axes.w] = width;
  }
  // One is compiled in for inputs whose height and width are fixed.
  if (spec.mean_image && (height != input.shape[axes.h] || width != input.shape[axes.w]))
    return problem.set("'%s': a picture of %lld x %lld, but the mean image of input '%s' has "
                       "%lld x %lld",
                       name, (long long)height, (long long)width, input.name,
                       (long long)input.shape[axes.h], (long long)input.shape[axes.w]);
  bool last = axes.c >= 0 && axes.c > axes.h, swapped = spec.order == SYMC_BGR;
  int64_t count = pixels.n * channels * height * width;
  Bytes values;
  if (!values.allocate(size_t(count) * 4, problem) ||
      !array.bytes.allocate(size_t(count * symc_dtype_bytes(input.dtype)), problem))
    return false;
  float *value = reinterpret_cast<float *>(values.data);
  for (int64_t n = 0; n < pixels.n; ++n)
    for (int64_t c = 0; c < channels; ++c) {
      int64_t entry = spec.channels <= 1 ? 0 : c;
      float mean = spec.channels > entry ? float(spec.mean[entry]) : 0;
      float std = spec.channels > entry ? float(spec.std[entry]) : 1;
      const float *image = spec.mean_image ? spec.mean_image + c * height * width : nullptr;
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x) {
          float pixel = sample(pixels, sampling, n, y, x, c, channels, swapped);
          if (image)
            pixel -= image[y * width + x];
          int64_t index = last ? ((n * height + y) * width + x) * channels + c
                               : ((n * channels + c) * height + y) * width + x;
          value[index] = (pixel * float(spec.scale) - mean) / std;
        }
    }
  symc_convert(value, SYMC_F32, array.bytes.data, input.dtype, count);
  return true;
}

} // namespace symc
