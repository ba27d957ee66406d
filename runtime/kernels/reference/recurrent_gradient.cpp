// recurrent_gradient.cpp: reference kernel of the gradients of recurrent layers. The layers run
// again and keep their gates; then, from the last layer to the first, each direction's gradients go
// from the last step to the first, and those of its matrices are sums over all steps and sequences.
// All is kept in double.
#include "recurrent.h"

using namespace symc::ref;

namespace {

// One run of the kernel. A step of a sequence is number t * batch + n.
template <class E> struct Backward {
  using Storage = typename E::Storage;
  const symc_kernel_args *args;
  const symc_rnn_gradient_params &params;
  Sizes s;
  int64_t rows, width, all; // gates' numbers, a layer's results, steps of all sequences
  bool is_lstm, is_gru;
  const symc_tensor *lengths = nullptr;
  const Storage *slope, *state_slope = nullptr, *cell_slope = nullptr;
  // By layer and direction, then step: gates, and the cell (lstm) or the state's part of the new
  // value (gru). By layer, then step: results.
  double *gates, *inner, *results;
  // Gradients by step: of a layer's results, of what it reads, of gates from the input and from the
  // state, of projected states.
  double *above, *below, *from_input, *from_state, *projected;
  // A row of sums; of the current step; of the carried state and cell.
  double *sums, *in, *out, *raw, *cell, *state, *next_state;

  explicit Backward(const symc_kernel_args *args)
      : args(args), params(params_of<symc_rnn_gradient_params>(args)), s(args, params) {
    is_lstm = params.mode == SYMC_RNN_MODE_LSTM;
    is_gru = params.mode == SYMC_RNN_MODE_GRU;
    rows = s.gates * s.hidden;
    width = s.directions * s.projected;
    all = s.steps * s.batch;
    int32_t next = is_lstm ? 4 : 3;
    if (params.use_sequence_length)
      lengths = &args->inputs[next++];
    slope = data_of<E>(args->inputs[next++]);
    if (params.state_outputs)
      state_slope = data_of<E>(args->inputs[next++]);
    if (params.state_outputs && is_lstm)
      cell_slope = data_of<E>(args->inputs[next]);
    double *free = static_cast<double *>(args->scratch);
    auto take = [&](int64_t count) {
      double *taken = free;
      free += count;
      return taken;
    };
    int64_t widest = s.features + width, ways = s.layers * s.directions;
    gates = take(ways * all * rows);
    inner = take(ways * all * s.hidden);
    results = take(s.layers * all * width);
    above = take(all * widest);
    below = take(all * widest);
    from_input = take(all * rows);
    from_state = take(all * rows);
    projected = take(all * s.projected);
    sums = take(widest);
    in = take(rows);
    out = take(rows);
    raw = take(s.hidden);
    cell = take(s.hidden);
    state = take(s.projected);
    next_state = take(s.projected);
  }

  int64_t length_of(int64_t n) const {
    int64_t length = lengths ? index_at(*lengths, n) : s.steps;
    return length < 0 ? 0 : length > s.steps ? s.steps : length;
  }
  // The step that comes i-th.
  static int64_t step_at(int64_t i, int64_t direction, int64_t length) {
    return direction == 0 ? i : length - 1 - i;
  }
  double *gates_of(int64_t way, int64_t at) const { return gates + (way * all + at) * rows; }
  double *inner_of(int64_t way, int64_t at) const { return inner + (way * all + at) * s.hidden; }
  double *result_of(int64_t way, int64_t at) const {
    int64_t layer = way / s.directions, d = way % s.directions;
    return results + (layer * all + at) * width + d * s.projected;
  }
  // What a layer reads at a step.
  double read(int64_t layer, int64_t at, int64_t k) const {
    return layer == 0 ? double(E::load(data_of<E>(args->inputs[0])[at * s.features + k]))
                      : results[((layer - 1) * all + at) * width + k];
  }
  // The state, and the cell, in front of the i-th step.
  double state_before(int64_t way, int64_t n, int64_t i, int64_t length, int64_t j) const {
    if (i == 0)
      return double(E::load(data_of<E>(args->inputs[2])[(way * s.batch + n) * s.projected + j]));
    return result_of(way, step_at(i - 1, way % s.directions, length) * s.batch + n)[j];
  }
  double cell_before(int64_t way, int64_t n, int64_t i, int64_t length, int64_t j) const {
    if (i == 0)
      return double(E::load(data_of<E>(args->inputs[3])[(way * s.batch + n) * s.hidden + j]));
    return inner_of(way, step_at(i - 1, way % s.directions, length) * s.batch + n)[j];
  }

  //===-- Forward again --------------------------------------------------------===//

  void run_step(const Cell<E> &layer_cell, int64_t way, int64_t n, int64_t i, int64_t length) {
    int64_t layer = way / s.directions, reads = s.width(layer), h = s.hidden;
    int64_t at = step_at(i, way % s.directions, length) * s.batch + n;
    double *gate = gates_of(way, at), *own = inner_of(way, at), *result = result_of(way, at);
    for (int64_t k = 0; k < reads; ++k)
      sums[k] = read(layer, at, k);
    for (int64_t j = 0; j < s.projected; ++j)
      state[j] = state_before(way, n, i, length, j);
    for (int64_t row = 0; row < rows; ++row) {
      in[row] = double(E::load(layer_cell.input_bias[row])) +
                product_with<E>(layer_cell.input + row * reads, sums, reads);
      out[row] = double(E::load(layer_cell.state_bias[row])) +
                 product_with<E>(layer_cell.state + row * s.projected, state, s.projected);
    }
    for (int64_t j = 0; j < h; ++j) {
      if (is_lstm) {
        for (int64_t g = 0; g < 4; ++g) {
          double sum = in[g * h + j] + out[g * h + j];
          gate[g * h + j] = g == 2 ? __builtin_tanh(sum) : sigmoid(sum);
        }
        own[j] = clip(new_cell(gate, j, cell_before(way, n, i, length, j)), params);
        raw[j] = gate[3 * h + j] * __builtin_tanh(own[j]);
      } else if (is_gru) {
        gate[j] = sigmoid(in[j] + out[j]);
        gate[h + j] = sigmoid(in[h + j] + out[h + j]);
        own[j] = out[2 * h + j];
        gate[2 * h + j] = __builtin_tanh(in[2 * h + j] + gate[j] * own[j]);
        result[j] = (1 - gate[h + j]) * gate[2 * h + j] + gate[h + j] * state[j];
      } else {
        double sum = in[j] + out[j];
        gate[j] = params.mode == SYMC_RNN_MODE_RNN_TANH ? __builtin_tanh(sum) : sum > 0 ? sum : 0;
        result[j] = gate[j];
      }
    }
    for (int64_t j = 0; is_lstm && j < s.projected; ++j)
      result[j] =
          s.has_projection ? product_with<E>(layer_cell.projection + j * h, raw, h) : raw[j];
  }
  double new_cell(const double *gate, int64_t j, double before) const {
    return gate[s.hidden + j] * before + gate[j] * gate[2 * s.hidden + j];
  }

  //===-- Backward -------------------------------------------------------------===//

  // One step: `state` and `cell` are the gradients that come from the step behind, and become those
  // for the one before.
  void go_back(const Cell<E> &layer_cell, int64_t way, int64_t n, int64_t i, int64_t length) {
    int64_t layer = way / s.directions, d = way % s.directions, h = s.hidden;
    int64_t at = step_at(i, d, length) * s.batch + n, reads = s.width(layer);
    const double *gate = gates_of(way, at), *own = inner_of(way, at), *result = result_of(way, at);
    double *into = from_input + at * rows, *back = from_state + at * rows;
    for (int64_t j = 0; j < s.projected; ++j) {
      state[j] += above[at * width + d * s.projected + j];
      projected[at * s.projected + j] = state[j];
      next_state[j] = 0;
    }
    for (int64_t j = 0; j < h; ++j) {
      double g = s.has_projection ? 0 : state[j];
      for (int64_t p = 0; s.has_projection && p < s.projected; ++p)
        g += double(E::load(layer_cell.projection[p * h + j])) * state[p];
      if (is_lstm) {
        double before = cell_before(way, n, i, length, j), tanh = __builtin_tanh(own[j]);
        double input = gate[j], forget = gate[h + j], value = gate[2 * h + j], o = gate[3 * h + j];
        double c = cell[j] + g * o * (1 - tanh * tanh), free = new_cell(gate, j, before);
        c = clip(free, params) == free ? c : 0;
        into[j] = c * value * input * (1 - input);
        into[h + j] = c * before * forget * (1 - forget);
        into[2 * h + j] = c * input * (1 - value * value);
        into[3 * h + j] = g * tanh * o * (1 - o);
        cell[j] = c * forget;
      } else if (is_gru) {
        double before = state_before(way, n, i, length, j);
        double reset = gate[j], keep = gate[h + j], value = gate[2 * h + j];
        double v = g * (1 - keep) * (1 - value * value);
        into[j] = v * own[j] * reset * (1 - reset);
        into[h + j] = g * (before - value) * keep * (1 - keep);
        into[2 * h + j] = v;
        back[2 * h + j] = v * reset;
        next_state[j] = g * keep;
      } else {
        bool is_tanh = params.mode == SYMC_RNN_MODE_RNN_TANH;
        into[j] = is_tanh ? g * (1 - result[j] * result[j]) : result[j] > 0 ? g : 0;
      }
    }
    for (int64_t row = 0; row < (is_gru ? 2 * h : rows); ++row)
      back[row] = into[row];
    for (int64_t row = 0; row < rows; ++row) {
      const Storage *weights = layer_cell.state + row * s.projected;
      for (int64_t j = 0; j < s.projected; ++j)
        next_state[j] += double(E::load(weights[j])) * back[row];
      weights = layer_cell.input + row * reads;
      for (int64_t k = 0; k < reads; ++k)
        below[at * reads + k] += double(E::load(weights[k])) * into[row];
    }
    double *swap = state;
    state = next_state;
    next_state = swap;
  }

  // The gradients of one direction's matrices and biases.
  void add_up(const Cell<E> &layer_cell, int64_t way) {
    int64_t layer = way / s.directions, reads = s.width(layer);
    const Storage *first = data_of<E>(args->inputs[1]);
    Storage *to = target_of<E>(args->outputs[1]);
    for (int64_t row = 0; row < rows; ++row) {
      each_sum(
          to + (layer_cell.input - first) + row * reads, reads, from_input + row, rows, way,
          [&](int64_t at, int64_t, int64_t, int64_t, int64_t k) { return read(layer, at, k); });
      each_sum(to + (layer_cell.state - first) + row * s.projected, s.projected, from_state + row,
               rows, way, [&](int64_t, int64_t n, int64_t i, int64_t length, int64_t j) {
                 return state_before(way, n, i, length, j);
               });
      auto one = [](int64_t, int64_t, int64_t, int64_t, int64_t) { return 1.0; };
      each_sum(to + (layer_cell.input_bias - first) + row, 1, from_input + row, rows, way, one);
      each_sum(to + (layer_cell.state_bias - first) + row, 1, from_state + row, rows, way, one);
    }
    for (int64_t p = 0; s.has_projection && p < s.projected; ++p)
      each_sum(to + (layer_cell.projection - first) + p * s.hidden, s.hidden, projected + p,
               s.projected, way, [&](int64_t at, int64_t, int64_t, int64_t, int64_t j) {
                 return gates_of(way, at)[3 * s.hidden + j] * __builtin_tanh(inner_of(way, at)[j]);
               });
  }
  // to[k] = sum over all steps of their slope times value(step's number, sequence, i, length, k).
  template <class Value>
  void each_sum(Storage *to, int64_t count, const double *slopes, int64_t stride, int64_t way,
                const Value &value) {
    for (int64_t k = 0; k < count; ++k)
      sums[k] = 0;
    for (int64_t n = 0; n < s.batch; ++n)
      for (int64_t i = 0, length = length_of(n); i < length; ++i) {
        int64_t at = step_at(i, way % s.directions, length) * s.batch + n;
        for (int64_t k = 0; k < count; ++k)
          sums[k] += slopes[at * stride] * value(at, n, i, length, k);
      }
    for (int64_t k = 0; k < count; ++k)
      to[k] = E::store(sums[k]);
  }

  void run_layer_back(int64_t layer) {
    for (int64_t i = 0; i < all * s.width(layer); ++i)
      below[i] = 0;
    for (int64_t d = 0; d < s.directions; ++d) {
      int64_t way = layer * s.directions + d;
      Cell<E> layer_cell = s.cell<E>(data_of<E>(args->inputs[1]), layer, d);
      for (int64_t n = 0; n < s.batch; ++n) {
        int64_t first = (way * s.batch + n) * s.projected, length = length_of(n);
        int64_t first_cell = (way * s.batch + n) * s.hidden;
        for (int64_t j = 0; j < s.projected; ++j)
          state[j] = state_slope ? double(E::load(state_slope[first + j])) : 0;
        for (int64_t j = 0; j < s.hidden; ++j)
          cell[j] = cell_slope ? double(E::load(cell_slope[first_cell + j])) : 0;
        for (int64_t i = length - 1; i >= 0; --i)
          go_back(layer_cell, way, n, i, length);
        for (int64_t j = 0; j < s.projected; ++j)
          target_of<E>(args->outputs[2])[first + j] = E::store(state[j]);
        for (int64_t j = 0; is_lstm && j < s.hidden; ++j)
          target_of<E>(args->outputs[3])[first_cell + j] = E::store(cell[j]);
      }
      add_up(layer_cell, way);
    }
  }

  void run() {
    for (int64_t i = 0; i < s.layers * all * width; ++i)
      results[i] = 0; // behind the ends of sequences
    for (int64_t way = 0; way < s.layers * s.directions; ++way) {
      Cell<E> layer_cell =
          s.cell<E>(data_of<E>(args->inputs[1]), way / s.directions, way % s.directions);
      for (int64_t n = 0; n < s.batch; ++n)
        for (int64_t i = 0, length = length_of(n); i < length; ++i)
          run_step(layer_cell, way, n, i, length);
    }
    for (int64_t i = 0; i < all * width; ++i)
      above[i] = double(E::load(slope[i]));
    for (int64_t layer = s.layers - 1; layer >= 0; --layer) {
      run_layer_back(layer);
      double *swap = above;
      above = below;
      below = swap;
    }
    for (int64_t i = 0; i < all * s.features; ++i)
      target_of<E>(args->outputs[0])[i] = E::store(above[i]);
  }
};

template <class E> int32_t rnn_gradient(const symc_kernel_args *args) {
  Backward<E>(args).run();
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(rnn_gradient, rnn_gradient)
