// recurrent.cpp: reference kernels of recurrent layers and of the connectionist loss.
// One sequence after the other, one step after the other; sums are kept in double.
#include "symc/generated/op_params/Recurrent.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// One direction of one layer: where its matrices and biases lie in the flat parameters.
template <class E> struct Cell {
  const typename E::Storage *input, *state, *projection, *input_bias, *state_bias;
};

struct Sizes {
  int64_t steps, batch, features, hidden, projected, layers, directions, gates;
  bool has_projection;

  explicit Sizes(const symc_kernel_args *args) {
    const auto &params = params_of<symc_rnn_params>(args);
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

double sigmoid(double x) { return 1 / (1 + __builtin_exp(-x)); }

double clip(double value, const symc_rnn_params &params) {
  if (!params.has_lstm_state_clip_min)
    return value;
  double low = params.lstm_state_clip_min, high = params.lstm_state_clip_max;
  if (value != value)
    return params.lstm_state_clip_nan ? low : value;
  return value < low ? low : value > high ? high : value;
}

// One step of one sequence: `h` and `c` become the next ones. `x` and `r` are the gates from
// the input and from the state, `raw` the state before its projection.
template <class E>
void step(const symc_rnn_params &params, const Sizes &s, const Cell<E> &cell, double *x, double *r,
          double *raw, typename E::Number *h, typename E::Number *c) {
  using Number = typename E::Number;
  int64_t n = s.hidden;
  if (params.mode == SYMC_RNN_MODE_LSTM) {
    each_of_block(n, [&](int64_t j) {
      double in = sigmoid(x[j] + r[j]), forget = sigmoid(x[n + j] + r[n + j]);
      double now = forget * double(c[j]) + in * __builtin_tanh(x[2 * n + j] + r[2 * n + j]);
      c[j] = Number(clip(now, params));
      raw[j] = sigmoid(x[3 * n + j] + r[3 * n + j]) * __builtin_tanh(double(c[j]));
    });
    each_of_block(s.projected, [&](int64_t j) {
      h[j] = Number(s.has_projection ? product_with<E>(cell.projection + j * n, raw, n) : raw[j]);
    });
    return;
  }
  each_of_block(n, [&](int64_t j) {
    double sum = x[j] + r[j];
    if (params.mode == SYMC_RNN_MODE_RNN_RELU) {
      h[j] = Number(sum > 0 ? sum : 0);
    } else if (params.mode == SYMC_RNN_MODE_RNN_TANH) {
      h[j] = Number(__builtin_tanh(sum));
    } else {
      double update = sigmoid(x[n + j] + r[n + j]);
      double next = __builtin_tanh(x[2 * n + j] + sigmoid(sum) * r[2 * n + j]);
      h[j] = Number((1 - update) * next + update * double(h[j]));
    }
  });
}

template <class E> int32_t rnn(const symc_kernel_args *args) {
  using Number = typename E::Number;
  const auto &params = params_of<symc_rnn_params>(args);
  Sizes s(args);
  bool is_lstm = params.mode == SYMC_RNN_MODE_LSTM;
  int64_t out_width = s.directions * s.projected, rows = s.gates * s.hidden;
  const symc_tensor *lengths =
      params.use_sequence_length ? &args->inputs[is_lstm ? 4 : 3] : nullptr;
  double *x = static_cast<double *>(args->scratch), *r = x + rows, *raw = r + rows;
  Number *h = reinterpret_cast<Number *>(raw + s.hidden), *c = h + s.hidden;
  Number *below = c + s.hidden, *above = below + s.steps * s.batch * out_width;
  const auto *data = data_of<E>(args->inputs[0]);
  for (int64_t layer = 0; layer < s.layers; ++layer) {
    for (int64_t d = 0; d < s.directions; ++d) {
      Cell<E> cell = s.cell<E>(data_of<E>(args->inputs[1]), layer, d);
      for (int64_t n = 0; n < s.batch; ++n) {
        int64_t state = (layer * s.directions + d) * s.batch + n;
        each_of_block(s.projected, [&](int64_t j) {
          h[j] = E::load(data_of<E>(args->inputs[2])[state * s.projected + j]);
        });
        each_of_block(is_lstm ? s.hidden : 0, [&](int64_t j) {
          c[j] = E::load(data_of<E>(args->inputs[3])[state * s.hidden + j]);
        });
        int64_t length = lengths ? index_at(*lengths, n) : s.steps;
        length = length < 0 ? 0 : length > s.steps ? s.steps : length;
        for (int64_t i = 0; i < s.steps; ++i) {
          int64_t t = d == 0 || i >= length ? i : length - 1 - i;
          Number *to = above + (t * s.batch + n) * out_width + d * s.projected;
          if (i >= length) {
            each_of_block(s.projected, [&](int64_t j) { to[j] = 0; });
            continue;
          }
          each_of_block(rows, [&](int64_t row) {
            int64_t width = s.width(layer), at = (t * s.batch + n) * width;
            double sum = double(E::load(cell.input_bias[row]));
            if (layer == 0)
              for (int64_t k = 0; k < width; ++k)
                sum += double(E::load(cell.input[row * width + k])) * double(E::load(data[at + k]));
            else
              sum += product_with<E>(cell.input + row * width, below + at, width);
            x[row] = sum;
            r[row] = double(E::load(cell.state_bias[row])) +
                     product_with<E>(cell.state + row * s.projected, h, s.projected);
          });
          step<E>(params, s, cell, x, r, raw, h, c);
          each_of_block(s.projected, [&](int64_t j) { to[j] = h[j]; });
        }
        each_of_block(args->n_outputs > 1 ? s.projected : 0, [&](int64_t j) {
          target_of<E>(args->outputs[1])[state * s.projected + j] = E::store(h[j]);
        });
        each_of_block(args->n_outputs > 2 ? s.hidden : 0, [&](int64_t j) {
          target_of<E>(args->outputs[2])[state * s.hidden + j] = E::store(c[j]);
        });
      }
    }
    Number *swap = below;
    below = above;
    above = swap;
  }
  each_of(count_of(args->outputs[0]),
          [&](int64_t i) { target_of<E>(args->outputs[0])[i] = E::store(below[i]); });
  return SYMC_STATUS_OK;
}

// log(exp(a) + exp(b)), where -inf is nothing.
double add_logs(double a, double b) {
  double most = a > b ? a : b, least = a > b ? b : a;
  return least == -__builtin_inf() ? most : most + __builtin_log1p(__builtin_exp(least - most));
}

// The sum over alignments of one sequence. `labels` are `count` classes, `before` and
// `after` have 2 * count + 1 places: a blank around each label.
template <class E>
double log_likelihood(const symc_tensor &data, int64_t n, int64_t steps, const int64_t *labels,
                      int64_t count, int64_t blank, double *before, double *after) {
  int64_t batch = data.shape[1], classes = data.shape[2], places = 2 * count + 1;
  for (int64_t t = 0; t < steps; ++t) {
    const auto *row = data_of<E>(data) + (t * batch + n) * classes;
    double most = -__builtin_inf(), sum = 0;
    for (int64_t a = 0; a < classes; ++a)
      most = double(E::load(row[a])) > most ? double(E::load(row[a])) : most;
    for (int64_t a = 0; a < classes; ++a)
      sum += __builtin_exp(double(E::load(row[a])) - most);
    double all = most + __builtin_log(sum);
    for (int64_t s = 0; s < places; ++s) {
      int64_t label = s % 2 ? labels[s / 2] : blank;
      double way = -__builtin_inf();
      if (t == 0) {
        way = s < 2 ? 0 : way;
      } else {
        way = before[s];
        if (s > 0)
          way = add_logs(way, before[s - 1]);
        if (s % 2 && s > 1 && labels[s / 2] != labels[s / 2 - 1])
          way = add_logs(way, before[s - 2]);
      }
      after[s] = way + double(E::load(row[label])) - all;
    }
    double *swap = before;
    before = after;
    after = swap;
  }
  if (steps == 0)
    return count ? -__builtin_inf() : 0;
  return places > 1 ? add_logs(before[places - 1], before[places - 2]) : before[0];
}

template <class E> int32_t ctc_loss(const symc_kernel_args *args) {
  const auto &params = params_of<symc_ctc_loss_params>(args);
  const symc_tensor &data = args->inputs[0], &label = args->inputs[1];
  int64_t most = label.shape[1], classes = data.shape[2];
  bool last = params.blank_label == SYMC_CTC_LOSS_BLANK_LABEL_LAST;
  int64_t blank = last ? classes - 1 : 0;
  int32_t next = 2;
  const symc_tensor *steps = params.use_data_lengths ? &args->inputs[next++] : nullptr;
  const symc_tensor *counts = params.use_label_lengths ? &args->inputs[next] : nullptr;
  double *before = static_cast<double *>(args->scratch), *after = before + 2 * most + 1;
  int64_t *labels = reinterpret_cast<int64_t *>(after + 2 * most + 1);
  for (int64_t n = 0; n < data.shape[1]; ++n) {
    int64_t length = steps ? index_at(*steps, n) : data.shape[0], count = 0, repeats = 0;
    int64_t limit = counts ? index_at(*counts, n) : most;
    if (length < 0 || length > data.shape[0] || limit < 0 || limit > most)
      return refuse(Refusal::LENGTH);
    for (; count < limit; ++count) {
      int64_t value = index_at(label, n * most + count);
      if (!counts && value == (last ? -1 : 0))
        break;
      if (value < 0 || value >= classes)
        return refuse(Refusal::LABEL);
      labels[count] = value;
      repeats += count > 0 && value == labels[count - 1];
    }
    double cost = count + repeats > length
                      ? 0
                      : -log_likelihood<E>(data, n, length, labels, count, blank, before, after);
    target_of<E>(args->outputs[0])[n] = E::store(cost);
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(rnn, rnn)
SYMC_REFERENCE_FLOATS(ctc_loss, ctc_loss)

SYMC_ON_BLOCK(rnn)
