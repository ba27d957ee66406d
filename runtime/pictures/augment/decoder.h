// decoder.h: the decoder of pictures of training: JPEG by libjpeg-turbo where its library is
// here, as MXNet decodes it, other files and all others by the decoder of compiled models.
#ifndef SYMC_RUNTIME_PICTURES_AUGMENT_DECODER_H
#define SYMC_RUNTIME_PICTURES_AUGMENT_DECODER_H

#include "../pictures.h"

namespace symc {

// Looks for the library at its first call. False, with a sentence, where SYMC_TURBOJPEG names a
// file that is none.
bool open_picture_decoder(Text &error);
// "libjpeg-turbo" where JPEG is decoded by it, else "stb_image".
const char *picture_decoder_name();

// As symc_decode_image. Without open_picture_decoder it is the same. What libjpeg-turbo refuses or
// warns of, symc_decode_image decides.
int32_t decode_picture(const uint8_t *data, size_t bytes, int32_t channels, int32_t *width,
                       int32_t *height, uint8_t **pixels, const char **reason);

} // namespace symc
#endif
