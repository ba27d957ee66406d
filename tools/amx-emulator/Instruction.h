// Instruction.h: instructions of x86-64's registers of matrices (AMX-TILE, AMX-BF16), as bytes
// encode them.
#ifndef SYMC_TOOLS_AMX_EMULATOR_INSTRUCTION_H
#define SYMC_TOOLS_AMX_EMULATOR_INSTRUCTION_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace symc::amx {

enum class Operation { LoadConfig, StoreConfig, Release, Zero, Load, Store, MultiplyBFloats };

/// base + displacement, and index << scale; registers by their numbers, -1: none.
struct Address {
  int base = -1, index = -1, scale = 0;
  int32_t displacement = 0;
  bool ofNext = false; // base is the next instruction
};

struct Instruction {
  Operation operation;
  size_t length;             // in bytes
  int target = 0;            // tile that is written, or stored
  int first = 0, second = 0; // tiles that are multiplied
  Address address = {};
};

/// The instruction at the beginning of so many bytes; nothing where it is none of these, or longer.
std::optional<Instruction> decode(const uint8_t *code, size_t bytes);

} // namespace symc::amx

#endif // SYMC_TOOLS_AMX_EMULATOR_INSTRUCTION_H
