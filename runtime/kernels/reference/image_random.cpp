// image_random.cpp: random augmentation of pictures [H, W, C]. What is drawn comes from the node's
// first element (random.h); the changes are MXNet's, float by float, since a test may fix
// the factor and compare.
#include "colours.h"
#include "random.h"
#include "symc/generated/op_params/Image.h"

using namespace symc::ref;

namespace {

constexpr float kGrey[3] = {0.299f, 0.587f, 0.114f};

// One picture on its way from `in` to `out`, which may be the same.
template <class E> struct Picture {
  const typename E::Storage *in;
  typename E::Storage *out;
  int64_t pixels, channels;

  explicit Picture(const symc_kernel_args *args)
      : in(data_of<E>(args->inputs[0])), out(target_of<E>(args->outputs[0])),
        pixels(args->inputs[0].shape[0] * args->inputs[0].shape[1]),
        channels(args->inputs[0].shape[2]) {}

  typename E::Number at(int64_t i) const { return E::load(in[i]); }
  // Every element becomes body(element); later changes read the result.
  template <class Body> void each_alone(Body body) {
    each_of_block(pixels * channels,
                  [&](int64_t i) { out[i] = store_colour<E>(float(body(at(i)))); });
    in = out;
  }
  // The same with body(element, its place), by pixels.
  template <class Body> void each(Body body) {
    each_of_block(pixels, [&](int64_t pixel) {
      for (int64_t i = pixel * channels; i < (pixel + 1) * channels; ++i)
        out[i] = store_colour<E>(float(body(at(i), i)));
    });
    in = out;
  }
  void keep() {
    if (in != out)
      move_bytes(out, in, pixels * channels * int64_t(sizeof *in));
    wait_for_block();
    in = out;
  }
};

template <class E> void brighten(Picture<E> &picture, float factor) {
  picture.each_alone([&](auto value) { return float(value) * factor; });
}

template <class E> void contrast(Picture<E> &picture, float factor) {
  float sum = 0;
  for (int64_t i = 0; i < picture.pixels * picture.channels; ++i)
    sum = float(sum + picture.at(i) * (picture.channels > 1 ? kGrey[i % 3] : 1.f));
  float shift = (1 - factor) * (sum / float(picture.pixels));
  wait_for_block(); // the picture has been read, and may be written over
  picture.each_alone([&](auto value) { return value * factor + shift; });
}

template <class E> void saturate(Picture<E> &picture, float factor) {
  if (picture.channels == 1)
    return picture.keep();
  float grey = 0;
  picture.each([&](auto value, int64_t i) {
    if (i % 3 == 0)
      grey = float(picture.at(i + 2) * kGrey[2]) * (1 - factor);
    return grey + value * factor;
  });
}

// Hue in degrees, lightness and saturation from 0 to 1.
struct Tone {
  float hue = 0, light = 0, saturation = 0;

  explicit Tone(const float *colour) {
    float r = colour[0] / 255.f, g = colour[1] / 255.f, b = colour[2] / 255.f;
    float most = r > g ? r : g, least = r < g ? r : g;
    most = most > b ? most : b;
    least = least < b ? least : b;
    float spread = most - least;
    light = (most + least) * 0.5f;
    if (!(spread > __FLT_EPSILON__))
      return;
    saturation = spread / (light < 0.5f ? most + least : 2.0f - most - least);
    float scale = 60.f / spread;
    hue = most == r   ? (g - b) * scale
          : most == g ? (b - r) * scale + 120.f
                      : (r - g) * scale + 240.f;
    hue += hue < 0 ? 360.f : 0.f;
  }

