// image_test.cpp: pictures decoded, and what becomes of pixels: order, gray, scale,
// mean, std, resize, crop, layouts.
#include "main/pictures.h"

#include "pictures.h"

#include <gtest/gtest.h>

using namespace symc;

namespace {
// An input of a shape, and the array that pixels become.
struct Picture {
  Picture(std::vector<int64_t> shape, int32_t dtype = SYMC_F32) : shape(shape) {
    input = {"data", this->shape.data(), 0, int32_t(shape.size()), dtype, 0, 0};
    spec.enabled = 1;
    spec.scale = 1;
    spec.source_layout = SYMC_NHWC;
  }
  std::vector<float> make(const std::vector<uint8_t> &data, int64_t height, int64_t width,
                          int64_t channels, int64_t n = 1) {
    Pixels pixels = {data.data(), n, height, width, channels, spec.source_layout == SYMC_NCHW};
    Array array;
    if (!preprocess("p.png", pixels, input, spec, array, problem))
      return {};
    made.assign(array.shape, array.shape + array.rank);
    int64_t count = count_elements(array.shape, array.rank, 4);
    std::vector<float> values(static_cast<size_t>(count));
    symc_convert(array.bytes.data, array.dtype, values.data(), SYMC_F32, count);
    return values;
  }
  std::vector<int64_t> shape, made;
  symc_tensor_info input;
  symc_preprocess spec = {};
  Problem problem;
};
using Floats = std::vector<float>;
using Shape = std::vector<int64_t>;
const std::vector<uint8_t> twoPixels = {10, 20, 30, 40, 50, 60}; // RGB, 1 x 2
} // namespace

TEST(Image, DecodesPngExactlyAndJpegNearly) {
  std::vector<uint8_t> pixels(5 * 7 * 3);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = uint8_t(i * 2);
  for (bool jpeg : {false, true}) {
    std::string file = jpeg ? makeJpeg(7, 5, 3, pixels) : makePng(7, 5, 3, pixels);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(file.data());
    EXPECT_EQ(is_png(bytes, file.size()), !jpeg);
    EXPECT_EQ(is_jpeg(bytes, file.size()), jpeg);
    int32_t width, height;
    uint8_t *decoded;
    const char *reason;
    ASSERT_TRUE(symc_decode_image(bytes, file.size(), 3, &width, &height, &decoded, &reason));
    EXPECT_EQ(width, 7);
    EXPECT_EQ(height, 5);
    for (size_t i = 0; i < pixels.size(); ++i)
      EXPECT_NEAR(decoded[i], pixels[i], jpeg ? 40 : 0) << i;
    symc_release_pixels(decoded);
  }
}

TEST(Image, RefusesDamageAndGiants) {
  std::string file = makePng(2, 2, 1, {1, 2, 3, 4});
  auto reasonOf = [](const std::string &file, int32_t channels) -> std::string {
    int32_t width, height;
    uint8_t *decoded;
    const char *reason = "";
    if (symc_decode_image(reinterpret_cast<const uint8_t *>(file.data()), file.size(), channels,
                          &width, &height, &decoded, &reason)) {
      if (decoded)
        symc_release_pixels(decoded);
      return "accepted";
    }
    return reason;
  };
  EXPECT_EQ(reasonOf(file, 1), "accepted");
  EXPECT_EQ(reasonOf(file.substr(0, 20), 1), "truncated picture");
  EXPECT_EQ(reasonOf(file.substr(0, 45), 1), "truncated picture");
  std::string damaged = file; // the type of the data chunk's compressed block
  damaged[file.find("IDAT") + 6] = '\7';
  EXPECT_EQ(reasonOf(damaged, 1), "damaged picture");
  EXPECT_EQ(reasonOf(makeJpeg(8, 8, 1, std::vector<uint8_t>(64)).substr(0, 30), 1),
            "no picture that can be read");
  std::string giant = file; // 16384 x 16384
  giant.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));
  EXPECT_EQ(reasonOf(giant, 1), "more than 64 million pixels");
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(file.data());
  int32_t width, height;
  uint8_t *decoded;
  const char *reason;
  EXPECT_FALSE(symc_decode_image(bytes, size_t(1) << 31, 1, &width, &height, &decoded, &reason));
  EXPECT_STREQ(reason, "too many bytes"); // none of them is read
  giant.replace(16, 8, std::string("\x7f\0\0\0\0\0\0\1", 8));
  EXPECT_EQ(reasonOf(giant, 1), "more than 16384 pixels in a direction");
  std::string wide =
      makeJpeg(8, 8, 1, std::vector<uint8_t>(64)); // its frame: 8 bits, rows, columns
  size_t frame = wide.find(std::string("\xff\xc0\0\x11\x08", 5));
  ASSERT_NE(frame, std::string::npos);
  wide.replace(frame + 7, 2, "\x40\x01");
  EXPECT_EQ(reasonOf(wide, 1), "more than 16384 pixels in a direction");
}

