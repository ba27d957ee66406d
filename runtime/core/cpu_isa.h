// cpu_isa.h: what tests assume of the processor, whose instructions an emulator executes (or
// nothing does, where they are refused before).
#ifndef SYMC_RUNTIME_CORE_CPU_ISA_H
#define SYMC_RUNTIME_CORE_CPU_ISA_H

#include "symc/runtime.h"

namespace symc {

// From then on symc_cpu_level() is that level, and the system permits its registers or not; with -1
// they are what they are.
void assume_cpu_level(int32_t level, bool permitted);

} // namespace symc
#endif
