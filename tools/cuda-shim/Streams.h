// Streams.h: streams of the shim's driver, and the launches that are captured in them. What is not
// captured runs when it is requested, whatever its stream.
#ifndef SYMC_TOOLS_CUDA_SHIM_STREAMS_H
#define SYMC_TOOLS_CUDA_SHIM_STREAMS_H

#include "tools/cuda-shim/Driver.h"
#include <vector>

namespace symc::shim {

/// The value of an argument, aligned as a tensor map requires.
union CapturedArgument {
  CUtensorMap map;
  char bytes[sizeof(CUtensorMap)];
};

/// A launch with the values of its arguments.
struct CapturedLaunch {
  CUfunction function;
  unsigned grid[3], block[3], sharedBytes;
  std::vector<CapturedArgument> arguments;
};

/// Whether the stream is one that is being captured; null is the default stream, which never is.
bool isCaptured(CUstream stream);
/// Keeps a launch in such a stream.
void keepLaunch(CUstream stream, CapturedLaunch launch);

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_STREAMS_H
