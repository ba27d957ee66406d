// steps.h: the table of steps that a run of a trainer reads (codegen/lower/StepTable.h writes it).
#ifndef SYMC_RUNTIME_TRAIN_STEPS_H
#define SYMC_RUNTIME_TRAIN_STEPS_H

#include "symc/abi.h"

namespace symc {

// Reads numbers of the form SLEB128.
class Numbers {
public:
  explicit Numbers(const void *from) : at(static_cast<const uint8_t *>(from)) {}
  int64_t next() {
    if (*at & 0x80)
      return nextOfMany();
    return int64_t(uint64_t(*at++) << 57) >> 57; // most are of one byte
  }
  const uint8_t *place() const { return at; }
  void goTo(const uint8_t *where) { at = where; }

private:
  int64_t nextOfMany();
  const uint8_t *at;
};

// Arguments of kernels are pointers and 64-bit integers, which functions of C take in the same way.
using Argument = int64_t;
static_assert(sizeof(Argument) == sizeof(void *));
constexpr int mostArguments = 18; // codegen/lower/StepTable.h

// One entry, for a frame.
struct StepEntry {
  const void *function; // of its kernel, or of a frame where it has no tasks
  int64_t tasks;
  bool isNaming;
  int64_t count, taskAt, nReports, nViews; // count: arguments, of which one is the task
  int64_t text;                            // first byte of its nodes, or -1
  Argument arguments[mostArguments];

  // `numbers` stand behind it at the reports, then come its views; end: where the next one begins.
  StepEntry(const symc_frame &frame, const void *function, Numbers &numbers, const uint8_t *&end);
  // Runs it; not 0: the status that ends the run.
  int32_t run(const symc_frame &frame) const;
};

// The address of a place of the table.
char *next_address(const symc_frame &frame, Numbers &numbers);

} // namespace symc

// Called by the code of trainers: runs the entries, but naming ones, in order. Not 0: the status of
// the entry that ended the run.
extern "C" int32_t symc_run_steps(const symc_frame *frame, const void *entries,
                                  void *const *functions, int64_t count);
// The same, with a look at what each leaves (watched.cpp).
extern "C" int32_t symc_watch_steps(const symc_frame *frame, const void *entries,
                                    void *const *functions, int64_t count, const char *texts);
#endif
