// train_checks.cpp: symc::Trainer over a linked trainer and over a library: what it refuses, and
// that both learn to the same bits.
#include "net.h"
#include <symc/model.hpp>

#include <cmath>
#include <cstdio>

static const std::vector<float> data = {0, 0, 0, 1, 1, 0, 1, 1}, label = {0, 1, 1, 0};

static void say(const symc::Status &status) {
  printf("%s: %s\n", status.name(), status.sentence().c_str());
}

static std::vector<float> learn(symc::Trainer trainer, const char *what) {
  std::vector<float> answers(8);
  double losses[2] = {};
  for (int step = 0; step <= 200; ++step) {
    if (symc::Status status = trainer.step({data, label}, {answers}); !status)
      say(status);
    double loss = 0;
    for (int i = 0; i < 4; ++i)
      loss -= std::log(answers[size_t(2 * i + int(label[size_t(i)]))]) / 4;
    losses[step > 0] = loss;
  }
  if (symc::Status status = trainer.predict({data, nullptr}, {answers}); !status)
    say(status);
  printf("%s: loss %.1f to %.1f, %d steps, 1 xor 1: %d\n", what, losses[0], losses[1],
         int(trainer.stepCount()), answers[7] > answers[6]);
  return *trainer.parameter("fc1_weight");
}

int main(int, char **argv) {
  auto loaded = symc::Trainer::load(argv[1], "net");
  auto linked = symc::Trainer::create(SYMC_TRAINER(net));
  if (!loaded || !linked) {
    say(loaded ? linked.status() : loaded.status());
    return 1;
  }
  say(symc::Trainer::load(argv[2], "predict").status());
  say(linked->step({data, label}));
  for (symc::Trainer *trainer : {&*loaded, &*linked})
    if (symc::Status status = trainer->initialize(7); !status)
      say(status);
  say(linked->step({data, data}));
  say(linked->step({std::vector<double>(8), label}));
  say(linked->step({data}));
  say(linked->setParameter("fc1_weight", {1, 2}));
  say(linked->parameter("fc9_weight").status());
  say(linked->setHyper("momentum", -1));
  say(linked->initialize(0, "xavyer"));
  printf("parameters: %s", linked->parameterNames()[0].c_str());
  for (int64_t extent : linked->shape("fc1_weight"))
    printf(" %d", int(extent));
  printf(", momentum %g, states %d\n", *linked->hyper("momentum"), linked->optimizerStateCount());
  bool same = learn(*std::move(loaded), "loaded") == learn(*std::move(linked), "linked");
  puts(same ? "the same bits" : "OTHER BITS");
  return 0;
}
