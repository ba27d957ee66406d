// open_picture.cpp: what symc_run_image is given as an input, pixels or a file of them, opened and
// made the input.
#include "pictures.h"

using namespace symc;

// Finds what a PNG or JPEG file holds, without its pixels.
static bool open_file(const symc_pictures &pictures, const symc_tensor_info &input,
                      const symc_preprocess &spec, const symc_tensor &given, symc_picture &picture,
                      Text &error) {
  int32_t width, height;
  uint8_t *none;
  const char *reason;
  if (!pictures.decode) {
    error << "expected pixels with 2, 3 or 4 dimensions, got 1; the model was compiled without "
             "--images, which reads files of pictures";
    return false;
  }
  picture.file = static_cast<const uint8_t *>(given.data);
  picture.file_bytes = size_t(given.shape[0]);
  if (!pictures.decode(picture.file, picture.file_bytes, 0, &width, &height, &none, &reason)) {
    error << "cannot read the picture: " << reason;
    return false;
  }
  int64_t channels = wanted_channels(input, spec, height, width);
  picture.pixels = {nullptr, 1, height, width, channels == 0 ? 3 : channels, 0};
  return true;
}

int32_t symc_open_picture(const symc_pictures *pictures, int32_t index,
                          const symc_tensor_info *input, const symc_tensor *given,
                          symc_picture *picture, char *error, size_t error_bytes) {
  Text text(error, error_bytes);
  const symc_preprocess &spec = pictures->inputs[index];
  *picture = {};
  bool opened = given->rank == 1 ? open_file(*pictures, *input, spec, *given, *picture, text)
                                 : pixels_of(*given, *input, spec, picture->pixels, text);
  return opened && picture_shape(picture->pixels, *input, spec, picture->shape, text)
             ? SYMC_STATUS_OK
             : SYMC_STATUS_BAD_PICTURE;
}

int32_t symc_fill_picture(const symc_pictures *pictures, int32_t index,
                          const symc_tensor_info *input, const symc_picture *picture, void *data,
                          char *error, size_t error_bytes) {
  Pixels pixels = picture->pixels;
  uint8_t *decoded = nullptr;
  int32_t width, height;
  const char *reason;
  if (picture->file &&
      !pictures->decode(picture->file, picture->file_bytes, int32_t(pixels.channels), &width,
                        &height, &decoded, &reason)) {
    Text(error, error_bytes) << "cannot read the picture: " << reason;
    return SYMC_STATUS_BAD_PICTURE;
  }
  if (decoded)
    pixels.data = decoded;
  fill_input(pixels, *input, pictures->inputs[index], data);
  if (decoded)
    pictures->release(decoded);
  return SYMC_STATUS_OK;
}
