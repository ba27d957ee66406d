// graphs.cpp: see graphs.h.
//
//   a run: the values of all arguments but rounds -> their hash -> seen before?
//     no, or numbers change by themselves (seed, iteration)     kernels one by one
//     once                         captured in a stream of its own, instantiated, kept, started
//     captured                     started
//
// A capture with kernels that start early is tried once more without (launch.h). Whatever else
// fails here ends graphs for the context, and the run starts its kernels one by one, which shows
// what is wrong with the device, if anything is. A capture needs a stream of its own since the
// default stream, which most contexts use, cannot be captured; the graph is started in the frame's.
// Nothing is captured or started as a graph in a stream that the application captures itself: the
// kernels become a part of its graph.
#include "graphs.h"

#include "../core/memory.h"

#include <string.h>

namespace symc::cuda {

// A captured run.
struct CapturedRun {
  const symc_cuda_program *program;
  uint64_t hash;
  uint64_t *values; // of all arguments but rounds, in order
  size_t n_values;
  CUgraphExec exec; // NULL: an empty place
  uint64_t used;    // when last, by Graphs::clock
};

constexpr int mostGraphs = 16;

struct Graphs {
  bool failed; // nothing is captured or started as a graph any more
  uint64_t clock;
  uint64_t seen[mostGraphs]; // hashes of runs that were started kernel by kernel, the last ones
  int nextSeen;
  CapturedRun runs[mostGraphs];
};

enum : unsigned { NonBlocking = 1 }; // of cuStreamCreate
enum : int { ThreadLocal = 1 };      // of cuStreamBeginCapture: others may allocate
constexpr uint64_t hashStart = 0xcbf29ce484222325, hashFactor = 0x100000001b3;

// Calls visit(value) for each value of a run but rounds, until one call returns false.
template <class Visit>
static bool for_each_value(const symc_frame &frame, const symc_cuda_program &program, Visit visit) {
  for (int32_t i = 0; i < program.n_launches; ++i) {
    const symc_cuda_launch &launch = program.launches[i];
    for (int32_t k = 0; k < launch.n_arguments; ++k)
      if (launch.arguments[k].kind != SYMC_CUDA_ROUND &&
          !visit(value_of(frame, launch.arguments[k], 0)))
        return false;
  }
  return true;
}

// A graph has its numbers for good, waits for no step on the CPU, and one kernel starts as quickly
// by itself.
static bool may_be_captured(const symc_cuda_program &program) {
  int64_t starts = 0;
  for (int32_t i = 0; i < program.n_launches; ++i) {
    const symc_cuda_launch &launch = program.launches[i];
    if (launch.kernel < 0)
      return false;
    starts += launch.rounds;
    for (int32_t k = 0; k < launch.n_arguments; ++k)
      if (launch.arguments[k].kind == SYMC_CUDA_SEED ||
          launch.arguments[k].kind == SYMC_CUDA_ITERATION)
        return false;
  }
  return starts > 1;
}

static uint64_t hash_of(const symc_frame &frame, const symc_cuda_program &program) {
  uint64_t hash = (hashStart ^ uintptr_t(&program)) * hashFactor;
  for_each_value(frame, program, [&](uint64_t value) {
    hash = (hash ^ value) * hashFactor;
    hash ^= hash >> 32;
    return true;
  });
  return hash;
}

static bool is_of(const CapturedRun &run, const symc_frame &frame,
                  const symc_cuda_program &program) {
  const uint64_t *next = run.values;
  return run.program == &program &&
         for_each_value(frame, program, [&](uint64_t value) { return *next++ == value; });
}

static CapturedRun *find(Graphs &graphs, uint64_t hash, const symc_frame &frame,
                         const symc_cuda_program &program) {
  for (CapturedRun &run : graphs.runs)
    if (run.exec && run.hash == hash && is_of(run, frame, program))
      return &run;
  return nullptr;
}

// Whether such a run was started before; it counts as started from now on.
static bool was_seen(Graphs &graphs, uint64_t hash) {
  for (uint64_t seen : graphs.seen)
    if (seen == hash)
      return true;
  graphs.seen[graphs.nextSeen] = hash;
  graphs.nextSeen = (graphs.nextSeen + 1) % mostGraphs;
  return false;
}

static CUgraphExec capture_in(CUstream stream, const symc_frame &frame,
                              const symc_cuda_program &program, const symc_cuda_module &module,
                              bool &early) {
  symc_frame inside = frame;
  inside.stream = stream;
  inside.error = nullptr; // what fails here is no error of the run
  inside.error_bytes = 0;
  if (driver().cuStreamBeginCapture_v2(stream, ThreadLocal) != Success)
    return nullptr;
  bool started = start_kernels(inside, program, module, early) == SYMC_STATUS_OK;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  if (driver().cuStreamEndCapture(stream, &graph) != Success || !graph)
    return nullptr;
  if (started && driver().cuGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0) != Success)
    exec = nullptr;
  driver().cuGraphDestroy(graph);
  return exec;
}

