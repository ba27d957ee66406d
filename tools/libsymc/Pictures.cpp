// Pictures.cpp: decoder and augmentation of trainers, for callers that read pictures themselves:
// records of training data, for instance. None of these functions waits for another.
#include "Library.h"
#include "frontend/import/Attributes.h"
#include "runtime/pictures/augment/augment.h"
#include "runtime/pictures/augment/decoder.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace symc;
using namespace symc::library;

/// Why the decoder cannot be used; empty where it can.
static std::string openDecoder() {
  char why[700];
  Text error(why, sizeof why);
  return open_picture_decoder(error) ? "" : why;
}

int symc_picture_decode(const void *file, size_t bytes, int32_t channels, int32_t *width,
                        int32_t *height, uint8_t **pixels) {
  for (auto [name, given] : {std::pair<llvm::StringRef, const void *>{"file", file},
                             {"width", width},
                             {"height", height},
                             {"pixels", pixels}})
    if (!given)
      return failNull(name);
  if (channels != 1 && channels != 3 && channels != 4)
    return fail("a picture has 1, 3 or 4 channels, not " + llvm::Twine(channels));
  int32_t across = 0, down = 0;
  uint8_t *decoded = nullptr;
  const char *reason = nullptr;
  if (std::string mistake = openDecoder(); !mistake.empty())
    return fail(mistake);
  if (!decode_picture(static_cast<const uint8_t *>(file), bytes, channels, &across, &down, &decoded,
                      &reason))
    return fail(reason);
  *width = across;
  *height = down;
  *pixels = decoded;
  return 0;
}

void symc_picture_free(uint8_t *pixels) {
  if (pixels)
    symc_release_pixels(pixels);
}

int symc_picture_resize(const uint8_t *pixels, int32_t height, int32_t width, int32_t channels,
                        int32_t newHeight, int32_t newWidth, int32_t method, uint8_t *made) {
  if (!pixels)
    return failNull("pixels");
  if (!made)
    return failNull("made");
  if (channels < 1 || channels > 4)
    return fail("a picture has 1 to 4 channels, not " + llvm::Twine(channels));
  if (int status = checkSides({height, width, newHeight, newWidth}))
    return status;
  if ((method < 0 || method > 4) && method != 9)
    return fail("a picture is resized by method 0 to 4 or 9, not " + llvm::Twine(method));
  PixelView view = {pixels, height, width, channels, int64_t(width) * channels};
  if (!resize_pixels(view, newHeight, newWidth, Interpolation(method), made))
    return fail("internal error: a picture was not resized");
  return 0;
}

namespace {
/// What options of MXNet's ImageRecordIter give, beside steps themselves.
struct Options {
  Augmentation steps;
  double leastAspect = -1, mostAspect = 0; // leastAspect -1: not given

  /// A sentence where two of them do not go together.
  std::string finish();
};

struct Row {
  const char *name;
  double low, high;
  bool isWhole;
  void (*set)(Options &, double);
};
} // namespace

std::string Options::finish() {
  steps.minAspect = leastAspect < 0 ? 1 - mostAspect : leastAspect;
  steps.maxAspect = leastAspect < 0 ? 1 + mostAspect : mostAspect;
  if (steps.minCrop == 0)
    steps.minCrop = steps.maxCrop;
  struct {
    double least, most;
    const char *what;
  } ranges[] = {{steps.minArea, steps.maxArea, "random_area"},
                {steps.minScale, steps.maxScale, "random_scale"},
                {steps.minAspect, steps.maxAspect, "aspect_ratio"},
                {steps.minSide, steps.maxSide, "img_size"},
                {double(steps.minCrop), double(steps.maxCrop), "crop_size"}};
  for (const auto &range : ranges)
    if (range.least > range.most)
      return (llvm::Twine("min_") + range.what + " is above max_" + range.what).str();
  return steps.minAspect > 0 ? "" : "max_aspect_ratio is 1 or more, without min_aspect_ratio";
}

