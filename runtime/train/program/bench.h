// bench.h: --bench of a compiled trainer: steps on drawn data, and how long they take.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_BENCH_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_BENCH_H

#include "../../main/problem.h"
#include "symc/runtime.h"

#include <stdint.h>

namespace symc::train {

// Runs `steps` steps, after one that is not counted, on one batch that is drawn with `seed`: floats
// from -1 to 1, words within the vocabulary, labels within the classes. Prints the times, and the
// loss of the first and of the last step. Parameters have values.
bool bench(symc_context *context, int64_t steps, uint64_t seed, Problem &problem);

} // namespace symc::train
#endif
