// run_image.cpp PICTURE PIXELS: the answers of a library that was compiled with preprocessing, for
// a PNG file and for its pixels, 28 x 28 bytes; and the sentences of what it refuses.
#include <symc/model.hpp>

#include "net.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

static std::vector<uint8_t> read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main(int, char **argv) {
  symc::Model model = SYMC_MODEL(net);
  auto context = model.create();
  if (!context)
    return 1;
  std::vector<uint8_t> file = read(argv[1]), pixels = read(argv[2]), red(3 * pixels.size());
  for (size_t i = 0; i < pixels.size(); ++i)
    red[3 * i] = red[3 * i + 1] = red[3 * i + 2] = pixels[i];
  std::array<float, 10> answers;
  symc::Outputs outputs{symc::Span<float, 1, 10>(answers)};
  auto show = [&](const symc::Status &status, const char *name) {
    if (!status) {
      std::printf("%s: %s\n", status.name(), status.sentence().c_str());
      return;
    }
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char *>(answers.data()), sizeof answers);
  };
  using Colours = symc::Span<const uint8_t, symc::Any, symc::Any, 3>;
  using Bytes = symc::Span<const uint8_t, symc::Any>;
  show(context->runImage(symc::Inputs(*Bytes::over(file, file.size())), outputs), "file.bin");
  show(context->runImage(symc::Inputs(*symc::Span<const uint8_t, symc::Any, 28>::over(pixels, 28)),
                         outputs),
       "gray.bin");
  show(context->runImage(symc::Inputs(*Colours::over(red, 28, 28)), outputs), "colours.bin");
  std::vector<float> ready(784);
  for (size_t i = 0; i < ready.size(); ++i)
    ready[i] = float(pixels[i]) / 255;
  show(context->runImage(
           symc::Inputs(*symc::Span<const float, 1, 1, 28, symc::Any>::over(ready, 28)), outputs),
       "ready.bin");
  show(context->runImage(
           symc::Inputs(*symc::Span<const uint8_t, symc::Any, 7, 2>::over(pixels, 56)), outputs),
       "");
  file.resize(100);
  show(context->runImage(symc::Inputs(*Bytes::over(file, file.size())), outputs), "");
}
