// pictures.cpp: see pictures.h.
#include "pictures.h"

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

bool preprocess(const char *name, const Pixels &pixels, const symc_tensor_info &input,
                const symc_preprocess &spec, Array &array, Problem &problem) {
  char sentence[512] = "";
  Text error(sentence, sizeof sentence);
  if (!picture_shape(pixels, input, spec, array.shape, error)) {
    if (wanted_channels(input, spec, pixels.height, pixels.width) == 0)
      problem.addNote("a picture fits inputs of [N, C, H, W], [C, H, W], [H, W] and [N, C*H*W] "
                      "with 1, 3 or 4 channels; others are read from .npy");
    return problem.set("'%s': %s", name, sentence);
  }
  array.rank = input.rank;
  array.dtype = input.dtype;
  int64_t count = 1;
  for (int32_t i = 0; i < input.rank; ++i)
    count *= array.shape[i];
  if (!array.bytes.allocate(size_t(count * symc_dtype_bytes(input.dtype)), problem))
    return false;
  fill_input(pixels, input, spec, array.bytes.data);
  return true;
}

} // namespace symc
