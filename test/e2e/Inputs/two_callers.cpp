// Two threads call the digit classifier through symc/model.hpp, 5,000 times each: they share the
// model and a pool, and have a context each. Prints "equal" where every answer has the bits of a
// run alone. The model and this file are compiled for a race detector.
#include <symc/model.hpp>

#include "net.h"

#include <cstdio>
#include <thread>

using Pictures = symc::Inputs<symc::Span<const float, 1, 1, 28, 28>>;
using Answers = symc::Outputs<symc::Span<float, 1, 10>>;

static bool call(const symc::Model &model, const symc_options &options, int runs,
                 const std::array<float, 784> &picture, std::array<float, 10> &answers) {
  auto context = model.createAs<Pictures, Answers>(options);
  const std::array<float, 10> expected = answers;
  for (int run = 0; run < runs; ++run)
    if (!context || !context->run(picture, answers) || (runs > 1 && answers != expected))
      return false;
  return true;
}

int main() {
  symc::Model model = SYMC_MODEL(net);
  symc::Result<symc::Pool> pool = model.createPool(2);
  std::array<float, 784> picture;
  std::array<float, 10> expected;
  for (int i = 0; i < 784; ++i)
    picture[i] = float(i % 29) / 29;
  if (!pool || !call(model, {}, 1, picture, expected))
    return 1;
  symc_options options{};
  options.pool = pool->handle();
  bool equal[2];
  auto work = [&](bool *result) {
    std::array<float, 10> answers = expected;
    *result = call(model, options, 5000, picture, answers);
  };
  std::thread first(work, &equal[0]), second(work, &equal[1]);
  first.join();
  second.join();
  std::puts(equal[0] && equal[1] ? "equal" : "different");
  return !(equal[0] && equal[1]);
}