  void give(float *colour) const {
    colour[0] = colour[1] = colour[2] = light * 255.f;
    if (saturation == 0)
      return;
    float high = light <= 0.5f ? light * (1 + saturation) : light + saturation - light * saturation;
    float low = 2 * light - high, sixths = hue * (1.f / 60.f);
    sixths -= 6 * __builtin_floorf(sixths / 6);
    int sector = int(sixths) % 6;             // 32 bits: one of six
    float rest = sixths - float(int(sixths)); // 32 bits: one of six
    float values[4] = {high, low, low + (high - low) * (1 - rest), low + (high - low) * rest};
    // 32 bits: one of four.
    static const int places[6][3] = {{0, 3, 1}, {2, 0, 1}, {1, 0, 3},
                                     {1, 2, 0}, {3, 1, 0}, {0, 1, 2}};
    for (int c = 0; c < 3; ++c)
      colour[c] = values[places[sector][c]] * 255.f;
  }
};

template <class E> void turn_hue(Picture<E> &picture, float factor) {
  if (picture.channels == 1)
    return picture.keep();
  float colour[3];
  picture.each([&](auto, int64_t i) {
    if (i % 3 == 0) {
      for (int c = 0; c < 3; ++c)
        colour[c] = float(picture.at(i + c));
      Tone tone(colour);
      tone.hue += factor * 360.f;
      tone.give(colour);
    }
    return colour[i % 3];
  });
}

template <class E> void adjust(Picture<E> &picture, int64_t kind, float factor) {
  switch (kind) {
  case SYMC_IMAGE_RANDOM_ADJUST_KIND_BRIGHTNESS:
    return brighten(picture, factor);
  case SYMC_IMAGE_RANDOM_ADJUST_KIND_CONTRAST:
    return contrast(picture, factor);
  case SYMC_IMAGE_RANDOM_ADJUST_KIND_SATURATION:
    return saturate(picture, factor);
  default:
    return turn_hue(picture, factor);
  }
}

template <class E> int32_t image_random_adjust(const symc_kernel_args *args) {
  const auto &params = params_of<symc_image_random_adjust_params>(args);
  Draw source(key_of(args), 0);
  Picture<E> picture(args);
  double least = params.min_factor, most = params.max_factor;
  adjust(picture, params.kind, float(least + (most - least) * source.unit()));
  return SYMC_STATUS_OK;
}

template <class E> int32_t image_random_jitter(const symc_kernel_args *args) {
  const auto &params = params_of<symc_image_random_jitter_params>(args);
  const double reach[4] = {params.brightness, params.contrast, params.saturation, params.hue};
  int64_t order[4] = {SYMC_IMAGE_RANDOM_ADJUST_KIND_BRIGHTNESS,
                      SYMC_IMAGE_RANDOM_ADJUST_KIND_CONTRAST,
                      SYMC_IMAGE_RANDOM_ADJUST_KIND_SATURATION, SYMC_IMAGE_RANDOM_ADJUST_KIND_HUE};
  Draw source(key_of(args), 0);
  for (uint64_t i = 3; i > 0; --i) {
    uint64_t other = below(source.bits(), i + 1);
    int64_t swap = order[i];
    order[i] = order[other];
    order[other] = swap;
  }
  Picture<E> picture(args);
  for (int64_t kind : order)
    if (reach[kind] > 0) {
      double factor = reach[kind] * (2 * source.unit() - 1);
      adjust(picture, kind, float(kind == SYMC_IMAGE_RANDOM_ADJUST_KIND_HUE ? factor : 1 + factor));
    }
  picture.keep();
  return SYMC_STATUS_OK;
}

template <class E> int32_t image_random_lighting(const symc_kernel_args *args) {
  static const float colours[3][3] = {{55.46f * -0.5675f, 4.794f * 0.7192f, 1.148f * 0.4009f},
                                      {55.46f * -0.5808f, 4.794f * -0.0045f, 1.148f * -0.8140f},
                                      {55.46f * -0.5836f, 4.794f * -0.6948f, 1.148f * 0.4203f}};
  double deviation = params_of<symc_image_random_lighting_params>(args).alpha_std;
  Draw source(key_of(args), 0);
  Picture<E> picture(args);
  if (picture.channels == 1) {
    picture.keep();
    return SYMC_STATUS_OK;
  }
  float weight[3], shift[3];
  for (float &each : weight)
    each = float(deviation * source.normal());
  for (int c = 0; c < 3; ++c)
    shift[c] = colours[c][0] * weight[0] + colours[c][1] * weight[1] + colours[c][2] * weight[2];
  shift_colours<E>(picture.in, picture.out, picture.pixels * picture.channels, shift);
  return SYMC_STATUS_OK;
}

int32_t image_random_flip(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  Draw source(key_of(args), 0);
  if (source.unit() < 0.5)
    return copy_elements(data, args->outputs[0]);
  int32_t axis = data.rank + int32_t(params_of<symc_image_random_flip_params>(args).axis);
  Strides strides(data);
  return move_elements(data, args->outputs[0], [&](const int64_t *place) {
    int64_t from = 0;
    for (int32_t d = 0; d < data.rank; ++d)
      from += (d == axis ? data.shape[d] - 1 - place[d] : place[d]) * strides.by[d];
    return from;
  });
}

} // namespace

SYMC_REFERENCE_NUMBERS(image_random_adjust, image_random_adjust)
SYMC_REFERENCE_NUMBERS(image_random_jitter, image_random_jitter)
SYMC_REFERENCE_NUMBERS(image_random_lighting, image_random_lighting)
SYMC_REFERENCE_ANY(image_random_flip, image_random_flip)

SYMC_ON_GRID(image_random_flip)
SYMC_ON_BLOCK(image_random_adjust, image_random_jitter, image_random_lighting)
