// reload.cpp LIBRARY NEXT THREADS: loads a model, runs it, puts NEXT in the library's place and
// loads that, while the first is open and after it was closed.
#include <symc/model.hpp>

#include "net.h"

#include <cstdio>
#include <cstdlib>

using Row = symc::Span<const float, 1, 3>;
using Answers = symc::Span<float, 1, 3>;

static symc::Result<symc::Model> load(const char *path, int threads) {
  auto model = symc::Model::load(path, "net");
  if (!model) {
    std::printf("%s: %s\n", model.status().name(), model.status().sentence().c_str());
    return model;
  }
  symc_options options = {};
  options.threads = threads;
  auto context = model->createAs<symc::Inputs<Row>, symc::Outputs<Answers>>(options);
  std::array<float, 3> input{1, 2, 3}, output{};
  if (context && context->run(input, output))
    std::printf("%g %g %g\n", output[0], output[1], output[2]);
  return model;
}

int main(int, char **argv) {
  const int threads = std::atoi(argv[3]);
  {
    auto first = load(argv[1], threads);
    auto again = load(argv[1], threads); // the same file
    if (std::rename(argv[2], argv[1]))
      return 1;
    auto other = load(argv[1], threads);
  }
  auto next = load(argv[1], threads);
}