// What the fuzzer found in the decoder before harden_stb.py; ASan and UBSan watch.
TEST(Image, RefusesTablesWithMoreCodesThanTheyHold) {
  auto segment = [](char mark, std::string data) {
    return std::string("\xff") + mark + char(0) + char(data.size() + 2) + data;
  };
  std::string counts(16, '\xff'), file = "\xff\xd8";
  file += segment('\xdb', std::string(1, '\0') + std::string(64, '\1'));
  file += segment('\xc0', std::string("\x08\0\x08\0\x08\1\1\x11\0", 9));
  for (char table : {'\x00', '\x10'})
    file += segment('\xc4', table + counts + std::string(200, '\0'));
  file += segment('\xda', std::string("\1\1\0\0\x3f\0", 6)) + "\x3f\xff\xd9";
  int32_t width, height;
  uint8_t *decoded;
  const char *reason;
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(file.data());
  EXPECT_FALSE(symc_decode_image(bytes, file.size(), 1, &width, &height, &decoded, &reason));
  std::string empty = makePng(2, 2, 1, {1, 2, 3, 4}); // an empty data chunk before the full one
  empty.insert(empty.find("IDAT") - 4, std::string("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12));
  bytes = reinterpret_cast<const uint8_t *>(empty.data());
  ASSERT_TRUE(symc_decode_image(bytes, empty.size(), 1, &width, &height, &decoded, &reason));
  EXPECT_EQ(decoded[3], 4);
  symc_release_pixels(decoded);
}

TEST(Image, PlanesInRgbAndBgr) {
  Picture picture({1, 3, 1, 2});
  EXPECT_EQ(picture.make(twoPixels, 1, 2, 3), (Floats{10, 40, 20, 50, 30, 60}));
  EXPECT_EQ(picture.made, (Shape{1, 3, 1, 2}));
  picture.spec.order = SYMC_BGR;
  EXPECT_EQ(picture.make(twoPixels, 1, 2, 3), (Floats{30, 60, 20, 50, 10, 40}));
}

TEST(Image, InterleavedInput) {
  Picture picture({1, 1, 2, 3});
  picture.spec.model_layout = SYMC_NHWC;
  EXPECT_EQ(picture.make(twoPixels, 1, 2, 3), (Floats{10, 20, 30, 40, 50, 60}));
}

TEST(Image, ScaleMeanStd) {
  Picture picture({3, 1, 2});
  picture.spec.scale = 0.5;
  picture.spec.channels = 3;
  for (int c = 0; c < 3; ++c) {
    picture.spec.mean[c] = c;
    picture.spec.std[c] = 2;
  }
  EXPECT_EQ(picture.make(twoPixels, 1, 2, 3), (Floats{2.5, 10, 4.5, 12, 6.5, 14}));
  EXPECT_EQ(picture.made, (Shape{3, 1, 2}));
  picture.spec.channels = 1; // one for all
  EXPECT_EQ(picture.make(twoPixels, 1, 2, 3), (Floats{2.5, 10, 5, 12.5, 7.5, 15}));
}

TEST(Image, GrayFromColoursAndColoursFromGray) {
  Picture gray({1, 1, 1, 2}), colour({1, 3, 1, 1}), alpha({1, 4, 1, 1});
  EXPECT_EQ(gray.make({255, 255, 255, 0, 255, 0}, 1, 2, 3), (Floats{255, 149}));
  EXPECT_EQ(colour.make({7}, 1, 1, 1), (Floats{7, 7, 7}));
  EXPECT_EQ(alpha.make({7}, 1, 1, 1), (Floats{7, 7, 7, 255}));
  EXPECT_EQ(alpha.make({1, 2, 3, 4}, 1, 1, 4), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(alpha.make({1, 2, 3}, 1, 1, 3), (Floats{1, 2, 3, 255}));
}

TEST(Image, FlatAndMatrixInputs) {
  Picture flat({1, 6}), grayFlat({1, 2}), matrix({1, 2}, SYMC_U8);
  EXPECT_EQ(flat.make(twoPixels, 1, 2, 3), (Floats{10, 40, 20, 50, 30, 60}));
  EXPECT_EQ(flat.made, (Shape{1, 6}));
  EXPECT_EQ(grayFlat.make({5, 6}, 1, 2, 1), (Floats{5, 6}));
  EXPECT_EQ(matrix.make({5, 6}, 1, 2, 1), (Floats{5, 6}));
}

TEST(Image, ResizeIsBilinearWithPixelCentres) {
  Picture one({1, 1, 1, 1}), four({1, 1, 1, 4}), same({1, 1, 1, 2});
  for (Picture *picture : {&one, &four, &same})
    picture->spec.resize = SYMC_RESIZE_STRETCH;
  EXPECT_EQ(one.make({10, 20, 30, 40}, 2, 2, 1), (Floats{25}));
  EXPECT_EQ(four.make({0, 100}, 1, 2, 1), (Floats{0, 25, 75, 100}));
  EXPECT_EQ(same.make({3, 9}, 1, 2, 1), (Floats{3, 9}));
}

TEST(Image, CropFromTheMiddle) {
  Picture picture({1, 1, 2, 2});
  picture.spec.resize = SYMC_RESIZE_CROP;
  picture.spec.resize_short = 2;
  EXPECT_EQ(picture.make({0, 1, 2, 3, 4, 5, 6, 7}, 2, 4, 1), (Floats{1, 2, 5, 6}));
  picture.spec.resize_short = 0; // just large enough: the same here
  EXPECT_EQ(picture.make({0, 1, 2, 3, 4, 5, 6, 7}, 2, 4, 1), (Floats{1, 2, 5, 6}));
  picture.spec.resize_short = 1;
  EXPECT_EQ(picture.make({0, 1, 2, 3, 4, 5, 6, 7}, 2, 4, 1), Floats{});
  EXPECT_STREQ(picture.problem.text, "'p.png': cannot crop 2 x 2 from a picture of 2 x 4 resized "
                                     "to 1 on its shorter side");
}

TEST(Image, BatchesOfPlanes) {
  Picture picture({-1, 3, 1, 1});
  picture.spec.source_layout = SYMC_NCHW;
  EXPECT_EQ(picture.make({1, 2, 3, 4, 5, 6}, 1, 1, 3, 2), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(picture.made, (Shape{2, 3, 1, 1}));
}

TEST(Image, InputsThatTakeNone) {
  Picture five({1, 5, 1, 2}), vector({4}), dynamic({1, 3, -1, -2}), single({3, 1, 1});
  EXPECT_EQ(five.make(twoPixels, 1, 2, 3), Floats{});
  EXPECT_STREQ(five.problem.text, "'p.png': input 'data' does not take a picture");
  EXPECT_STREQ(five.problem.note,
               "a picture fits inputs of [N, C, H, W], [C, H, W], [H, W] and [N, C*H*W] with 1, 3 "
               "or 4 channels; others are read from .npy");
  EXPECT_EQ(vector.make(twoPixels, 1, 2, 3), Floats{});
  EXPECT_EQ(dynamic.make(twoPixels, 1, 2, 3).size(), 6u);
  EXPECT_EQ(dynamic.made, (Shape{1, 3, 1, 2}));
  dynamic.spec.resize = SYMC_RESIZE_STRETCH;
  EXPECT_EQ(dynamic.make(twoPixels, 1, 2, 3), Floats{});
  EXPECT_STREQ(dynamic.problem.text,
               "'p.png': cannot resize: input 'data' has no fixed height and width");
  EXPECT_EQ(single.make(twoPixels, 1, 1, 3, 2), Floats{});
  EXPECT_STREQ(single.problem.text, "'p.png': input 'data' takes one picture, got 2");
}

TEST(Image, DefaultsScaleFloatsAndKeepIntegers) {
  Picture floats({1, 1, 1, 1}), integers({1, 1, 1, 1}, SYMC_I32);
  floats.spec = default_preprocess(floats.input);
  integers.spec = default_preprocess(integers.input);
  EXPECT_FLOAT_EQ(floats.make({255}, 1, 1, 1)[0], 1);
  EXPECT_EQ(integers.make({255}, 1, 1, 1), (Floats{255}));
}
