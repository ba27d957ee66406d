// TargetDescription.h: a target that is a CPU: what its cost models and lowerings may use
// beside what every target offers. A row per named instruction set; rows are data, code never
// compares the name of a CPU. `--target-cpu=native` refines caches and bandwidths.
#ifndef SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H
#define SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H

#include "codegen/cpu/ProductRow.h"
#include "codegen/target/Target.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace symc::codegen {

struct TargetDescription : Target {
  std::string name;              // "x86-64-v3"
  std::string triple;            // "x86_64-linux-musl"
  std::string llvmCpu;           // "x86-64-v3"
  std::string features;          // extra LLVM features, "+avx512vnni"
  std::set<std::string> offered; // by LLVM's names, those of cpu_levels.def up to the level
  uint64_t cpuLevel = 1;         // what symc_cpu_level() must reach at run time; armv8-a: 1
  int vectorRegisters = 16;      // 16 or 32, of 16, 32 or 64 bytes
  bool fma = false;              // fused multiply-add exists
  bool fmaReadsMemory = false;   // with an operand in memory, which takes no register
  std::vector<TileShape> tiles;  // candidates without spills, best first
  int prefetchTiles = 0;         // up to so many pixel tiles of a task fetch the next weights
  double fmasPerCycle = 2;       // full-width multiply-adds that one core starts a cycle
  double loadsPerCycle = 2;      // full-width loads

  /// "x86_64" or "aarch64".
  llvm::StringRef architecture() const { return llvm::StringRef(triple).split('-').first; }
  /// Whether instructions of that feature, as LLVM names it, may be used.
  bool has(llvm::StringRef feature) const { return offered.count(feature.str()); }
  /// Whether bytes are multiplied as pairs of 16 bits, which an instruction sums.
  bool pairsBytes() const { return !has("avx512vnni") && architecture() == "x86_64"; }
  /// Whether a machine of that description runs this one's code.
  bool runsOn(const TargetDescription &host) const {
    return architecture() == host.architecture() && cpuLevel <= host.cpuLevel;
  }

  /// The description of a named target ("x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a",
  /// "native"), or nothing; `names()` lists the valid ones for messages.
  static std::optional<TargetDescription> get(llvm::StringRef name);
  static std::vector<std::string> names();
  /// Those of a file that runs anywhere, best first; `bytes`: of a graph that multiplies bytes.
  static std::vector<std::string> defaults(bool bytes = false);
  /// The last of the defaults, whose layouts and forms of weights code for CUDA shares.
  static std::string common() { return defaults().back(); }
  /// The one that every machine runs.
  static std::string least();
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H
