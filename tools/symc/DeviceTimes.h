// DeviceTimes.h: the runtime's part of CUDA as a DeviceClock: device 0 of this machine, by the
// driver that SYMC_CUDA_DRIVER names or the system's.
#ifndef SYMC_TOOLS_SYMC_DEVICETIMES_H
#define SYMC_TOOLS_SYMC_DEVICETIMES_H

#include "tools/driver/DeviceClock.h"

namespace symc {

class DeviceTimes : public DeviceClock {
public:
  ~DeviceTimes() override;
  llvm::Expected<int> open() override;
  std::vector<std::pair<std::string, const void *>> functions() override;
  llvm::Expected<std::vector<std::vector<double>>> measure(const TimedPrograms &work) override;

private:
  bool isOpen = false;
};

} // namespace symc

#endif // SYMC_TOOLS_SYMC_DEVICETIMES_H
