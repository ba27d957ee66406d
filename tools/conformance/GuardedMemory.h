// GuardedMemory.h: memory of a run in which each tensor, buffer and weight has pages of
// its own between pages that nobody can touch. What lies in a slot's pages beside the slot
// holds poison; whoever changes it left its slot by less than a page.
#ifndef SYMC_TOOLS_CONFORMANCE_GUARDEDMEMORY_H
#define SYMC_TOOLS_CONFORMANCE_GUARDEDMEMORY_H

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace symc::conformance {

/// Who writes a slot, and when it is poisoned.
enum class Use {
  Fixed,  // written before the runs, read by them: never poisoned, protected while they run
  Weight, // poisoned before its preparation, protected behind it
  State,  // poisoned before the first run
  Result, // poisoned before each run
  Own,    // of the runtime: never poisoned
};

struct Slot {
  std::string name;
  uint8_t *data;
  int64_t bytes;
  uint8_t *pages; // accessible; the slot lies in them
  int64_t pageBytes;
  Use use;
};

/// A slot by its place in an area.
struct PlannedSlot {
  std::string name;
  int64_t offset, bytes;
};

class GuardedMemory {
public:
  /// Slots that are allocated by themselves end where their pages do, or start there.
  explicit GuardedMemory(bool atEnd) : atEnd(atEnd) {}
  GuardedMemory(const GuardedMemory &) = delete;
  ~GuardedMemory();

  /// A slot by itself, aligned as far as its bytes are multiples of the alignment. Null where
  /// there is no memory.
  uint8_t *allocate(std::string name, int64_t bytes, Use use);
  /// Slots as a plan places them; the rest of the area is inaccessible. Page-aligned.
  uint8_t *allocate(int64_t bytes, const std::vector<PlannedSlot> &slots, Use use);
  /// What allocate returned.
  void release(void *memory);

  /// Fills slots of these uses, and what lies beside slots of any.
  void poison(uint8_t value, std::initializer_list<Use> uses);
  /// Lets code read slots of that use only, or write them again.
  void protect(Use use, bool readOnly);
  /// Which slot's surroundings are no poison of `value` any more, as a sentence; "" for none.
  std::string changed(uint8_t value) const;
  /// The slot next to an address, in whose pages or beside them it lies; null for none. Allocates
  /// nothing.
  const Slot *nearest(const uint8_t *address) const;
  /// A slot of results with bytes of poison in its pages; null for none.
  const Slot *withSlack() const;
  /// Adds slots that code may touch, and their bytes.
  void count(int64_t &slots, int64_t &bytes) const;

private:
  struct Mapping {
    uint8_t *base = nullptr;
    int64_t bytes = 0;
    uint8_t *handedOut = nullptr;
    std::vector<Slot> slots;
  };
  Mapping *map(int64_t bytes);

  bool atEnd;
  std::list<Mapping> mappings;
};

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GUARDEDMEMORY_H
