// steps.cpp: runs the steps of a trainer's program from their table: see steps.h.
#include "steps.h"

#include "training.h"

using namespace symc;

int64_t Numbers::nextOfMany() {
  uint64_t value = 0;
  unsigned shift = 0;
  for (;;) {
    uint8_t byte = *at++;
    value |= uint64_t(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80)
      continue;
    if (shift < 64 && (byte & 0x40))
      value |= ~uint64_t(0) << shift;
    return int64_t(value);
  }
}

char *symc::next_address(const symc_frame &frame, Numbers &numbers) {
  int64_t base = numbers.next(), bytes = numbers.next();
  const void *from = base == 0 ? frame.arena : base == 1 ? frame.weights : frame.io[base - 2];
  return const_cast<char *>(static_cast<const char *>(from)) + bytes;
}

StepEntry::StepEntry(const symc_frame &frame, const void *function, Numbers &numbers,
                     const uint8_t *&end)
    : function(function) {
  int64_t bytes = numbers.next();
  end = numbers.place() + bytes;
  tasks = numbers.next();
  isNaming = numbers.next();
  taskAt = numbers.next();
  int64_t integers = numbers.next();
  nReports = numbers.next();
  text = numbers.next();
  nViews = numbers.next();
  count = taskAt + 1 + integers;
  for (int64_t i = 0; i < count; ++i)
    if (i != taskAt)
      arguments[i] =
          i < taskAt ? reinterpret_cast<Argument>(next_address(frame, numbers)) : numbers.next();
}

namespace {
// What tasks of one entry get in the place of the run's frame, of which they read nothing.
struct EntryFrame {
  symc_frame frame; // first: what threads pass on
  const StepEntry *entry;
};

// A call with so many arguments as there are numbers.
template <int N, int... I> struct Caller : Caller<N - 1, N - 1, I...> {};
template <int... I> struct Caller<0, I...> {
  template <int> using Of = Argument;
  static void call(const StepEntry &entry, int64_t task) {
    auto kernel = reinterpret_cast<void (*)(Of<I>...)>(const_cast<void *>(entry.function));
    kernel((I == entry.taskAt ? task : entry.arguments[I])...);
  }
};
} // namespace

static void run_entry_task(const symc_frame *frame, int64_t task) {
  static void (*const callers[mostArguments + 1])(const StepEntry &, int64_t) = {
      nullptr,          Caller<1>::call,  Caller<2>::call,  Caller<3>::call,  Caller<4>::call,
      Caller<5>::call,  Caller<6>::call,  Caller<7>::call,  Caller<8>::call,  Caller<9>::call,
      Caller<10>::call, Caller<11>::call, Caller<12>::call, Caller<13>::call, Caller<14>::call,
      Caller<15>::call, Caller<16>::call, Caller<17>::call, Caller<18>::call};
  const StepEntry &entry = *reinterpret_cast<const EntryFrame *>(frame)->entry;
  callers[entry.count](entry, task);
}

int32_t StepEntry::run(const symc_frame &frame) const {
  if (tasks == 0)
    return reinterpret_cast<int32_t (*)(const symc_frame *)>(const_cast<void *>(function))(&frame);
  EntryFrame own = {frame, this};
  symc_parallel(&own.frame, run_entry_task, tasks);
  return SYMC_STATUS_OK;
}

int32_t symc_run_steps(const symc_frame *frame, const void *entries, void *const *functions,
                       int64_t count) {
  Numbers numbers(entries);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t *end;
    StepEntry entry(*frame, functions[i], numbers, end);
    if (!entry.isNaming) {
      if (int32_t status = entry.run(*frame))
        return status;
      for (int64_t n = 0; n < entry.nReports; ++n)
        symc_report_step(frame, int32_t(numbers.next()));
    }
    numbers.goTo(end);
  }
  return SYMC_STATUS_OK;
}
