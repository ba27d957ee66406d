// pictures.cpp: see pictures.h.
#include "pictures.h"

#include "main/inflate.h"

#include <zlib.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"
#pragma GCC diagnostic pop

static void append(void *text, void *data, int bytes) {
  static_cast<std::string *>(text)->append(static_cast<char *>(data), size_t(bytes));
}

std::string makePng(int width, int height, int channels, const std::vector<uint8_t> &pixels) {
  std::string file;
  stbi_write_png_to_func(append, &file, width, height, channels, pixels.data(), width * channels);
  return file;
}

std::string makeJpeg(int width, int height, int channels, const std::vector<uint8_t> &pixels) {
  std::string file;
  stbi_write_jpg_to_func(append, &file, width, height, channels, pixels.data(), 100);
  return file;
}

std::string deflateBytes(const std::string &bytes, int level) {
  z_stream stream = {};
  deflateInit2(&stream, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 16, 0);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

static std::string word(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += char(value >> (8 * i));
  return text;
}

std::string makeNpy(const std::string &descr, const std::string &shape, const std::string &data,
                    bool fortran) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + word(header.size(), 2) + header + data;
}

std::string makeZip(const std::vector<std::pair<std::string, std::string>> &members, bool deflated,
                    bool wide) {
  std::string file, directory;
  for (const auto &[name, data] : members) {
    std::string packed = deflated ? deflateBytes(data, 6) : data;
    uint32_t crc = symc::crc32(reinterpret_cast<const uint8_t *>(data.data()), data.size());
    std::string sizes =
        wide ? word(~0u, 4) + word(~0u, 4) : word(packed.size(), 4) + word(data.size(), 4);
    std::string extra =
        wide ? word(1, 2) + word(16, 2) + word(data.size(), 8) + word(packed.size(), 8) : "";
    std::string both = word(20, 2) + word(0, 2) + word(deflated ? 8 : 0, 2) + word(0, 4) +
                       word(crc, 4) + sizes + word(name.size(), 2) + word(extra.size(), 2);
    directory += "PK\x01\x02" + word(20, 2) + both + word(0, 2) + word(0, 2) + word(0, 2) +
                 word(0, 4) + word(file.size(), 4) + name + extra;
    file += "PK\x03\x04" + both + name + extra + packed;
  }
  std::string counts = word(members.size(), 2) + word(members.size(), 2);
  return file + directory + "PK\x05\x06" + word(0, 4) + counts + word(directory.size(), 4) +
         word(file.size(), 4) + word(0, 2);
}
