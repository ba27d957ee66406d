// TargetDescription.h: everything that a schedule or a lowering may know about
// a CPU. A row per named instruction set; rows are data, code never asks for a
// CPU by name. `--target-cpu=native` refines caches and bandwidths.
#ifndef SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H
#define SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace symc::codegen {

/// A register tile of the convolution/GEMM micro-kernel: `vectors` output
/// vectors (of the target's lanes) by at most `pixels` output pixels.
struct TileShape {
  int vectors;
  int pixels;
};

struct TargetDescription {
  std::string name;     // "x86-64-v3"
  std::string triple;   // "x86_64-linux-musl"
  std::string llvmCpu;  // "x86-64-v3"
  std::string features; // extra LLVM features, "+avx512vnni"
  uint64_t cpuLevel;    // what symc_cpu_level() must reach at run time; armv8-a: 1
  int vectorBytes;      // 16, 32 or 64
  int vectorRegisters;  // 16 or 32
  bool fma;             // fused multiply-add exists
  bool fmaReadsMemory;  // with an operand in memory, which takes no register
  bool vnni;            // sums of four products of bytes exist (AVX512-VNNI)
  int64_t l1Bytes, l2Bytes;
  std::vector<TileShape> tiles; // candidates without spills, best first
  int prefetchTiles;            // weights are fetched a group ahead up to so many pixel tiles
  double fmasPerCycle;          // full-width multiply-adds that one core starts a cycle
  double loadsPerCycle;         // full-width loads
  double l2BytesPerCycle;       // sustained, for a stream that misses L1
  int64_t l3Bytes = 16 << 20;   // of all that a core reaches
  double l3BytesPerCycle = 16, memoryBytesPerCycle = 8; // the same, from further away

  int lanes(int elementBytes) const { return vectorBytes / elementBytes; }

  /// "x86_64" or "aarch64".
  llvm::StringRef architecture() const { return llvm::StringRef(triple).split('-').first; }
  /// Whether a machine of that description runs this one's code.
  bool runsOn(const TargetDescription &host) const {
    return architecture() == host.architecture() && cpuLevel <= host.cpuLevel;
  }

  /// The description of a named target ("x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a",
  /// "native"), or nothing; `names()` lists the valid ones for messages.
  static std::optional<TargetDescription> get(llvm::StringRef name);
  static std::vector<std::string> names();
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TARGETDESCRIPTION_H
