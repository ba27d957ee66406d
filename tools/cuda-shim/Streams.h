// Streams.h: streams of the shim's driver, and the launches that are captured in them. What is not
// captured runs when it is asked for, whatever its stream.
#ifndef SYMC_TOOLS_CUDA_SHIM_STREAMS_H
#define SYMC_TOOLS_CUDA_SHIM_STREAMS_H

#include "tools/cuda-shim/Driver.h"
#include <vector>

namespace symc::shim {

/// A launch with the values of its arguments, 8 bytes each, as all of symc's are.
struct CapturedLaunch {
  CUfunction function;
  unsigned grid[3], block[3], sharedBytes;
  std::vector<uint64_t> arguments;
};

/// Whether the stream is one that is being captured; null is the default stream, which never is.
bool isCaptured(CUstream stream);
/// Keeps a launch in such a stream.
void keepLaunch(CUstream stream, CapturedLaunch launch);

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_STREAMS_H
