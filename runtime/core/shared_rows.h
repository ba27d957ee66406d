// shared_rows.h: the rows that a run has of a batch which processes share, for random operators.
// Defined by what trainers link (runtime/train); elsewhere there is no such function.
#ifndef SYMC_RUNTIME_CORE_SHARED_ROWS_H
#define SYMC_RUNTIME_CORE_SHARED_ROWS_H

#include "symc/abi.h"

#ifndef SYMC_ON_DEVICE // trainers are for processors
// The number of the run's rows, 0 where nothing is shared, and of the rows before them.
extern "C" __attribute__((weak)) int64_t symc_shared_rows(const symc_frame *frame,
                                                          int64_t *first_row);
#endif

#endif
