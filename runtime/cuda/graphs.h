// graphs.h: runs as CUDA graphs. A run whose program, addresses and sizes a context has seen before
// is captured from its kernels' starts, once, and started as a whole from then on.
#ifndef SYMC_RUNTIME_CUDA_GRAPHS_H
#define SYMC_RUNTIME_CUDA_GRAPHS_H

#include "launch.h"

namespace symc::cuda {

// Of a context, which is used by one thread at a time; NULL without memory.
struct Graphs;
Graphs *open_graphs();
// When nothing of the context runs any more; the device is the one that the thread uses.
void close_graphs(Graphs *graphs);

// Starts the run's graph, or captures it first, `early` as in start_kernels. False: nothing is in
// the stream, and the kernels have to be started.
bool start_graph(Graphs &graphs, const symc_frame &frame, const symc_cuda_program &program,
                 const symc_cuda_module &module, bool &early);

} // namespace symc::cuda
#endif
