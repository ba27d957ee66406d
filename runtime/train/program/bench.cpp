// bench.cpp: see bench.h. The loss is what the outputs tell: -log of the label's probability where
// an output is a row of probabilities for each label, half the square of the distance where a label
// has the output's shape, else the mean of the output.
#include "bench.h"

#include "../../main/files.h"
#include "../../main/sizes.h"
#include "symc/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

namespace symc::train {

static double milliseconds() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *static_cast<const double *>(a), y = *static_cast<const double *>(b);
  return x < y ? -1 : x > y;
}

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

static double loss_of(const symc_model &model, const symc_tensor *inputs, const symc_tensor &output,
                      const symc_tensor_info &info) {
  int64_t count = count_of(info);
  for (int32_t i = 0; i < symc_train_input_count(&model); ++i) {
    int64_t classes = symc_train_input_classes(&model, i), rows = classes ? count / classes : 0;
    if (!rows || rows * classes != count || count_of(*symc_train_input(&model, i)) != rows)
      continue;
    // [N, classes, places], or [rows, classes].
    int64_t places = info.rank > 2 && info.shape[1] == classes ? rows / info.shape[0] : 1;
    double sum = 0;
    for (int64_t row = 0; row < rows; ++row) {
      int64_t label = int64_t(at(inputs[i], row));
      int64_t place = (row / places * classes + label) * places + row % places;
      sum -= log(fmax(double(at(output, place)), 1e-30));
    }
    return sum / double(rows);
  }
  for (int32_t i = 0; i < symc_train_input_count(&model); ++i)
    if (strstr(symc_train_input(&model, i)->name, "label") &&
        count_of(*symc_train_input(&model, i)) == count) {
      double sum = 0;
      for (int64_t k = 0; k < count; ++k) {
        double distance = double(at(output, k)) - double(at(inputs[i], k));
        sum += distance * distance / 2;
      }
      return sum / double(count);
    }
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += double(at(output, k));
  return sum / double(count);
}

// Of all outputs.
static double loss_of(const symc_model &model, const Tensors &inputs, const Tensors &outputs) {
  double sum = 0;
  for (int32_t i = 0; i < symc_train_output_count(&model); ++i)
    sum += loss_of(model, inputs.list, outputs.list[i], *symc_train_output(&model, i));
  return sum;
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
  double first = loss_of(model, inputs, outputs), sum = 0;
  double *times = reinterpret_cast<double *>(memory.data);
  for (int64_t i = 0; i < steps; ++i) {
    double start = milliseconds();
    if (!step())
      return false;
    sum += times[i] = milliseconds() - start;
  }
  double last = loss_of(model, inputs, outputs);
  qsort(times, size_t(steps), sizeof(double), compare_doubles);
  double median = (times[(steps - 1) / 2] + times[steps / 2]) / 2;
  printf("min %.3f ms  median %.3f ms  mean %.3f ms  max %.3f ms  (steps %lld, threads %d, %s)\n",
         times[0], median, sum / double(steps), times[steps - 1], (long long)steps,
         symc_context_threads(context), symc_context_variant(context)->isa);
  printf("loss of the first step %.6g, of the last %.6g\n", first, last);
  return true;
}

} // namespace symc::train
