// inflate.cpp: raw deflate by canonical Huffman codes. A code of up to ten bits is found in a table
// by what the next ten bits are. A longer one is decoded by comparing its first n bits with the
// range of codes of that length, so a damaged code cannot point outside of the tables.
#include "inflate.h"

#include <string.h>

namespace symc {

namespace {
constexpr int longest = 15, quick = 10; // bits of a code: at most, of those in the table

struct Huffman {
  uint16_t count[longest + 1]; // codes of each length
  uint16_t symbol[288];        // in order of their codes
  uint16_t table[1 << quick];  // symbol * 16 + length, or 0

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
    fillTable();
    return true;
  }

private:
  // Codes come with their highest bit first, and bits of a byte with the lowest: they are reversed.
  void fillTable() {
    memset(table, 0, sizeof table);
    uint32_t code = 0;
    for (int length = 1, index = 0; length <= quick; ++length, code *= 2)
      for (int i = 0; i < count[length]; ++i, ++code, ++index) {
        uint32_t reversed = 0;
        for (int bit = 0; bit < length; ++bit)
          reversed |= (code >> bit & 1) << (length - 1 - bit);
        for (uint32_t at = reversed; at < 1u << quick; at += 1u << length)
          table[at] = uint16_t(symbol[index] * 16 + length);
      }
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
  uint64_t buffer = 0;
  int held = 0; // bits in buffer
  bool failed = false;
  Huffman literals, distances;

  void refill() {
    for (; held <= 56 && in < inEnd; held += 8)
      buffer |= uint64_t(*in++) << held;
  }

  uint32_t bits(int n) {
    if (held < n)
      refill();
    if (held < n) {
      failed = true;
      return 0;
    }
    uint32_t value = uint32_t(buffer) & ((1u << n) - 1);
    buffer >>= n;
    held -= n;
    return value;
  }

  int decode(const Huffman &huffman) {
    if (held < longest)
      refill();
    uint32_t entry = huffman.table[buffer & ((1u << quick) - 1)];
    if (int length = int(entry & 15); length && length <= held) {
      buffer >>= length;
      held -= length;
      return int(entry >> 4);
    }
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
    in -= held / 8; // the rest of the byte is padding, whole bytes were read ahead
    buffer = 0;
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

// Eight bytes at once: tables[k] has the remainder of a byte with k zeros behind it.
uint32_t crc32(const uint8_t *data, size_t bytes) {
  uint32_t tables[8][256];
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0);
    tables[0][i] = value;
  }
  for (int k = 1; k < 8; ++k)
    for (uint32_t i = 0; i < 256; ++i)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 255];
  uint32_t crc = ~0u;
  size_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    const uint8_t *at = data + i;
    crc ^= at[0] | uint32_t(at[1]) << 8 | uint32_t(at[2]) << 16 | uint32_t(at[3]) << 24;
    crc = tables[7][crc & 255] ^ tables[6][crc >> 8 & 255] ^ tables[5][crc >> 16 & 255] ^
          tables[4][crc >> 24] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; i < bytes; ++i)
    crc = (crc >> 8) ^ tables[0][(crc ^ data[i]) & 255];
  return ~crc;
}

} // namespace symc
