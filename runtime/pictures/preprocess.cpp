// preprocess.cpp: from pixels to a model's input: channels, resize, crop, mean image, scale, mean
// and std, layout, element type. All arithmetic is in float, in one order, so that the
// same picture gives the same bits on every machine.
#include "pictures.h"

#include <math.h>

namespace symc {

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
  int64_t flat = input.shape[1], colours;
  bool isCountable = !__builtin_mul_overflow(height, width, &colours) &&
                     !__builtin_mul_overflow(colours, 3, &colours);
  return isCountable && flat == colours && spec.order != SYMC_GRAY ? 3 : 1;
}

// One channel of a pixel as the model requires it.
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

static bool plan_sampling(const Pixels &pixels, const symc_tensor_info &input,
                          const symc_preprocess &spec, Sampling &sampling, Text &error) {
  Axes axes = axes_of(input, spec);
  sampling = {pixels.height, pixels.width, 1, 1, 0, 0, true};
  if (spec.resize == SYMC_RESIZE_NONE)
    return true;
  bool fixed = axes.h >= 0 && input.shape[axes.h] >= 0 && input.shape[axes.w] >= 0;
  if (!fixed) {
    error << "cannot resize: input '" << input.name << "' has no fixed height and width";
    return false;
  }
  int64_t height = input.shape[axes.h], width = input.shape[axes.w];
  sampling.height = height;
  sampling.width = width;
  float scaleY = float(pixels.height) / float(height), scaleX = float(pixels.width) / float(width);
  if (spec.resize == SYMC_RESIZE_CROP) {
    int64_t shorter = pixels.height < pixels.width ? pixels.height : pixels.width;
    float step = scaleY < scaleX ? scaleY : scaleX;
    if (spec.resize_short > 0)
      step = float(shorter) / float(spec.resize_short);
    if (step > scaleY || step > scaleX) {
      error << "cannot crop " << height << " x " << width << " from a picture of " << pixels.height
            << " x " << pixels.width << " resized to " << spec.resize_short
            << " on its shorter side";
      return false;
    }
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

bool pixels_of(const symc_tensor &array, const symc_tensor_info &input, const symc_preprocess &spec,
               Pixels &pixels, Text &error) {
  int64_t shape[4] = {1, 1, 1, 1};
  if (array.rank < 2 || array.rank > 4) {
    error << "expected pixels with 2, 3 or 4 dimensions for input '" << input.name << "', got "
          << array.rank;
    return false;
  }
  bool planes = spec.source_layout == SYMC_NCHW;
  int32_t skipped = array.rank == 2 ? (planes ? 2 : 1) : 4 - array.rank;
  for (int32_t i = 0; i < array.rank; ++i)
    shape[skipped + i] = array.shape[i];
  pixels = {static_cast<const uint8_t *>(array.data),
            shape[0],
            planes ? shape[2] : shape[1],
            planes ? shape[3] : shape[2],
            planes ? shape[1] : shape[3],
            planes};
  if (pixels.channels != 1 && pixels.channels != 3 && pixels.channels != 4)
    error << "expected 1, 3 or 4 channels in " << (planes ? "nchw" : "nhwc") << " pixels, got "
          << pixels.channels;
  else if (pixels.n < 1 || pixels.height < 1 || pixels.width < 1)
    error << "expected pixels, got none";
  else
    return true;
  return false;
}

bool picture_shape(const Pixels &pixels, const symc_tensor_info &input, const symc_preprocess &spec,
                   int64_t *shape, Text &error) {
  int64_t channels = wanted_channels(input, spec, pixels.height, pixels.width);
  Sampling sampling;
  if (channels == 0) {
    error << "input '" << input.name << "' does not take a picture";
    return false;
  }
  if (!plan_sampling(pixels, input, spec, sampling, error))
    return false;
  Axes axes = axes_of(input, spec);
  int64_t height = sampling.height, width = sampling.width;
  bool matrix = input.rank == 2 && pixels.n == 1 && channels == 1 && input.shape[0] == height &&
                input.shape[1] == width;
  if (input.rank == 2) {
    int64_t flat;
    if (__builtin_mul_overflow(height, width, &flat) ||
        __builtin_mul_overflow(flat, channels, &flat)) {
      error << "a picture of too many pixels";
      return false;
    }
    shape[0] = matrix ? height : pixels.n;
    shape[1] = matrix ? width : flat;
  } else {
    if (axes.n >= 0) {
      shape[axes.n] = pixels.n;
    } else if (pixels.n != 1) {
      error << "input '" << input.name << "' takes one picture, got " << pixels.n;
      return false;
    }
    shape[axes.c] = channels;
    shape[axes.h] = height;
    shape[axes.w] = width;
  }
  // One is compiled in for inputs whose height and width are fixed.
  if (!spec.mean_image || (height == input.shape[axes.h] && width == input.shape[axes.w]))
    return true;
  error << "a picture of " << height << " x " << width << ", but the mean image of input '"
        << input.name << "' has " << input.shape[axes.h] << " x " << input.shape[axes.w];
  return false;
}

void fill_input(const Pixels &pixels, const symc_tensor_info &input, const symc_preprocess &spec,
                void *data) {
  int64_t channels = wanted_channels(input, spec, pixels.height, pixels.width);
  Sampling sampling;
  Text nowhere(nullptr, 0);
  plan_sampling(pixels, input, spec, sampling, nowhere); // picture_shape has checked it
  Axes axes = axes_of(input, spec);
  int64_t height = sampling.height, width = sampling.width;
  bool last = axes.c >= 0 && axes.c > axes.h, swapped = spec.order == SYMC_BGR;
  int64_t elementBytes = symc_dtype_bytes(input.dtype);
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
          float value = (pixel * float(spec.scale) - mean) / std;
          if (input.dtype == SYMC_F32)
            static_cast<float *>(data)[index] = value;
          else
            symc_convert(&value, SYMC_F32, static_cast<char *>(data) + index * elementBytes,
                         input.dtype, 1);
        }
    }
}

} // namespace symc
