// inflate.cpp: raw deflate by canonical Huffman codes. A code of length n is decoded
// by comparing the first n bits with the range of codes of that length, so the tables
// are two small arrays and a damaged code cannot point outside of them.
#include "inflate.h"

#include <string.h>

namespace symc {

namespace {
constexpr int longest = 15; // bits of a code

struct Huffman {
  uint16_t count[longest + 1]; // codes of each length
  uint16_t symbol[288];        // in order of their codes

  // False where the lengths describe more codes than there are.
  bool build(const uint8_t *lengths, int n) {
    memset(count, 0, sizeof count);
    for (int i = 0; i < n; ++i)
      ++count[lengths[i]];
    count[0] = 0;
    int room = 1;
    uint16_t offset[longest + 1] = {0, 0};
    for (int length = 1; length <= longest; ++length) {
      room = room * 2 - count[length];
      if (room < 0)
        return false;
      if (length < longest)
        offset[length + 1] = uint16_t(offset[length] + count[length]);
    }
    for (int i = 0; i < n; ++i)
      if (lengths[i])
        symbol[offset[lengths[i]]++] = uint16_t(i);
    return true;
  }
};

class Inflater {
public:
  Inflater(const uint8_t *in, size_t inBytes, uint8_t *out, size_t outBytes)
      : in(in), inEnd(in + inBytes), start(out), out(out), outEnd(out + outBytes) {}

  bool run() {
    for (bool last = false; !last;) {
      last = bits(1);
      uint32_t kind = bits(2);
      bool done = kind == 0 ? stored() : kind == 1 ? fixed() : kind == 2 && dynamic();
      if (!done || failed)
        return false;
    }
    return out == outEnd;
  }

private:
  const uint8_t *in, *inEnd;
  uint8_t *start, *out, *outEnd;
  uint32_t buffer = 0;
  int held = 0; // bits in buffer
  bool failed = false;
  Huffman literals, distances;

  uint32_t bits(int n) {
    while (held < n) {
      if (in == inEnd) {
        failed = true;
        return 0;
      }
      buffer |= uint32_t(*in++) << held;
      held += 8;
    }
    uint32_t value = buffer & ((1u << n) - 1);
    buffer >>= n;
    held -= n;
    return value;
  }

  int decode(const Huffman &huffman) {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= longest; ++length) {
      code |= int(bits(1));
      int count = huffman.count[length];
      if (failed)
        return -1;
      if (code - first < count)
        return huffman.symbol[index + code - first];
      index += count;
      first = (first + count) * 2;
      code *= 2;
    }
    return -1;
  }

  bool stored() {
    buffer = 0; // the rest of the byte is padding
    held = 0;
    if (inEnd - in < 4)
      return false;
    size_t length = size_t(in[0]) | size_t(in[1]) << 8, check = size_t(in[2]) | size_t(in[3]) << 8;
    in += 4;
    if (length != (check ^ 0xffff) || length > size_t(inEnd - in) || length > size_t(outEnd - out))
      return false;
    memcpy(out, in, length);
    in += length;
    out += length;
    return true;
  }

  bool fixed() {
    uint8_t lengths[288];
    for (int i = 0; i < 288; ++i)
      lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    uint8_t five[30];
    memset(five, 5, sizeof five);
    return literals.build(lengths, 288) && distances.build(five, 30) && codes();
  }

  bool dynamic() {
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    int nLiterals = int(bits(5)) + 257, nDistances = int(bits(5)) + 1, nLengths = int(bits(4)) + 4;
    if (failed || nLiterals > 286 || nDistances > 30)
      return false;
    uint8_t lengths[286 + 30] = {};
    for (int i = 0; i < nLengths; ++i)
      lengths[order[i]] = uint8_t(bits(3));
    Huffman codeLengths;
    if (failed || !codeLengths.build(lengths, 19))
      return false;
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < nLiterals + nDistances;) {
      int symbol = decode(codeLengths);
      if (symbol < 0)
        return false;
      if (symbol < 16) {
        lengths[i++] = uint8_t(symbol);
        continue;
      }
      uint8_t value = 0;
      if (symbol == 16) {
        if (i == 0)
          return false;
        value = lengths[i - 1];
      }
      int repeat = symbol == 16   ? 3 + int(bits(2))
                   : symbol == 17 ? 3 + int(bits(3))
                                  : 11 + int(bits(7));
      if (failed || i + repeat > nLiterals + nDistances)
        return false;
      while (repeat--)
        lengths[i++] = value;
    }
    return lengths[256] != 0 && literals.build(lengths, nLiterals) &&
           distances.build(lengths + nLiterals, nDistances) && codes();
  }

  bool codes() {
    static const uint16_t lengthBase[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                            15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                            67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t lengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distanceBase[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
      int symbol = decode(literals);
      if (symbol < 0)
        return false;
      if (symbol == 256)
        return true;
      if (symbol < 256) {
        if (out == outEnd)
          return false;
        *out++ = uint8_t(symbol);
        continue;
      }
      if (symbol > 285)
        return false;
      size_t length = lengthBase[symbol - 257] + bits(lengthBits[symbol - 257]);
      int code = decode(distances);
      if (code < 0 || code > 29)
        return false;
      size_t distance = distanceBase[code] + bits(code < 2 ? 0 : code / 2 - 1);
      if (failed || distance > size_t(out - start) || length > size_t(outEnd - out))
        return false;
      for (; length; --length, ++out) // may overlap: bytes repeat
        *out = out[-ptrdiff_t(distance)];
    }
  }
};
} // namespace

bool inflate(const uint8_t *source, size_t sourceBytes, uint8_t *target, size_t targetBytes) {
  return Inflater(source, sourceBytes, target, targetBytes).run();
}

uint32_t crc32(const uint8_t *data, size_t bytes) {
  uint32_t table[256];
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0);
    table[i] = value;
  }
  uint32_t crc = ~0u;
  for (size_t i = 0; i < bytes; ++i)
    crc = (crc >> 8) ^ table[(crc ^ data[i]) & 255];
  return ~crc;
}

} // namespace symc
