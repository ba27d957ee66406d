// pictures.h: archives and pictures made in memory, for tests of the readers.
#ifndef SYMC_TEST_UNIT_RUNTIME_PICTURES_H
#define SYMC_TEST_UNIT_RUNTIME_PICTURES_H

#include <stdint.h>
#include <string>
#include <utility>
#include <vector>

// height * width * channels bytes, as PNG or as JPEG of the best quality.
std::string makePng(int width, int height, int channels, const std::vector<uint8_t> &pixels);
std::string makeJpeg(int width, int height, int channels, const std::vector<uint8_t> &pixels);

// A raw deflate stream by zlib, at a level of 0..9.
std::string deflateBytes(const std::string &bytes, int level);

// An npy file, version 1; `shape` as Python writes it: "(2, 4)".
std::string makeNpy(const std::string &descr, const std::string &shape, const std::string &data,
                    bool fortran = false);

// A zip archive of named members, deflated or stored, with 64-bit fields where asked.
std::string makeZip(const std::vector<std::pair<std::string, std::string>> &members,
                    bool deflated = false, bool wide = false);

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

#endif
