// nn.cpp: reference kernels of fully connected layers, embedding and what passes its
// data through in prediction: dropout and loss heads.
#include "symc/generated/op_params/Loss.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class E> int32_t fully_connected(const symc_kernel_args *args) {
  const symc_tensor &weight = args->inputs[1];
  int64_t hidden = weight.shape[0], depth = weight.shape[1];
  const auto *in = data_of<E>(args->inputs[0]), *rows = data_of<E>(weight);
  auto *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    int64_t item = i / hidden, unit = i % hidden;
    double sum = 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += double(E::load(in[item * depth + k])) * double(E::load(rows[unit * depth + k]));
    if (args->n_inputs > 2)
      sum += double(E::load(data_of<E>(args->inputs[2])[unit]));
    out[i] = E::store(sum);
  });
  return SYMC_STATUS_OK;
}

int32_t embedding(const symc_kernel_args *args) {
  const symc_tensor &numbers = args->inputs[0], &weight = args->inputs[1];
  int64_t rows = weight.shape[0], width = weight.shape[1], each = symc_dtype_bytes(weight.dtype);
  move_runs(count_of(numbers), width, each, [&](int64_t i) {
    int64_t row = index_at(numbers, i);
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
    return Run{static_cast<char *>(args->outputs[0].data) + i * width * each,
               static_cast<const char *>(weight.data) + row * width * each};
  });
  return SYMC_STATUS_OK;
}

int32_t pass(const symc_kernel_args *args) {
  return copy_elements(args->inputs[0], args->outputs[0]);
}

template <class E> int32_t regression_output(const symc_kernel_args *args) {
  if (params_of<symc_regression_output_params>(args).kind != SYMC_REGRESSION_OUTPUT_KIND_LOGISTIC)
    return pass(args);
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]),
          [&](int64_t i) { out[i] = E::store(1 / (1 + __builtin_exp(-double(E::load(in[i]))))); });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(fully_connected, fully_connected)
SYMC_REFERENCE_ANY(embedding, embedding)
SYMC_REFERENCE_FLOATS(regression_output, regression_output)
SYMC_REFERENCE_ANY(svm_output, pass)
SYMC_REFERENCE_ANY(make_loss, pass)
SYMC_REFERENCE_ANY(loss, pass)
SYMC_REFERENCE_ANY(identity_attach_kl_sparse_reg, pass)

SYMC_ON_GRID(fully_connected, embedding, regression_output, svm_output, make_loss, loss)
SYMC_ON_GRID(identity_attach_kl_sparse_reg)
