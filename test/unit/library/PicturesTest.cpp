// PicturesTest.cpp: the decoder of symc.h. If this fails, a program gets other pixels of a PNG
// file, or a damaged file goes without its message.
#include "symc/symc.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using testing::ElementsAre;

namespace {

// 2 x 1 pixels: (10, 20, 30) and (40, 50, 60).
const std::vector<uint8_t> kPng = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7b,
    0x40, 0xe8, 0xdd, 0x00, 0x00, 0x00, 0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xe0,
    0x12, 0x91, 0xd3, 0x30, 0xb2, 0x01, 0x00, 0x02, 0x37, 0x00, 0xd3, 0x5b, 0x56, 0x51, 0xd8,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

std::vector<uint8_t> decoded(int32_t channels) {
  int32_t width = 0, height = 0;
  uint8_t *pixels = nullptr;
  EXPECT_EQ(symc_picture_decode(kPng.data(), kPng.size(), channels, &width, &height, &pixels), 0);
  EXPECT_THAT((std::vector{width, height}), ElementsAre(2, 1));
  std::vector<uint8_t> found(pixels, pixels + 2 * channels);
  symc_picture_free(pixels);
  return found;
}

TEST(Pictures, PixelsOfAFile) {
  EXPECT_THAT(decoded(3), ElementsAre(10, 20, 30, 40, 50, 60));
  EXPECT_THAT(decoded(4), ElementsAre(10, 20, 30, 255, 40, 50, 60, 255));
  EXPECT_EQ(decoded(1).size(), 2u);
}

TEST(Pictures, InputsOfTraining) {
  float values[6];
  const char *names[] = {"mean_r", "scale"};
  const double numbers[] = {10, 2};
  ASSERT_EQ(
      symc_picture_augment(kPng.data(), kPng.size(), 2, names, numbers, 3, 1, 2, 0, 0, values), 0);
  EXPECT_THAT(values, ElementsAre(0, 60, 40, 100, 60, 120));
}

TEST(Pictures, MistakesChangeNothing) {
  int32_t width = -1, height = -2;
  uint8_t *pixels = nullptr;
  auto mistake = [&](size_t bytes, int32_t channels) {
    EXPECT_EQ(symc_picture_decode(kPng.data(), bytes, channels, &width, &height, &pixels), -1);
    return std::string(symc_compiler_error());
  };
  EXPECT_EQ(mistake(kPng.size() - 13, 3), "truncated picture");
  EXPECT_EQ(mistake(4, 3), "no picture that can be read");
  EXPECT_EQ(mistake(kPng.size(), 2), "a picture has 1, 3 or 4 channels, not 2");
  EXPECT_EQ(symc_picture_decode(nullptr, 1, 3, &width, &height, &pixels), -1);
  EXPECT_STREQ(symc_compiler_error(), "'file' is NULL");
  EXPECT_EQ(symc_picture_decode(kPng.data(), 1, 3, &width, &height, nullptr), -1);
  EXPECT_STREQ(symc_compiler_error(), "'pixels' is NULL");
  float values[6];
  const char *names[] = {"resize"};
  const double numbers[] = {1};
  EXPECT_EQ(
      symc_picture_augment(kPng.data(), kPng.size(), 1, names, numbers, 2, 1, 1, 0, 0, values), -1);
  EXPECT_STREQ(symc_compiler_error(), "an input of pictures has 1 or 3 channels, not 2");
  uint8_t plain[4] = {1, 2, 3, 4}, *file = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(symc_picture_encode(plain, 1, 1, 4, 90, &file, &bytes), -1);
  EXPECT_STREQ(symc_compiler_error(), "a JPEG has 1 or 3 channels, not 4");
  EXPECT_EQ(file, nullptr);
  EXPECT_EQ(width, -1);
  EXPECT_EQ(height, -2);
  EXPECT_EQ(pixels, nullptr);
  symc_picture_free(nullptr);
}

} // namespace
