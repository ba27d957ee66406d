// GuardedMemory.cpp: see GuardedMemory.h. A mapping is one page nobody can touch, the
// slots' pages, and one such page again.
#include "tools/conformance/GuardedMemory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace symc::conformance;

static constexpr int64_t page = 4096;
static int64_t wholePages(int64_t bytes) { return (bytes + page - 1) / page * page; }

GuardedMemory::~GuardedMemory() {
  for (Mapping &mapping : mappings)
    munmap(mapping.base, mapping.bytes);
}

GuardedMemory::Mapping *GuardedMemory::map(int64_t bytes) {
  Mapping made;
  made.bytes = wholePages(bytes) + 2 * page;
  void *memory = mmap(nullptr, made.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  made.base = static_cast<uint8_t *>(memory);
  mappings.push_back(made);
  return &mappings.back();
}

static Slot slotAt(std::string name, uint8_t *data, int64_t bytes, Use use) {
  auto address = reinterpret_cast<uintptr_t>(data);
  uint8_t *pages = data - address % page;
  int64_t pageBytes = bytes ? wholePages(data + bytes - pages) : 0;
  mprotect(pages, pageBytes, PROT_READ | PROT_WRITE);
  return {std::move(name), data, bytes, pages, pageBytes, use};
}

uint8_t *GuardedMemory::allocate(std::string name, int64_t bytes, Use use) {
  Mapping *mapping = map(bytes);
  if (!mapping)
    return nullptr;
  uint8_t *data = mapping->base + page + (atEnd ? wholePages(bytes) - bytes : 0);
  mapping->handedOut = data;
  mapping->slots.push_back(slotAt(std::move(name), data, bytes, use));
  return data;
}

uint8_t *GuardedMemory::allocate(int64_t bytes, const std::vector<PlannedSlot> &slots, Use use) {
  Mapping *mapping = map(bytes);
  if (!mapping)
    return nullptr;
  mapping->handedOut = mapping->base + page;
  for (const PlannedSlot &slot : slots)
    mapping->slots.push_back(slotAt(slot.name, mapping->handedOut + slot.offset, slot.bytes, use));
  return mapping->handedOut;
}

void GuardedMemory::release(void *memory) {
  mappings.remove_if([&](const Mapping &mapping) {
    if (mapping.handedOut != memory)
      return false;
    munmap(mapping.base, mapping.bytes);
    return true;
  });
}

void GuardedMemory::poison(uint8_t value, std::initializer_list<Use> uses) {
  for (Mapping &mapping : mappings)
    for (Slot &slot : mapping.slots) {
      bool whole = std::find(uses.begin(), uses.end(), slot.use) != uses.end();
      mprotect(slot.pages, slot.pageBytes, PROT_READ | PROT_WRITE);
      int64_t before = slot.data - slot.pages;
      if (whole) {
        memset(slot.pages, value, slot.pageBytes);
      } else if (slot.pageBytes) {
        memset(slot.pages, value, before);
        memset(slot.data + slot.bytes, value, slot.pageBytes - before - slot.bytes);
      }
      if (slot.use == Use::Fixed)
        mprotect(slot.pages, slot.pageBytes, PROT_READ);
    }
}

void GuardedMemory::protect(Use use, bool readOnly) {
  for (Mapping &mapping : mappings)
    for (Slot &slot : mapping.slots)
      if (slot.use == use)
        mprotect(slot.pages, slot.pageBytes, readOnly ? PROT_READ : PROT_READ | PROT_WRITE);
}

std::string GuardedMemory::changed(uint8_t value) const {
  for (const Mapping &mapping : mappings)
    for (const Slot &slot : mapping.slots)
      for (int64_t i = 0; i < slot.pageBytes; ++i) {
        uint8_t *place = slot.pages + i;
        if (place == slot.data)
          i += slot.bytes, place += slot.bytes;
        if (i < slot.pageBytes && *place != value)
          return "byte " + std::to_string(place - slot.data) + " of " + slot.name + ", which has " +
                 std::to_string(slot.bytes) + ", was written";
      }
  return "";
}

const Slot *GuardedMemory::nearest(const uint8_t *address) const {
  const Slot *best = nullptr;
  int64_t bestDistance = INT64_MAX;
  for (const Mapping &mapping : mappings) {
    if (address < mapping.base || address >= mapping.base + mapping.bytes)
      continue;
    for (const Slot &slot : mapping.slots) {
      int64_t distance = std::max<int64_t>(slot.data - address, address - slot.data - slot.bytes);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = &slot;
      }
    }
  }
  return best;
}

const Slot *GuardedMemory::withSlack() const {
  for (const Mapping &mapping : mappings)
    for (const Slot &slot : mapping.slots)
      if (slot.pageBytes > slot.bytes && slot.use == Use::Result)
        return &slot;
  return nullptr;
}

void GuardedMemory::count(int64_t &slots, int64_t &bytes) const {
  for (const Mapping &mapping : mappings)
    for (const Slot &slot : mapping.slots) {
      slots += slot.use != Use::Own;
      bytes += slot.use != Use::Own ? slot.bytes : 0;
    }
}
