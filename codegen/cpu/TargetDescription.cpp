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

// A tile of V vectors by P pixels holds V * P accumulators, V weights and one
// broadcast value at a time (or P values and one weight where P < V), all in
// registers. test/unit/codegen compiles every row and looks for spills.
static std::vector<TargetDescription> makeRows() {
  const char *triple = "x86_64-linux-musl";
  std::vector<TileShape> narrow = {{4, 2}, {8, 1}};
  std::vector<TileShape> middle = {{2, 6}, {4, 3}, {6, 2}, {8, 1}};
  std::vector<TileShape> many = {{4, 6}, {8, 3}, {12, 2}}; // 32 registers of 16 bytes
  std::vector<TileShape> wide = {{2, 14}, {3, 9}, {4, 6}, {6, 4}, {8, 2}};
  return {
      {"x86-64-v2", triple, "x86-64-v2", "", 2, 16, 16, false, false, false, 32 << 10, 256 << 10,
       narrow, 0, 2, 2, 22},
      {"x86-64-v3", triple, "x86-64-v3", "", 3, 32, 16, true, true, false, 32 << 10, 256 << 10,
       middle, 0, 2, 2, 22},
      {"x86-64-v4", triple, "x86-64-v4", "", 4, 64, 32, true, true, false, 32 << 10, 1 << 20, wide,
       0, 2, 2, 22},
      {"x86-64-v4+vnni", triple, "x86-64-v4", "+avx512vnni", 5, 64, 32, true, true, true, 32 << 10,
       1 << 20, wide, 0, 2, 2, 22},
      {"armv8-a", "aarch64-linux-gnu", "generic", "+neon", 1, 16, 32, true, false, false, 32 << 10,
       512 << 10, many, 0, 2, 2, 16},
  };
}

// What single cores do otherwise than their row says.
struct CoreRates {
  const char *llvmCpu;
  double fmasPerCycle, loadsPerCycle;
  int prefetchTiles;
};
static const CoreRates coreRates[] = {
    {"cascadelake", 2, 2, 16},
    {"znver4", 1, 1, 0}, // 512-bit operations take a 256-bit pipe twice
    {"znver5", 2, 2, 16},
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
  auto has = [&](std::initializer_list<const char *> features) {
    return llvm::all_of(features, [&](const char *name) { return host.lookup(name); });
  };
  int level = 2;
  if (has({"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt", "movbe"}))
    level = has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? 4 : 3;
  TargetDescription target = makeRows()[level - 2];
  target.name = "native";
  target.vnni = level == 4 && has({"avx512vnni"});
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

std::vector<std::string> TargetDescription::names() {
  std::vector<std::string> names;
  for (const TargetDescription &row : makeRows())
    names.push_back(row.name);
  names.push_back("native");
  return names;
}
