// hash.cpp: the 64-bit hash xxh3 with seed 0, after its published specification. Long ranges
// are hashed in vectors of two words, which every target of symc has, or of four with AVX2, since
// weights are hashed whenever a side file is read (docs/decisions/0019-side-files-are-read.md).
// Words are read as little-endian, which every target of symc is.
#include "hash.h"

#include <string.h>

namespace {
constexpr uint64_t p32_1 = 0x9E3779B1, p32_2 = 0x85EBCA77, p32_3 = 0xC2B2AE3D;
constexpr uint64_t p64_1 = 0x9E3779B185EBCA87, p64_2 = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t p64_3 = 0x165667B19E3779F9, p64_4 = 0x85EBCA77C2B2AE63;
constexpr uint64_t p64_5 = 0x27D4EB2F165667C5;

// The specification's 192 bytes of key material.
constexpr size_t secretBytes = 192;
const uint8_t secret[secretBytes] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

uint32_t word32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}
uint64_t word64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

// The 128-bit product, its halves folded into one.
uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

uint64_t scatter(uint64_t h) {
  h = (h ^ (h >> 37)) * 0x165667919E3779F9;
  return h ^ (h >> 32);
}

uint64_t scatter_short(uint64_t h) {
  h = (h ^ (h >> 33)) * p64_2;
  h = (h ^ (h >> 29)) * p64_3;
  return h ^ (h >> 32);
}

uint64_t rotate(uint64_t h, int by) { return (h << by) | (h >> (64 - by)); }

uint64_t mix16(const uint8_t *in, const uint8_t *key) {
  return fold(word64(in) ^ word64(key), word64(in + 8) ^ word64(key + 8));
}

uint64_t hash_to_16(const uint8_t *in, size_t n) {
  if (n > 8) {
    uint64_t low = word64(in) ^ word64(secret + 24) ^ word64(secret + 32);
    uint64_t high = word64(in + n - 8) ^ word64(secret + 40) ^ word64(secret + 48);
    return scatter(n + __builtin_bswap64(low) + high + fold(low, high));
  }
  if (n >= 4) {
    uint64_t both = word32(in + n - 4) + (uint64_t(word32(in)) << 32);
    uint64_t h = both ^ word64(secret + 8) ^ word64(secret + 16);
    h ^= rotate(h, 49) ^ rotate(h, 24);
    h *= 0x9FB21C651E98DF25;
    h = (h ^ ((h >> 35) + n)) * 0x9FB21C651E98DF25;
    return h ^ (h >> 28);
  }
  if (n > 0) {
    uint32_t packed =
        (uint32_t(in[0]) << 16) | (uint32_t(in[n >> 1]) << 24) | (uint32_t(n) << 8) | in[n - 1];
    return scatter_short(packed ^ uint64_t(word32(secret) ^ word32(secret + 4)));
  }
  return scatter_short(word64(secret + 56) ^ word64(secret + 64));
}

uint64_t hash_to_240(const uint8_t *in, size_t n) {
  uint64_t h = n * p64_1;
  if (n <= 128) {
    // Pairs of 16 bytes from both ends towards the middle.
    for (size_t i = 0; i == 0 || n > 32 * i; ++i)
      h += mix16(in + 16 * i, secret + 32 * i) + mix16(in + n - 16 * (i + 1), secret + 32 * i + 16);
    return scatter(h);
  }
  for (size_t i = 0; i < 8; ++i)
    h += mix16(in + 16 * i, secret + 16 * i);
  h = scatter(h);
  for (size_t i = 8; i < n / 16; ++i)
    h += mix16(in + 16 * i, secret + 16 * (i - 8) + 3);
  return scatter(h + mix16(in + n - 16, secret + 136 - 17));
}

constexpr size_t stripeBytes = 64, stripesPerBlock = (secretBytes - stripeBytes) / 8;
constexpr size_t blockBytes = stripeBytes * stripesPerBlock;

typedef uint64_t Pair __attribute__((vector_size(16)));
typedef uint64_t Four __attribute__((vector_size(32)));

// Everything below goes into its caller, which may be compiled for another instruction set.
#define INLINE __attribute__((always_inline)) inline

INLINE void swap(Pair &value) { value = Pair{value[1], value[0]}; }
INLINE void swap(Four &value) { value = Four{value[1], value[0], value[3], value[2]}; }

template <typename Vector> INLINE Vector load(const void *from) {
  Vector value;
  memcpy(&value, from, sizeof value);
  return value;
}

template <typename Vector> INLINE void mix(Vector &sum, const uint8_t *in, const uint8_t *key) {
  Vector value = load<Vector>(in), keyed = value ^ load<Vector>(key);
  swap(value);
  sum += value + (keyed & 0xffffffff) * (keyed >> 32);
}

template <typename Vector> INLINE void scramble(Vector &sum, const uint8_t *key) {
  sum ^= (sum >> 47) ^ load<Vector>(key);
  sum = (sum & 0xffffffff) * p32_1 + (((sum >> 32) * p32_1) << 32);
}

