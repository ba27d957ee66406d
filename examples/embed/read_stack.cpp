// Reads a stack of digits at once: read_stack FILE..., each of 784 floats from 0 (black) to 1. Two
// models of different prefix are in this program: 'picture' hands its input back, each picture by
// itself, and 'stack' reads all of them. Both use the threads of one pool.
#include <symc/model.hpp>

#include "picture.h"
#include "stack.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

using Picture = symc::Inputs<symc::Span<const float, 1, 1, 28, 28>>;
using Copy = symc::Outputs<symc::Span<float, 1, 1, 28, 28>>;
using Pictures = symc::Span<const float, symc::Any, 1, 28, 28>;
using Answers = symc::Span<float, symc::Any, 10>;

static int fail(const std::string &sentence) {
  std::fprintf(stderr, "read_stack: %s\n", sentence.c_str());
  return 1;
}

int main(int argc, char **argv) {
  symc::Model pictureModel = SYMC_MODEL(picture), stackModel = SYMC_MODEL(stack);
  symc::Result<symc::Pool> pool = stackModel.createPool(2);
  if (!pool)
    return fail(pool.status().sentence());
  symc_options options{};
  options.pool = pool->handle();
  auto picture = pictureModel.createAs<Picture, Copy>(options);
  if (!picture)
    return fail(picture.status().sentence());
  auto stack = stackModel.createAs<symc::Inputs<Pictures>, symc::Outputs<Answers>>(options);
  if (!stack)
    return fail(stack.status().sentence());

  const size_t count = size_t(argc - 1);
  std::vector<float> pixels, answers(count * 10);
  for (size_t i = 0; i < count; ++i) {
    std::array<float, 28 * 28> file, copy;
    if (!std::ifstream(argv[i + 1], std::ios::binary)
             .read(reinterpret_cast<char *>(file.data()), sizeof file))
      return fail(std::string("'") + argv[i + 1] + "' does not hold 784 floats");
    if (symc::Status status = picture->run(file, copy); !status)
      return fail(status.sentence());
    pixels.insert(pixels.end(), copy.begin(), copy.end());
  }
  auto in = Pictures::over(std::as_const(pixels), count);
  auto out = Answers::over(answers, count);
  if (!in || !out)
    return fail((in ? out.status() : in.status()).sentence());
  if (symc::Status status = stack->run(*in, *out); !status)
    return fail(status.sentence());
  for (auto row = answers.begin(); row != answers.end(); row += 10) {
    auto best = std::max_element(row, row + 10);
    std::printf("%d %.0f %%\n", int(best - row), 100 * double(*best));
  }
}
