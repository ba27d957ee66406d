// graphs.h: runs as CUDA graphs. A run whose program, addresses and sizes a context has seen before
// is captured from its kernels' starts, once, and started as a whole from then on.
#ifndef SYMC_RUNTIME_CUDA_GRAPHS_H
#define SYMC_RUNTIME_CUDA_GRAPHS_H

#include "../core/context.h"
#include "module.h"

namespace symc::cuda {

// What an argument of a launch is in this run.
uint64_t value_of(const symc_frame &frame, const symc_cuda_argument &argument, int64_t round);

// Puts the kernels of the program in the frame's stream, one behind the other.
symc_status start_kernels(const symc_frame &frame, const symc_cuda_program &program,
                          const symc_cuda_module &module);

// The same as one graph, where the thread's GraphScope has one or captures it. False: nothing is in
// the stream, and the kernels have to be started.
bool start_graph(const symc_frame &frame, const symc_cuda_program &program,
                 const symc_cuda_module &module);

// Lets runs of the calling thread use the context's graphs, which they find by the thread: a frame
// has no place for them. When more threads than mostScopes run at once, some run without.
constexpr int mostScopes = 64;
class GraphScope {
public:
  explicit GraphScope(const symc_context &context);
  ~GraphScope();

private:
  struct ThreadGraphs *place = nullptr;
  Graphs *outer = nullptr;
  bool claimed = false;
};

} // namespace symc::cuda
#endif
