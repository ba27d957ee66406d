// gzip.cpp: see gzip.h. The size in the trailer is the memory that is needed; it is compared with
// what the packed bytes can hold before memory is taken.
#include "gzip.h"

#include "../../main/inflate.h"

#include <string.h>

namespace symc::train {

bool is_gzip(const uint8_t *data, size_t bytes) {
  return bytes >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

// The length of the header, or 0.
static size_t header_bytes(const uint8_t *data, size_t bytes) {
  constexpr int hasCheck = 2, hasExtra = 4, hasName = 8, hasComment = 16, reserved = 0xe0;
  if (bytes < 18 || data[2] != 8 || data[3] & reserved)
    return 0;
  int flags = data[3];
  size_t at = 10;
  if (flags & hasExtra) {
    if (bytes - at < 2)
      return 0;
    at += 2 + (data[at] | size_t(data[at + 1]) << 8);
  }
  const int texts[] = {hasName, hasComment};
  for (int flag : texts)
    if (flags & flag) {
      const void *end = at < bytes ? memchr(data + at, 0, bytes - at) : nullptr;
      if (!end)
        return 0;
      at = size_t(static_cast<const uint8_t *>(end) - data) + 1;
    }
  at += flags & hasCheck ? 2 : 0;
  return at < bytes && bytes - at >= 8 ? at : 0;
}

static uint32_t word(const uint8_t *at) {
  return at[0] | uint32_t(at[1]) << 8 | uint32_t(at[2]) << 16 | uint32_t(at[3]) << 24;
}

bool gunzip(const char *name, const uint8_t *data, size_t bytes, Bytes &out, Problem &problem) {
  size_t header = is_gzip(data, bytes) ? header_bytes(data, bytes) : 0;
  if (!header)
    return problem.set("'%s': damaged gzip file: no whole header in %zu bytes", name, bytes);
  size_t packed = bytes - header - 8, plain = word(data + bytes - 4);
  if (plain > inflate_limit(packed))
    return problem.set("'%s': damaged gzip file: its end claims %zu bytes, more than %zu packed "
                       "ones hold",
                       name, plain, packed);
  if (!out.allocate(plain, problem))
    return false;
  if (!inflate(data + header, packed, out.data, plain))
    return problem.set("'%s': damaged gzip file: does not unpack to the %zu bytes that its end "
                       "claims",
                       name, plain);
  uint32_t expected = word(data + bytes - 8), got = crc32(out.data, out.size);
  if (expected != got)
    return problem.set("'%s': damaged gzip file: expected the checksum %08x, got %08x", name,
                       expected, got);
  return true;
}

} // namespace symc::train
