// TargetDescription.cpp: the table of instruction sets, and `native`, which is
// the row of this machine's level with its own LLVM CPU name, features and
// caches. A row holds data only; adding an instruction set adds a row.
#include "codegen/cpu/TargetDescription.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace symc::codegen;

// What symc_cpu_level() has to reach for code of that name.
static uint64_t levelOf(llvm::StringRef name) {
  uint64_t found = 0;
#define SYMC_CPU_LEVEL(level, levelName, saved)                                                    \
  if (name == levelName)                                                                           \
    found = level;
#include "runtime/include/symc/cpu_levels.def"
  return found;
}

// The features of the levels up to that one.
static std::set<std::string> featuresOf(uint64_t upTo) {
  std::set<std::string> features;
#define SYMC_CPU_FEATURE(level, name, word, bits)                                                  \
  if (level <= upTo)                                                                               \
    features.insert(name);
#include "runtime/include/symc/cpu_levels.def"
  return features;
}

// The most of these levels whose features this machine has.
static uint64_t hostLevel(const llvm::StringMap<bool> &host) {
  uint64_t lacking = 0;
#define SYMC_CPU_LEVEL(level, name, saved) lacking = level + 1;
#include "runtime/include/symc/cpu_levels.def"
#define SYMC_CPU_FEATURE(level, name, word, bits)                                                  \
  if (!host.lookup(name))                                                                          \
    lacking = std::min<uint64_t>(lacking, level);
#include "runtime/include/symc/cpu_levels.def"
  return lacking - 1;
}

// A tile of V vectors by P pixels holds V * P accumulators, V weights and one
// broadcast value at a time (or P values and one weight where P < V), all in
// registers. test/unit/codegen compiles every row and looks for spills.
static std::vector<TargetDescription> makeRows() {
  TargetDescription v2;
  v2.name = v2.llvmCpu = "x86-64-v2";
  v2.triple = "x86_64-linux-musl";
  v2.cpuLevel = levelOf(v2.name);
  v2.l1Bytes = 32 << 10;
  v2.l2Bytes = 256 << 10;
  v2.tiles = {{4, 2}, {8, 1}};

  TargetDescription v3 = v2;
  v3.name = v3.llvmCpu = "x86-64-v3";
  v3.cpuLevel = levelOf(v3.name);
  v3.vectorBytes = 32;
  v3.fma = v3.fmaReadsMemory = true;
  v3.tiles = {{2, 6}, {4, 3}, {6, 2}, {8, 1}};
  v3.prefetchTiles = 16;
  v3.shortRowPixels = 8; // tiles of six pixels: 7 are 4 and 3

  TargetDescription v4 = v3;
  v4.name = v4.llvmCpu = "x86-64-v4";
  v4.cpuLevel = levelOf(v4.name);
  v4.vectorBytes = 64;
  v4.vectorRegisters = 32;
  v4.l2Bytes = 1 << 20;
  v4.tiles = {{2, 14}, {3, 9}, {4, 6}, {6, 4}, {8, 2}};
  v4.shortRowPixels = 0;
  v4.prefetchTiles = 16;

  TargetDescription vnni = v4;
  vnni.name = "x86-64-v4+vnni";
  vnni.features = "+avx512vnni";
  vnni.cpuLevel = levelOf(vnni.name);

  TargetDescription bf16 = vnni;
  bf16.name = "x86-64-v4+bf16";
  bf16.features = "+avx512vnni,+avx512bf16";
  bf16.cpuLevel = levelOf(bf16.name);

  TargetDescription amx = bf16;
  amx.name = "x86-64-v4+amx";
  amx.features = "+avx512vnni,+avx512bf16,+amx-tile,+amx-bf16";
  amx.cpuLevel = levelOf(amx.name);

  TargetDescription arm;
  arm.name = "armv8-a";
  arm.triple = "aarch64-linux-gnu";
  arm.llvmCpu = "generic";
  arm.features = "+neon";
  arm.vectorRegisters = 32;
  arm.fma = true;
  arm.l1Bytes = 32 << 10;
  arm.l2Bytes = 512 << 10;
  arm.l2BytesPerCycle = 16;
  arm.tiles = {{4, 6}, {8, 3}, {12, 2}};
  for (TargetDescription *row : {&v2, &v3, &v4, &vnni, &bf16, &amx})
    row->offered = featuresOf(row->cpuLevel);
  return {v2, v3, v4, vnni, bf16, amx, arm};
}

// What single cores do otherwise than their row.
struct CoreRates {
  const char *llvmCpu;
  double fmasPerCycle, loadsPerCycle;
  int prefetchTiles;
};
static const CoreRates coreRates[] = {
    {"znver4", 1, 1, 0}, // 512-bit operations take a 256-bit pipe twice
};

// Bytes of this machine's data or unified cache of that level; 0 if unknown.
static int64_t hostCacheBytes(int level) {
  for (int index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    auto read = [&](const char *name) -> std::string {
      auto buffer = llvm::MemoryBuffer::getFileAsStream(folder + name);
      return buffer ? (*buffer)->getBuffer().trim().str() : "";
    };
    if (read("level") != std::to_string(level) || read("type") == "Instruction")
      continue;
    std::string size = read("size");
    llvm::StringRef text = size;
    int64_t unit = text.consume_back("K") ? 1 << 10 : text.consume_back("M") ? 1 << 20 : 1;
    int64_t count = 0;
    return text.getAsInteger(10, count) ? 0 : count * unit;
  }
  return 0;
}

static TargetDescription describeNative() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::vector<TargetDescription> rows = makeRows();
  TargetDescription target = rows.front();
  for (const TargetDescription &row : rows)
    if (row.architecture() == target.architecture() && row.cpuLevel <= hostLevel(host))
      target = row;
  target.name = "native";
  target.llvmCpu = llvm::sys::getHostCPUName().str();
  // Sorted, so that one machine gives one string.
  std::vector<std::string> features;
  for (const auto &feature : host)
    features.push_back((feature.getValue() ? "+" : "-") + feature.getKey().str());
  std::sort(features.begin(), features.end());
  target.features = llvm::join(features, ",");
  for (const CoreRates &core : coreRates)
    if (target.llvmCpu == core.llvmCpu) {
      target.fmasPerCycle = core.fmasPerCycle;
      target.loadsPerCycle = core.loadsPerCycle;
      target.prefetchTiles = core.prefetchTiles;
    }
  if (int64_t bytes = hostCacheBytes(1))
    target.l1Bytes = bytes;
  if (int64_t bytes = hostCacheBytes(2))
    target.l2Bytes = bytes;
  if (int64_t bytes = hostCacheBytes(3))
    target.l3Bytes = bytes;
  return target;
}

std::optional<TargetDescription> TargetDescription::get(llvm::StringRef name) {
  if (name == "native")
    return describeNative();
  for (TargetDescription &row : makeRows())
    if (row.name == name)
      return row;
  return std::nullopt;
}

std::vector<std::string> TargetDescription::defaults(bool bytes) {
  std::vector<std::string> names{"x86-64-v4", "x86-64-v3"};
  if (bytes)
    names.insert(names.begin(), "x86-64-v4+vnni");
  return names;
}

std::string TargetDescription::least() { return makeRows().front().name; }

std::vector<std::string> TargetDescription::names() {
  std::vector<std::string> names;
  for (const TargetDescription &row : makeRows())
    names.push_back(row.name);
  names.push_back("native");
  return names;
}
