// network.cpp: see network.h.
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

Network::~Network() { free(outputs); }

static bool ends_in(const char *text, const char *ending) {
  size_t length = strlen(text), endBytes = strlen(ending);
  return length >= endBytes && strcmp(text + length - endBytes, ending) == 0;
}

// What prediction does not read is a label, whatever its name.
static bool is_label(const symc_tensor_info &info) {
  return ends_in(info.name, "label") || (info.flags & SYMC_TENSOR_LABEL);
}

static int64_t elements_of(const symc_tensor_info &info) {
  int64_t count = 1;
  for (int32_t i = 0; i < info.rank; ++i)
    count *= info.shape[i];
  return count;
}

// Finds how an output answers a label.
static void pair_output(Output &output, const Input &label, int64_t batch) {
  const symc_tensor_info &info = *output.info;
  int64_t answers = label.count * batch, rest = 1;
  for (int32_t i = 2; i < info.rank; ++i)
    rest *= info.shape[i];
  output.answers = answers;
  output.rest = rest;
  if (info.rank >= 2 && info.shape[1] > 1 && info.shape[0] * rest == answers) {
    output.classes = info.shape[1];
  } else if (output.count == answers) {
    output.classes = 0;
    output.rest = 1;
  } else {
    output.label = -1;
  }
}

bool Network::start(const symc_model &of, Problem &problem) {
  model = &of;
  nInputs = symc_train_input_count(model);
  nOutputs = symc_train_output_count(model);
  if (nInputs > maxInputs)
    return problem.set(RunFailed, "the network has %d inputs, this program takes %d at most",
                       int(nInputs), maxInputs);
  for (int32_t i = 0; i < nInputs; ++i) {
    const symc_tensor_info &info = *symc_train_input(model, i);
    infos[i] = &info;
    if (i == 0)
      batch = info.rank ? info.shape[0] : 0;
    if (info.rank < 1 || info.shape[0] != batch || batch < 1) {
      char shape[160];
      print_shape(info.shape, info.rank, shape, sizeof shape);
      return problem.set(RunFailed,
                         "input '%s' of %s has no %lld rows along its first axis, so that this "
                         "program cannot read it",
                         info.name, shape, (long long)batch);
    }
    inputs[i] = {info.name,
                 info.shape + 1,
                 info.rank - 1,
                 elements_of(info) / batch,
                 symc_train_input_classes(model, i),
                 is_label(info)};
  }
  outputs = static_cast<Output *>(calloc(size_t(nOutputs) + 1, sizeof(Output)));
  if (!outputs)
    return problem.set(RunFailed, "cannot allocate %zu bytes",
                       (size_t(nOutputs) + 1) * sizeof(Output));
  int32_t label = 0; // labels answer outputs in order, as in MXNet's metrics
  for (int32_t i = 0; i < nOutputs; ++i) {
    Output &output = outputs[i];
    output.info = symc_train_output(model, i);
    output.count = elements_of(*output.info);
    output.label = -1;
    while (label < nInputs && !inputs[label].label)
      ++label;
    if (label == nInputs)
      continue;
    output.label = label++;
    pair_output(output, inputs[output.label], batch);
  }
  return true;
}

double loss_of(const Network &network, int32_t index, const float *values,
               const float *const *inputs, int64_t rows) {
  const Output &output = network.outputs[index];
  double sum = 0;
  if (output.label < 0) {
    int64_t count = output.count;
    if (output.info->rank && output.info->shape[0] == network.batch)
      count = count / network.batch * rows;
    for (int64_t i = 0; i < count; ++i)
      sum += double(values[i]);
    bool labels = false;
    for (int32_t i = 0; i < network.nInputs; ++i)
      labels = labels || network.inputs[i].label;
    return labels && index == 0 && network.nOutputs == 1 ? double(NAN) : sum / double(count);
  }
  const float *label = inputs[output.label];
  int64_t answers = output.answers / network.batch * rows;
  for (int64_t i = 0; i < answers; ++i) {
    if (output.classes) {
      int64_t c = int64_t(label[i]), row = i / output.rest, place = i % output.rest;
      double p = c >= 0 && c < output.classes
                     ? double(values[(row * output.classes + c) * output.rest + place])
                     : 1; // a label that is ignored
      if (!(p >= 0))
        return double(NAN); // scores, no probabilities
      sum -= log(p > 1e-12 ? p : 1e-12);
    } else {
      double difference = double(values[i]) - double(label[i]);
      sum += difference * difference;
    }
  }
  return sum / double(answers);
}

// Adding the lowest bit of the exponent to an exponent of ones carries into the sign's place. Four
// vectors at once, since the file is compiled for size.
bool all_finite(const float *values, int64_t count) {
  typedef uint32_t Vector __attribute__((vector_size(32)));
  constexpr int64_t lanes = 8, step = 4 * lanes;
  constexpr uint32_t exponent = 0x7f800000, lowest = 0x00800000, sign = 0x80000000;
  Vector any[4] = {};
  int64_t i = 0;
  for (; i + step <= count; i += step)
    for (int k = 0; k < 4; ++k) {
      Vector bits;
      memcpy(&bits, values + i + k * lanes, sizeof bits);
      any[k] |= (bits & exponent) + lowest;
    }
  uint32_t all = 0;
  for (int64_t k = 0; k < lanes; ++k)
    all |= any[0][k] | any[1][k] | any[2][k] | any[3][k];
  for (; i < count; ++i) {
    uint32_t bits;
    memcpy(&bits, values + i, sizeof bits);
    all |= (bits & exponent) + lowest;
  }
  return (all & sign) == 0;
}

} // namespace symc::train
