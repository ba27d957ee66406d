// recurrent.cpp: reference kernels of recurrent layers. One sequence after the other, one step
// after the other; sums are kept in double.
#include "recurrent.h"

using namespace symc::ref;

namespace {

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
  Sizes s(args, params);
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

} // namespace

SYMC_REFERENCE_FLOATS(rnn, rnn)

SYMC_ON_BLOCK(rnn)
