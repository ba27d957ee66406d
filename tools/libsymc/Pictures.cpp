// Pictures.cpp: the decoder of PNG and JPEG, as compiled models and programs have it, for callers
// that read pictures themselves: records of training data, for instance.
#include "runtime/pictures/pictures.h"
#include "Library.h"

using namespace symc;
using namespace symc::library;

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
  if (!symc_decode_image(static_cast<const uint8_t *>(file), bytes, channels, &across, &down,
                         &decoded, &reason))
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
