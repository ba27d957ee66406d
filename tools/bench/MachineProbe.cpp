// MachineProbe.cpp: see MachineProbe.h. Ten to twelve independent sums keep both
// multiply-add units busy; a read sums vectors of a buffer of half a cache's size.
#include "tools/bench/MachineProbe.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace symc::bench;

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Keeps a result from being thrown away with the work that made it.
static volatile float sink;

namespace {
struct Kernels {
  void (*multiplyAdd)(int64_t iterations);
  int64_t flopsPerIteration;
  void (*read)(const float *data, int64_t floats);
};
} // namespace

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void multiplyAdd512(int64_t iterations) {
  __m512 sums[12], x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(1e-6f);
  for (__m512 &sum : sums)
    sum = _mm512_set1_ps(1.0f);
  for (int64_t i = 0; i < iterations; ++i)
#pragma clang loop unroll(full)
    for (int k = 0; k < 12; ++k) {
      sums[k] = _mm512_fmadd_ps(sums[k], x, y);
      asm("" : "+v"(sums[k])); // one instruction an iteration, in this order
    }
  float total = 0;
  for (__m512 sum : sums)
    total += _mm512_cvtss_f32(sum);
  sink = total;
}

__attribute__((target("avx512f"))) static void read512(const float *data, int64_t floats) {
  for (int64_t i = 0; i < floats; i += 128)
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; ++k) {
      __m512 value = _mm512_load_ps(data + i + 16 * k);
      asm volatile("" ::"v"(value));
    }
}

__attribute__((target("avx2,fma"))) static void multiplyAdd256(int64_t iterations) {
  __m256 sums[12], x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(1e-6f);
  for (__m256 &sum : sums)
    sum = _mm256_set1_ps(1.0f);
  for (int64_t i = 0; i < iterations; ++i)
#pragma clang loop unroll(full)
    for (int k = 0; k < 12; ++k) {
      sums[k] = _mm256_fmadd_ps(sums[k], x, y);
      asm("" : "+x"(sums[k]));
    }
  float total = 0;
  for (__m256 sum : sums)
    total += _mm256_cvtss_f32(sum);
  sink = total;
}

__attribute__((target("avx2"))) static void read256(const float *data, int64_t floats) {
  for (int64_t i = 0; i < floats; i += 64)
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; ++k) {
      __m256 value = _mm256_load_ps(data + i + 8 * k);
      asm volatile("" ::"x"(value));
    }
}
#endif

static void multiplyAddPlain(int64_t iterations) {
  float sums[12];
  std::fill(sums, sums + 12, 1.0f);
  for (int64_t i = 0; i < iterations; ++i)
    for (float &sum : sums)
      sum = sum * 0.999f + 1e-6f;
  sink = sums[0] + sums[5] + sums[11];
}

static void readPlain(const float *data, int64_t floats) {
  float total = 0;
  for (int64_t i = 0; i < floats; ++i)
    total += data[i];
  sink = total;
}

static Kernels pickKernels() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return {multiplyAdd512, 12 * 32, read512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {multiplyAdd256, 12 * 16, read256};
#endif
  return {multiplyAddPlain, 12 * 2, readPlain};
}

double symc::bench::measurePeakNow() {
  Kernels kernels = pickKernels();
  constexpr int64_t iterations = 600000;
  double start = seconds();
  kernels.multiplyAdd(iterations);
  return iterations * kernels.flopsPerIteration / (seconds() - start) * 1e-9;
}

static double measureRead(const Kernels &kernels, int64_t bytes, double least) {
  bytes = bytes / 4096 * 4096;
  std::unique_ptr<void, void (*)(void *)> memory(
      std::aligned_alloc(2 << 20, (bytes + (2 << 20) - 1) >> 21 << 21), std::free);
  if (!memory)
    return 0;
  std::memset(memory.get(), 0, bytes);
  auto *data = static_cast<const float *>(memory.get());
  double best = 0;
  // Samples of about a megabyte for caches; of four, one after the other, for memory.
  int64_t window = std::min<int64_t>(bytes, bytes > (32 << 20) ? 4 << 20 : bytes), at = 0;
  for (double begin = seconds(); seconds() - begin < least;) {
    int64_t iterations = std::max<int64_t>(1, (1 << 20) / window);
    double start = seconds();
    for (int64_t i = 0; i < iterations; ++i)
      kernels.read(data + at / 4, window / 4);
    best = std::max(best, iterations * window / (seconds() - start) * 1e-9);
    at = at + 2 * window <= bytes ? at + window : 0;
  }
  return best;
}

// Of the first processor, by the kernel's list: data, instructions, second, third. What
// sysconf reports of a third level is the sum over a whole machine of several dies.
static int64_t cacheBytes(int index) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
  int64_t size = 0;
  char unit = 0;
  if (!(file >> size))
    return 0;
  file >> unit;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

MachineRates symc::bench::measureMachine() {
  Kernels kernels = pickKernels();
  MachineRates rates;
  rates.l1Bytes = cacheBytes(0);
  rates.l2Bytes = cacheBytes(2);
  rates.l3Bytes = cacheBytes(3);
  for (int sample = 0; sample < 12; ++sample)
    rates.peakGflops = std::max(rates.peakGflops, measurePeakNow());
  constexpr double each = 0.03;
  if (rates.l1Bytes)
    rates.l1Gbs = measureRead(kernels, rates.l1Bytes / 2, each);
  if (rates.l2Bytes)
    rates.l2Gbs = measureRead(kernels, rates.l2Bytes / 2, each);
  if (rates.l3Bytes)
    rates.l3Gbs = measureRead(kernels, std::min<int64_t>(rates.l3Bytes / 2, 16 << 20), each);
  rates.dramGbs = measureRead(kernels, std::max<int64_t>(4 * rates.l3Bytes, 64 << 20), 4 * each);
  return rates;
}
