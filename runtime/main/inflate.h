// inflate.h: decompression of raw deflate streams (RFC 1951).
#ifndef SYMC_RUNTIME_MAIN_INFLATE_H
#define SYMC_RUNTIME_MAIN_INFLATE_H

#include <stddef.h>
#include <stdint.h>

namespace symc {

// Fills target[0..targetBytes-1] exactly; false where the stream is damaged, or holds more
// or less. Neither buffer is left on any input.
bool inflate(const uint8_t *source, size_t sourceBytes, uint8_t *target, size_t targetBytes);

// The most bytes that a deflate stream of that many bytes can hold.
inline size_t inflate_limit(size_t sourceBytes) {
  return sourceBytes > SIZE_MAX / 2048 ? SIZE_MAX : sourceBytes * 1032 + 1032;
}

uint32_t crc32(const uint8_t *data, size_t bytes);

} // namespace symc
#endif
