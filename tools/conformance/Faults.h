// Faults.h: what a signal was about, for whoever finds this process dead: the step that
// ran, and the slot of guarded memory that it left.
#ifndef SYMC_TOOLS_CONFORMANCE_FAULTS_H
#define SYMC_TOOLS_CONFORMANCE_FAULTS_H

#include "tools/conformance/GuardedMemory.h"
#include <atomic>

namespace symc::conformance {

/// Where code runs, for a sentence.
struct Watch {
  const GuardedMemory *memory;
  const std::vector<std::string> *steps; // "step 3, conv of 'conv0'"
  const char *phase;                     // outside of steps: "the preparation of weights"
  std::atomic<int64_t> step{-1};

  std::string where() const;
};

/// From here on SIGSEGV and SIGBUS write a sentence to `text`, memory that another process
/// shares, before they end this process.
void reportFaults(char *text, int64_t bytes);
/// What is watched for faults; null: nothing.
void watch(const Watch *watch);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_FAULTS_H
