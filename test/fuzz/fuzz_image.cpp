// fuzz_image.cpp: any bytes as a picture, decoded and made into a model's input, with
// what the first bytes choose for channels, resize and layout.
#include "runtime/main/pictures.h"

using namespace symc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  uint8_t choice = data[0], shape = data[1];
  data += 2;
  size -= 2;
  const int64_t channelsOf[] = {1, 3, 4, 1};
  int64_t extents[4] = {1, channelsOf[choice & 3], 1 + shape % 16, 1 + shape / 16};
  symc_tensor_info input = {"data", extents, 0, 4, SYMC_F32, 0, 0};
  symc_preprocess spec = default_preprocess(input);
  spec.enabled = 1;
  spec.order = (choice >> 2) % 3;
  spec.resize = (choice >> 4) % 3;
  spec.resize_short = choice & 128 ? 20 : 0;
  int32_t width, height;
  uint8_t *pixels;
  const char *reason;
  if (!symc_decode_image(data, size, 0, &width, &height, &pixels, &reason))
    return 0;
  if (int64_t(width) * height > 1 << 14) // a small file may hold a large picture: too slow here
    return 0;
  int32_t channels = int32_t(wanted_channels(input, spec, height, width));
  if (!symc_decode_image(data, size, channels, &width, &height, &pixels, &reason))
    return 0;
  Pixels picture = {pixels, 1, height, width, channels, false};
  Array array;
  Problem problem;
  if (!preprocess("fuzz", picture, input, spec, array, problem) && !problem.text[0])
    __builtin_trap();
  symc_release_pixels(pixels);
  return 0;
}
