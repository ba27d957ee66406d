// Memory.cpp: see Memory.h.
#include "tools/cuda-shim/Memory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace symc::shim;

static Cell *mapCells(size_t count) {
  void *memory = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("internal error: cuda shim: cells of a region");
    abort();
  }
  return static_cast<Cell *>(memory);
}

std::string symc::shim::triple(unsigned linear, const unsigned *extents) {
  char text[48];
  snprintf(text, sizeof(text), "(%u, %u, %u)", linear % extents[0],
           linear / extents[0] % extents[1], linear / extents[0] / extents[1]);
  return text;
}

//===-- Regions ------------------------------------------------------------------------------===//

Region::Region(uintptr_t begin, size_t bytes, bool shared, std::string name)
    : begin(begin), end(begin + bytes), shared(shared), name(std::move(name)),
      cells(mapCells(cellCount())) {}

Region::~Region() { munmap(cells, cellCount() * sizeof(Cell)); }

void Region::refine(size_t bytes) {
  size_t oldCount = cellCount();
  unsigned by = 0;
  while ((size_t(1) << (cellShift - by)) > bytes)
    ++by;
  cellShift -= by;
  Cell *fine = mapCells(cellCount());
  for (size_t i = 0; i < cellCount(); ++i)
    if (Cell &old = cells[std::min(i >> by, oldCount - 1)]; old.writer || old.reader)
      fine[i] = old;
  munmap(cells, oldCount * sizeof(Cell));
  cells = fine;
}

void Region::markWritten(uintptr_t from, uintptr_t to) {
  auto it = written.upper_bound(from);
  if (it != written.begin() && std::prev(it)->second >= from) {
    --it;
    from = it->first;
  }
  while (it != written.end() && it->first <= to) {
    to = std::max(to, it->second);
    it = written.erase(it);
  }
  written[from] = to;
}

bool Region::hostWrote(uintptr_t from, uintptr_t to) const {
  auto it = written.upper_bound(from);
  return it != written.begin() && std::prev(it)->second >= to;
}

uintptr_t Region::firstUnwritten(uintptr_t from, uintptr_t to) {
  for (uintptr_t at = from; at < to;) {
    uintptr_t nextCell = std::min(to, ((((at - begin) >> cellShift) + 1) << cellShift) + begin);
    if (!cellOf(at)->writer && !hostWrote(at, nextCell))
      return at;
    at = nextCell;
  }
  return to;
}

void Region::settle() {
  for (size_t i = 0; i < cellCount(); ++i)
    if (Cell &cell = cells[i]; cell.writer || cell.reader)
      cell = {cell.writer ? 1u : 0u, 0, 0};
}

//===-- Which region -------------------------------------------------------------------------===//

Region *Memory::add(uintptr_t begin, size_t bytes, bool shared, std::string name) {
  return (regions[begin] = std::make_unique<Region>(begin, bytes, shared, std::move(name))).get();
}

void Memory::remove(uintptr_t begin) {
  std::fill(std::begin(recent), std::end(recent), nullptr);
  regions.erase(begin);
}

Region *Memory::find(uintptr_t address) {
  Region *&slot = recent[(address >> 7) % recentSlots];
  if (slot && slot->begin <= address && address < slot->end)
    return slot;
  auto it = regions.upper_bound(address);
  if (it == regions.begin() || std::prev(it)->second->end <= address)
    return nullptr;
  return slot = std::prev(it)->second.get();
}

Region *Memory::nearest(uintptr_t address) {
  auto after = regions.upper_bound(address);
  Region *behind = after == regions.begin() ? nullptr : std::prev(after)->second.get();
  Region *ahead = after == regions.end() ? nullptr : after->second.get();
  if (!behind || !ahead)
    return behind ? behind : ahead;
  return address - behind->end <= ahead->begin - address ? behind : ahead;
}

//===-- Ids ----------------------------------------------------------------------------------===//

uint32_t Memory::takeChunk(unsigned warp) {
  chunkWarps.push_back(warp);
  uint32_t chunk = next;
  next += 32;
  return chunk;
}

void Memory::beginLaunch() {
  // Ids are used up after some hundred large launches; a launch of 2^30 has none.
  if (next > (1u << 30)) {
    for (auto &[begin, region] : regions)
      region->settle();
    next = 32;
  }
  launchFirst = next;
  published.clear();
  chunkWarps.clear();
  blockFirsts.clear();
  blocksForgotten = 0;
}

void Memory::beginBlock(unsigned warps) {
  if (next > (3u << 29)) { // races with earlier blocks of this launch go unseen
    for (auto &[begin, region] : regions)
      region->settle();
    next = launchFirst = 32;
    published.clear();
    chunkWarps.clear();
    blocksForgotten += blockFirsts.size();
    blockFirsts.clear();
  }
  blockFirst = next;
  blockFirsts.push_back(next);
  segments.resize(warps);
  found.clear();
  fenced.clear();
  seen.clear();
  doneBefore.clear();
  beginInterval();
}

void Memory::beginInterval() {
  intervalFirst = next;
  engineCopies.clear();
  seen.insert(seen.end(), fenced.begin(), fenced.end());
  fenced.clear();
  for (unsigned warp = 0; warp < segments.size(); ++warp)
    segments[warp] = takeChunk(warp);
}

