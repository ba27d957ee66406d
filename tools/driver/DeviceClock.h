// DeviceClock.h: who measures programs on a device of this machine, for --tune. The compiler has no
// runtime; a tool that has one gives it this.
#ifndef SYMC_TOOLS_DRIVER_DEVICECLOCK_H
#define SYMC_TOOLS_DRIVER_DEVICECLOCK_H

#include "codegen/emit/InProcess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace symc {

/// Programs of one model, and what each of them works on.
struct TimedPrograms {
  llvm::ArrayRef<std::unique_ptr<codegen::InProcess>> programs;
  const codegen::ModelInfo &info;  // tensors, and sizes, of which the largest are taken
  int64_t arenaBytes;              // enough for each program
  llvm::ArrayRef<uint8_t> weights; // prepared
  int rounds;                      // runs of each program whose times count
  llvm::function_ref<std::string(size_t)> describe; // a program, in an error
  llvm::function_ref<bool(int)> next; // called before each round; false ends with an error
};

class DeviceClock {
public:
  virtual ~DeviceClock() = default;
  /// Opens the device; 90 of one of sm_90. An error where there is none, or no driver.
  virtual llvm::Expected<int> open() = 0;
  /// What the tables of programs refer to.
  virtual std::vector<std::pair<std::string, const void *>> functions() = 0;
  /// Runs the programs in turns. The shortest time of each launch of each program, microseconds.
  virtual llvm::Expected<std::vector<std::vector<double>>> measure(const TimedPrograms &work) = 0;
};

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_DEVICECLOCK_H
