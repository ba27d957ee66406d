// Emulator.h: code for x86-64-v4+amx on processors without registers of matrices: the signal that
// an unknown instruction raises executes it. Exact and slow; for tests.
#ifndef SYMC_TOOLS_AMX_EMULATOR_EMULATOR_H
#define SYMC_TOOLS_AMX_EMULATOR_EMULATOR_H

#include <cstdint>

namespace symc::amx {

/// From then on this process executes instructions of matrices, and the runtime that it is linked
/// with takes the processor for one that has them, if it has all that such processors have besides.
/// False where it has not. Nothing changes where the processor has all.
bool installEmulator();

/// Products of matrices that were executed.
int64_t emulatedProducts();

} // namespace symc::amx

#endif // SYMC_TOOLS_AMX_EMULATOR_EMULATOR_H
