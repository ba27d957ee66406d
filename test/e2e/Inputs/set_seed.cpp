// Writes what a model with random operators draws after seed 1: set_seed LIBRARY OUT.bin. By the
// functions of its header, by symc/model.hpp over them and by a library that is opened; says where
// these differ.
#include <symc/model.hpp>

#include "net.h"

#include <cstdio>

using Numbers = std::array<float, 100>;

static Numbers draw(symc::Model model, uint64_t seed) {
  Numbers data{}, out{}, other{};
  auto context = model.create();
  if (!context || !context->setSeed(seed))
    std::abort();
  using In = symc::Span<const float, 100>;
  using Out = symc::Span<float, 100>;
  if (!context->run(symc::Inputs(In(data)), symc::Outputs(Out(out), Out(other))))
    std::abort();
  return out;
}

int main(int, char **argv) {
  Numbers data{}, first{}, again{}, other{};
  symc_context *context;
  if (net_create(nullptr, &context) ||
      net_predict(context, data.data(), other.data(), again.data()) || net_set_seed(context, 1) ||
      net_predict(context, data.data(), first.data(), other.data()) ||
      net_predict(context, data.data(), again.data(), other.data()))
    return 1;
  std::printf("next run: %s\n", first == again ? "the same" : "others");
  if (net_set_seed(context, 1) || net_predict(context, data.data(), again.data(), other.data()))
    return 1;
  std::printf("seed again: %s\n", first == again ? "the same" : "others");
  std::printf("no context: %d\n", net_set_seed(nullptr, 1));
  net_destroy(context);
  std::printf("by SYMC_MODEL: %s\n", draw(SYMC_MODEL(net), 1) == first ? "the same" : "others");
  auto library = symc::Model::load(argv[1], "net");
  std::printf("by load: %s\n",
              library && draw(*std::move(library), 1) == first ? "the same" : "others");
  std::printf("seed above 32 bits: %s\n",
              draw(SYMC_MODEL(net), (uint64_t(1) << 32) + 1) == first ? "the same" : "others");
  std::FILE *file = std::fopen(argv[2], "wb");
  return !file || std::fwrite(first.data(), sizeof first, 1, file) != 1 || std::fclose(file);
}
