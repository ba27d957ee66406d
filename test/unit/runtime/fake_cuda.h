// fake_cuda.h: a stand-in for the CUDA driver that runs nothing: it keeps "device" memory apart
// from the process's, counts what is taken and given back, writes down calls, and fails where it is
// told to. A library of its own, which the runtime opens as SYMC_CUDA_DRIVER says; a test of the
// same process changes it by fake_cuda(), a program by the variable SYMC_FAKE_CUDA:
//   devices=2 architecture=86 version=12040 memory=1000000 fail=cuMemAlloc_v2:2:700 log=FILE
// An image is a text: a first word that does not matter, then kernels and their numbers of
// arguments, "fake k0:5 k1:2". Streams that the caller makes can be captured; of others `capturing`
// says whether the application captures them. A kernel that starts early has to stand right behind
// another one, on a device of sm_90 or later. A kernel takes a microsecond for events. What is not
// given back when the process ends is told on standard error, and the process ends with 99.
#ifndef SYMC_TEST_UNIT_RUNTIME_FAKE_CUDA_H
#define SYMC_TEST_UNIT_RUNTIME_FAKE_CUDA_H

#include <map>
#include <stddef.h>
#include <stdint.h>
#include <string>
#include <vector>

struct FakeCuda {
  // What it pretends.
  int devices = 1, version = 12040;
  std::vector<int> architectures = {86}; // of the devices; the last one for the rest
  size_t memoryBytes = size_t(1) << 30;  // of all devices together
  // Call number `failAt`, from 1, of that function returns `failWith`. An error of 700 to 719 loses
  // the device: all later calls that use it return it, too.
  std::string failing;
  int failAt = 0, failWith = 0;
  int capturing = 0;   // what cuStreamIsCapturing answers
  std::string logFile; // gets each line of `calls`, too

  // What it saw.
  std::vector<std::string> calls;     // with what matters of their arguments
  std::map<std::string, int> counted; // by function
  std::string mistakes;               // of the caller: wrong addresses, no context
  int lostWith = 0;
  uint64_t maps = 0; // that were made

  // Kernels in the order in which they ran, by themselves or in a graph: cuLaunchKernel's details.
  std::vector<std::string> ran;

  // What is held.
  std::map<uint64_t, std::vector<char>> memory; // by address on the device
  int retained = 0, modules = 0, streams = 0, events = 0, graphs = 0 /* executable ones, too */;

  size_t held() const {
    size_t bytes = 0;
    for (auto &[address, block] : memory)
      bytes += block.size();
    return bytes;
  }
  bool clean() const {
    return memory.empty() && !retained && !modules && !streams && !events && !graphs &&
           mistakes.empty();
  }
  // The calls that begin with `prefix`, one a line.
  std::string callsOf(const std::string &prefix) const {
    std::string text;
    for (const std::string &call : calls)
      if (call.compare(0, prefix.size(), prefix) == 0)
        text += call + "\n";
    return text;
  }
};

// Both are found by dlsym, as the driver's functions are. fake_cuda_reset gives every member its
// first value again, and takes what it had current from the calling thread.
extern "C" FakeCuda *fake_cuda();
extern "C" void fake_cuda_reset();

#endif
