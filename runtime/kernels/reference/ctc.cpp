// ctc.cpp: reference kernels of the connectionist loss and of its gradient. One sequence after the
// other; sums over alignments are kept as logarithms, in double.
#include "symc/generated/op_params/Recurrent.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// log(exp(a) + exp(b)), where -inf is nothing.
double add_logs(double a, double b) {
  double most = a > b ? a : b, least = a > b ? b : a;
  return least == -__builtin_inf() ? most : most + __builtin_log1p(__builtin_exp(least - most));
}

// One sequence: its time steps, its labels, and a blank around each of these: the places.
template <class E> struct Sequence {
  const symc_tensor &data;
  int64_t number, steps, count, blank;
  const int64_t *labels;

  int64_t places() const { return 2 * count + 1; }
  int64_t class_at(int64_t place) const { return place % 2 ? labels[place / 2] : blank; }
  // Whether an alignment may go from the place two before to this one.
  bool skips_to(int64_t place) const {
    return place % 2 && place > 1 && labels[place / 2] != labels[place / 2 - 1];
  }
  const typename E::Storage *row(int64_t t) const {
    return data_of<E>(data) + (t * data.shape[1] + number) * data.shape[2];
  }
  // The logarithm of the sum of a step's exponentials.
  double sum_of_row(int64_t t) const {
    double most = -__builtin_inf(), sum = 0;
    for (int64_t a = 0; a < data.shape[2]; ++a)
      most = double(E::load(row(t)[a])) > most ? double(E::load(row(t)[a])) : most;
    for (int64_t a = 0; a < data.shape[2]; ++a)
      sum += __builtin_exp(double(E::load(row(t)[a])) - most);
    return most + __builtin_log(sum);
  }

  // The logarithms of the sums over all ways to the places of step t, of those to the ones before.
  void advance(int64_t t, const double *before, double *after) const {
    double all = sum_of_row(t);
    for (int64_t s = 0; s < places(); ++s) {
      double way = -__builtin_inf();
      if (t == 0) {
        way = s < 2 ? 0 : way;
      } else {
        way = before[s];
        if (s > 0)
          way = add_logs(way, before[s - 1]);
        if (skips_to(s))
          way = add_logs(way, before[s - 2]);
      }
      after[s] = way + double(E::load(row(t)[class_at(s)])) - all;
    }
  }
  // The same of the sums over all ways on from the places of step t, of those from the ones behind.
  void retreat(int64_t t, const double *behind, double *here) const {
    double all = t + 1 < steps ? sum_of_row(t + 1) : 0;
    auto from = [&](int64_t s) {
      return behind[s] + double(E::load(row(t + 1)[class_at(s)])) - all;
    };
    for (int64_t s = 0; s < places(); ++s) {
      if (t + 1 == steps) {
        here[s] = s + 2 < places() ? -__builtin_inf() : 0;
        continue;
      }
      double way = from(s);
      if (s + 1 < places())
        way = add_logs(way, from(s + 1));
      if (s + 2 < places() && skips_to(s + 2))
        way = add_logs(way, from(s + 2));
      here[s] = way;
    }
  }
  // Of the sums of the last step.
  double total(const double *last) const {
    if (steps == 0)
      return count ? -__builtin_inf() : 0;
    return count ? add_logs(last[2 * count], last[2 * count - 1]) : last[0];
  }
};

// Calls body(sequence) for each one; of one too long for its data body gets null. `labels` has room
// for a row.
template <class E, class Params, class Body>
int32_t each_sequence(const symc_kernel_args *args, const Params &params, int64_t *labels,
                      const Body &body) {
  const symc_tensor &data = args->inputs[0], &label = args->inputs[1];
  int64_t most = label.shape[1], classes = data.shape[2];
  bool last = params.blank_label == SYMC_CTC_LOSS_BLANK_LABEL_LAST;
  int32_t next = 2;
  const symc_tensor *steps = params.use_data_lengths ? &args->inputs[next++] : nullptr;
  const symc_tensor *counts = params.use_label_lengths ? &args->inputs[next] : nullptr;
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
    Sequence<E> sequence = {data, n, length, count, last ? classes - 1 : 0, labels};
    body(n, count + repeats > length ? nullptr : &sequence);
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t ctc_loss(const symc_kernel_args *args) {
  const auto &params = params_of<symc_ctc_loss_params>(args);
  int64_t most = args->inputs[1].shape[1];
  double *before = static_cast<double *>(args->scratch), *after = before + 2 * most + 1;
  int64_t *labels = reinterpret_cast<int64_t *>(after + 2 * most + 1);
  return each_sequence<E>(args, params, labels, [&](int64_t n, const Sequence<E> *sequence) {
    double cost = 0, *from = before, *to = after;
    for (int64_t t = 0; sequence && t < sequence->steps; ++t) {
      sequence->advance(t, from, to);
      double *swap = from;
      from = to;
      to = swap;
    }
    if (sequence)
      cost = -sequence->total(from);
    target_of<E>(args->outputs[0])[n] = E::store(cost);
  });
}

template <class E> int32_t ctc_loss_gradient(const symc_kernel_args *args) {
  const auto &params = params_of<symc_ctc_loss_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  const auto *slopes = data_of<E>(args->inputs[args->n_inputs - 1]);
  auto *out = target_of<E>(result);
  int64_t steps = data.shape[0], batch = data.shape[1], classes = data.shape[2];
  int64_t most = args->inputs[1].shape[1], places = 2 * most + 1;
  double *ways = static_cast<double *>(args->scratch), *behind = ways + steps * places;
  double *here = behind + places, *share = here + places;
  int64_t *labels = reinterpret_cast<int64_t *>(share + classes);
  for (int64_t i = 0; i < count_of(result); ++i)
    out[i] = E::store(0.0);
  return each_sequence<E>(args, params, labels, [&](int64_t n, const Sequence<E> *sequence) {
    if (!sequence || sequence->steps == 0)
      return;
    for (int64_t t = 0; t < sequence->steps; ++t)
      sequence->advance(t, ways + (t ? t - 1 : 0) * places, ways + t * places);
    double total = sequence->total(ways + (sequence->steps - 1) * places);
    double slope = double(E::load(slopes[n]));
    for (int64_t t = sequence->steps - 1; t >= 0; --t) {
      sequence->retreat(t, behind, here);
      for (int64_t a = 0; a < classes; ++a)
        share[a] = 0;
      for (int64_t s = 0; s < sequence->places(); ++s)
        share[sequence->class_at(s)] += __builtin_exp(ways[t * places + s] + here[s] - total);
      double all = sequence->sum_of_row(t);
      for (int64_t a = 0; a < classes; ++a) {
        double chance = __builtin_exp(double(E::load(sequence->row(t)[a])) - all);
        out[(t * batch + n) * classes + a] = E::store((chance - share[a]) * slope);
      }
      double *swap = behind;
      behind = here;
      here = swap;
    }
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(ctc_loss, ctc_loss)
SYMC_REFERENCE_FLOATS(ctc_loss_gradient, ctc_loss_gradient)
