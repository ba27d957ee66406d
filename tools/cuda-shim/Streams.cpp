// Streams.cpp: see Streams.h; and events. A graph is a list of launches. Copies cannot be captured:
// the driver runs them at once, as it does outside of captures.
#include "tools/cuda-shim/Streams.h"

#include <chrono>
#include <mutex>
#include <set>

using namespace symc::shim;

namespace {
struct Stream {
  bool captured = false;
  std::vector<CapturedLaunch> launches;
};
using Graph = std::vector<CapturedLaunch>;

/// Everything that a caller holds, so that a wrong handle is reported.
struct Handles {
  std::mutex lock;
  std::set<void *> streams, graphs, execs;
  unsigned long long started = 0;
};
} // namespace

static Handles &handles() {
  static Handles all;
  return all;
}

static Stream *find(CUstream stream) {
  return handles().streams.count(stream) ? reinterpret_cast<Stream *>(stream) : nullptr;
}

bool symc::shim::isCaptured(CUstream handle) {
  std::lock_guard<std::mutex> locked(handles().lock);
  Stream *stream = find(handle);
  return stream && stream->captured;
}

void symc::shim::keepLaunch(CUstream handle, CapturedLaunch launch) {
  std::lock_guard<std::mutex> locked(handles().lock);
  find(handle)->launches.push_back(std::move(launch));
}

CUresult cuStreamCreate(CUstream *handle, unsigned) {
  std::lock_guard<std::mutex> locked(handles().lock);
  auto *stream = new Stream;
  handles().streams.insert(stream);
  *handle = reinterpret_cast<CUstream>(stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream handle) {
  std::lock_guard<std::mutex> locked(handles().lock);
  Stream *stream = find(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  handles().streams.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  *status = isCaptured(stream); // CU_STREAM_CAPTURE_STATUS_ACTIVE
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream handle, int) {
  std::lock_guard<std::mutex> locked(handles().lock);
  Stream *stream = find(handle);
  if (!stream || stream->captured) // the default stream cannot be captured
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  stream->captured = true;
  return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  std::lock_guard<std::mutex> locked(handles().lock);
  *graph = nullptr;
  Stream *stream = find(handle);
  if (!stream || !stream->captured)
    return CUDA_ERROR_INVALID_HANDLE;
  stream->captured = false;
  auto *made = new Graph(std::move(stream->launches));
  stream->launches.clear();
  handles().graphs.insert(made);
  *graph = reinterpret_cast<CUgraph>(made);
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *, char *, size_t) {
  std::lock_guard<std::mutex> locked(handles().lock);
  if (!handles().graphs.count(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  auto *made = new Graph(*reinterpret_cast<Graph *>(graph));
  handles().execs.insert(made);
  *exec = reinterpret_cast<CUgraphExec>(made);
  return CUDA_SUCCESS;
}

static CUresult destroy(std::set<void *> &all, void *graph) {
  std::lock_guard<std::mutex> locked(handles().lock);
  if (!all.erase(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  delete static_cast<Graph *>(graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) { return destroy(handles().graphs, graph); }
CUresult cuGraphExecDestroy(CUgraphExec exec) { return destroy(handles().execs, exec); }

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  Graph launches;
  {
    std::lock_guard<std::mutex> locked(handles().lock);
    if (!handles().execs.count(exec))
      return CUDA_ERROR_INVALID_HANDLE;
    launches = *reinterpret_cast<Graph *>(exec);
    ++handles().started;
  }
  if (isCaptured(stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  for (CapturedLaunch &launch : launches) {
    std::vector<void *> arguments;
    for (CapturedArgument &value : launch.arguments)
      arguments.push_back(&value);
    const unsigned *grid = launch.grid, *block = launch.block;
    if (CUresult result =
            cuLaunchKernel(launch.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                           launch.sharedBytes, stream, arguments.data(), nullptr))
      return result;
  }
  return CUDA_SUCCESS;
}

// Launches are done when they are requested, so that an event is a time of this machine.
struct CUevent_st {
  std::chrono::steady_clock::time_point time;
};

CUresult cuEventCreate(CUevent *event, unsigned) {
  *event = new CUevent_st;
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream) {
  event->time = std::chrono::steady_clock::now();
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent) { return cuStreamSynchronize(nullptr); }

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  delete event;
  return CUDA_SUCCESS;
}

unsigned long long symc_cuda_shim_graphs() {
  std::lock_guard<std::mutex> locked(handles().lock);
  return handles().started;
}