// Drivers before that of CUDA 12.3 make no graphs of kernels that start early.
static CUgraphExec capture(const symc_frame &frame, const symc_cuda_program &program,
                           const symc_cuda_module &module, bool &early) {
  CUstream stream = nullptr;
  if (driver().cuStreamCreate(&stream, NonBlocking) != Success)
    return nullptr;
  bool wasEarly = early;
  CUgraphExec exec = capture_in(stream, frame, program, module, early);
  if (!exec && wasEarly) {
    early = false;
    exec = capture_in(stream, frame, program, module, early);
  }
  driver().cuStreamDestroy_v2(stream);
  return exec;
}

static void empty(CapturedRun &run) {
  if (run.exec)
    driver().cuGraphExecDestroy(run.exec);
  release(nullptr, run.values, run.n_values * sizeof(uint64_t));
  run = {};
}

// An empty place, or that of the run that was started last of all.
static CapturedRun &make_place(Graphs &graphs, const symc_frame &frame) {
  CapturedRun *place = graphs.runs;
  for (CapturedRun &run : graphs.runs)
    if (!run.exec || (place->exec && run.used < place->used))
      place = &run;
  if (place->exec) // which the device may still work on
    driver().cuStreamSynchronize(static_cast<CUstream>(frame.stream));
  empty(*place);
  return *place;
}

static CapturedRun *add(Graphs &graphs, uint64_t hash, const symc_frame &frame,
                        const symc_cuda_program &program, const symc_cuda_module &module,
                        bool &early) {
  CapturedRun &run = make_place(graphs, frame);
  for_each_value(frame, program, [&](uint64_t) { return ++run.n_values; });
  run.values =
      static_cast<uint64_t *>(allocate(nullptr, (run.n_values + 1) * sizeof(uint64_t), SYMC_ALIGN));
  if (!run.values)
    return nullptr;
  uint64_t *next = run.values;
  for_each_value(frame, program, [&](uint64_t value) {
    *next++ = value;
    return true;
  });
  run.program = &program;
  run.hash = hash;
  run.exec = capture(frame, program, module, early);
  if (run.exec)
    return &run;
  empty(run);
  return nullptr;
}

bool start_graph(Graphs &graphs, const symc_frame &frame, const symc_cuda_program &program,
                 const symc_cuda_module &module, bool &early) {
  if (graphs.failed || !may_be_captured(program))
    return false;
  CUstream stream = static_cast<CUstream>(frame.stream);
  uint64_t hash = hash_of(frame, program);
  CapturedRun *run = find(graphs, hash, frame, program);
  if (!run && !was_seen(graphs, hash))
    return false;
  if (is_captured(stream))
    return false;
  if (!run)
    run = add(graphs, hash, frame, program, module, early);
  if (run && driver().cuGraphLaunch(run->exec, stream) == Success) {
    run->used = ++graphs.clock;
    return true;
  }
  graphs.failed = true;
  return false;
}

Graphs *open_graphs() {
  auto *graphs = static_cast<Graphs *>(allocate(nullptr, sizeof(Graphs), SYMC_ALIGN));
  if (graphs)
    memset(graphs, 0, sizeof(Graphs));
  return graphs;
}

void close_graphs(Graphs *graphs) {
  if (!graphs)
    return;
  for (CapturedRun &run : graphs->runs)
    empty(run);
  release(nullptr, graphs, sizeof(Graphs));
}

} // namespace symc::cuda
