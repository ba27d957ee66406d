// head_gradients.cpp: what backward needs of a model whose output is no loss, and whose gradient is
// added to what is given.
#include "plain.h"

#include <symc/model.hpp>

#include <array>
#include <cmath>
#include <cstdio>

static void print(const symc::Status &status) {
  std::printf("%s: %s\n", status.name(), status.sentence().c_str());
}

int main() {
  symc::Model model = SYMC_MODEL(plain);
  auto made = model.create();
  if (!made)
    return print(made.status()), 1;
  symc::Context context = *std::move(made);
  std::array<float, 8> data{0, 0, 0, 1, 1, 0, 1, 1}, bias{};
  std::array<float, 16> weight{}, added, gradient, before;
  std::array<float, 32> answers, ones;
  added.fill(100);
  before.fill(0);
  ones.fill(1);
  symc::Inputs inputs{symc::Span<const float, 4, 2>(data), symc::Span<const float, 8, 2>(weight),
                      symc::Span<const float, 8>(bias)};
  if (symc::Status status =
          context.forward(inputs, symc::Outputs(symc::Span<float, 4, 8>(answers)));
      !status)
    return print(status), 1;
  using Answers = symc::Span<const float, 4, 8>;
  using Weight = symc::Span<float, 8, 2>;
  print(context.backward({{"fc1_weight", Weight(added)}}, {{"fc1_weight", Weight(gradient)}}));
  print(context.backward({{"tanh1_output", Answers(ones)}}, {{"fc1_weight", Weight(gradient)}}));
  print(context.backward(symc::Inputs(Answers(ones)), symc::Outputs(Weight(gradient))));
  auto run = [&](std::array<float, 16> &start, std::array<float, 16> &result) {
    return context.backward({{"tanh1_output", Answers(ones)}, {"fc1_weight", Weight(start)}},
                            {{"fc1_weight", Weight(result)}});
  };
  std::array<float, 16> alone;
  if (!run(before, alone) || !run(added, gradient))
    return 1;
  bool same = true;
  for (int i = 0; i < 16; ++i)
    same &= gradient[i] == 100 + alone[i] && alone[i] == 2; // tanh'(0) = 1, two inputs are 1
  std::printf("added to 100: %s\n", same ? "the same" : "others");
  return !same;
}
