// recurrent.h: what the kernels of recurrent layers and of their gradients share: extents, places
// of matrices in the flat parameters, and the arithmetic of cells.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_RECURRENT_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_RECURRENT_H

#include "symc/generated/op_params/Recurrent.h"
#include "walk.h"

namespace symc::ref {

// One direction of one layer: where its matrices and biases lie in the flat parameters.
template <class E> struct Cell {
  const typename E::Storage *input, *state, *projection, *input_bias, *state_bias;
};

struct Sizes {
  int64_t steps, batch, features, hidden, projected, layers, directions, gates;
  bool has_projection;

  template <class Params> Sizes(const symc_kernel_args *args, const Params &params) {
    const int64_t *data = args->inputs[0].shape;
    steps = data[0];
    batch = data[1];
    features = data[2];
    hidden = params.state_size;
    has_projection = params.has_projection_size != 0;
    projected = has_projection ? params.projection_size : hidden;
    layers = params.num_layers;
    directions = params.bidirectional ? 2 : 1;
    gates = params.mode == SYMC_RNN_MODE_LSTM ? 4 : params.mode == SYMC_RNN_MODE_GRU ? 3 : 1;
  }
  int64_t width(int64_t layer) const { return layer == 0 ? features : directions * projected; }

  template <class E>
  Cell<E> cell(const typename E::Storage *at, int64_t layer, int64_t direction) const {
    int64_t rows = gates * hidden, project = has_projection ? projected * hidden : 0;
    const auto *biases = at;
    Cell<E> cell = {};
    for (int64_t l = 0; l < layers; ++l)
      for (int64_t d = 0; d < directions; ++d) {
        if (l == layer && d == direction)
          cell = {biases, biases + rows * width(l), biases + rows * (width(l) + projected), nullptr,
                  nullptr};
        biases += rows * (width(l) + projected) + project;
      }
    cell.input_bias = biases + (layer * directions + direction) * 2 * rows;
    cell.state_bias = cell.input_bias + rows;
    return cell;
  }
};

template <class E, class T>
double product_with(const typename E::Storage *row, const T *vector, int64_t count) {
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += double(E::load(row[k])) * double(vector[k]);
  return sum;
}

inline double sigmoid(double x) { return 1 / (1 + __builtin_exp(-x)); }

// The cell of an lstm within its limits.
template <class Params> double clip(double value, const Params &params) {
  if (!params.has_lstm_state_clip_min)
    return value;
  double low = params.lstm_state_clip_min, high = params.lstm_state_clip_max;
  if (value != value)
    return params.lstm_state_clip_nan ? low : value;
  return value < low ? low : value > high ? high : value;
}

} // namespace symc::ref
#endif // SYMC_RUNTIME_KERNELS_REFERENCE_RECURRENT_H
