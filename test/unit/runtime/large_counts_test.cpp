// large_counts_test.cpp: reference kernels over more elements than 32 bits count. All of them lie
// in the same few pages, mapped one behind the other, but the last.
#include "symc/generated/op_params/Reduce.h"
#include "symc/runtime.h"

#include <cmath>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#define KERNEL(name) extern "C" int32_t symc_ref_##name(const symc_kernel_args *args)
KERNEL(reduce_f32);
KERNEL(norm_f32);
KERNEL(moments_f32);
KERNEL(arg_reduce_f64);

namespace {

constexpr int64_t kCount = 2500000000; // elements

/// kCount elements that are `value`, with others for the first and the last.
template <class T> class Alike {
public:
  Alike(T value, T first, T last) {
    int file = memfd_create("elements", 0);
    std::vector<T> part(kPart / sizeof(T), value);
    EXPECT_EQ(write(file, part.data(), kPart), kPart);
    all = static_cast<char *>(
        mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    EXPECT_NE(all, MAP_FAILED);
    for (int64_t at = 0; at < kBytes; at += kPart) // written pages are copies
      EXPECT_NE(mmap(all + at, kPart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0),
                MAP_FAILED);
    close(file);
    data()[0] = first;
    data()[kCount - 1] = last;
  }
  ~Alike() { munmap(all, kBytes); }
  T *data() { return reinterpret_cast<T *>(all); }

private:
  static constexpr int64_t kPart = int64_t(1) << 24;
  static constexpr int64_t kBytes = (kCount * sizeof(T) + kPart - 1) / kPart * kPart;
  char *all;
};

template <class T, class Params>
T run(int32_t (*kernel)(const symc_kernel_args *), const Params &params, T *data, int32_t dtype,
      T *second = nullptr) {
  int64_t whole[] = {kCount}, one[] = {1};
  T result = 0, other = 0;
  symc_tensor input = {data, whole, 1, dtype};
  symc_tensor outputs[] = {{&result, one, 1, dtype}, {second ? second : &other, one, 1, dtype}};
  symc_kernel_args args = {};
  args.inputs = &input, args.outputs = outputs, args.params = &params;
  args.n_inputs = 1, args.n_outputs = 2;
  EXPECT_EQ(kernel(&args), 0);
  return result;
}

float reduced(int64_t kind, float *data) {
  symc_reduce_params params = {};
  params.kind = kind;
  return run(symc_ref_reduce_f32, params, data, SYMC_F32);
}

double place(int64_t kind, double *data) {
  symc_arg_reduce_params params = {};
  params.kind = kind;
  return run(symc_ref_arg_reduce_f64, params, data, SYMC_F64);
}

} // namespace

TEST(LargeCounts, Sums) {
  Alike<float> data(1, 0.5f, 0.25f);
  EXPECT_FLOAT_EQ(reduced(SYMC_REDUCE_KIND_SUM, data.data()), 2.5e9f);
  EXPECT_FLOAT_EQ(reduced(SYMC_REDUCE_KIND_MEAN, data.data()), 1);
  EXPECT_FLOAT_EQ(reduced(SYMC_REDUCE_KIND_PROD, data.data()), 0.125f);
  symc_norm_params norm = {};
  norm.ord = 2;
  EXPECT_FLOAT_EQ(run(symc_ref_norm_f32, norm, data.data(), SYMC_F32), 50000);
  symc_moments_params moments = {};
  float variance = 1;
  EXPECT_FLOAT_EQ(run(symc_ref_moments_f32, moments, data.data(), SYMC_F32, &variance), 1);
  EXPECT_LT(variance, 1e-8f);
}

TEST(LargeCounts, Ends) {
  Alike<float> data(1, NAN, 2);
  EXPECT_FLOAT_EQ(reduced(SYMC_REDUCE_KIND_NANSUM, data.data()), 2.5e9f);
  data.data()[0] = -3;
  EXPECT_EQ(reduced(SYMC_REDUCE_KIND_MAX, data.data()), 2);
  EXPECT_EQ(reduced(SYMC_REDUCE_KIND_MIN, data.data()), -3);
}

TEST(LargeCounts, Places) {
  Alike<double> data(1, 1, 2);
  EXPECT_EQ(place(SYMC_ARG_REDUCE_KIND_ARGMAX, data.data()), double(kCount - 1));
  data.data()[kCount - 1] = 0;
  EXPECT_EQ(place(SYMC_ARG_REDUCE_KIND_ARGMIN, data.data()), double(kCount - 1));
}
