// Tiles.h: registers of matrices and what instructions do to them, as Intel's manual describes it.
#ifndef SYMC_TOOLS_AMX_EMULATOR_TILES_H
#define SYMC_TOOLS_AMX_EMULATOR_TILES_H

#include "tools/amx-emulator/Instruction.h"

namespace symc::amx {

constexpr int tileCount = 8, mostRows = 16, rowBytes = 64, mostColumns = rowBytes / 4;

struct Tiles {
  /// As instructions load and store it.
  struct Configuration {
    uint8_t palette, startRow, reserved[14];
    uint16_t bytes[16]; // of a row
    uint8_t rows[16];
  };

  Configuration configuration = {};
  alignas(64) uint8_t data[tileCount][mostRows][rowBytes] = {};

  /// Executes one; `address` is where its memory begins, `stride` lies between rows. Returns what a
  /// processor refuses it for, or null.
  const char *execute(const Instruction &instruction, uint8_t *address, int64_t stride);

private:
  const char *configure(const uint8_t *from);
  const char *multiply(const Instruction &instruction);
};

} // namespace symc::amx

#endif // SYMC_TOOLS_AMX_EMULATOR_TILES_H
