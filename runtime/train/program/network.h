// network.h: what the program has of the network that is compiled in: its inputs, outputs and
// rows, and what may be measured of them.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_NETWORK_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_NETWORK_H

#include "source.h"

#include "symc/train.h"

namespace symc::train {

// One of the network's outputs.
struct Output {
  const symc_tensor_info *info;
  int64_t count; // elements of a batch
  // The label that it answers, -1 for none, and how: as classes along axis 1, `rest` answers behind
  // one another, or with one number each.
  int32_t label;
  int64_t answers; // that the label has numbers for
  int64_t classes; // 0: one number each
  int64_t rest;
};

class Network {
public:
  ~Network();
  Network() = default;
  Network(const Network &) = delete;
  Network &operator=(const Network &) = delete;
  bool start(const symc_model &model, Problem &problem);

  const symc_model *model = nullptr;
  int64_t batch = 0; // rows of a step
  int32_t nInputs = 0, nOutputs = 0;
  Input inputs[maxInputs];
  const symc_tensor_info *infos[maxInputs];
  Output *outputs = nullptr;
};

// The loss of one output: cross-entropy of classes, mean squared error of numbers, the mean of an
// output without a label; NaN for others. `rows` of the batch count.
double loss_of(const Network &network, int32_t output, const float *values,
               const float *const *inputs, int64_t rows);

// Whether all of them are finite numbers.
bool all_finite(const float *values, int64_t count);

} // namespace symc::train
#endif
