// measure.cpp: reference kernels that measure whole tensors.
#include "symc/generated/op_params/Place.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class E> int32_t allclose(const symc_kernel_args *args) {
  const auto &params = params_of<symc_allclose_params>(args);
  float rtol = float(params.rtol), atol = float(params.atol);
  int64_t count = count_of(args->inputs[0]), i = block_thread();
  for (; i < count; i += block_threads()) {
    auto a = E::load(data_of<E>(args->inputs[0])[i]), b = E::load(data_of<E>(args->inputs[1])[i]);
    bool near = a == b || (a > b ? a - b : b - a) <= atol + (b > 0 ? rtol * b : -rtol * b);
    if (a != a || b != b)
      near = params.equal_nan && a != a && b != b;
    if (!near)
      break;
  }
  bool all_near = holds_in_block(i >= count);
  each_of(1, [&](int64_t) { *target_of<U8>(args->outputs[0]) = all_near; });
  return SYMC_STATUS_OK;
}

// Zeros become 1e-4, and what they get is taken from the others evenly, since a divergence has no
// zeros; false where that leaves nothing.
bool smooth(float *values, int64_t count) {
  int64_t zeros = 0;
  for (int64_t i = 0; i < count; ++i)
    zeros += values[i] == 0;
  if (zeros == count)
    return false;
  float each = 1e-4f * float(zeros) / float(count - zeros);
  for (int64_t i = 0; i < count && each < 1; ++i)
    values[i] += values[i] == 0 ? 1e-4f : -each;
  return each < 1;
}

// The divergence of q from p, which do not sum to 1 yet; negative where one has a number that is
// not positive.
float divergence_of(const float *p, const float *q, int64_t count) {
  float p_sum = 0, q_sum = 0, sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    p_sum += p[i];
    q_sum += q[i];
  }
  for (int64_t i = 0; i < count; ++i) {
    float a = p[i] / p_sum, b = q[i] / q_sum;
    if (!(a > 0 && b > 0))
      return -1;
    sum += a * float(__builtin_log(double(a / b)));
  }
  return sum;
}

// One cut: `reach` ranges are kept on both sides of the middle one.
struct Cut {
  const float *hist;
  int64_t bins, reach;
  int32_t *kept; // as whole numbers; the outermost two as they are
  float *p, *q;

  int64_t count() const { return 2 * reach + 1; }

  void fill_p() {
    int64_t begin = bins / 2 - reach, end = begin + count();
    for (int64_t i = 0; i < count(); ++i) {
      p[i] = i ? hist[begin + i] : 0;
      kept[i] = i ? int32_t(integer_of(hist[begin + i])) : 0;
    }
    for (int64_t i = 0; i <= begin; ++i)
      p[0] += hist[i];
    for (int64_t i = end; i < bins; ++i)
      p[count() - 1] += hist[i];
  }

  // The ranges in `quantised` groups, whose values lie evenly where p has any.
  void fill_q(int64_t quantised) {
    int64_t merged = count() / quantised;
    for (int64_t group = 0; group < quantised; ++group) {
      int64_t begin = group * merged, end = group + 1 == quantised ? count() : begin + merged,
              filled = 0;
      int32_t sum = 0, rest = 0;
      for (int64_t i = begin; i < end; ++i) {
        (i < begin + merged ? sum : rest) += kept[i];
        filled += kept[i] != 0;
      }
      for (int64_t i = begin; i < end; ++i)
        q[i] = filled && p[i] != 0 ? (float(sum) + float(rest)) / float(filled) : 0;
    }
  }
};

int32_t calibrate_entropy(const symc_kernel_args *args) {
  int64_t quantised = params_of<symc_calibrate_entropy_params>(args).num_quantized_bins;
  int64_t bins = count_of(args->inputs[0]), best = quantised / 2;
  int32_t *kept = static_cast<int32_t *>(args->scratch);
  float *p = reinterpret_cast<float *>(kept + bins), *q = p + bins, least = __FLT_MAX__;
  for (int64_t reach = quantised / 2; reach <= bins / 2; ++reach) {
    Cut cut = {data_of<F32>(args->inputs[0]), bins, reach, kept, p, q};
    cut.fill_p();
    cut.fill_q(quantised);
    bool has_p = smooth(p, cut.count()), has_q = smooth(q, cut.count());
    if (!has_q)
      continue; // infinitely far
    float found = has_p ? divergence_of(p, q, cut.count()) : -1;
    if (found <= -1)
      return refuse(Refusal::HISTOGRAM);
    if (found < least) {
      least = found;
      best = reach;
    }
  }
  *target_of<F32>(args->outputs[0]) = data_of<F32>(args->inputs[1])[bins / 2 + best + 1];
  *target_of<F32>(args->outputs[1]) = least;
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(allclose, allclose)
SYMC_REFERENCE(calibrate_entropy, f32, calibrate_entropy)

SYMC_ON_BLOCK(allclose)
