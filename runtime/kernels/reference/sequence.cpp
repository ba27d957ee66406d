// sequence.cpp: reference kernels over batches of sequences. data: [T, B, ...] or,
// with axis = 1, [B, T, ...]; a length beyond T counts as T, one below 0 as 0.
#include "symc/generated/op_params/Sequence.h"
#include "walk.h"

using namespace symc::ref;

namespace {

struct Sequences {
  int64_t steps, batch, inner; // inner: elements of one step of one sequence
  bool time_first;

  Sequences(const symc_tensor &data, int64_t axis)
      : steps(data.shape[axis]), batch(data.shape[1 - axis]),
        inner(product(data.shape, 2, data.rank)), time_first(axis == 0) {}
  // First element of a step of a sequence.
  int64_t at(int64_t step, int64_t sequence) const {
    return (time_first ? step * batch + sequence : sequence * steps + step) * inner;
  }
};

int64_t length_of(const symc_kernel_args *args, int64_t sequence, int64_t steps) {
  if (args->n_inputs < 2)
    return steps;
  int64_t length = index_at(args->inputs[1], sequence);
  return length < 0 ? 0 : length > steps ? steps : length;
}

int64_t bytes_of(const symc_kernel_args *args) { return symc_dtype_bytes(args->outputs[0].dtype); }
// What lies from element `from` of the data on, for the place of element `to` of the result.
Run run_of(const symc_kernel_args *args, int64_t from, int64_t to) {
  return {static_cast<char *>(args->outputs[0].data) + to * bytes_of(args),
          static_cast<const char *>(args->inputs[0].data) + from * bytes_of(args)};
}

template <class E> int32_t sequence_mask(const symc_kernel_args *args) {
  const auto &params = params_of<symc_sequence_mask_params>(args);
  Sequences all(args->inputs[0], params.axis);
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  typename E::Storage value = E::store(params.value);
  for (int64_t sequence = 0; sequence < all.batch; ++sequence) {
    int64_t length = length_of(args, sequence, all.steps);
    move_runs(length, all.inner, bytes_of(args), [&](int64_t step) {
      return run_of(args, all.at(step, sequence), all.at(step, sequence));
    });
    const int64_t rest = all.steps - length;
    each_row_in(1, &rest, all.inner, [&](const Walk &, int64_t step, int64_t i) {
      out[all.at(length + step, sequence) + i] = value;
    });
  }
  return SYMC_STATUS_OK;
}

int32_t sequence_last(const symc_kernel_args *args) {
  Sequences all(args->inputs[0], params_of<symc_sequence_last_params>(args).axis);
  int32_t status = SYMC_STATUS_OK;
  move_runs(all.batch, all.inner, bytes_of(args), [&](int64_t sequence) {
    int64_t length = length_of(args, sequence, all.steps);
    if (length < 1)
      status = refuse(Refusal::NO_STEP);
    return length < 1 ? Run{} : run_of(args, all.at(length - 1, sequence), sequence * all.inner);
  });
  return status;
}

int32_t sequence_reverse(const symc_kernel_args *args) {
  Sequences all(args->inputs[0], params_of<symc_sequence_reverse_params>(args).axis);
  for (int64_t sequence = 0; sequence < all.batch; ++sequence) {
    int64_t length = length_of(args, sequence, all.steps);
    move_runs(all.steps, all.inner, bytes_of(args), [&](int64_t step) {
      int64_t source = step < length ? length - 1 - step : step;
      return run_of(args, all.at(source, sequence), all.at(step, sequence));
    });
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(sequence_mask, sequence_mask)
SYMC_REFERENCE_ANY(sequence_last, sequence_last)
SYMC_REFERENCE_ANY(sequence_reverse, sequence_reverse)

SYMC_ON_GRID(sequence_mask, sequence_last, sequence_reverse)
