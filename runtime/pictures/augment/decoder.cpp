// decoder.cpp: see decoder.h. The library is opened when it is wanted, not linked: a trainer runs
// where there is none. Only a program that glibc's loader starts can open libraries.
#include "decoder.h"

#include "../../core/environment.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

#ifdef __GLIBC__

namespace {
// Of libjpeg-turbo's turbojpeg.h, which has kept them since version 1.2.
enum { FormatRgb = 0, FormatGray = 6, FormatRgba = 7, FlagLimitScans = 1 << 15 };
using Handle = void *;
struct Library {
  Handle (*InitDecompress)();
  int (*DecompressHeader2)(Handle, uint8_t *, unsigned long, int *, int *, int *);
  int (*Decompress2)(Handle, const uint8_t *, unsigned long, uint8_t *, int, int, int, int, int);
  int (*Destroy)(Handle);
};
Library library;
bool isOpen;
char mistake[600]; // why the file of SYMC_TURBOJPEG is none
pthread_once_t once = PTHREAD_ONCE_INIT;

bool try_file(const char *name, char *reason, size_t bytes) {
  void *opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!opened) {
    snprintf(reason, bytes, "%s", dlerror());
    return false;
  }
  const struct {
    const char *name;
    void *to;
  } rows[] = {{"tjInitDecompress", &library.InitDecompress},
              {"tjDecompressHeader2", &library.DecompressHeader2},
              {"tjDecompress2", &library.Decompress2},
              {"tjDestroy", &library.Destroy}};
  for (const auto &row : rows) {
    void *found = dlsym(opened, row.name);
    if (!found) {
      snprintf(reason, bytes, "has no function %s", row.name);
      dlclose(opened);
      return false;
    }
    memcpy(row.to, &found, sizeof found);
  }
  return true;
}

void find_library() {
  char reason[400];
  const char *named = environment(Variable::SYMC_TURBOJPEG);
  if (named && strcmp(named, "none") == 0)
    return;
  isOpen = try_file(named ? named : "libturbojpeg.so.0", reason, sizeof reason);
  if (named && !isOpen)
    snprintf(mistake, sizeof mistake, "SYMC_TURBOJPEG: '%.150s' is no library of libjpeg-turbo: %s",
             named, reason);
}

// Without a warning, too: else the other decoder reports what is wrong.
bool decode_jpeg(const uint8_t *data, size_t bytes, int32_t channels, int32_t width, int32_t height,
                 uint8_t *pixels) {
  Handle handle = library.InitDecompress();
  if (!handle)
    return false;
  int across = 0, down = 0, sampling;
  bool done = library.DecompressHeader2(handle, const_cast<uint8_t *>(data), bytes, &across, &down,
                                        &sampling) == 0 &&
              across == width && down == height &&
              library.Decompress2(handle, data, bytes, pixels, width, 0, height,
                                  channels == 1   ? FormatGray
                                  : channels == 3 ? FormatRgb
                                                  : FormatRgba,
                                  FlagLimitScans) == 0;
  library.Destroy(handle);
  return done;
}
} // namespace

bool open_picture_decoder(Text &error) {
  pthread_once(&once, find_library);
  if (mistake[0])
    error << mistake;
  return !mistake[0];
}

const char *picture_decoder_name() { return isOpen ? "libjpeg-turbo" : "stb_image"; }

int32_t decode_picture(const uint8_t *data, size_t bytes, int32_t channels, int32_t *width,
                       int32_t *height, uint8_t **pixels, const char **reason) {
  bool isJpeg = bytes > 2 && data[0] == 0xff && data[1] == 0xd8;
  if (!isOpen || !isJpeg || channels == 0)
    return symc_decode_image(data, bytes, channels, width, height, pixels, reason);
  // Its bounds on sizes hold for both.
  if (!symc_decode_image(data, bytes, 0, width, height, pixels, reason))
    return false;
  *pixels = static_cast<uint8_t *>(malloc(size_t(*width) * size_t(*height) * size_t(channels)));
  if (*pixels && decode_jpeg(data, bytes, channels, *width, *height, *pixels))
    return true;
  free(*pixels);
  return symc_decode_image(data, bytes, channels, width, height, pixels, reason);
}

#else

bool open_picture_decoder(Text &) { return true; }

const char *picture_decoder_name() { return "stb_image"; }

int32_t decode_picture(const uint8_t *data, size_t bytes, int32_t channels, int32_t *width,
                       int32_t *height, uint8_t **pixels, const char **reason) {
  return symc_decode_image(data, bytes, channels, width, height, pixels, reason);
}

#endif

} // namespace symc