// The eight lanes, by name so that they stay in registers where loops are not unrolled.
struct ByPairs {
  Pair a, b, c, d;
  INLINE explicit ByPairs(const uint64_t *lanes)
      : a(load<Pair>(lanes)), b(load<Pair>(lanes + 2)), c(load<Pair>(lanes + 4)),
        d(load<Pair>(lanes + 6)) {}
  INLINE void mixStripe(const uint8_t *in, const uint8_t *key) {
    mix(a, in, key), mix(b, in + 16, key + 16);
    mix(c, in + 32, key + 32), mix(d, in + 48, key + 48);
  }
  INLINE void scrambleAll(const uint8_t *key) {
    scramble(a, key), scramble(b, key + 16), scramble(c, key + 32), scramble(d, key + 48);
  }
};
struct ByFours {
  Four a, b;
  INLINE explicit ByFours(const uint64_t *lanes) : a(load<Four>(lanes)), b(load<Four>(lanes + 4)) {}
  INLINE void mixStripe(const uint8_t *in, const uint8_t *key) {
    mix(a, in, key), mix(b, in + 32, key + 32);
  }
  INLINE void scrambleAll(const uint8_t *key) { scramble(a, key), scramble(b, key + 32); }
};

// Stripe s of a block meets the key from byte 8 * s on; a whole block ends by scrambling.
template <typename Lanes>
INLINE void add(uint64_t *lanes, const uint8_t *in, size_t blocks, size_t stripes) {
  static_assert(sizeof(Lanes) == 64, "eight lanes");
  Lanes sums(lanes);
  for (size_t block = 0; block < blocks; ++block) {
    for (size_t s = 0; s < stripesPerBlock; ++s, in += stripeBytes)
      sums.mixStripe(in, secret + 8 * s);
    sums.scrambleAll(secret + secretBytes - stripeBytes);
  }
  for (size_t s = 0; s < stripes; ++s, in += stripeBytes)
    sums.mixStripe(in, secret + 8 * s);
  memcpy(lanes, &sums, sizeof sums);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void addByFours(uint64_t *lanes, const uint8_t *in, size_t blocks,
                                                size_t stripes) {
  add<ByFours>(lanes, in, blocks, stripes);
}
#endif

// Whole blocks, then stripes of the last one.
void add(uint64_t *lanes, const uint8_t *in, size_t blocks, size_t stripes, bool byFours) {
#if defined(__x86_64__)
  if (byFours)
    return addByFours(lanes, in, blocks, stripes);
#endif
  add<ByPairs>(lanes, in, blocks, stripes);
}
} // namespace

symc::GrowingHash::GrowingHash(const void *data, size_t bytes, int32_t level)
    : in(static_cast<const uint8_t *>(data)), bytes(bytes), byFours(level >= 3),
      lanes{p32_3, p64_1, p64_2, p64_3, p64_4, p32_2, p64_5, p32_1} {}

// The last block is left to finish, however full it is.
void symc::GrowingHash::advance(size_t ready) {
  size_t whole = ready / blockBytes;
  if (whole && whole * blockBytes == bytes)
    --whole;
  if (whole <= blocks)
    return;
  add(lanes, in + blocks * blockBytes, whole - blocks, 0, byFours);
  blocks = whole;
}

uint64_t symc::GrowingHash::finish() {
  if (bytes <= 16)
    return hash_to_16(in, bytes);
  if (bytes <= 240)
    return hash_to_240(in, bytes);
  advance(bytes);
  const uint8_t *rest = in + blocks * blockBytes;
  add(lanes, rest, 0, (bytes - 1 - blocks * blockBytes) / stripeBytes, byFours);
  ByPairs sums(lanes);
  sums.mixStripe(in + bytes - stripeBytes, secret + secretBytes - stripeBytes - 7);
  memcpy(lanes, &sums, sizeof sums);
  uint64_t h = bytes * p64_1;
  for (int i = 0; i < 8; i += 2)
    h += fold(lanes[i] ^ word64(secret + 11 + 8 * i), lanes[i + 1] ^ word64(secret + 19 + 8 * i));
  return scatter(h);
}

uint64_t symc::xxh3_64(const void *data, size_t bytes) { return GrowingHash(data, bytes).finish(); }

symc::WeightsHash::WeightsHash(const void *data, size_t bytes)
    : in(static_cast<const uint8_t *>(data)), bytes(bytes), piece(data, pieceBytes()) {}

size_t symc::WeightsHash::pieceBytes() const {
  size_t rest = bytes - begin;
  return rest < SYMC_WEIGHTS_PIECE_BYTES ? rest : SYMC_WEIGHTS_PIECE_BYTES;
}

void symc::WeightsHash::addPiece() {
  uint64_t words[2] = {before, piece.finish()};
  before = begin == 0 ? words[1] : xxh3_64(words, sizeof words);
}

void symc::WeightsHash::advance(size_t ready) {
  for (; ready - begin > SYMC_WEIGHTS_PIECE_BYTES; piece = {in + begin, pieceBytes()}) {
    addPiece();
    begin += SYMC_WEIGHTS_PIECE_BYTES;
  }
  piece.advance(ready - begin);
}

uint64_t symc::WeightsHash::finish() {
  advance(bytes);
  addPiece();
  return before;
}
