// bench.cpp: see bench.h. The loss is made of outputs and labels: -log of the label's probability
// where an output is a row of probabilities for each label, half the square of the distance where a
// label has the output's number of elements; of a net without labels the mean of its output.
#include "bench.h"

#include "../../main/files.h"
#include "../../main/sizes.h"
#include "../../main/times.h"
#include "symc/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

namespace symc::train {

static int64_t count_of(const symc_tensor_info &info) {
  return info.max_bytes / symc_dtype_bytes(info.dtype);
}

// SplitMix64.
static uint64_t next_bits(uint64_t &state) {
  uint64_t bits = state += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
  return bits ^ (bits >> 31);
}

namespace {
// Tensors over memory of their own.
struct Tensors {
  symc_tensor *list = nullptr;
  Bytes lists, memory;

  bool make(int32_t count, const symc_tensor_info *(*info)(const symc_model *, int32_t),
            const symc_model &model, Problem &problem) {
    size_t bytes = 0;
    for (int32_t i = 0; i < count; ++i)
      bytes += (size_t(info(&model, i)->max_bytes) + 63) & ~size_t(63);
    if (!lists.allocate((size_t(count) + 1) * sizeof(symc_tensor), problem) ||
        !memory.allocate(bytes + 1, problem))
      return false;
    list = reinterpret_cast<symc_tensor *>(lists.data);
    uint8_t *at = memory.data;
    for (int32_t i = 0; i < count; ++i) {
      const symc_tensor_info &one = *info(&model, i);
      list[i] = {at, one.shape, one.rank, one.dtype, 0, 0};
      at += (size_t(one.max_bytes) + 63) & ~size_t(63);
    }
    return true;
  }
};
} // namespace

// Integers of a class each where the input stands for some, else what a program draws.
static void draw(const symc_model &model, int32_t index, const symc_tensor &tensor, uint64_t seed) {
  const symc_tensor_info &info = *symc_train_input(&model, index);
  int64_t classes = symc_train_input_classes(&model, index), count = count_of(info);
  uint64_t state = seed + uint64_t(index) * UINT64_C(0x632be59bd9b4e019);
  if (!classes)
    return draw_values(tensor.data, info.dtype, count, state);
  int64_t bytes = symc_dtype_bytes(info.dtype);
  for (int64_t i = 0; i < count; ++i) {
    double value = double(next_bits(state) % uint64_t(classes));
    symc_convert(&value, SYMC_F64, static_cast<char *>(tensor.data) + i * bytes, info.dtype, 1);
  }
}

static float at(const symc_tensor &tensor, int64_t i) {
  float value = 0;
  int64_t bytes = symc_dtype_bytes(tensor.dtype);
  symc_convert(static_cast<const char *>(tensor.data) + i * bytes, tensor.dtype, &value, SYMC_F32,
               1);
  return value;
}

// Whether prediction has no use for the input.
static bool is_label(const symc_model &model, int32_t index) {
  return symc_train_input(&model, index)->flags & SYMC_TENSOR_LABEL;
}

// Of an output with probabilities of the label's classes; false where it has none.
static bool cross_entropy(const symc_model &model, int32_t label, const symc_tensor &labels,
                          const symc_tensor &output, const symc_tensor_info &info, double &loss) {
  int64_t classes = symc_train_input_classes(&model, label), count = count_of(info);
  int64_t rows = classes ? count / classes : 0;
  if (!rows || rows * classes != count || count_of(*symc_train_input(&model, label)) != rows)
    return false;
  // [N, classes, places], or [rows, classes].
  int64_t places = info.rank > 2 && info.shape[1] == classes ? rows / info.shape[0] : 1;
  loss = 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t place = (row / places * classes + int64_t(at(labels, row))) * places + row % places;
    loss -= log(fmax(double(at(output, place)), 1e-30)) / double(rows);
  }
  return true;
}

// Of an output with as many elements as the label.
static bool half_square(const symc_model &model, int32_t label, const symc_tensor &labels,
                        const symc_tensor &output, const symc_tensor_info &info, double &loss) {
  int64_t count = count_of(info);
  if (count_of(*symc_train_input(&model, label)) != count)
    return false;
  loss = 0;
  for (int64_t k = 0; k < count; ++k) {
    double distance = double(at(output, k)) - double(at(labels, k));
    loss += distance * distance / 2 / double(count);
  }
  return true;
}

static double mean_of(const symc_tensor &output, const symc_tensor_info &info) {
  double sum = 0;
  for (int64_t k = 0; k < count_of(info); ++k)
    sum += double(at(output, k));
  return sum / double(count_of(info));
}

// Of all outputs that have a label; without any, the mean of the first output, which is a loss.
static double loss_of(const symc_model &model, const Tensors &inputs, const Tensors &outputs) {
  decltype(&cross_entropy) measures[] = {cross_entropy, half_square};
  double sum = 0;
  bool any = false;
  for (int32_t i = 0; i < symc_train_output_count(&model); ++i) {
    const symc_tensor_info &info = *symc_train_output(&model, i);
    bool found = false;
    for (auto *measure : measures)
      for (int32_t label = 0; label < symc_train_input_count(&model) && !found; ++label) {
        double loss = 0;
        found = is_label(model, label) &&
                measure(model, label, inputs.list[label], outputs.list[i], info, loss);
        sum += found ? loss : 0;
      }
    any |= found;
  }
  return any ? sum : mean_of(outputs.list[0], *symc_train_output(&model, 0));
}

bool bench(symc_context *context, int64_t steps, uint64_t seed, Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  int32_t nInputs = symc_train_input_count(&model), nOutputs = symc_train_output_count(&model);
  Tensors inputs, outputs;
  Bytes memory;
  if (!inputs.make(nInputs, symc_train_input, model, problem) ||
      !outputs.make(nOutputs, symc_train_output, model, problem) ||
      !memory.allocate(size_t(steps) * sizeof(double), problem))
    return false;
  for (int32_t i = 0; i < nInputs; ++i)
    draw(model, i, inputs.list[i], seed);
  auto step = [&] {
    return symc_train_step(context, inputs.list, nInputs, outputs.list, nOutputs, nullptr) ==
               SYMC_STATUS_OK ||
           problem.set(RunFailed, "%s", symc_last_error(context));
  };
  if (!step())
    return false;
  double first = loss_of(model, inputs, outputs);
  double *times = reinterpret_cast<double *>(memory.data);
  for (int64_t i = 0; i < steps; ++i) {
    double start = milliseconds();
    if (!step())
      return false;
    times[i] = milliseconds() - start;
  }
  double last = loss_of(model, inputs, outputs);
  print_times(times, steps, "steps", context, stdout);
  printf("loss of the first step %.6g, of the last %.6g\n", first, last);
  size_t bytes;
  int32_t inBackward = symc_updates_in_backward(context, &bytes), trained = 0;
  for (int32_t i = 0; i < symc_parameter_count(&model); ++i)
    trained += symc_parameter_trains(&model, i);
  printf("updated before backward had ended: %d of %d parameters; gradients took %.1f MB\n",
         inBackward, trained, double(bytes) / 1e6);
  return true;
}

} // namespace symc::train
