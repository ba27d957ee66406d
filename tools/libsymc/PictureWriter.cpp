// PictureWriter.cpp: JPEG files of pixels, by stb_image_write.
#include "Library.h"
#include "llvm/Support/MemAlloc.h"

#include <cstring>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "stb_image_write.h"
#pragma GCC diagnostic pop

using namespace symc::library;

static void append(void *to, void *data, int bytes) {
  static_cast<std::string *>(to)->append(static_cast<const char *>(data), size_t(bytes));
}

int symc_picture_encode(const uint8_t *pixels, int32_t height, int32_t width, int32_t channels,
                        int32_t quality, uint8_t **file, size_t *bytes) {
  for (auto [name, given] : {std::pair<llvm::StringRef, const void *>{"pixels", pixels},
                             {"file", file},
                             {"bytes", bytes}})
    if (!given)
      return failNull(name);
  if (channels != 1 && channels != 3)
    return fail("a JPEG has 1 or 3 channels, not " + llvm::Twine(channels));
  if (int status = checkSides({height, width}))
    return status;
  if (quality < 1 || quality > 100)
    return fail("the quality of a JPEG is 1 to 100, not " + llvm::Twine(quality));
  std::string written;
  if (!stbi_write_jpg_to_func(append, &written, width, height, channels, pixels, quality))
    return fail("internal error: no JPEG was written");
  auto *made = static_cast<uint8_t *>(llvm::safe_malloc(written.size()));
  std::memcpy(made, written.data(), written.size());
  *file = made;
  *bytes = written.size();
  return 0;
}
