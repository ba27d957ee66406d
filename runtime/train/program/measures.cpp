// measures.cpp: see measures.h.
#include "measures.h"

#include <stdio.h>
#include <string.h>

namespace symc::train {

bool Measures::add(const char *text, const char *option, Problem &problem) {
  char error[256] = "";
  if (n == most)
    return problem.set(Usage, "--metric: expected at most %d metrics, got more", most);
  if (!metrics[n].start(text, error, sizeof error))
    return problem.set(Usage, "%s: %s", option, error);
  for (int i = 0; i < n; ++i)
    if (strcmp(metrics[i].name(), metrics[n].name()) == 0)
      return true; // it is there
  ++n;
  return true;
}

static const char *default_of(const Network &network) {
  const Output &first = network.outputs[0];
  return network.nOutputs == 0 || first.label < 0 ? "loss" : first.classes ? "accuracy" : "mse";
}

bool Measures::start(const char *names, int64_t topK, const char *losses, const Network &of,
                     Problem &problem) {
  network = &of;
  names = names && *names ? names : default_of(of);
  const char *const lists[] = {names, losses};
  for (const char *list : lists)
    for (const char *at = list; *at;) {
      char text[256];
      size_t length = strcspn(at, ",");
      // What has a '=' is an option of the metric before it.
      for (size_t next; at[length] == ',' &&
                        (next = strcspn(at + length + 1, ","), memchr(at + length + 1, '=', next));)
        length += 1 + next;
      if (snprintf(text, sizeof text, "%.*s", int(length), at) >= int(sizeof text))
        return problem.set(Usage, "--metric: expected names shorter than %zu bytes", sizeof text);
      at += length + (at[length] == ',');
      bool isShort = list == losses && strcmp(text, "nll") == 0; // as common/fit.py has it
      if (!add(isShort ? "nll-loss" : text, list == losses ? "--loss" : "--metric", problem))
        return false;
    }
  if (topK > 0) {
    char text[64];
    snprintf(text, sizeof text, "top_k_accuracy,top_k=%lld", (long long)topK);
    return add(text, "--top-k", problem);
  }
  return true;
}

void Measures::reset() {
  for (int i = 0; i < n; ++i)
    metrics[i].reset();
}

void Measures::resetLocal() {
  for (int i = 0; i < n; ++i)
    metrics[i].resetLocal();
}

void Measures::numbers(double *to) const {
  for (int i = 0; i < n; ++i)
    metrics[i].numbers(to + i * Metric::numberCount);
}

void Measures::share(const double *from) {
  for (int i = 0; i < n; ++i)
    metrics[i].share(from + i * Metric::numberCount);
}

namespace {
// The part of an array that the rows of a batch have, which lie along its first axis.
struct Part {
  int64_t shape[SYMC_MAX_RANK];
  MetricArray array;

  Part(const float *data, const symc_tensor_info &info, int64_t rows, int64_t batch)
      : array{data, shape, info.rank} {
    for (int32_t i = 0; i < info.rank; ++i)
      shape[i] = info.shape[i];
    if (info.rank && shape[0] % batch == 0)
      shape[0] = shape[0] / batch * rows;
  }
};
} // namespace

bool Measures::update(const float *const *outputs, const float *const *inputs, int64_t rows,
                      Problem &problem) {
  char error[300] = "";
  for (int i = 0; i < n; ++i)
    for (int32_t k = 0; k < network->nOutputs; ++k) {
      const Output &output = network->outputs[k];
      Part values(outputs[k], *output.info, rows, network->batch);
      int32_t label = metrics[i].takesLabels() ? output.label : 0;
      if (label < 0)
        continue; // an output that answers nothing
      Part answers(inputs[label], *network->infos[label], rows, network->batch);
      if (!metrics[i].update(answers.array, values.array, error, sizeof error))
        return problem.set(Usage, "output '%s': %s", output.info->name, error);
    }
  return true;
}

} // namespace symc::train
