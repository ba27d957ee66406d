// Reads the digits in pictures: read_picture FILE..., each a PNG or another format of stb_image, of
// 28 x 28 pixels. What symc's own programs do by PREPROCESS (u8,gray,mean=0,std=255) an application
// does by itself: it decodes the picture, and gives the model the numbers that it was trained on.
#include <symc/model.hpp>

#include "digits.h"

#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

#include <algorithm>
#include <cstdio>
#include <memory>

using Picture = symc::Inputs<symc::Span<const float, 1, 1, 28, 28>>;
using Chances = symc::Outputs<symc::Span<float, 1, 10>>;

static int fail(const std::string &sentence) {
  std::fprintf(stderr, "read_picture: %s\n", sentence.c_str());
  return 1;
}

int main(int argc, char **argv) {
  symc::Model model = SYMC_MODEL(digits);
  auto context = model.createAs<Picture, Chances>();
  if (!context)
    return fail(context.status().sentence());
  for (int i = 1; i < argc; ++i) {
    int width, height, channels;
    std::unique_ptr<stbi_uc, void (*)(void *)> gray(
        stbi_load(argv[i], &width, &height, &channels, STBI_grey), stbi_image_free);
    if (!gray)
      return fail(std::string(argv[i]) + ": " + stbi_failure_reason());
    if (width != 28 || height != 28)
      return fail(std::string(argv[i]) + ": has " + std::to_string(width) + " x " +
                  std::to_string(height) + " pixels, needs 28 x 28");
    std::array<float, 28 * 28> pixels;
    std::array<float, 10> chances;
    std::transform(gray.get(), gray.get() + pixels.size(), pixels.begin(),
                   [](stbi_uc value) { return value / 255.0f; });
    if (symc::Status status = context->run(pixels, chances); !status)
      return fail(status.sentence());
    auto best = std::max_element(chances.begin(), chances.end());
    std::printf("%d %.0f %%\n", int(best - chances.begin()), 100 * double(*best));
  }
}
