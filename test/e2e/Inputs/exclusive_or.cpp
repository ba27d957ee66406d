// exclusive_or.cpp: learns exclusive or by the parts of a model with gradients, linked in and
// loaded.
//
// usage: exclusive_or LIBRARY
#include "archive.h"
#include "predict.h"

#include <symc/model.hpp>

#include <array>
#include <cmath>
#include <cstdio>

static void print(const symc::Status &status) {
  std::printf("%s: %s\n", status.name(), status.sentence().c_str());
}

template <class Values> static void descend(Values &values, const Values &gradients) {
  for (size_t i = 0; i < values.size(); ++i)
    values[i] -= 0.1f * gradients[i];
}

static int learn(const char *name, symc::Model model, bool showMistakes) {
  auto made = model.create();
  if (!made)
    return 1;
  symc::Context context = *std::move(made);
  std::array<float, 8> data{0, 0, 0, 1, 1, 0, 1, 1}, answers, b1{}, gb1;
  std::array<float, 4> label{0, 1, 1, 0};
  std::array<float, 16> w1, w2, gw1, gw2;
  std::array<float, 2> b2{}, gb2;
  for (int i = 0; i < 16; ++i) {
    w1[i] = float(std::sin(i + 1));
    w2[i] = float(std::sin(3 * i + 2));
  }
  using Wide = symc::Span<float, 8, 2>;
  using Long = symc::Span<float, 2, 8>;
  if (showMistakes) {
    print(context.backward({}, {{"fc1_weight", Wide(gw1)}}));
    print(context.backward({}, {{"fc3_weight", Wide(gw1)}}));
    print(context.backward({{"softmax_output", Wide(gw1)}}, {}));
  }
  double first = 0, loss = 0;
  for (int step = 0; step <= 200; ++step) {
    symc::Inputs inputs{symc::Span<const float, 4, 2>(data), symc::Span<const float, 8, 2>(w1),
                        symc::Span<const float, 8>(b1),      symc::Span<const float, 2, 8>(w2),
                        symc::Span<const float, 2>(b2),      symc::Span<const float, 4>(label)};
    if (symc::Status status =
            context.forward(inputs, symc::Outputs(symc::Span<float, 4, 2>(answers)));
        !status)
      return print(status), 1;
    loss = 0;
    for (int i = 0; i < 4; ++i)
      loss -= std::log(answers[2 * i + int(label[i])]) / 4;
    if (step == 0)
      first = loss;
    // In two runs, each of which leaves gradients out, in another order than the model's.
    if (symc::Status status = context.backward(
            {}, {{"fc2_bias", symc::Span<float, 2>(gb2)}, {"fc1_bias", symc::Span<float, 8>(gb1)}});
        !status)
      return print(status), 1;
    if (symc::Status status =
            context.backward({}, {{"grad:fc2_weight", Long(gw2)}, {"fc1_weight", Wide(gw1)}});
        !status)
      return print(status), 1;
    descend(w1, gw1);
    descend(b1, gb1);
    descend(w2, gw2);
    descend(b2, gb2);
  }
  if (showMistakes) {
    auto predict = SYMC_MODEL(predict).create();
    print(predict->forward(nullptr, 0, nullptr, 0));
  }
  std::printf("%s: loss %.2f to %.2f\n", name, first, loss);
  return 0;
}

int main(int, char **arguments) {
  auto loaded = symc::Model::load(arguments[1], "net");
  if (!loaded)
    return print(loaded.status()), 1;
  return learn("linked", SYMC_MODEL(net), true) + learn("loaded", *std::move(loaded), false);
}
