// Memory.h: what kernels may touch, and who touched it. Each allocation of the device and each
// shared array is a region with a cell for every 4 bytes, for fewer from the first narrower access
// on: who wrote it last, and who read it since.
//
// Threads of a launch run one after the other on the machine, so that order is no proof. An
// access has the id of its thread between two barriers: ids grow from launch to launch, from
// block to block and from barrier to barrier, 32 for each warp at a time ("chunk"), the lane in
// the low 5 bits. Two accesses are ordered where the older id is of an earlier launch, of the
// same block before its last barrier, of the same warp before its last __syncwarp, or the same
// thread's. Any others of which one writes are a race, however they happened to run.
//
// Blocks are ordered by __threadfence and atomics of one thread each: what a block did before its
// last barrier before the fence of a thread whose atomic comes next at a place, is done for what a
// block does behind the first barrier behind the fence of a thread whose atomic came before it at
// the same place, later.
#ifndef SYMC_TOOLS_CUDA_SHIM_MEMORY_H
#define SYMC_TOOLS_CUDA_SHIM_MEMORY_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace symc::shim {

struct Cell {
  uint32_t writer;  // 0: nobody; 1: the host; else an id, `atomicBit` set if by an atomic
  uint32_t reader;  // 0 or an id
  uint32_t another; // one more reader, of another thread
};

enum class Access { Read, Write, Atomic };

class Region {
public:
  Region(uintptr_t begin, size_t bytes, bool shared, std::string name);
  ~Region();
  Region(const Region &) = delete;

  const uintptr_t begin, end;
  const bool shared;
  std::string name; // "arena", "shared array 'tile'"

  /// A cell stands for 1 << shift bytes.
  unsigned shift() const { return cellShift; }
  Cell *cellOf(uintptr_t address) { return cells + ((address - begin) >> cellShift); }
  /// Gives every `bytes` bytes, a power of two, a cell of their own.
  void refine(size_t bytes);

  /// The host wrote [from, to).
  void markWritten(uintptr_t from, uintptr_t to);
  bool hostWrote(uintptr_t from, uintptr_t to) const;
  /// The first byte of [from, to) that nobody wrote, or `to`.
  uintptr_t firstUnwritten(uintptr_t from, uintptr_t to);
  /// Forgets all accesses but that something was written.
  void settle();

private:
  size_t cellCount() const { return ((end - begin) >> cellShift) + 1; }
  unsigned cellShift = 2;
  Cell *cells;                            // mapped, zero until touched
  std::map<uintptr_t, uintptr_t> written; // by the host: begin to end
};

/// All regions, and the checks of an access.
class Memory {
public:
  static constexpr uint32_t atomicBit = 1u << 31;

  Region *add(uintptr_t begin, size_t bytes, bool shared, std::string name);
  void remove(uintptr_t begin);
  /// The region with that byte, or null.
  Region *find(uintptr_t address);
  /// The region that ends nearest before the address or begins nearest behind it, or null.
  Region *nearest(uintptr_t address);

  /// Extents of a block and of the grid, three each, by which messages name threads.
  void setExtents(const unsigned *block, const unsigned *grid) {
    std::copy(block, block + 3, blockExtents);
    std::copy(grid, grid + 3, gridExtents);
  }
  void beginLaunch();
  void beginBlock(unsigned warps);
  void beginInterval(); // all threads of the block passed a barrier
  void beginWarpInterval(unsigned warp);
  /// The thread in turn passes a fence of the device.
  void fence();
  /// What follows is the engine's for copies, until setThread(): the id of its accesses. They are
  /// ordered before those of a thread that sees the copy, and of all behind the next barrier.
  uint32_t beginEngineCopy() {
    thisWarp = segments.size();
    return self = takeChunk(thisWarp);
  }
  void seeEngineCopy(uint32_t id) { engineCopies[thisWarp * 32 + (self & 31)].push_back(id); }
  void setThread(unsigned warp, unsigned lane) {
    thisWarp = warp;
    self = segments[warp] | lane;
  }

  /// What is wrong with an access of the thread in turn: empty if nothing. Records it.
  std::string access(uintptr_t address, size_t bytes, Access kind);

private:
  /// Ids from the first on and before the second.
  using Ids = std::pair<uint32_t, uint32_t>;

  bool concurrent(uint32_t id) const;
  void passAtomic(uintptr_t address);
  std::string race(const Region &region, uintptr_t address, size_t bytes, Access kind, uint32_t id,
                   bool wrote) const;
  std::string describeThread(uint32_t id) const;
  std::string outside(uintptr_t address, size_t bytes, Access kind);
  uint32_t takeChunk(unsigned warp);

  std::map<uintptr_t, std::unique_ptr<Region>> regions; // by begin
  static constexpr size_t recentSlots = 256;
  Region *recent[recentSlots] = {}; // by address / 128
  // Ids: the next free one, where launch, block and interval began, and each warp's.
  uint32_t next = 32, launchFirst = 32, blockFirst = 32, intervalFirst = 32;
  std::vector<uint32_t> segments;
  std::vector<uint16_t> chunkWarps;                       // of the launch's chunks
  std::vector<uint32_t> blockFirsts;                      // of the launch's blocks
  size_t blocksForgotten = 0;                             // of the launch, before blockFirsts
  std::map<unsigned, std::vector<uint32_t>> engineCopies; // since the barrier, that threads saw
  unsigned thisWarp = 0;                                  // as many as the block has: the engine
  uint32_t self = 0;
  // What atomics of the launch published, by their places; what those of this block found, by their
  // threads, then what fences of these threads made sure of, then what barriers published to the
  // block.
  std::map<uintptr_t, std::vector<Ids>> published;
  std::map<unsigned, std::vector<Ids>> found;
  std::vector<Ids> fenced, seen;
  std::map<unsigned, uint32_t> doneBefore; // the last fence of each thread: ids that are done
  unsigned blockExtents[3] = {1, 1, 1}, gridExtents[3] = {1, 1, 1};
};

std::string triple(unsigned linear, const unsigned *extents); // "(1, 0, 0)"

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_MEMORY_H