void Memory::beginWarpInterval(unsigned warp) { segments[warp] = takeChunk(warp); }

void Memory::fence() {
  unsigned thread = thisWarp * 32 + (self & 31);
  doneBefore[thread] = intervalFirst;
  std::vector<Ids> &own = found[thread];
  fenced.insert(fenced.end(), own.begin(), own.end());
  own.clear();
}

void Memory::passAtomic(uintptr_t address) {
  unsigned thread = thisWarp * 32 + (self & 31);
  std::vector<Ids> &here = published[address], &own = found[thread];
  own.insert(own.end(), here.begin(), here.end());
  auto done = doneBefore.find(thread);
  if (done == doneBefore.end() || done->second == blockFirst)
    return;
  here.push_back({blockFirst, done->second});
  here.insert(here.end(), seen.begin(), seen.end());
}

bool Memory::concurrent(uint32_t id) const {
  if (id < launchFirst || id == self)
    return false;
  if (id < blockFirst)
    return std::none_of(seen.begin(), seen.end(),
                        [&](Ids ids) { return ids.first <= id && id < ids.second; });
  if (id < intervalFirst)
    return false;
  unsigned warp = chunkWarps[(id - launchFirst) >> 5];
  if (warp == segments.size()) { // the engine's
    auto seenCopies = engineCopies.find(thisWarp * 32 + (self & 31));
    return warp != thisWarp && (seenCopies == engineCopies.end() ||
                                std::find(seenCopies->second.begin(), seenCopies->second.end(),
                                          id) == seenCopies->second.end());
  }
  return warp != thisWarp || (id >> 5) == (self >> 5);
}

//===-- Checks -------------------------------------------------------------------------------===//

static const char *verb(Access kind) {
  return kind == Access::Read ? "reads" : kind == Access::Write ? "writes" : "changes";
}

static std::string place(const Region &region, uintptr_t address, size_t bytes, Access kind) {
  long long offset = static_cast<long long>(address - region.begin);
  return std::string(verb(kind)) + " " + std::to_string(bytes) + " bytes at byte " +
         std::to_string(offset) + " of " + region.name;
}

std::string Memory::describeThread(uint32_t id) const {
  size_t block =
      blocksForgotten - 1 +
      (std::upper_bound(blockFirsts.begin(), blockFirsts.end(), id) - blockFirsts.begin());
  unsigned warp = chunkWarps[(id - launchFirst) >> 5];
  if (warp == segments.size())
    return "a copy by a tensor map";
  std::string thread = "thread " + triple(warp * 32 + (id & 31), blockExtents);
  if (id < blockFirst)
    thread += " of block " + triple(block, gridExtents);
  return thread;
}

std::string Memory::race(const Region &region, uintptr_t address, size_t bytes, Access kind,
                         uint32_t id, bool wrote) const {
  return "race: " + place(region, address, bytes, kind) + ", which " + describeThread(id) +
         (wrote ? " wrote" : " read") +
         (id < blockFirst ? " in the same launch" : " with no barrier between");
}

std::string Memory::outside(uintptr_t address, size_t bytes, Access kind) {
  Region *region = nearest(address);
  if (!region)
    return std::string(verb(kind)) + " memory that nobody allocated";
  return place(*region, address, bytes, kind) + ", which has " +
         std::to_string(region->end - region->begin);
}

std::string Memory::access(uintptr_t address, size_t bytes, Access kind) {
  Region *region = find(address);
  if (!region || address + bytes > region->end)
    return outside(address, bytes, kind);
  if (address & (bytes - 1))
    return place(*region, address, bytes, kind) + ", which is no multiple of " +
           std::to_string(bytes);
  if (bytes < (size_t(1) << region->shift()))
    region->refine(bytes);

  if (kind == Access::Atomic && !region->shared)
    passAtomic(address);
  Cell *cell = region->cellOf(address), *last = region->cellOf(address + bytes - 1);
  for (uintptr_t at = address; cell <= last; ++cell, at += uintptr_t(1) << region->shift()) {
    uint32_t writer = cell->writer & ~atomicBit;
    bool both = kind == Access::Atomic && (cell->writer & atomicBit);
    // Shared memory begins anew with each block.
    if (region->shared && writer < blockFirst)
      writer = 0;
    if (kind != Access::Write && writer == 0) {
      if (region->shared || !region->hostWrote(at, std::min(at + bytes, region->end)))
        return place(*region, address, bytes, kind) + ", which nobody wrote";
      cell->writer = writer = 1;
    }
    if (!both && concurrent(writer))
      return race(*region, address, bytes, kind, writer, true);
    if (kind == Access::Read) {
      if (cell->reader == self)
        continue;
      // A reader stays as long as a write of this launch may race with it.
      bool ordered = cell->reader < (region->shared ? blockFirst : launchFirst) ||
                     (cell->reader >= blockFirst && !concurrent(cell->reader));
      (ordered ? cell->reader : cell->another) = self;
      continue;
    }
    for (uint32_t reader : {cell->reader, cell->another})
      if (concurrent(reader) && !(region->shared && reader < blockFirst))
        return race(*region, address, bytes, kind, reader, false);
    cell->writer = kind == Access::Atomic ? self | atomicBit : self;
  }
  return {};
}
