// Tiles.cpp: see Tiles.h.
#include "tools/amx-emulator/Tiles.h"

#include <cmath>
#include <cstring>

using namespace symc::amx;

// Subnormal numbers count as zero, of their sign.
static float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

static float widened(uint16_t bits) {
  uint32_t word = uint32_t(bits) << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return flushed(value);
}

const char *Tiles::configure(const uint8_t *from) {
  Configuration next;
  static_assert(sizeof next == 64);
  memcpy(&next, from, sizeof next);
  memset(data, 0, sizeof data);
  if (next.palette == 0) {
    configuration = {};
    return nullptr;
  }
  if (next.palette != 1 || next.startRow >= mostRows)
    return "a configuration with another palette or start row";
  for (uint8_t byte : next.reserved)
    if (byte)
      return "a configuration whose reserved bytes are not zero";
  for (int i = 0; i < 16; ++i) {
    bool isThere = next.bytes[i] && next.rows[i];
    if ((i >= tileCount || !isThere) && (next.bytes[i] || next.rows[i]))
      return "a configuration of a tile that is not there, or has no rows or bytes";
    if (next.bytes[i] > rowBytes || next.rows[i] > mostRows)
      return "a configuration of a tile that is too large";
  }
  configuration = next;
  return nullptr;
}

// Two sums of every output, of the first and of the second products of all pairs, each product and
// sum rounded once, are added to each other and then to what there was.
const char *Tiles::multiply(const Instruction &i) {
  const Configuration &c = configuration;
  int rows = c.rows[i.target], columns = c.bytes[i.target] / 4, pairs = c.bytes[i.first] / 4;
  if (i.target == i.first || i.target == i.second || i.first == i.second)
    return "a product of a tile by itself, or into one of its factors";
  if (c.rows[i.first] != rows || c.rows[i.second] != pairs ||
      c.bytes[i.second] != c.bytes[i.target] || c.bytes[i.target] % 4 || c.bytes[i.first] % 4)
    return "a product of tiles whose shapes do not fit";
  for (int m = 0; m < rows; ++m) {
    float sums[mostColumns][2] = {};
    for (int k = 0; k < pairs; ++k)
      for (int n = 0; n < columns; ++n)
        for (int half = 0; half < 2; ++half) {
          uint16_t x, y;
          memcpy(&x, &data[i.first][m][4 * k + 2 * half], sizeof x);
          memcpy(&y, &data[i.second][k][4 * n + 2 * half], sizeof y);
          sums[n][half] = flushed(std::fma(widened(x), widened(y), sums[n][half]));
        }
    for (int n = 0; n < columns; ++n) {
      float before;
      memcpy(&before, &data[i.target][m][4 * n], sizeof before);
      float after = flushed(flushed(before) + flushed(sums[n][0] + sums[n][1]));
      memcpy(&data[i.target][m][4 * n], &after, sizeof after);
    }
  }
  return nullptr;
}

const char *Tiles::execute(const Instruction &instruction, uint8_t *address, int64_t stride) {
  auto [operation, length, target, first, second, place] = instruction;
  switch (operation) {
  case Operation::LoadConfig:
    return configure(address);
  case Operation::StoreConfig:
    memcpy(address, &configuration, sizeof configuration);
    return nullptr;
  case Operation::Release:
    configuration = {};
    memset(data, 0, sizeof data);
    return nullptr;
  default:
    break;
  }
  for (int tile : {target, first, second}) {
    bool isUsed = tile == target || operation == Operation::MultiplyBFloats;
    if (isUsed && !configuration.rows[tile])
      return "a tile without a configuration";
  }
  if (configuration.startRow)
    return "an instruction that continues one, which this emulator has not";
  int rows = configuration.rows[target], bytes = configuration.bytes[target];
  switch (operation) {
  case Operation::Zero:
    memset(data[target], 0, sizeof data[target]);
    return nullptr;
  case Operation::Load:
    memset(data[target], 0, sizeof data[target]);
    for (int row = 0; row < rows; ++row)
      memcpy(data[target][row], address + row * stride, bytes);
    return nullptr;
  case Operation::Store:
    for (int row = 0; row < rows; ++row)
      memcpy(address + row * stride, data[target][row], bytes);
    return nullptr;
  default:
    return multiply(instruction);
  }
}