static const Row kRows[] = {
#define FLAG(name, field)                                                                          \
  {name, 0, 1, true, [](Options &to, double value) { to.steps.field = value != 0; }}
#define COUNT(name, low, high, field)                                                              \
  {name, low, high, true, [](Options &to, double value) { to.steps.field = int64_t(value); }}
#define SIZE(name, field) /* -1 is none */                                                         \
  {name, -1, 16384, true,                                                                          \
   [](Options &to, double value) { to.steps.field = value < 0 ? 0 : int64_t(value); }}
#define NUMBER(name, low, high, field)                                                             \
  {name, low, high, false, [](Options &to, double value) { to.steps.field = value; }}
#define FLOAT(name, field)                                                                         \
  {name, -1e30, 1e30, false, [](Options &to, double value) { to.steps.field = float(value); }}
    SIZE("resize", resize),
    {"inter_method", 0, 10, true,
     [](Options &to, double value) { to.steps.interpolation = Interpolation(int(value)); }},
    FLAG("random_resized_crop", randomResizedCrop),
    NUMBER("min_random_area", 1e-6, 1, minArea),
    NUMBER("max_random_area", 1e-6, 1, maxArea),
    {"min_aspect_ratio", 1e-3, 1e3, false,
     [](Options &to, double value) { to.leastAspect = value; }},
    {"max_aspect_ratio", 0, 1e3, false, [](Options &to, double value) { to.mostAspect = value; }},
    COUNT("max_rotate_angle", 0, 360, maxRotate),
    COUNT("rotate", -1, 360, rotate),
    NUMBER("max_shear_ratio", 0, 1, maxShear),
    NUMBER("min_random_scale", 1e-3, 1e3, minScale),
    NUMBER("max_random_scale", 1e-3, 1e3, maxScale),
    NUMBER("min_img_size", 0, 1e10, minSide),
    NUMBER("max_img_size", 0, 1e10, maxSide),
    COUNT("pad", 0, 4096, pad),
    COUNT("fill_value", 0, 255, fill),
    SIZE("min_crop_size", minCrop),
    SIZE("max_crop_size", maxCrop),
    FLAG("rand_crop", randomCrop),
    FLAG("rand_mirror", randomMirror),
    FLAG("mirror", mirror),
    NUMBER("brightness", 0, 1, brightness),
    NUMBER("contrast", 0, 1, contrast),
    NUMBER("saturation", 0, 1, saturation),
    NUMBER("pca_noise", 0, 1, pcaNoise),
    COUNT("random_h", 0, 180, hue),
    COUNT("random_s", 0, 255, colourfulness),
    COUNT("random_l", 0, 255, lightness),
    NUMBER("max_random_contrast", 0, 1, maxContrast),
    NUMBER("max_random_illumination", 0, 255, maxIllumination),
    FLOAT("mean_r", mean[0]),
    FLOAT("mean_g", mean[1]),
    FLOAT("mean_b", mean[2]),
    FLOAT("std_r", std[0]),
    FLOAT("std_g", std[1]),
    FLOAT("std_b", std[2]),
    FLOAT("scale", scale),
    COUNT("seed", 0, 9007199254740992, seed),
#undef FLAG
#undef COUNT
#undef SIZE
#undef NUMBER
#undef FLOAT
};

/// Sets an option; a sentence where it is none or its value does not suit.
static std::string setOption(Options &options, llvm::StringRef name, double value) {
  for (const Row &row : kRows) {
    if (name != row.name)
      continue;
    if (!(value >= row.low && value <= row.high) || (row.isWhole && value != std::floor(value)))
      return llvm::formatv("{0} is {1}, needs a {2} from {3} to {4}", name, value,
                           row.isWhole ? "whole number" : "number", row.low, row.high);
    row.set(options, value);
    return "";
  }
  std::vector<std::string> names;
  for (const Row &row : kRows)
    names.push_back(row.name);
  std::string nearest = importer::nearestName(name, names);
  return ("pictures have no option '" + name + "'" +
          (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"))
      .str();
}

int symc_picture_augment(const void *file, size_t bytes, size_t nOptions, const char *const *names,
                         const double *values, int32_t channels, int32_t height, int32_t width,
                         uint64_t pass, uint64_t record, float *made) {
  for (auto [name, given] : {std::pair<llvm::StringRef, const void *>{"file", file},
                             {"names", names},
                             {"values", values},
                             {"made", made}})
    if (!given)
      return failNull(name);
  if (channels != 1 && channels != 3)
    return fail("an input of pictures has 1 or 3 channels, not " + llvm::Twine(channels));
  if (int status = checkSides({height, width}))
    return status;
  Options options;
  for (size_t i = 0; i < nOptions; ++i)
    if (std::string mistake = setOption(options, names[i], values[i]); !mistake.empty())
      return fail(mistake);
  if (std::string mistake = options.finish(); !mistake.empty())
    return fail(mistake);
  int32_t across = 0, down = 0;
  uint8_t *pixels = nullptr;
  const char *reason = nullptr;
  if (std::string mistake = openDecoder(); !mistake.empty())
    return fail(mistake);
  if (!decode_picture(static_cast<const uint8_t *>(file), bytes, channels, &across, &down, &pixels,
                      &reason))
    return fail(llvm::Twine("the picture cannot be decoded: ") + reason);
  char why[200];
  PictureInput input = {"data", channels, height, width, false};
  bool done =
      augment(pixels, down, across, input, options.steps, pass, record, made, why, sizeof why);
  symc_release_pixels(pixels);
  return done ? 0 : fail(why);
}
