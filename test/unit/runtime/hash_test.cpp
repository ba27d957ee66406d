// hash_test.cpp: breaks if the hash of weights differs from the published xxh3, with
// which the compiler makes it. Values by the reference implementation, 0.8.
#include "core/hash.h"

#include <gtest/gtest.h>
#include <vector>

TEST(Hash, AgreesWithTheReferenceAtEveryPathOfTheAlgorithm) {
  struct Row {
    size_t bytes;
    uint64_t hash;
  };
  const Row rows[] = {
      {0, 0x2d06800538d394c2},    {1, 0x13e608bc156defed},    {2, 0x1c9074b93943b86c},
      {3, 0xa9088dda485b481c},    {4, 0x6d9253b16c8b1ed3},    {8, 0x60539db630471163},
      {9, 0xfeff668361d723a8},    {16, 0xb8c859b0f030b585},   {17, 0x714a04408e79b80f},
      {32, 0x19ff4ee1d6ba1a55},   {33, 0x3e44983ad21679c8},   {96, 0xf084e7cfbc624743},
      {128, 0x67425a03650261bf},  {129, 0xc664bf3311c6abc4},  {200, 0x746cd0025327bf5b},
      {240, 0x64556dc6b462a6cf},  {241, 0x8beadd3a8874fe17},  {256, 0x3c38817f6d79c0da},
      {1024, 0x9b81661c641c72b1}, {1025, 0x806c2072ed713576}, {2048, 0xabe604813ba62ed1},
      {5000, 0x799aaddd7339581d}};
  std::vector<uint8_t> data(5000);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = uint8_t(i * 7 + 3);
  for (const Row &row : rows) {
    EXPECT_EQ(symc::xxh3_64(data.data(), row.bytes), row.hash) << row.bytes << " bytes";
    for (int32_t level : {1, symc_cpu_level()}) {
      symc::GrowingHash growing(data.data(), row.bytes, level);
      for (size_t ready = 0; ready < row.bytes; ready += 700)
        growing.advance(ready);
      EXPECT_EQ(growing.finish(), row.hash) << row.bytes << " bytes in pieces, level " << level;
    }
  }
}

// The compiler hashes piece by piece, too (e2e/symc-weights.test).
TEST(Hash, OfWeightsJoinsThoseOfPieces) {
  constexpr size_t piece = SYMC_WEIGHTS_PIECE_BYTES;
  std::vector<uint8_t> data(piece + 300);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = uint8_t(i * 7 + 3);
  EXPECT_EQ(symc::WeightsHash(data.data(), piece).finish(), symc::xxh3_64(data.data(), piece));
  uint64_t words[] = {symc::xxh3_64(data.data(), piece), symc::xxh3_64(&data[piece], 300)};
  symc::WeightsHash growing(data.data(), data.size());
  for (size_t ready = 0; ready < data.size(); ready += 1 << 20)
    growing.advance(ready);
  EXPECT_EQ(growing.finish(), symc::xxh3_64(words, sizeof words));
}
