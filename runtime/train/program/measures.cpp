// measures.cpp: see measures.h.
#include "measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

struct Measures::Measure {
  bool accuracy;
  double sums[2];
  int64_t counts[2]; // local, global
};

Measures::~Measures() {
  for (Measure *measure : measures)
    free(measure);
}

bool Measures::start(const char *names, int64_t, const char *, const Network &of,
                     Problem &problem) {
  network = &of;
  measures[0] = static_cast<Measure *>(calloc(1, sizeof(Measure)));
  if (!measures[0])
    return problem.set(RunFailed, "cannot allocate %zu bytes", sizeof(Measure));
  measures[0]->accuracy = names ? strcmp(names, "accuracy") == 0 : of.outputs[0].classes > 0;
  n = 1;
  return true;
}

void Measures::reset() {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k) {
      measures[i]->sums[k] = 0;
      measures[i]->counts[k] = 0;
    }
}

void Measures::resetLocal() {
  for (int i = 0; i < n; ++i) {
    measures[i]->sums[0] = 0;
    measures[i]->counts[0] = 0;
  }
}

bool Measures::update(const float *const *outputs, const float *const *inputs, int64_t rows,
                      Problem &) {
  Measure &measure = *measures[0];
  const Output &output = network->outputs[0];
  if (output.label < 0)
    return true;
  const float *label = inputs[output.label], *values = outputs[0];
  int64_t answers = output.answers / network->batch * rows;
  double sum = 0;
  for (int64_t i = 0; i < answers; ++i) {
    if (!measure.accuracy || !output.classes) {
      sum += double((values[i] - label[i]) * (values[i] - label[i]));
      continue;
    }
    int64_t row = i / output.rest, place = i % output.rest, best = 0;
    auto at = [&](int64_t c) { return values[(row * output.classes + c) * output.rest + place]; };
    for (int64_t c = 1; c < output.classes; ++c)
      best = at(c) > at(best) ? c : best;
    sum += best == int64_t(label[i]);
  }
  for (int k = 0; k < 2; ++k) {
    measure.sums[k] += sum;
    measure.counts[k] += answers;
  }
  return true;
}

const char *Measures::name(int index) const {
  return measures[index]->accuracy ? "accuracy" : "mse";
}
double Measures::local(int index) const {
  return measures[index]->sums[0] / double(measures[index]->counts[0]);
}
double Measures::global(int index) const {
  return measures[index]->sums[1] / double(measures[index]->counts[1]);
}

} // namespace symc::train
