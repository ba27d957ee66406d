// times.cpp: see times.h.
#include "times.h"

#include <stdlib.h>
#include <time.h>

namespace symc {

double milliseconds() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *static_cast<const double *>(a), y = *static_cast<const double *>(b);
  return x < y ? -1 : x > y;
}

void print_times(double *times, int64_t count, const char *what, const symc_context *context,
                 FILE *text) {
  qsort(times, size_t(count), sizeof(double), compare_doubles);
  double median = (times[(count - 1) / 2] + times[count / 2]) / 2, sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += times[i];
  fprintf(text,
          "min %.3f ms  median %.3f ms  mean %.3f ms  max %.3f ms  (%s %lld, threads %d, %s)\n",
          times[0], median, sum / double(count), times[count - 1], what, (long long)count,
          symc_context_threads(context), symc_context_variant(context)->isa);
}

} // namespace symc
