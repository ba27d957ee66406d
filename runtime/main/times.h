// times.h: times of runs or steps, and the line that programs print of them.
#ifndef SYMC_RUNTIME_MAIN_TIMES_H
#define SYMC_RUNTIME_MAIN_TIMES_H

#include "symc/runtime.h"

#include <stdint.h>
#include <stdio.h>

namespace symc {

// Of a clock that nobody sets.
double milliseconds();

// Sorts the times, milliseconds of `count` (at least 1) runs or steps, which `what` names, and
// prints the least, the median, the mean and the largest.
void print_times(double *times, int64_t count, const char *what, const symc_context *context,
                 FILE *text);

} // namespace symc
#endif
