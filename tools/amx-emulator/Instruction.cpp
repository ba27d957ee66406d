// Instruction.cpp: see Instruction.h. All of them have a VEX prefix of three bytes of the map 0F38,
// with W and L zero:
//
//   C4  R X B mmmmm (R, X, B inverted)  W vvvv L pp (vvvv inverted)  opcode  ModRM  [SIB]  [disp]
#include "tools/amx-emulator/Instruction.h"

#include <cstring>

using namespace symc::amx;

namespace {
/// Bytes in order; `failed` behind the last one.
struct Reader {
  const uint8_t *next, *end;
  bool failed = false;

  uint8_t byte() {
    failed |= next == end;
    return failed ? 0 : *next++;
  }
  int32_t displacement(size_t bytes) {
    if (bytes == 1)
      return static_cast<int8_t>(byte());
    uint8_t text[4] = {byte(), byte(), byte(), byte()};
    int32_t value;
    memcpy(&value, text, sizeof value);
    return value;
  }
};

enum Prefix { None, P66, PF3, PF2 };
} // namespace

static Address readAddress(Reader &reader, int mode, int low, bool x, bool b) {
  Address address;
  bool hasIndex = low == 4;
  int base = low;
  if (hasIndex) {
    uint8_t sib = reader.byte();
    int index = (sib >> 3 & 7) | x << 3;
    address.scale = sib >> 6;
    address.index = index == 4 ? -1 : index;
    base = sib & 7;
  }
  size_t bytes = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  if (mode == 0 && base == 5) {
    bytes = 4;
    address.ofNext = !hasIndex;
  } else {
    address.base = base | b << 3;
  }
  if (bytes)
    address.displacement = reader.displacement(bytes);
  return address;
}

std::optional<Instruction> symc::amx::decode(const uint8_t *code, size_t bytes) {
  Reader reader{code, code + bytes};
  if (reader.byte() != 0xc4)
    return std::nullopt;
  uint8_t one = reader.byte(), two = reader.byte(), opcode = reader.byte(), form = reader.byte();
  bool r = !(one & 0x80), x = !(one & 0x40), b = !(one & 0x20);
  int given = ~(two >> 3) & 15;
  auto prefix = static_cast<Prefix>(two & 3);
  if ((one & 31) != 2 || two & 0x84 || reader.failed)
    return std::nullopt;
  int mode = form >> 6, middle = form >> 3 & 7, low = form & 7;
  bool inMemory = mode != 3;
  Instruction found{};
  if (opcode == 0x5c && prefix == PF3 && !inMemory && !r && !b && given < 8) {
    found.operation = Operation::MultiplyBFloats;
    found.target = middle;
    found.first = low;
    found.second = given;
  } else if (given != 0 || r) {
    return std::nullopt;
  } else if (opcode == 0x49 && inMemory && middle == 0 && (prefix == None || prefix == P66)) {
    found.operation = prefix == None ? Operation::LoadConfig : Operation::StoreConfig;
  } else if (opcode == 0x49 && prefix == None && form == 0xc0) {
    found.operation = Operation::Release;
  } else if (opcode == 0x49 && prefix == PF2 && !inMemory && low == 0) {
    found.operation = Operation::Zero;
    found.target = middle;
  } else if (opcode == 0x4b && inMemory && low == 4 && prefix != None) {
    found.operation = prefix == PF3 ? Operation::Store : Operation::Load;
    found.target = middle;
  } else {
    return std::nullopt;
  }
  if (inMemory)
    found.address = readAddress(reader, mode, low, x, b);
  if (reader.failed)
    return std::nullopt;
  found.length = reader.next - code;
  return found;
}
