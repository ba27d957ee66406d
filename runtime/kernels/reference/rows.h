// rows.h: rows of a kernel's work that do not depend on each other (lists of boxes, lines to sort,
// images, elements), in tasks of the run's pool. A kernel specifies how many rows there are and
// computes a range of them; each row is computed whole and in the same way wherever the ranges
// lie, so that results are the same bits for any number of threads. How many tasks there are
// depends on the rows alone, and on the scratch that the call brings: each task has its part.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ROWS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ROWS_H

#include "element.h"
#include "threads.h"

namespace symc::ref {

struct Rows {
  int64_t count;
  int64_t work;              // of a row, in elements of a plain loop
  int64_t scratch_bytes = 0; // that a range needs, however long it is
};

// Rows [first, end) and the scratch that no other range uses at the same time.
struct RowRange {
  int64_t first, end;
  void *scratch;
  int64_t scratch_bytes;
};

#ifdef SYMC_ON_DEVICE
// Rows for sharer `own` of `sharers`, each of which has a part of the scratch; no more share the
// work than it holds parts for.
template <class Body>
int32_t share_rows(const symc_kernel_args *args, const Rows &rows, const Body &body, int64_t own,
                   int64_t sharers) {
  int64_t bytes = args->scratch ? args->scratch_bytes : 0;
  int64_t part = (rows.scratch_bytes + SYMC_ALIGN - 1) / SYMC_ALIGN * SYMC_ALIGN;
  if (part > 0 && bytes / part < sharers)
    sharers = bytes / part > 1 ? bytes / part : 1;
  if (rows.count <= 0 || own >= sharers)
    return SYMC_STATUS_OK;
  if (sharers == 1)
    return body(RowRange{0, rows.count, args->scratch, bytes});
  bytes = bytes / sharers / SYMC_ALIGN * SYMC_ALIGN;
  uint8_t *scratch = args->scratch ? static_cast<uint8_t *>(args->scratch) + own * bytes : nullptr;
  for (int64_t row = own; row < rows.count; row += sharers)
    if (int32_t status = body(RowRange{row, row + 1, scratch, bytes}))
      return status;
  return SYMC_STATUS_OK;
}

// A thread of the grid computes a row.
template <class Body>
int32_t run_rows(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  return share_rows(args, rows, body, grid_thread(), grid_threads());
}
// The threads of a block compute a row together (each_of_block).
template <class Body>
int32_t run_rows_by_blocks(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  return share_rows(args, rows, body, grid_block(), grid_blocks());
}
// All threads of the grid go through all rows together (each_of).
template <class Body>
int32_t run_rows_by_grid(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  return rows.count > 0 ? body(RowRange{0, rows.count, nullptr, 0}) : SYMC_STATUS_OK;
}
#else
constexpr int64_t kMostRowTasks = 32;    // of a call; with scratch as many as it holds
constexpr int64_t kLeastTaskWork = 8192; // what a task has to do, to pay for its hand-over

// The frame that tasks get: the run's, with what they work on behind it.
struct RowsFrame {
  symc_frame frame;
  const void *body;
  int32_t (*call)(const void *body, const RowRange &range);
  int64_t rows, tasks;
  uint8_t *scratch;
  int64_t scratch_bytes; // of a task
  int32_t status[kMostRowTasks];
};

inline void run_row_task(const symc_frame *frame, int64_t task) {
  auto *run = reinterpret_cast<RowsFrame *>(const_cast<symc_frame *>(frame));
  run->status[task] =
      run->call(run->body, {run->rows * task / run->tasks, run->rows * (task + 1) / run->tasks,
                            run->scratch ? run->scratch + task * run->scratch_bytes : nullptr,
                            run->scratch_bytes});
}

// Calls body(range), which returns a symc_status, for ranges that cover all rows. Returns the
// status of the first range that failed; others may have been computed then.
template <class Body>
int32_t run_rows(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  if (rows.count <= 0)
    return SYMC_STATUS_OK;
  int64_t tasks = rows.count < kMostRowTasks ? rows.count : kMostRowTasks;
  // So much of each is enough for all tasks, and its product does not overflow.
  constexpr int64_t enough = kMostRowTasks * kLeastTaskWork;
  int64_t work =
      (rows.count < enough ? rows.count : enough) * (rows.work < enough ? rows.work : enough);
  if (work / kLeastTaskWork < tasks)
    tasks = work / kLeastTaskWork;
  int64_t scratch_bytes = args->scratch ? args->scratch_bytes : 0;
  int64_t part = (rows.scratch_bytes + SYMC_ALIGN - 1) / SYMC_ALIGN * SYMC_ALIGN;
  if (part > 0 && scratch_bytes / part < tasks)
    tasks = scratch_bytes / part;
  if (tasks <= 1 || !args->frame)
    return body(RowRange{0, rows.count, args->scratch, scratch_bytes});
  RowsFrame run;
  run.frame = *args->frame;
  run.body = &body;
  run.call = [](const void *any, const RowRange &range) -> int32_t {
    return (*static_cast<const Body *>(any))(range);
  };
  run.rows = rows.count;
  run.tasks = tasks;
  run.scratch = static_cast<uint8_t *>(args->scratch);
  run.scratch_bytes = scratch_bytes / tasks / SYMC_ALIGN * SYMC_ALIGN;
  symc_parallel(&run.frame, run_row_task, tasks);
  for (int64_t task = 0; task < tasks; ++task)
    if (run.status[task] != SYMC_STATUS_OK)
      return run.status[task];
  return SYMC_STATUS_OK;
}
template <class Body>
int32_t run_rows_by_blocks(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  return run_rows(args, rows, body);
}
template <class Body>
int32_t run_rows_by_grid(const symc_kernel_args *args, const Rows &rows, const Body &body) {
  return run_rows(args, rows, body);
}
#endif // SYMC_ON_DEVICE

} // namespace symc::ref
#endif
